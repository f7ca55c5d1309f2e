"""What an answer looked at, page by page, folded in until the reader wants it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from app.theme import SPACE
from app.widgets.keys import is_enter
from app.widgets.shares import percent
from app.widgets.texts import plain_label, shortened
from app.widgets.wrapping_button import WrappingButton
from core.events import EvidencePage

_MOST_ENTRIES = 5
_MOST_NUMBERS = 3
_PASSAGE_CHARACTERS = 260


class EvidenceEntry(WrappingButton):
    """One page with its share and its strongest passage; a click or Enter goes there."""

    page_clicked = Signal(object)

    def __init__(self, page: EvidencePage, *, names_document: bool, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.page = page
        self._names_document = names_document
        self.setProperty("kind", "passage")
        self.clicked.connect(self._on_clicked)
        self._retranslate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event):
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        number, label = str(self.page.page_index + 1), self.page.page_label
        words = self.tr("p. {number}").format(number=number)
        if label not in ("", number):
            words = self.tr("p. {number} (printed {label})").format(number=number, label=label)
        if self._names_document:
            words = f"{words} · {self.page.document}"
        words = f"{words} · {percent(self.page.mass)}"
        passage = shortened(self.page.passage, _PASSAGE_CHARACTERS)
        self.say(f"{words}\n{passage}" if passage else words)
        self.setAccessibleDescription(self.tr("Goes to the page and marks the passage."))

    def _on_clicked(self) -> None:
        self.page_clicked.emit(self.page)


class EvidenceList(QWidget):
    """Hidden where nothing is known. `chosen` carries all pages when the list is opened or one is clicked."""

    chosen = Signal(object)
    page_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: list[EvidenceEntry] = []
        self.pages: tuple[EvidencePage, ...] = ()
        self.button = QToolButton()
        self.button.setCheckable(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setProperty("kind", "labelled")
        self.button.toggled.connect(self._on_toggled)
        self.words = plain_label("caption")
        self.words.setWordWrap(True)
        self.words.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE.xs)
        self._column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self.words)
        self._retranslate()
        self._on_toggled(False)
        self.hide()

    def show_pages(self, pages: Sequence[EvidencePage], *, names_documents: bool = False) -> None:
        """Most first, as they come; folded in."""
        for entry in self.entries:
            self._column.removeWidget(entry)
            entry.setParent(None)
            entry.deleteLater()
        self.pages, self.entries = tuple(pages), []
        self.button.setChecked(False)
        for page in self.pages[:_MOST_ENTRIES]:
            entry = EvidenceEntry(page, names_document=names_documents, parent=self)
            entry.hide()
            entry.page_clicked.connect(self._on_page_clicked)
            self.entries.append(entry)
            self._column.addWidget(entry)
        self._retranslate()
        self.setVisible(bool(self.pages))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        numbers = ", ".join(str(page.page_index + 1) for page in self.pages[:_MOST_NUMBERS])
        if len(self.pages) > _MOST_NUMBERS:
            numbers += ", …"
        words = self.tr("Looked at: p. {numbers}").format(numbers=numbers)
        self.button.setText(words)
        self.button.setAccessibleName(words)
        said = self.tr("The model looked here most while it wrote. That is no proof of what it says.")
        self.words.setText(said)
        self.button.setToolTip(said)

    def _on_toggled(self, is_open: bool) -> None:
        self.button.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        for widget in (self.words, *self.entries):
            widget.setVisible(is_open)
        if is_open:
            self.chosen.emit(self.pages)

    def _on_page_clicked(self, page: EvidencePage) -> None:
        self.chosen.emit(self.pages)
        self.page_clicked.emit(page)
