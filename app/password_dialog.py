"""Asks for the password of an encrypted document, again after a wrong one."""

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QWidget

from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, cancel_button, fit_height, lay_out, ok_button
from app.widgets.texts import plain_label

_WIDTH = 440


class PasswordDialog(QDialog):
    """Never blocks the caller; `answered` carries the path and the password, None if the user gave up."""

    answered = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("password_dialog")
        self._path, self._is_wrong = "", False
        self._icon = QLabel()
        self.heading, self.words, self.complaint = plain_label("title"), plain_label(), plain_label("error")
        self.words.setWordWrap(True)
        self.complaint.setWordWrap(True)
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.buttons = QDialogButtonBox()
        self._open_button, self._cancel_button = ok_button(self.buttons), cancel_button(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        lay_out(self, self._icon, (self.heading, self.words, self.field, self.complaint), self.buttons)
        self._retranslate()

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

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.heading.setText(self.tr("Password needed"))
        self.words.setText(self.tr("“{name}” is encrypted.").format(name=Path(self._path).name))
        self.field.setPlaceholderText(self.tr("Password"))
        self.field.setAccessibleName(self.tr("Password"))
        self.complaint.setText(self.tr("Wrong password. Check capital letters, then try again."))
        self.complaint.setVisible(self._is_wrong)
        self._open_button.setText(self.tr("Open"))
        self._cancel_button.setText(self.tr("Cancel"))
        self._icon.setPixmap(icons.pixmap("lock", ICON_SIZE, "accent"))
        fit_height(self, _WIDTH)
