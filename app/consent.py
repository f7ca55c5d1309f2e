"""Asks before something that would close a conversation."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.recorder import Recorder
from app.state import ClosingReason, StateStore


class Consent(QObject):
    """`wanted` asks the user; `give` is the answer."""

    wanted = Signal(object)

    def __init__(self, store: StateStore, recorder: Recorder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store, self._recorder = store, recorder
        self._held_back: Callable[[], None] | None = None

    def once_agreed(self, reason: ClosingReason, action: Callable[[], None]) -> None:
        """Do it, if there is a conversation that it would close only once the user agrees."""
        if self._store.state.has_conversation:
            self._held_back = action
            is_unkept = reason is ClosingReason.DOCUMENTS and not self._recorder.is_keeping
            self.wanted.emit(ClosingReason.UNKEPT if is_unkept else reason)
        else:
            action()

    def give(self, is_given: bool) -> None:
        """False keeps the conversation."""
        action, self._held_back = self._held_back, None
        if is_given and action is not None:
            action()
