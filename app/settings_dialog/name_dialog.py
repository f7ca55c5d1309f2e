"""Asks for the name of a profile."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QWidget

from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, cancel_button, fit_height, lay_out, ok_button
from app.widgets.texts import plain_label

_WIDTH = 460


class NameDialog(QDialog):
    """Never blocks the caller: `name_given` carries the name, and the caller closes the dialog or refuses."""

    name_given = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("name_dialog")
        self._icon, self.heading, self.refusal = QLabel(), plain_label("title"), plain_label("error")
        self.hint = plain_label("muted")
        self.field = QLineEdit()
        for label in (self.heading, self.hint, self.refusal):
            label.setWordWrap(True)
        self.buttons = QDialogButtonBox()
        self.ok_button, self.cancel_button = ok_button(self.buttons), cancel_button(self.buttons)
        self.buttons.accepted.connect(self._on_ok_clicked)
        self.buttons.rejected.connect(self.reject)
        self.field.textChanged.connect(self._on_text_changed)
        lay_out(self, self._icon, (self.heading, self.hint, self.field, self.refusal), self.buttons)
        self._retranslate()

    def ask(self, heading: str, name: str) -> None:
        """`name` is proposed."""
        self.heading.setText(heading)
        self.field.setText(name)
        self.field.selectAll()
        self.refuse("")
        self._retranslate()
        self.open()
        self.field.setFocus()

    def refuse(self, reason: str) -> None:
        """Stay, and say why the name cannot be."""
        self.refusal.setText(reason)
        self.refusal.setVisible(bool(reason))
        fit_height(self, _WIDTH)
        self.field.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.hint.setText(self.tr("Letters, digits, dots, hyphens and underscores, 64 at most."))
        self.field.setAccessibleName(self.tr("Name of the profile"))
        self.field.setAccessibleDescription(self.hint.text())
        self.ok_button.setText(self.tr("Save"))
        self.cancel_button.setText(self.tr("Cancel"))
        self.setAccessibleName(self.heading.text())
        self._icon.setPixmap(icons.pixmap("settings", ICON_SIZE, "accent"))
        fit_height(self, _WIDTH)

    def _on_text_changed(self, text: str) -> None:
        self.ok_button.setEnabled(bool(text.strip()))

    def _on_ok_clicked(self) -> None:
        self.name_given.emit(self.field.text().strip())
