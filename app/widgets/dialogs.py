"""What all dialogs share."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton


def fit_height(dialog: QDialog, width: int) -> None:
    """Make the dialog `width` pixels wide and as tall as its wrapped text needs."""
    layout = dialog.layout()
    assert layout is not None, "a dialog is laid out before it is fitted"
    layout.activate()
    dialog.setFixedWidth(width)
    dialog.resize(width, max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height()))


def ok_button(buttons: QDialogButtonBox) -> QPushButton:
    """A button that says yes and keeps its words; standard buttons change theirs with the style."""
    button = QPushButton()
    button.setDefault(True)
    buttons.addButton(button, QDialogButtonBox.ButtonRole.AcceptRole)
    return button


def cancel_button(buttons: QDialogButtonBox) -> QPushButton:
    button = QPushButton()
    button.setAutoDefault(False)
    buttons.addButton(button, QDialogButtonBox.ButtonRole.RejectRole)
    return button
