"""What reads and renders documents in threads of its own; `DocumentService` speaks for it."""

import logging
import time
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from app.document_view.tiles import TileRequest
from app.preferences import RecognitionChoices
from core.cancel import CancelToken
from core.documents.file_state import FileState
from core.documents.language_data import find_language_data
from core.documents.messages import Recognition, RenderedImage
from core.documents.worker import DocumentWorker, Limits
from core.errors import DocumentError, LecternError
from core.paths import recognised_texts_dir

_PROGRESS_INTERVAL_S = 0.04
_RENDER_LIMIT_S = 15.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opening:
    """One call of `open`: what is to be read, and the token that stops it."""

    path: str
    password: str | None
    recognises: bool = False
    choices: RecognitionChoices = field(default_factory=RecognitionChoices)
    cancel: CancelToken = field(default_factory=CancelToken)


@dataclass(frozen=True, slots=True)
class Tile:
    request: TileRequest
    password: str | None
    file_state: FileState | None
    cancel: CancelToken


class Reader(QObject):
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

    @Slot()
    def rest(self) -> None:
        self.worker.rest()

    @Slot(object)
    def read(self, opening: Opening) -> None:
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
                recognition=_recognition(opening),
            )
            self.read_ended.emit(opening, document)
        except Exception as error:  # noqa: BLE001 - an exception would be lost in a slot
            self.read_ended.emit(opening, _for_the_user(error))


class Renderer(QObject):
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
    def read_sizes(self, opening: Opening) -> None:
        try:
            opening.cancel.raise_if_cancelled()
            sizes = self.worker.page_sizes(opening.path, opening.password, opening.cancel)
            self.sizes_read.emit(opening, sizes)
        except LecternError:
            return  # reading the text meets the same error and reports it

    @Slot(object)
    def render(self, tile: Tile) -> None:
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


def _recognition(opening: Opening) -> Recognition | None:
    """Raises `DocumentError` without the language data, if recognition was asked for just now.

    What is recognised always, as far as it can be, is read without where the data is missing.
    """
    if not opening.recognises and opening.choices.when != "always":
        return None
    try:
        data = find_language_data(opening.choices.languages)
    except LecternError:
        if opening.recognises:
            raise
        return None
    return Recognition(str(data.folder), data.name, kept_in=str(recognised_texts_dir()))


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
