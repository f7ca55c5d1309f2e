"""Documents for the window: reading and rendering in processes of their own, answers in the GUI thread."""

import logging
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QThread, QTimer, Signal, Slot
from PySide6.QtGui import QImage

from app.document_view.tiles import TileRequest
from app.document_workers import Opening, Reader, Renderer, Tile
from app.preferences import RecognitionChoices
from core.cancel import CancelToken
from core.documents.file_state import FileState
from core.documents.layout import Document
from core.errors import CancelledError, FileChangedError, LecternError

_THREAD_END_MS = 800
_REST_AFTER_MS = 60_000

_log = logging.getLogger(__name__)


class DocumentService(QObject):
    """The window's access to documents. Methods return at once; all signals come in the GUI thread.

    One document is read at a time: opening another one stops the reading of the first silently, `cancel`
    ends it with `open_failed(path, CancelledError)`. `path` in signals is the path as it was given.
    `pages_known` carries the (width, height) of every page in points, before the text has been read.
    `file_changed` tells once that a file on screen is no longer the one that was read.
    """

    reading_progressed = Signal(str, int, int)
    pages_known = Signal(str, object)
    document_opened = Signal(object)
    open_failed = Signal(str, object)
    tile_rendered = Signal(object, object)
    tile_failed = Signal(object, object)
    file_changed = Signal(str, object)

    _start_wanted = Signal()
    _rest_wanted = Signal()
    _read_wanted = Signal(object)
    _sizes_wanted = Signal(object)
    _tile_wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._recognition = RecognitionChoices()
        self._passwords: dict[str, str | None] = {}
        self._states: dict[str, FileState | None] = {}
        self._changed: set[str] = set()
        self._opening: Opening | None = None
        self._render_cancel = CancelToken()
        self._is_shut_down = False
        self._reader, self._renderer = Reader(), Renderer()
        self._threads = (QThread(), QThread())
        for worker, thread, name in zip(
            (self._reader, self._renderer), self._threads, ("document-reader", "page-renderer"), strict=True
        ):
            thread.setObjectName(name)
            worker.moveToThread(thread)
            thread.start()
        self._rest_timer = QTimer(self, singleShot=True, interval=_REST_AFTER_MS)
        self._connect()

    def _connect(self) -> None:
        self._start_wanted.connect(self._renderer.start)
        self._start_wanted.connect(self._reader.start)
        self._rest_timer.timeout.connect(self._rest_wanted)
        self._rest_wanted.connect(self._reader.rest)
        self._read_wanted.connect(self._reader.read)
        self._sizes_wanted.connect(self._renderer.read_sizes)
        self._tile_wanted.connect(self._renderer.render)
        self._reader.progressed.connect(self._on_progressed)
        self._reader.read_ended.connect(self._on_read_ended)
        self._renderer.sizes_read.connect(self._on_sizes_read)
        self._renderer.render_ended.connect(self._on_render_ended)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shutdown)

    def open(
        self, path: str, password: str | None = None, *, recognises: bool = False, is_again: bool = False
    ) -> None:
        """Read the document; ends in `document_opened` or `open_failed`.

        `recognises` reads pages without a sound text with text recognition. `is_again` uses the password that
        the document was read with before.
        """
        if self._is_shut_down:
            return
        if is_again and password is None:
            password = self._passwords.get(_full_path(path))
        self._states.pop(_full_path(path), None)
        self._rest_timer.stop()
        if self._opening is not None:
            self._opening.cancel.cancel()
        self._passwords[_full_path(path)] = password
        self._opening = Opening(path, password, recognises, self._recognition)
        self._sizes_wanted.emit(self._opening)
        self._read_wanted.emit(self._opening)

    def use_recognition(self, choices: RecognitionChoices) -> None:
        """How text recognition is done from the next document on."""
        self._recognition = choices

    def warm_up(self) -> None:
        """Start the processes ahead of the first document: it is on screen half a second sooner."""
        if not self._is_shut_down:
            self._start_wanted.emit()

    def cancel(self) -> None:
        """Stop reading; `open_failed` follows with a `CancelledError`."""
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.cancel.cancel()
            self.open_failed.emit(opening.path, CancelledError())

    def request_tile(self, request: TileRequest) -> None:
        """Render a tile; ends in `tile_rendered` or `tile_failed`. Tiles are rendered one after the other.

        Whoever wants many waits for one before asking for the next, so that none is rendered in vain.
        """
        if not self._is_shut_down:
            path = _full_path(request.path)
            tile = Tile(request, self._passwords.get(path), self._states.get(path), self._render_cancel)
            self._tile_wanted.emit(tile)

    def cancel_tiles(self) -> None:
        """Give up the tiles that were asked for; each ends in `tile_failed` with a `CancelledError`."""
        self._render_cancel.cancel()
        self._render_cancel = CancelToken()

    def shutdown(self) -> None:
        """End the threads and the processes, within two seconds whatever they do. Safe to call twice."""
        if self._is_shut_down:
            return
        self._is_shut_down = True
        self._rest_timer.stop()
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.cancel.cancel()
        self._render_cancel.cancel()
        for thread in self._threads:
            thread.quit()
        workers = (self._reader.worker, self._renderer.worker)
        for thread, worker in zip(self._threads, workers, strict=True):
            if thread.wait(_THREAD_END_MS):
                worker.close()
            else:
                _log.error("thread %s did not end in time", thread.objectName())

    @Slot(object, int, int)
    def _on_progressed(self, opening: Opening, done: int, total: int) -> None:
        if opening is self._opening:
            self.reading_progressed.emit(opening.path, done, total)

    @Slot(object, object)
    def _on_sizes_read(self, opening: Opening, sizes: tuple[tuple[float, float], ...]) -> None:
        if opening is self._opening:
            self.pages_known.emit(opening.path, sizes)

    @Slot(object, object)
    def _on_read_ended(self, opening: Opening, result: object) -> None:
        if opening is not self._opening:
            return
        self._opening = None
        self._rest_timer.start()
        if isinstance(result, LecternError):
            self.open_failed.emit(opening.path, result)
        elif isinstance(result, Document):
            self._states[_full_path(opening.path)] = result.file_state
            self._changed.discard(_full_path(opening.path))
            self.document_opened.emit(result)

    @Slot(object, object)
    def _on_render_ended(self, tile: Tile, result: object) -> None:
        if self._is_shut_down:
            return
        if isinstance(result, QImage):
            self.tile_rendered.emit(tile.request, result)
            return
        path = _full_path(tile.request.path)
        if isinstance(result, FileChangedError) and path not in self._changed:
            self._changed.add(path)
            self.file_changed.emit(path, result)
        self.tile_failed.emit(tile.request, result)


def _full_path(path: str) -> str:
    return str(Path(path).absolute())
