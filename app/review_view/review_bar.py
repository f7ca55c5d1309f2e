"""Over the table of a review: which checklist, start and stop, which rows, and reports."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import i18n, theme
from app.review_view.review_filter import Show
from app.theme import SPACE
from app.widgets import icons
from core.errors import LecternError
from core.review.checklist import text_in
from core.review.checklists import checklist_names, load_checklist
from core.review.export.writer import EXPORT_SUFFIXES

_ICON = QSize(20, 20)


class ReviewBar(QWidget):
    """Shows what it is told; `checklist_chosen` carries a name, `export_wanted` the ending of a file."""

    checklist_chosen = Signal(str)
    edit_clicked = Signal()
    start_clicked = Signal()
    stop_clicked = Signal()
    words_changed = Signal(str)
    show_changed = Signal(object)
    export_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.checklist_box, self.edit_button = QComboBox(), QToolButton()
        self.start_button, self.stop_button = QPushButton(), QPushButton()
        self.words_field, self.show_box = QLineEdit(), QComboBox()
        self.export_button, self.export_menu = QToolButton(), QMenu(self)
        self.export_actions = {suffix: QAction(self) for suffix in EXPORT_SUFFIXES}
        self._is_anything_answered = False
        self._make()
        self._lay_out()
        self._retranslate()

    def show_checklists(self, chosen: str) -> None:
        """All that there are; emits nothing."""
        self.checklist_box.blockSignals(True)
        self.checklist_box.clear()
        for name in checklist_names():
            self.checklist_box.addItem(_title_of(name), name)
        self.checklist_box.setCurrentIndex(self.checklist_box.findData(chosen))
        self.checklist_box.blockSignals(False)

    def show_work(self, *, is_running: bool, can_start: bool, has_findings: bool, is_complete: bool) -> None:
        """`is_complete` says that every question has an answer."""
        self.start_button.setVisible(not is_running)
        self.stop_button.setVisible(is_running)
        self.start_button.setEnabled(can_start)
        self.checklist_box.setEnabled(not is_running)
        self.export_button.setEnabled(has_findings)
        self._is_anything_answered, self._is_complete = has_findings, is_complete
        self._name_start()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.show_checklists(str(self.checklist_box.currentData() or ""))
        super().changeEvent(event)

    def _make(self) -> None:
        self._is_complete = False
        self.start_button.setProperty("kind", "primary")
        icons.set_icon(self.stop_button, "stop")
        icons.set_icon(self.edit_button, "settings", "text_muted")
        icons.set_icon(self.export_button, "document", "text_muted")
        self.checklist_box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.checklist_box.setMinimumContentsLength(12)
        self.words_field.setClearButtonEnabled(True)
        for show in Show:
            self.show_box.addItem("", show)
        for suffix, action in self.export_actions.items():
            action.setData(suffix)
            self.export_menu.addAction(action)
        self.export_button.setMenu(self.export_menu)
        self.export_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.export_button.setProperty("kind", "labelled")
        for button in (self.edit_button, self.export_button):
            button.setIconSize(_ICON)
        self.checklist_box.activated.connect(self._on_checklist_activated)
        self.edit_button.clicked.connect(self.edit_clicked)
        self.start_button.clicked.connect(self.start_clicked)
        self.stop_button.clicked.connect(self.stop_clicked)
        self.words_field.textChanged.connect(self.words_changed)
        self.show_box.currentIndexChanged.connect(self._on_show_changed)
        self.export_menu.triggered.connect(self._on_export_triggered)

    def _lay_out(self) -> None:
        above, below = QHBoxLayout(), QHBoxLayout()
        for row in (above, below):
            row.setSpacing(SPACE.s)
        above.addWidget(self.checklist_box, 1)
        above.addWidget(self.edit_button)
        above.addWidget(self.start_button)
        above.addWidget(self.stop_button)
        below.addWidget(self.words_field, 1)
        below.addWidget(self.show_box)
        below.addWidget(self.export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        column.setSpacing(SPACE.s)
        column.addLayout(above)
        column.addLayout(below)

    def _retranslate(self) -> None:
        self.checklist_box.setAccessibleName(self.tr("Checklist"))
        self.checklist_box.setToolTip(self.tr("The questions to ask"))
        self.edit_button.setToolTip(self.tr("Edit checklists"))
        self.edit_button.setAccessibleName(self.tr("Edit checklists"))
        self.stop_button.setText(self.tr("Stop"))
        self.stop_button.setToolTip(self.tr("Stop (Esc). What is answered stays."))
        self.words_field.setPlaceholderText(self.tr("Search questions and answers"))
        self.words_field.setAccessibleName(self.tr("Search questions and answers"))
        for button in self.words_field.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the search"))
        self.show_box.setAccessibleName(self.tr("Which rows are shown"))
        self.export_button.setText(self.tr("Export"))
        self.export_button.setToolTip(self.tr("Save a report of what was found"))
        for show, words in self._show_words().items():
            self.show_box.setItemText(self.show_box.findData(show), words)
        for suffix, words in (
            (".docx", self.tr("Word document (.docx)…")),
            (".md", self.tr("Markdown (.md)…")),
            (".csv", self.tr("Table (.csv)…")),
            (".html", self.tr("Web page (.html)…")),
        ):
            self.export_actions[suffix].setText(words)
        self._name_start()

    def _show_words(self) -> dict[Show, str]:
        return {
            Show.ALL: self.tr("All rows"),
            Show.OPEN: self.tr("Open"),
            Show.ACCEPTED: self.tr("Accepted"),
            Show.REJECTED: self.tr("Rejected"),
            Show.VERIFIED: self.tr("Verified only"),
            Show.NOT_FOUND: self.tr("Not found"),
            Show.UNANSWERED: self.tr("Not answered"),
        }

    def _name_start(self) -> None:
        if self._is_complete:
            words, tip = self.tr("Ask again"), self.tr("Ask what you have neither accepted nor rejected")
        elif self._is_anything_answered:
            words, tip = self.tr("Continue"), self.tr("Ask what has no answer yet")
        else:
            words, tip = self.tr("Start"), self.tr("Ask all questions of the checklist")
        self.start_button.setText(words)
        self.start_button.setToolTip(tip)

    def _on_checklist_activated(self, index: int) -> None:
        self.checklist_chosen.emit(self.checklist_box.itemData(index))

    def _on_show_changed(self, index: int) -> None:
        self.show_changed.emit(Show(self.show_box.itemData(index)))

    def _on_export_triggered(self, action: QAction) -> None:
        self.export_wanted.emit(action.data())


def _title_of(name: str) -> str:
    """A checklist that cannot be understood goes by its name; choosing it tells why."""
    try:
        return text_in(load_checklist(name).title, i18n.spoken_language(theme.running_app()))
    except LecternError:
        return name
