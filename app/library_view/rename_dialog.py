"""Asks what a conversation is to be called."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QWidget

from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, cancel_button, fit_height, lay_out, ok_button
from app.widgets.texts import plain_label

_WIDTH = 460
_MAX_CHARACTERS = 200


class RenameDialog(QDialog):
    """Never blocks the caller; `name_given` carries the conversation and its new name."""

    name_given = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rename_dialog")
        self._conversation_id = 0
        self._icon, self.heading, self.field = QLabel(), plain_label("title"), QLineEdit()
        self.field.setMaxLength(_MAX_CHARACTERS)
        self.buttons = QDialogButtonBox()
        self.ok_button, self.cancel_button = ok_button(self.buttons), cancel_button(self.buttons)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        self.field.textChanged.connect(self._on_text_changed)
        lay_out(self, self._icon, (self.heading, self.field), self.buttons)
        self._retranslate()

    def ask(self, conversation_id: int, name: str) -> None:
        self._conversation_id = conversation_id
        self.field.setText(name)
        self.field.selectAll()
        self._retranslate()
        self.open()
        self.field.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.heading.setText(self.tr("Rename the conversation"))
        self.setAccessibleName(self.heading.text())
        self.field.setAccessibleName(self.tr("Name of the conversation"))
        self.ok_button.setText(self.tr("Rename"))
        self.cancel_button.setText(self.tr("Cancel"))
        self._icon.setPixmap(icons.pixmap("edit", ICON_SIZE, "accent"))
        fit_height(self, _WIDTH)

    def _on_text_changed(self, text: str) -> None:
        self.ok_button.setEnabled(bool(text.strip()))

    def _on_accepted(self) -> None:
        self.accept()
        self.name_given.emit(self._conversation_id, self.field.text().strip())
