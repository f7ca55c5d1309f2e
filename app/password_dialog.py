"""Asks for the password of an encrypted document, again after a wrong one."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.widgets.question_dialog import QuestionDialog
from app.widgets.texts import plain_label


class PasswordDialog(QuestionDialog):
    """`answered` carries the path and the password, None if the user gave up."""

    answered = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("password_dialog")
        self._path, self._is_wrong = "", False
        self.words, self.complaint = plain_label(), plain_label("error")
        self.words.setWordWrap(True)
        self.complaint.setWordWrap(True)
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.buttons.accepted.connect(self.accept)
        self._lay_out((self.words, self.field, self.complaint))

    def ask(self, path: str, is_wrong: bool) -> None:
        self._path, self._is_wrong = path, is_wrong
        self._retranslate()
        self.field.clear()
        self.open()
        self.field.setFocus()

    def done(self, result: int) -> None:
        super().done(result)
        password = self.field.text()
        self.field.clear()
        self.answered.emit(self._path, password if result == QDialog.DialogCode.Accepted.value else None)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.heading.setText(self.tr("Password needed"))
        self.words.setText(self.tr("“{name}” is encrypted.").format(name=Path(self._path).name))
        self.field.setPlaceholderText(self.tr("Password"))
        self.field.setAccessibleName(self.tr("Password"))
        self.complaint.setText(self.tr("Wrong password. Check capital letters, then try again."))
        self.complaint.setVisible(self._is_wrong)
        self.yes_button.setText(self.tr("Open"))
        self.no_button.setText(self.tr("Cancel"))
        self._fit("lock", "accent")
