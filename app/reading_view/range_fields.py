"""Fields for page ranges, one for each document, with what each range costs."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from app.reading_view.words import need_words
from app.theme import SPACE
from app.widgets.texts import button_text, plain_label, shortened, tool_tip
from core.documents.layout import Document
from core.documents.page_range import NO_PAGES
from core.documents.reading_choice import ReadingChoice, ReadingKind
from core.documents.sizes import DocumentSizes
from core.errors import UsageError

_NAME_CHARACTERS = 40


class RangeFields(QWidget):
    """`changed` comes with every key, with a click into a field and with a box that is ticked or not.

    An empty field means all pages of its document. Of several documents, one whose box is not ticked is left
    out.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: list[QCheckBox] = []
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
        self.boxes, self.fields = [], []
        for row, document in enumerate(documents):
            self._add_row(row, document, choice.pages[row] if row < len(choice.pages) else "")
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
    def places(self) -> list[QWidget]:
        """What the keyboard goes to, from above."""
        if not self.boxes:
            return [*self.fields]
        return [one for row in zip(self.boxes, self.fields, strict=True) for one in row]

    @property
    def choice(self) -> ReadingChoice | None:
        """What is written and ticked; None if it is no range or names no page."""
        choice = ReadingChoice(ReadingKind.PAGES, tuple(map(self._pages_of, range(len(self.fields)))))
        try:
            return choice if choice.has_pages_of(self._documents) else None
        except UsageError:
            return None

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        for row, (document, field) in enumerate(zip(self._documents, self.fields, strict=True)):
            field.setPlaceholderText(self._hint(row))
            words = self.tr("Pages of {name} that are read")
            field.setAccessibleName(words.format(name=document.name))
        for document, box in zip(self._documents, self.boxes, strict=False):
            box.setAccessibleName(self.tr("Read {name}").format(name=document.name))
            box.setToolTip(
                tool_tip(self.tr("Not ticked, the document is left out: {name}").format(name=document.name))
            )
        self._show_numbers()

    def _add_row(self, row: int, document: Document, pages: str) -> None:
        field = QLineEdit()
        is_left_out = pages.strip().lower() == NO_PAGES and len(self._documents) > 1
        field.setText("" if is_left_out else pages)
        field.setEnabled(not is_left_out)
        field.textChanged.connect(self._on_changed)
        field.installEventFilter(self)
        self.fields.append(field)
        if len(self._documents) == 1:
            self._grid.addWidget(field, row, 0, 1, 2)
            return
        box = QCheckBox(button_text(shortened(document.name, _NAME_CHARACTERS)))
        box.setChecked(not is_left_out)
        box.toggled.connect(field.setEnabled)
        box.toggled.connect(self._on_box_toggled)
        self.boxes.append(box)
        self._grid.addWidget(box, row, 0)
        self._grid.addWidget(field, row, 1)

    def _hint(self, row: int) -> str:
        if not self._is_ticked(row):
            return self.tr("Left out")
        if self.boxes:
            return self.tr("All pages; or 3,7-9")
        return self.tr("All pages; or for example 1-40, or 3,7-9")

    def _is_ticked(self, row: int) -> bool:
        return row >= len(self.boxes) or self.boxes[row].isChecked()

    def _pages_of(self, row: int) -> str:
        return self.fields[row].text().strip() if self._is_ticked(row) else NO_PAGES

    def _show_numbers(self) -> None:
        choice = self.choice
        if choice is None:
            is_none_ticked = bool(self.boxes) and not any(box.isChecked() for box in self.boxes)
            self.numbers.setText(
                self.tr("Tick the documents that are to be read.")
                if is_none_ticked
                else self.tr("Write pages of the document, for example 1-40 or 3,7-9.")
            )
            return
        count = sum(
            index in choice.range_of(number)
            for number, document in enumerate(self._documents)
            for index in range(document.num_pages)
        )
        words = self.tr("Pages: {count}.").format(count=f"{count:,}")
        self.numbers.setText(f"{words} {need_words(self._sizes, choice)}" if self._sizes else words)

    def _on_box_toggled(self, _is_ticked: bool) -> None:
        self.retranslate()
        self.changed.emit()

    def _on_changed(self, _text: str) -> None:
        self._show_numbers()
        self.changed.emit()
