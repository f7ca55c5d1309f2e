"""The library's own thread: work goes in, results come back in the window's thread."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from core.library.errors import LibraryError, NotInLibraryError
from core.library.library import Library

T = TypeVar("T")

_log = logging.getLogger(__name__)


class LibraryService(QObject):
    """The window's way to the library. Pieces of work are done one after the other, in their order.

    `noted` carries what the user must know about the library that was opened. `failed` carries each kind of
    trouble once, and every time that something is not there. A library that cannot be opened is not tried
    again, and what is to be done with it is left out without a word. All signals come in the window's thread.
    """

    noted = Signal(str)
    failed = Signal(object)
    _done = Signal(object, object)
    _noticed = Signal(str)
    _went_wrong = Signal(object)

    def __init__(
        self, parent: QObject | None = None, open_library: Callable[[], Library] = Library.open
    ) -> None:
        super().__init__(parent)
        self._open_library = open_library
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="lectern-library")
        self._last: Future[None] | None = None
        self._library: Library | None = None
        self._refusal: LibraryError | None = None
        self._told: set[str] = set()
        self._is_over = False
        queued = Qt.ConnectionType.QueuedConnection
        self._done.connect(self._on_done, queued)
        self._noticed.connect(self._on_noticed, queued)
        self._went_wrong.connect(self._on_went_wrong, queued)

    @property
    def is_available(self) -> bool:
        """False once the library could not be opened."""
        return self._refusal is None

    def open(self) -> None:
        """Open the library ahead of the first piece of work."""
        self.run(lambda _library: None)

    def run(
        self,
        work: Callable[[Library], T],
        then: Callable[[T], None] | None = None,
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Call `work` in the library's thread and `then` with its result in the window's.

        After an error, which `failed` tells unless that was said before, and without a library `otherwise`
        is called instead.
        """
        if not self._is_over:
            self._last = self._executor.submit(self._work, work, then, otherwise)

    def settle(self, timeout_s: float) -> bool:
        """Wait until all that was asked for is on the disk, no longer than that; False if it is not."""
        if self._last is None:
            return True
        try:
            self._last.result(timeout_s)
        except FutureTimeoutError:
            return False
        return True

    def shutdown(self, timeout_s: float) -> bool:
        """Do what was asked for, close the library and end the thread; False if that takes longer."""
        if not self._is_over:
            self._is_over = True
            self._last = self._executor.submit(self._close)
            self._executor.shutdown(wait=False)
        return self.settle(timeout_s)

    def _work(
        self,
        work: Callable[[Library], T],
        then: Callable[[T], None] | None,
        otherwise: Callable[[], None] | None,
    ) -> None:
        try:
            library = self._opened()
            if library is not None:
                result = work(library)
                if then is not None:
                    self._done.emit(then, (result,))
                return
        except Exception as error:  # noqa: BLE001 - the router in the window's thread says what it was
            self._went_wrong.emit(error)
        if otherwise is not None:
            self._done.emit(otherwise, ())

    def _opened(self) -> Library | None:
        if self._library is None and self._refusal is None:
            try:
                self._library = self._open_library()
            except LibraryError as error:
                self._refusal = error
                raise
            for note in self._library.notes:
                self._noticed.emit(note)
        return self._library

    def _close(self) -> None:
        library, self._library = self._library, None
        try:
            if library is not None:
                library.close()
        except LibraryError as error:
            _log.warning("the library was not closed well: %s", error)

    def _on_done(self, then: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        if not self._is_over:
            then(*arguments)

    def _on_noticed(self, note: str) -> None:
        self.noted.emit(note)

    def _on_went_wrong(self, error: Exception) -> None:
        kind = error.title if isinstance(error, LibraryError) else type(error).__name__
        if self._is_over or (kind in self._told and not isinstance(error, NotInLibraryError)):
            _log.info("the library: %s", error)
            return
        self._told.add(kind)
        self.failed.emit(error)
