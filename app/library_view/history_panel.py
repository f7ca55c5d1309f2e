"""The panel at the left: earlier conversations, and a search over all of them."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QListView, QToolButton, QVBoxLayout, QWidget

from app.history import DocumentGroup, History
from app.library_view.delete_dialog import DeleteDialog
from app.library_view.rename_dialog import RenameDialog
from app.library_view.row_painter import RowPainter
from app.library_view.rows import Row, RowModel, row_of, rows_of_groups, rows_of_hits
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label
from core.library.records import SearchHit

_WIDTH = 320
_HEADER_HEIGHT = 41
_ICON = QSize(18, 18)
_TYPING_MS = 150


class HistoryList(QListView):
    """Enter and a click open, F2 renames, Delete deletes."""

    chosen = Signal()
    rename_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self.chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        signals = {
            Qt.Key.Key_Return: self.chosen,
            Qt.Key.Key_Enter: self.chosen,
            Qt.Key.Key_F2: self.rename_wanted,
            Qt.Key.Key_Delete: self.delete_wanted,
        }
        wanted = signals.get(Qt.Key(event.key()))
        if wanted is not None:
            wanted.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class HistoryPanel(QFrame):
    """Lists what the library has; `close_clicked` asks to be put away."""

    close_clicked = Signal()

    def __init__(self, history: History, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("history_panel")
        self._history = history
        self._groups: Sequence[DocumentGroup] = ()
        self._hits: Sequence[SearchHit] | None = None
        self.heading, self.empty = plain_label("title"), plain_label("muted")
        self.empty.setWordWrap(True)
        self.close_button, self.rename_button, self.delete_button = (
            QToolButton(),
            QToolButton(),
            QToolButton(),
        )
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.model, self.list, self.painter = RowModel(self), HistoryList(), RowPainter(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(self.painter)
        self.rename_dialog, self.delete_dialog = RenameDialog(self), DeleteDialog(self)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._connect()
        self._lay_out()
        self._retranslate()

    def open_up(self) -> None:
        """Come on screen with what the library has now, ready for a search."""
        self._show_rows()
        self.show()
        self._history.refresh()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_current(self, conversation_id: int | None) -> None:
        """Mark the conversation that is on screen."""
        self.painter.current_id = conversation_id
        self.list.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From the search straight into what it found."""
        if event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            self._select_first()
            return
        super().keyPressEvent(event)

    @property
    def _chosen(self) -> Row | None:
        return row_of(self.list.currentIndex())

    def _connect(self) -> None:
        self._history.listed.connect(self._on_listed)
        self._history.found.connect(self._on_found)
        self._typing.timeout.connect(self._on_typed)
        self.field.textChanged.connect(self._on_text_changed)
        self.field.returnPressed.connect(self._on_first_wanted)
        self.list.chosen.connect(self._on_chosen)
        self.list.rename_wanted.connect(self._on_rename_wanted)
        self.list.delete_wanted.connect(self._on_delete_wanted)
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self.close_button.clicked.connect(self.close_clicked)
        self.rename_button.clicked.connect(self._on_rename_wanted)
        self.delete_button.clicked.connect(self._on_delete_wanted)
        self.rename_dialog.name_given.connect(self._history.rename)
        self.delete_dialog.confirmed.connect(self._history.delete)

    def _lay_out(self) -> None:
        self.setFixedWidth(_WIDTH)
        header = QFrame()
        header.setObjectName("chat_header")
        header.setFixedHeight(_HEADER_HEIGHT)
        row = QHBoxLayout(header)
        row.setContentsMargins(SPACE.l, 0, SPACE.s, 0)
        row.setSpacing(SPACE.xs)
        row.addWidget(self.heading)
        row.addStretch(1)
        for button, name in (
            (self.rename_button, "edit"),
            (self.delete_button, "delete"),
            (self.close_button, "close"),
        ):
            button.setIconSize(_ICON)
            icons.set_icon(button, name, "text_muted")
            row.addWidget(button)
        inside = QVBoxLayout()
        inside.setContentsMargins(SPACE.s, SPACE.m, SPACE.s, SPACE.s)
        inside.setSpacing(SPACE.s)
        for widget in (self.field, self.empty):
            inside.addWidget(widget)
        inside.addWidget(self.list, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addLayout(inside, 1)
        self._on_current_changed()

    def _retranslate(self) -> None:
        self.heading.setText(self.tr("History"))
        self.field.setPlaceholderText(self.tr("Search all questions and answers"))
        self.field.setAccessibleName(self.field.placeholderText())
        self.list.setAccessibleName(self.tr("Conversations"))
        for button in self.field.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the search"))
        for button, words in (
            (self.rename_button, self.tr("Rename the conversation (F2)")),
            (self.delete_button, self.tr("Delete the conversation (Del)")),
            (self.close_button, self.tr("Close the history (Ctrl+H)")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)
        self._show_rows()

    def _show_rows(self) -> None:
        before, bar = self._chosen, self.list.verticalScrollBar()
        place = bar.value()
        if self._hits is None:
            questions = self.tr("Questions: {count}")
            rows = rows_of_groups(self._groups, self.tr("Without a document"), questions)
            empty = self.tr("What you ask is kept here, with its answers. Nothing leaves this machine.")
        else:
            rows = rows_of_hits(self._hits)
            empty = self.tr("Nothing found. All words must stand in one question with its answer.")
        self.model.show_rows(rows)
        self.empty.setText(empty)
        self.empty.setVisible(not rows)
        if before is not None:
            self.list.setCurrentIndex(self.model.place_of(before))
        self.list.executeDelayedItemsLayout()
        bar.setValue(place)
        self._on_current_changed()

    def _select_first(self) -> None:
        if self._chosen is None:
            first = next((row for row in self.model.rows if not row.is_heading), None)
            if first is not None:
                self.list.setCurrentIndex(self.model.place_of(first))

    def _on_listed(self, groups: Sequence[DocumentGroup]) -> None:
        if groups == self._groups:
            return
        self._groups = groups
        if self._hits is None and not self.isHidden():
            self._show_rows()

    def _on_found(self, _query: str, hits: Sequence[SearchHit]) -> None:
        if self.field.text().strip():
            self._hits = hits
            self._show_rows()

    def _on_text_changed(self, text: str) -> None:
        self._typing.start()
        if not text.strip():
            self._hits = None
            self._show_rows()

    def _on_typed(self) -> None:
        self._history.search(self.field.text())

    def _on_first_wanted(self) -> None:
        self._select_first()
        self._on_chosen()

    def _on_chosen(self) -> None:
        row = self._chosen
        if row is not None and row.conversation_id is not None:
            self._history.open(row.conversation_id, row.turn_id)

    def _on_rename_wanted(self) -> None:
        row = self._chosen
        if row is not None and row.conversation_id is not None:
            self.rename_dialog.ask(row.conversation_id, row.title)

    def _on_delete_wanted(self) -> None:
        row = self._chosen
        if row is not None and row.conversation_id is not None:
            self.delete_dialog.ask(row.conversation_id, row.title)

    def _on_current_changed(self, _current: QModelIndex | None = None, _before: object = None) -> None:
        is_chosen = self._chosen is not None
        self.rename_button.setEnabled(is_chosen)
        self.delete_button.setEnabled(is_chosen)
