"""What stands under the pages of the settings: the system check, what a change costs, and the buttons."""

from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QPushButton, QWidget

from app.theme import SPACE
from app.widgets import icons
from app.widgets.dialogs import cancel_button, ok_button
from app.widgets.texts import plain_label


class Foot(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note, self.check_button, self.buttons = plain_label("caption"), QPushButton(), QDialogButtonBox()
        self.ok_button, self.cancel_button = ok_button(self.buttons), cancel_button(self.buttons)
        self.check_button.setAutoDefault(False)
        self.note.setWordWrap(True)
        icons.set_icon(self.check_button, "system-check")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.l)
        row.addWidget(self.check_button)
        row.addWidget(self.note, 1)
        row.addWidget(self.buttons)
