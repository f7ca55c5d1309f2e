"""Asks for the name of a profile."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.widgets.question_dialog import QuestionDialog
from app.widgets.texts import plain_label


class NameDialog(QuestionDialog):
    """`name_given` carries the name, and the caller closes the dialog or refuses."""

    name_given = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("name_dialog")
        self.hint, self.refusal = plain_label("muted"), plain_label("error")
        self.field = QLineEdit()
        for label in (self.hint, self.refusal):
            label.setWordWrap(True)
        self.buttons.accepted.connect(self._on_ok_clicked)
        self.field.textChanged.connect(self._on_text_changed)
        self._lay_out((self.hint, self.field, self.refusal))

    def ask(self, heading: str, name: str) -> None:
        """`name` is proposed."""
        self.heading.setText(heading)
        self.field.setText(name)
        self.field.selectAll()
        self.refuse("")
        self.open()
        self.field.setFocus()

    def refuse(self, reason: str) -> None:
        """Stay, and say why the name cannot be."""
        self.refusal.setText(reason)
        self.refusal.setVisible(bool(reason))
        self._retranslate()
        self.field.setFocus()

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.hint.setText(self.tr("Letters, digits, dots, hyphens and underscores, 64 at most."))
        self.field.setAccessibleName(self.tr("Name of the profile"))
        self.field.setAccessibleDescription(self.hint.text())
        self.yes_button.setText(self.tr("Save"))
        self.no_button.setText(self.tr("Cancel"))
        self._fit("settings", "accent")

    def _on_text_changed(self, text: str) -> None:
        self.yes_button.setEnabled(bool(text.strip()))

    def _on_ok_clicked(self) -> None:
        self.name_given.emit(self.field.text().strip())
