"""What the small dialogs share that ask for one thing."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QWidget

from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, cancel_button, fit_height, lay_out, ok_button
from app.widgets.texts import plain_label

_WIDTH = 460


class QuestionDialog(QDialog):
    """A heading and more beside an icon, over a button that says yes and one that says no.

    It never blocks the caller. A subclass calls `_lay_out` once and says everything in `_retranslate`, which
    comes again when the language or the palette changes.
    """

    def __init__(self, parent: QWidget | None, *, is_yes_default: bool = True) -> None:
        super().__init__(parent)
        self.heading = plain_label("title")
        self.heading.setWordWrap(True)
        self.buttons = QDialogButtonBox()
        self.yes_button = ok_button(self.buttons, is_default=is_yes_default)
        self.no_button = cancel_button(self.buttons, is_default=not is_yes_default)
        self.buttons.rejected.connect(self.reject)
        self._icon = QLabel()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self, widgets: Sequence[QWidget]) -> None:
        """`widgets` stand under the heading."""
        lay_out(self, self._icon, (self.heading, *widgets), self.buttons)
        self._retranslate()

    def _fit(self, icon: str, colour: str) -> None:
        """The last thing of `_retranslate`: the icon, and the height that the texts need."""
        self._icon.setPixmap(icons.pixmap(icon, ICON_SIZE, colour))
        self.setAccessibleName(self.heading.text())
        fit_height(self, _WIDTH)

    def _retranslate(self) -> None:
        raise NotImplementedError
