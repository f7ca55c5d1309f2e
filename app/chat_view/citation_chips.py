"""The places that support an answer, as buttons: verified quotes, the closest passage, what was not found."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.theme import SPACE
from app.widgets import icons
from app.widgets.flow_layout import FlowLayout
from app.widgets.texts import button_text, plain_label, shortened, tool_tip
from core.documents.citations import Citation
from core.documents.passages import ClosestPassage

_QUOTE_CHARACTERS = 44
_CHIP_MARGINS = 44

Place = Citation | ClosestPassage


class Chip(QPushButton):
    """One place. A verified quote carries the accent; the others never look like it."""

    place_clicked = Signal(object)

    def __init__(self, place: Place, *, names_document: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = place
        self._names_document = names_document
        self._words = ""
        self.setProperty("kind", self.kind)
        icons.set_icon(self, _ICONS[self.kind], _ICON_ROLES[self.kind])
        self.clicked.connect(self._on_clicked)
        self._retranslate()

    @property
    def kind(self) -> str:
        if isinstance(self.place, ClosestPassage):
            return "passage"
        return "verified" if self.place.verified else "unverified"

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def sizeHint(self) -> QSize:
        """Room for all words, whether they are shown in full or not."""
        lacking = self.fontMetrics().horizontalAdvance(self._words) - self.fontMetrics().horizontalAdvance(
            self.text().replace("&&", "&")
        )
        return super().sizeHint() + QSize(lacking, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < self.sizeHint().width()
        room = self.width() - _CHIP_MARGINS if is_narrow else self.width()
        shown = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        self.setText(button_text(shown))

    def page_words(self) -> str:
        """`p. 3`, or `p. 3 (printed iii)` where the page shows another number."""
        ordinal = str(self.place.page_index + 1)
        if self.place.page_label == ordinal:
            words = self.tr("p. {number}").format(number=ordinal)
        else:
            words = self.tr("p. {number} (printed {label})").format(
                number=ordinal, label=self.place.page_label
            )
        return f"{words} · {self.place.document}" if self._names_document else words

    def _retranslate(self) -> None:
        page = self.page_words()
        if isinstance(self.place, ClosestPassage):
            words = self.tr("Closest passage · {page}").format(page=page)
            explained = self.tr("No quote of the answer: the passage that supports it best.")
            self.setToolTip(tool_tip(f"{explained}\n\n{self.place.text}"))
        else:
            quote = shortened(self.place.quote, _QUOTE_CHARACTERS)
            if self.place.verified:
                words = self.tr("{page} · “{quote}”").format(page=page, quote=quote)
                explained = self.tr("These words stand on the page. Click to see them.")
            else:
                words = self.tr("Not found · “{quote}”").format(quote=quote)
                explained = self.tr(
                    "The document does not say this in these words. The closest page is shown."
                )
            self.setToolTip(tool_tip(f"{explained}\n\n“{self.place.quote}”"))
        self._words = words
        self.setText(button_text(words))
        self.setAccessibleName(words)
        self.setAccessibleDescription(explained)

    def _on_clicked(self) -> None:
        self.place_clicked.emit(self.place)


_ICONS = {"verified": "check", "passage": "search", "unverified": "warning"}
_ICON_ROLES = {"verified": "accent", "passage": "text_muted", "unverified": "text_muted"}


class CitationChips(QWidget):
    """All places of one answer; hidden where there are none."""

    place_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips: list[Chip] = []
        self._caption = plain_label("caption")
        self._row = QWidget()
        self._flow = FlowLayout(self._row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE.xs, 0, 0)
        column.setSpacing(SPACE.s)
        column.addWidget(self._caption)
        column.addWidget(self._row)
        self._retranslate()
        self.hide()

    def show_places(self, places: list[Place], *, names_documents: bool) -> None:
        self.clear()
        for place in places:
            chip = Chip(place, names_document=names_documents)
            chip.place_clicked.connect(self.place_clicked)
            self.chips.append(chip)
            self._flow.addWidget(chip)
        self.setVisible(bool(self.chips))
        self.updateGeometry()

    def clear(self) -> None:
        for chip in self.chips:
            self._flow.removeWidget(chip)
            chip.setParent(None)
            chip.deleteLater()
        self.chips = []
        self.hide()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self._caption.setText(self.tr("In the document"))
