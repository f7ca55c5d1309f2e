"""Asks what a conversation is to be called."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.widgets.question_dialog import QuestionDialog

_MAX_CHARACTERS = 200


class RenameDialog(QuestionDialog):
    """`name_given` carries the conversation and its new name."""

    name_given = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rename_dialog")
        self._conversation_id = 0
        self.field = QLineEdit()
        self.field.setMaxLength(_MAX_CHARACTERS)
        self.buttons.accepted.connect(self._on_accepted)
        self.field.textChanged.connect(self._on_text_changed)
        self._lay_out((self.field,))

    def ask(self, conversation_id: int, name: str) -> None:
        self._conversation_id = conversation_id
        self.field.setText(name)
        self.field.selectAll()
        self._retranslate()
        self.open()
        self.field.setFocus()

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.heading.setText(self.tr("Rename the conversation"))
        self.field.setAccessibleName(self.tr("Name of the conversation"))
        self.yes_button.setText(self.tr("Rename"))
        self.no_button.setText(self.tr("Cancel"))
        self._fit("edit", "accent")

    def _on_text_changed(self, text: str) -> None:
        self.yes_button.setEnabled(bool(text.strip()))

    def _on_accepted(self) -> None:
        self.accept()
        self.name_given.emit(self._conversation_id, self.field.text().strip())
