"""What all dialogs share."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.theme import SPACE

ICON_SIZE = 32


def lay_out(dialog: QDialog, icon: QLabel, words: Sequence[QWidget], buttons: QDialogButtonBox) -> None:
    """What is said beside an icon, over the buttons."""
    column = QVBoxLayout()
    column.setSpacing(SPACE.s)
    for widget in words:
        column.addWidget(widget)
    row = QHBoxLayout()
    row.setSpacing(SPACE.l)
    row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
    row.addLayout(column, 1)
    outer = QVBoxLayout(dialog)
    outer.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
    outer.setSpacing(SPACE.xl)
    outer.addLayout(row)
    outer.addWidget(buttons)
    _make_default(buttons)


def _make_default(buttons: QDialogButtonBox) -> None:
    """Enter is for the default button of the box, which a dialog notes only once it holds the button.

    Else the first button of the dialog would be it.
    """
    for button in buttons.buttons():
        if isinstance(button, QPushButton) and button.isDefault():
            button.setDefault(False)
            button.setDefault(True)


def fit_height(dialog: QDialog, width: int) -> None:
    """Make the dialog `width` pixels wide and as tall as its wrapped text needs."""
    layout = dialog.layout()
    assert layout is not None, "a dialog is laid out before it is fitted"
    layout.activate()
    dialog.setFixedWidth(width)
    dialog.resize(width, max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height()))


def ok_button(buttons: QDialogButtonBox, *, is_default: bool = True) -> QPushButton:
    """A button that says yes and keeps its words; standard buttons change theirs with the style."""
    return _added(buttons, QDialogButtonBox.ButtonRole.AcceptRole, is_default=is_default)


def cancel_button(buttons: QDialogButtonBox, *, is_default: bool = False) -> QPushButton:
    return _added(buttons, QDialogButtonBox.ButtonRole.RejectRole, is_default=is_default)


def _added(buttons: QDialogButtonBox, role: QDialogButtonBox.ButtonRole, *, is_default: bool) -> QPushButton:
    button = QPushButton()
    button.setAutoDefault(is_default)
    button.setDefault(is_default)
    if is_default:
        button.setProperty("kind", "primary")
    buttons.addButton(button, role)
    return button
