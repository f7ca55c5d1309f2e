"""Asks before a conversation is deleted for good."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QWidget

from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, cancel_button, fit_height, lay_out, ok_button
from app.widgets.texts import plain_label

_WIDTH = 460


class DeleteDialog(QDialog):
    """Never blocks the caller; `confirmed` carries the conversation. Esc and Enter keep it."""

    confirmed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("delete_dialog")
        self._conversation_id, self._title = 0, ""
        self._icon, self.heading, self.words = QLabel(), plain_label("title"), plain_label()
        self.words.setWordWrap(True)
        self.buttons = QDialogButtonBox()
        self.delete_button = ok_button(self.buttons, is_default=False)
        self.keep_button = cancel_button(self.buttons, is_default=True)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        lay_out(self, self._icon, (self.heading, self.words), self.buttons)
        self._retranslate()

    def ask(self, conversation_id: int, title: str) -> None:
        self._conversation_id, self._title = conversation_id, title
        self._retranslate()
        self.open()
        self.keep_button.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.heading.setText(self.tr("Delete this conversation?"))
        said = self.tr("“{title}” goes with all its questions and answers, and cannot be brought back.")
        self.words.setText(said.format(title=self._title))
        self.setAccessibleName(self.heading.text())
        self.setAccessibleDescription(self.words.text())
        self.delete_button.setText(self.tr("Delete"))
        self.keep_button.setText(self.tr("Keep the conversation"))
        self._icon.setPixmap(icons.pixmap("delete", ICON_SIZE, "error"))
        fit_height(self, _WIDTH)

    def _on_accepted(self) -> None:
        self.accept()
        self.confirmed.emit(self._conversation_id)
