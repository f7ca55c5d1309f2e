"""Asks before a conversation is closed by something else that the user wants."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.state import ClosingReason
from app.widgets.question_dialog import QuestionDialog
from app.widgets.texts import plain_label


class ClosingDialog(QuestionDialog):
    """`answered` carries whether the conversation may go. Esc and Enter keep it."""

    answered = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, is_yes_default=False)
        self.setObjectName("closing_dialog")
        self._reason = ClosingReason.DOCUMENTS
        self.words = plain_label()
        self.words.setWordWrap(True)
        self.buttons.accepted.connect(self.accept)
        self._lay_out((self.words,))

    def ask(self, reason: ClosingReason) -> None:
        self._reason = reason
        self._retranslate()
        self.open()
        self.no_button.setFocus()

    def done(self, result: int) -> None:
        super().done(result)
        self.answered.emit(result == QDialog.DialogCode.Accepted.value)

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
        self.yes_button.setText(close)
        self.no_button.setText(self.tr("Keep the conversation"))
        self.setAccessibleDescription(words)
        self._fit("new-conversation", "accent")
