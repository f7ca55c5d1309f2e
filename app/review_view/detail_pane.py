"""One answer of a review in full: its quotes, and what the reader thinks of it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import i18n, theme
from app.chat_view.answer_text import AnswerText
from app.chat_view.citation_chips import CitationChips, Place
from app.core_texts import translated
from app.review_sheet import Cell, CellState
from app.review_view.words import page_words
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label
from core.review.checklist import ChecklistItem, text_in
from core.review.finding import FindingStatus


class DetailPane(QFrame):
    """Shows what it is told; its signals ask for changes of the cell that is shown."""

    place_clicked = Signal(object)
    accept_clicked = Signal()
    reject_clicked = Signal()
    again_clicked = Signal()
    stop_clicked = Signal()
    comment_given = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_detail")
        self._item: ChecklistItem | None = None
        self._cell, self._document = Cell(), ""
        self.title, self.question = plain_label("heading"), plain_label("muted")
        self.error, self.note = plain_label("error"), plain_label("caption")
        for label in (self.question, self.error, self.note):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.answer, self.chips = AnswerText(), CitationChips()
        self.accept_button, self.reject_button = QPushButton(), QPushButton()
        self.again_button, self.stop_button = QPushButton(), QPushButton()
        self.comment_field = QLineEdit()
        icons.set_icon(self.accept_button, "check", "success")
        icons.set_icon(self.reject_button, "close", "error")
        icons.set_icon(self.again_button, "regenerate")
        icons.set_icon(self.stop_button, "stop")
        self.accept_button.setCheckable(True)
        self.reject_button.setCheckable(True)
        self.chips.place_clicked.connect(self.place_clicked)
        self.accept_button.clicked.connect(self.accept_clicked)
        self.reject_button.clicked.connect(self.reject_clicked)
        self.again_button.clicked.connect(self.again_clicked)
        self.stop_button.clicked.connect(self.stop_clicked)
        self.comment_field.editingFinished.connect(self._on_comment_edited)
        self._lay_out()
        self._retranslate()

    def show_cell(self, item: ChecklistItem | None, cell: Cell, document: str) -> None:
        """`document` is empty where there is only one; without an `item` nothing is selected."""
        is_same = item is self._item and document == self._document
        before, self._item, self._cell, self._document = self._cell, item, cell, document
        self.setEnabled(item is not None)
        if not is_same or before.answer != cell.answer:
            self.answer.show_markdown(cell.answer)
        self.answer.setVisible(bool(cell.answer))
        if not is_same or before.citations != cell.citations or before.state is not cell.state:
            places: list[Place] = [*cell.citations] if cell.state is CellState.DONE else []
            self.chips.show_places(places, names_documents=bool(document))
        comment = cell.finding.comment if cell.finding is not None else ""
        if not (is_same and self.comment_field.hasFocus()):
            self.comment_field.setText(comment)
        self._refresh()

    def focus_comment(self) -> None:
        if self.comment_field.isEnabled():
            self.comment_field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setObjectName("review_detail_text")
        column = QVBoxLayout(inside)
        column.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.s)
        column.setSpacing(SPACE.s)
        for widget in (self.title, self.question, self.answer, self.error, self.note, self.chips):
            column.addWidget(widget)
        column.addStretch(1)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(inside)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE.l, SPACE.s, SPACE.l, SPACE.m)
        row.setSpacing(SPACE.s)
        row.addWidget(self.accept_button)
        row.addWidget(self.reject_button)
        row.addWidget(self.comment_field, 1)
        row.addWidget(self.again_button)
        row.addWidget(self.stop_button)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.scroll_area, 1)
        outer.addLayout(row)

    def _refresh(self) -> None:
        cell, item = self._cell, self._item
        language = i18n.spoken_language(theme.running_app())
        title = text_in(item.title, language) if item is not None else self.tr("No question selected")
        self.title.setText(f"{title} · {self._document}" if self._document and item is not None else title)
        self.question.setText(text_in(item.question, language) if item is not None else "")
        self.question.setVisible(item is not None)
        self.error.setVisible(cell.error is not None)
        if cell.error is not None:
            self.error.setText(f"{translated(cell.error.title)}: {translated(cell.error.message)}")
        note = self._note_words()
        self.note.setText(note)
        self.note.setVisible(bool(note))
        is_whole = cell.state is CellState.DONE and cell.finding is not None
        status = cell.finding.status if cell.finding is not None else FindingStatus.OPEN
        self.accept_button.setChecked(is_whole and status is FindingStatus.ACCEPTED)
        self.reject_button.setChecked(is_whole and status is FindingStatus.REJECTED)
        for widget in (self.accept_button, self.reject_button, self.comment_field):
            widget.setEnabled(is_whole)
        self.again_button.setEnabled(item is not None)
        self.again_button.setVisible(not cell.is_under_way)
        self.stop_button.setVisible(cell.is_under_way)

    def _note_words(self) -> str:
        cell = self._cell
        match cell.state:
            case CellState.EMPTY:
                return self.tr("Not asked yet.") if self._item is not None else ""
            case CellState.WAITING:
                return self.tr("Waiting for its turn.")
            case CellState.STOPPED:
                return self.tr("Stopped. What came so far is not kept.")
            case CellState.ANSWERING | CellState.FAILED:
                return ""
        words = [translated(note) for note in cell.notes]
        if cell.finding is not None and cell.finding.quote and not cell.finding.verified:
            words.insert(0, self.tr("Its quote was not found in the document."))
        elif cell.finding is not None and not cell.finding.quote and not cell.is_not_found:
            words.insert(0, self.tr("It quotes nothing, so that nothing could be verified."))
        elif page_words(cell) and not cell.citations:
            words.insert(0, self.tr("Verified on page {page}.").format(page=page_words(cell)))
        return " ".join(words)

    def _retranslate(self) -> None:
        self.accept_button.setText(self.tr("Accept"))
        self.accept_button.setToolTip(self.tr("Accept the answer (A in the table); again takes it back"))
        self.reject_button.setText(self.tr("Reject"))
        self.reject_button.setToolTip(self.tr("Reject the answer (R in the table); again takes it back"))
        self.again_button.setText(self.tr("Ask again"))
        self.again_button.setToolTip(self.tr("Ask this question again (F5 in the table)"))
        self.stop_button.setText(self.tr("Stop"))
        self.stop_button.setToolTip(self.tr("Stop this question alone (S in the table)"))
        self.comment_field.setPlaceholderText(self.tr("Comment"))
        self.comment_field.setToolTip(self.tr("Comment (C in the table); Enter keeps it"))
        self.comment_field.setAccessibleName(self.tr("Comment"))
        self.answer.setAccessibleName(self.tr("Answer"))
        self.scroll_area.setAccessibleName(self.tr("The answer in full"))
        self._refresh()

    def _on_comment_edited(self) -> None:
        self.comment_given.emit(self.comment_field.text().strip())
