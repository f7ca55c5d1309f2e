"""Small pieces of work away from the window's thread: one after the other, each result back in the window."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Background(QObject):
    """Runs functions that touch no widget. Its thread starts with the first one."""

    failed = Signal(object)
    _done = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="lectern-background")
        self._is_over = False
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        """Call `work` in the background and `then` with its result in the window's thread.

        What `work` raises goes to `failed`, and `then` is not called.
        """
        if not self._is_over:
            self._executor.submit(self._work, work, then)

    def shutdown(self) -> None:
        """End the thread after the piece that it is at; nothing more is heard of it."""
        self._is_over = True
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _work(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        try:
            self._done.emit(then, work())
        except Exception as error:  # noqa: BLE001 - the router in the window's thread says what it was
            self.failed.emit(error)

    def _on_done(self, then: Callable[[object], None], result: object) -> None:
        if not self._is_over:
            then(result)
