"""The actions of the window, with their icons and keys; their words are the window's own."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.widgets import icons


class WindowActions:
    """Made for one window, which owns them."""

    def __init__(self, window: QWidget) -> None:
        self.open, self.settings = QAction(window), QAction(window)
        self.check, self.setup, self.history = QAction(window), QAction(window), QAction(window)
        self.history.setCheckable(True)
        for action, icon in (
            (self.open, "open"),
            (self.settings, "settings"),
            (self.check, "system-check"),
            (self.history, "history"),
        ):
            icons.set_icon(action, icon)
        self.open.setShortcut(QKeySequence.StandardKey.Open)
        for action, keys in (
            (self.history, "Ctrl+H"),
            (self.settings, "Ctrl+,"),
            (self.check, "Ctrl+Shift+K"),
            (self.setup, "Ctrl+Shift+U"),
        ):
            action.setShortcut(QKeySequence(keys))
        window.addActions([self.history, self.open, self.check, self.settings, self.setup])


def add_shortcuts(window: QWidget, keys: Sequence[tuple[str, Callable[[], object]]]) -> None:
    """Keys that need no action; each calls a bound method."""
    for sequence, slot in keys:
        QShortcut(QKeySequence(sequence), window).activated.connect(slot)
