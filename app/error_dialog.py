"""The one dialog for errors and notices: a title, what it means, and a way on."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QWidget

from app.core_texts import translated
from app.error_router import ErrorText
from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, fit_height, lay_out, ok_button

_WIDTH = 460


class ErrorDialog(QDialog):
    """Shows one error at a time and keeps the others until it is closed. Never blocks the caller."""

    error_shown = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[ErrorText] = []
        self.setObjectName("error_dialog")
        self._icon, self.title, self.message = QLabel(), QLabel(), QLabel()
        self.title.setProperty("kind", "title")
        for label in (self.title, self.message):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._error: ErrorText | None = None
        self.buttons = QDialogButtonBox()
        self._ok_button = ok_button(self.buttons)
        self.buttons.accepted.connect(self.accept)
        lay_out(self, self._icon, (self.title, self.message), self.buttons)
        self._retranslate()

    def show_error(self, text: ErrorText) -> None:
        """Show the error now, or after the one on screen; the same one twice in a row is shown once."""
        if self.isVisible():
            if text not in self._waiting and text != self._error:
                self._waiting.append(text)
            return
        self._error = text
        self._retranslate()
        self.open()
        self.error_shown.emit(text)

    def done(self, result: int) -> None:
        super().done(result)
        if self._waiting:
            self.show_error(self._waiting.pop(0))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self._ok_button.setText(self.tr("OK"))
        if self._error is not None:
            self.title.setText(translated(self._error.title))
            self.message.setText(translated(self._error.message))
            self._icon.setPixmap(icons.pixmap("warning", ICON_SIZE, "error"))
            self.setAccessibleName(self.title.text())
            self.setAccessibleDescription(self.message.text())
        fit_height(self, _WIDTH)
