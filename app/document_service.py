"""Documents for the window: reading and rendering in processes of their own, answers in the GUI thread."""

import logging
import time
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QThread, Signal, Slot
from PySide6.QtGui import QImage

from app.document_view.tiles import TileRequest
from core.cancel import CancelToken
from core.documents.file_state import FileState
from core.documents.language_data import find_language_data
from core.documents.layout import Document
from core.documents.messages import Recognition, RenderedImage
from core.documents.worker import DocumentWorker, Limits
from core.errors import CancelledError, DocumentError, FileChangedError, LecternError
from core.paths import recognised_texts_dir

_PROGRESS_INTERVAL_S = 0.04
_RENDER_LIMIT_S = 15.0
_THREAD_END_MS = 800

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Opening:
    """One call of `open`: what is to be read, and the token that stops it."""

    path: str
    password: str | None
    recognises: bool = False
    cancel: CancelToken = field(default_factory=CancelToken)


@dataclass(frozen=True, slots=True)
class _Tile:
    request: TileRequest
    password: str | None
    file_state: FileState | None
    cancel: CancelToken


class _Reader(QObject):
    """Lives in a thread of its own and blocks it while a document is read."""

    progressed = Signal(object, int, int)
    read_ended = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.worker = DocumentWorker()
        self._last_progress_s = 0.0

    @Slot()
    def start(self) -> None:
        self.worker.start()

    @Slot(object)
    def read(self, opening: _Opening) -> None:
        def report(done: int, total: int) -> None:
            now = time.monotonic()
            if done in (0, total) or now - self._last_progress_s >= _PROGRESS_INTERVAL_S:
                self._last_progress_s = now
                self.progressed.emit(opening, done, total)

        try:
            opening.cancel.raise_if_cancelled()
            document = self.worker.read(
                opening.path,
                opening.password,
                on_progress=report,
                cancel=opening.cancel,
                recognition=_recognition() if opening.recognises else None,
            )
            self.read_ended.emit(opening, document)
        except Exception as error:  # noqa: BLE001 - an exception would be lost in a slot
            self.read_ended.emit(opening, _for_the_user(error))


class _Renderer(QObject):
    """Lives in a thread of its own and blocks it while a tile is rendered."""

    sizes_read = Signal(object, object)
    render_ended = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.worker = DocumentWorker(Limits(render_s=_RENDER_LIMIT_S))

    @Slot()
    def start(self) -> None:
        self.worker.start()

    @Slot(object)
    def read_sizes(self, opening: _Opening) -> None:
        try:
            opening.cancel.raise_if_cancelled()
            sizes = self.worker.page_sizes(opening.path, opening.password, opening.cancel)
            self.sizes_read.emit(opening, sizes)
        except LecternError:
            return  # reading the text meets the same error and reports it

    @Slot(object)
    def render(self, tile: _Tile) -> None:
        request = tile.request
        try:
            tile.cancel.raise_if_cancelled()
            rendered = self.worker.render(
                request.path,
                request.page_index,
                request.scale,
                request.clip,
                tile.password,
                tile.cancel,
                tile.file_state,
            )
            self.render_ended.emit(tile, _to_image(rendered))
        except Exception as error:  # noqa: BLE001 - an exception would be lost in a slot
            self.render_ended.emit(tile, _for_the_user(error))


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
    _read_wanted = Signal(object)
    _sizes_wanted = Signal(object)
    _tile_wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._passwords: dict[str, str | None] = {}
        self._states: dict[str, FileState | None] = {}
        self._changed: set[str] = set()
        self._opening: _Opening | None = None
        self._render_cancel = CancelToken()
        self._is_shut_down = False
        self._reader, self._renderer = _Reader(), _Renderer()
        self._threads = (QThread(), QThread())
        for worker, thread, name in zip(
            (self._reader, self._renderer), self._threads, ("document-reader", "page-renderer"), strict=True
        ):
            thread.setObjectName(name)
            worker.moveToThread(thread)
            thread.start()
        self._connect()

    def _connect(self) -> None:
        self._start_wanted.connect(self._renderer.start)
        self._start_wanted.connect(self._reader.start)
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
        if self._opening is not None:
            self._opening.cancel.cancel()
        self._passwords[_full_path(path)] = password
        self._opening = _Opening(path, password, recognises)
        self._sizes_wanted.emit(self._opening)
        self._read_wanted.emit(self._opening)

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
            tile = _Tile(request, self._passwords.get(path), self._states.get(path), self._render_cancel)
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
    def _on_progressed(self, opening: _Opening, done: int, total: int) -> None:
        if opening is self._opening:
            self.reading_progressed.emit(opening.path, done, total)

    @Slot(object, object)
    def _on_sizes_read(self, opening: _Opening, sizes: tuple[tuple[float, float], ...]) -> None:
        if opening is self._opening:
            self.pages_known.emit(opening.path, sizes)

    @Slot(object, object)
    def _on_read_ended(self, opening: _Opening, result: object) -> None:
        if opening is not self._opening:
            return
        self._opening = None
        if isinstance(result, LecternError):
            self.open_failed.emit(opening.path, result)
        elif isinstance(result, Document):
            self._states[_full_path(opening.path)] = result.file_state
            self._changed.discard(_full_path(opening.path))
            self.document_opened.emit(result)

    @Slot(object, object)
    def _on_render_ended(self, tile: _Tile, result: object) -> None:
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


def _recognition() -> Recognition:
    """Raises `DocumentError` without the language data that it needs."""
    data = find_language_data()
    return Recognition(str(data.folder), data.name, kept_in=str(recognised_texts_dir()))


def _full_path(path: str) -> str:
    return str(Path(path).absolute())


def _to_image(rendered: RenderedImage) -> QImage:
    """A copy that owns its pixels, in the format that is painted fastest."""
    size = rendered.width, rendered.height
    return QImage(rendered.rgb, *size, rendered.stride, QImage.Format.Format_RGB888).convertToFormat(
        QImage.Format.Format_RGB32
    )


def _for_the_user(error: Exception) -> LecternError:
    """User-facing errors as they are; anything else goes to the log and becomes one plain sentence."""
    if isinstance(error, LecternError):
        return error
    _log.error("the document worker failed", exc_info=error)
    return DocumentError(
        "Cannot be read", "The document could not be read because of an error in the program; see its log."
    )
