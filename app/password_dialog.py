"""Asks for the password of an encrypted document, again after a wrong one."""

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.theme import SPACE
from app.widgets import icons
from app.widgets.dialogs import cancel_button, fit_height, ok_button
from app.widgets.texts import plain_label

_WIDTH = 440
_ICON_SIZE = 32


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
        self._lay_out()
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

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(SPACE.s)
        for widget in (self.heading, self.words, self.field, self.complaint):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.setSpacing(SPACE.l)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
        outer.setSpacing(SPACE.xl)
        outer.addLayout(row)
        outer.addWidget(self.buttons)

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
        self._icon.setPixmap(icons.pixmap("lock", _ICON_SIZE, "accent"))
        fit_height(self, _WIDTH)
