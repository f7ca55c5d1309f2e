"""What keys mean."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def is_enter(event: QKeyEvent) -> bool:
    """Either of the two keys, with or without others held."""
    return event.key() in _ENTER
