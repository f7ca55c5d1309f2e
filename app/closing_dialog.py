"""Asks before a conversation is closed by something else that the user wants."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QWidget

from app.state import ClosingReason
from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, cancel_button, fit_height, lay_out, ok_button
from app.widgets.texts import plain_label

_WIDTH = 460


class ClosingDialog(QDialog):
    """Never blocks the caller; `answered` carries whether the conversation may go. Esc and Enter keep it."""

    answered = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("closing_dialog")
        self._reason = ClosingReason.DOCUMENTS
        self._icon, self.heading, self.words = QLabel(), plain_label("title"), plain_label()
        self.heading.setWordWrap(True)
        self.words.setWordWrap(True)
        self.buttons = QDialogButtonBox()
        self.close_button = ok_button(self.buttons, is_default=False)
        self.keep_button = cancel_button(self.buttons, is_default=True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        lay_out(self, self._icon, (self.heading, self.words), self.buttons)
        self._retranslate()

    def ask(self, reason: ClosingReason) -> None:
        self._reason = reason
        self._retranslate()
        self.open()
        self.keep_button.setFocus()

    def done(self, result: int) -> None:
        super().done(result)
        self.answered.emit(result == QDialog.DialogCode.Accepted.value)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        heading, words, close = {
            ClosingReason.DOCUMENTS: (
                self.tr("Close this conversation?"),
                self.tr(
                    "It is about the documents that are open now. It stays in the history, where you can go "
                    "on with it."
                ),
                self.tr("Open the document"),
            ),
            ClosingReason.UNKEPT: (
                self.tr("Close this conversation?"),
                self.tr("It is about the documents that are open now. Its answers are not kept."),
                self.tr("Open the document"),
            ),
            ClosingReason.MODEL: (
                self.tr("Go on with another model?"),
                self.tr(
                    "The new model is loaded and reads the documents again. The answers stay on screen, but "
                    "it knows nothing of them."
                ),
                self.tr("Use the new model"),
            ),
        }[self._reason]
        self.setWindowTitle(self.tr("Lectern"))
        self.heading.setText(heading)
        self.words.setText(words)
        self.close_button.setText(close)
        self.keep_button.setText(self.tr("Keep the conversation"))
        self.setAccessibleName(self.heading.text())
        self.setAccessibleDescription(words)
        self._icon.setPixmap(icons.pixmap("new-conversation", ICON_SIZE, "accent"))
        fit_height(self, _WIDTH)
