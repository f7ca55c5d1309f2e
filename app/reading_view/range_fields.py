"""Fields for page ranges, one for each document, with what each range costs."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from app.reading_view.words import need_words
from app.theme import SPACE
from app.widgets.texts import plain_label, shortened
from core.documents.layout import Document
from core.documents.reading_choice import ReadingChoice, ReadingKind
from core.documents.sizes import DocumentSizes
from core.errors import UsageError

_NAME_CHARACTERS = 40


class RangeFields(QWidget):
    """`changed` comes with every key and with a click into a field.

    An empty field means all pages of its document.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: list[QLineEdit] = []
        self._documents: tuple[Document, ...] = ()
        self._sizes: DocumentSizes | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE.s)
        self._grid.setVerticalSpacing(SPACE.xs)
        self._grid.setColumnStretch(1, 1)
        self.numbers = plain_label("caption")
        self.numbers.setWordWrap(True)

    def show_documents(self, documents: Sequence[Document], choice: ReadingChoice) -> None:
        self._documents = tuple(documents)
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None and widget is not self.numbers:
                widget.setParent(None)
                widget.deleteLater()
        self.fields = []
        for row, document in enumerate(documents):
            name, field = plain_label(text=shortened(document.name, _NAME_CHARACTERS)), QLineEdit()
            field.setText(choice.pages[row] if row < len(choice.pages) else "")
            field.textChanged.connect(self._on_text_changed)
            field.installEventFilter(self)
            name.setBuddy(field)
            if len(documents) > 1:
                self._grid.addWidget(name, row, 0)
                self._grid.addWidget(field, row, 1)
            else:
                self._grid.addWidget(field, row, 0, 1, 2)
            self.fields.append(field)
        self._grid.addWidget(self.numbers, len(documents), 0, 1, 2)
        self.retranslate()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            self.changed.emit()
        return super().eventFilter(watched, event)

    def show_sizes(self, sizes: DocumentSizes | None) -> None:
        self._sizes = sizes
        self._show_numbers()

    @property
    def choice(self) -> ReadingChoice | None:
        """What is written; None if it is no range or names no page."""
        choice = ReadingChoice(ReadingKind.PAGES, tuple(field.text().strip() for field in self.fields))
        try:
            return choice if choice.has_pages_of(self._documents) else None
        except UsageError:
            return None

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        for document, field in zip(self._documents, self.fields, strict=True):
            field.setPlaceholderText(self.tr("All pages; or for example 1-40, or 3,7-9"))
            words = self.tr("Pages of {name} that are read")
            field.setAccessibleName(words.format(name=document.name))
        self._show_numbers()

    def _show_numbers(self) -> None:
        choice = self.choice
        if choice is None:
            self.numbers.setText(self.tr("Write pages of the document, for example 1-40 or 3,7-9."))
            return
        count = sum(
            index in choice.range_of(number)
            for number, document in enumerate(self._documents)
            for index in range(document.num_pages)
        )
        words = self.tr("Pages: {count}.").format(count=f"{count:,}")
        self.numbers.setText(f"{words} {need_words(self._sizes, choice)}" if self._sizes else words)

    def _on_text_changed(self, _text: str) -> None:
        self._show_numbers()
        self.changed.emit()
