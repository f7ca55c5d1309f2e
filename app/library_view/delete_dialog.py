"""Asks before a conversation is deleted for good."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.widgets.question_dialog import QuestionDialog
from app.widgets.texts import plain_label


class DeleteDialog(QuestionDialog):
    """`confirmed` carries the conversation. Esc and Enter keep it."""

    confirmed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, is_yes_default=False)
        self.setObjectName("delete_dialog")
        self._conversation_id, self._title = 0, ""
        self.words = plain_label()
        self.words.setWordWrap(True)
        self.buttons.accepted.connect(self._on_accepted)
        self._lay_out((self.words,))

    def ask(self, conversation_id: int, title: str) -> None:
        self._conversation_id, self._title = conversation_id, title
        self._retranslate()
        self.open()
        self.no_button.setFocus()

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.heading.setText(self.tr("Delete this conversation?"))
        said = self.tr("“{title}” goes with all its questions and answers, and cannot be brought back.")
        self.words.setText(said.format(title=self._title))
        self.setAccessibleDescription(self.words.text())
        self.yes_button.setText(self.tr("Delete"))
        self.no_button.setText(self.tr("Keep the conversation"))
        self._fit("delete", "error")

    def _on_accepted(self) -> None:
        self.accept()
        self.confirmed.emit(self._conversation_id)
