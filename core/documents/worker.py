"""Reads and renders PDFs in a process of its own: PyMuPDF is not thread-safe, and may hang or crash."""

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from core.cancel import CancelToken
from core.documents.file_names import shown_name
from core.documents.file_state import FileState, changed
from core.documents.hyphens import resolve_hyphens
from core.documents.layout import Document
from core.documents.limits import Limits
from core.documents.messages import (
    Failed,
    PageSizes,
    PageSizesRequest,
    ReadRequest,
    Recognition,
    RenderedImage,
    RenderRequest,
    Request,
)
from core.documents.printed_numbers import with_printed_numbers
from core.documents.process_link import ProcessLink, WorkerLostError
from core.documents.reading import ProgressCallback, Reading, RequestRefusedError, cannot_be_opened
from core.documents.running_lines import mark_running
from core.errors import DocumentError

__all__ = ["DEFAULT_EXTRACTOR", "Clip", "DocumentWorker", "Limits", "ProgressCallback", "RenderedImage"]

Clip = tuple[float, float, float, float]

DEFAULT_EXTRACTOR = "core.documents.extraction:extract_page"
DEFAULT_RECOGNISER = "core.documents.recognition:recognise_page"
_MAX_STEP_FACTOR = 2.0


class DocumentWorker:
    """One process that reads PDFs, and others that help with long ones, until `rest` or `close`.

    It starts with the first request and again after a crash.

    Serves one request at a time; give the window a worker of its own for rendering. `close` (or the end
    of the `with` block) ends the process. All paths are those of the file system.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        extractor: str = DEFAULT_EXTRACTOR,
        recogniser: str = DEFAULT_RECOGNISER,
    ) -> None:
        self._limits = limits or Limits()
        self._extractor, self._recogniser = extractor, recogniser
        self._lock = threading.Lock()
        steps = self._limits.open_s, self._limits.page_s, self._limits.recognition_s, self._limits.render_s
        links = [ProcessLink(_MAX_STEP_FACTOR * max(steps)) for _ in range(self._limits.num_processes)]
        self._link, self._helpers = links[0], links[1:]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the process ahead of its first request; harmless if it runs."""
        with self._lock:
            self._link.start()

    def close(self) -> None:
        """End the processes; safe to call twice and while nothing runs."""
        with self._lock:
            self._stop()

    def rest(self) -> None:
        """End the helpers of long readings, which wait for the next one with 60 MB each."""
        with self._lock:
            for helper in self._helpers:
                helper.stop()

    def _stop(self) -> None:
        for link in (self._link, *self._helpers):
            link.stop()

    @property
    def process_id(self) -> int | None:
        """The operating system's number of the process; None while there is none."""
        return self._link.process_id

    def read(
        self,
        path: str | os.PathLike[str],
        password: str | None = None,
        *,
        on_progress: ProgressCallback | None = None,
        cancel: CancelToken | None = None,
        pages: Iterable[int] | None = None,
        recognition: Recognition | None = None,
    ) -> Document:
        """The document's pages, all or those in `pages` (0-based, in the order given).

        `on_progress(done, total)` is called once before the first page and after every page, in this
        thread. A page that crashes or hangs the process comes back empty with a warning. With `recognition`,
        pages without text, or with a damaged one, are recognised as pictures. Raises
        `PasswordRequiredError`, `WrongPasswordError`, `DocumentError`, and `CancelledError` as soon as
        `cancel` is set, even in the middle of a page. A file that changes meanwhile is a `DocumentError`.
        """
        full_path = str(Path(path).absolute())
        state = FileState.of(full_path)
        wanted = None if pages is None else tuple(pages)
        with self._lock:
            request = ReadRequest(full_path, password, wanted, self._extractor, recognition, self._recogniser)
            links = [self._link, *self._helpers]
            reading = Reading(links, request, self._limits, on_progress, cancel)
            try:
                opened, reads = reading.run()
            except RequestRefusedError as refused:
                raise refused.error from None
            except BaseException:
                self._stop()
                raise
        if FileState.of(full_path) != state:
            raise changed(full_path)
        return Document(
            full_path,
            shown_name(full_path),
            opened.sha256,
            with_printed_numbers(mark_running(resolve_hyphens(reads))),
            opened.outline,
            opened.warnings,
            state,
        )

    def render(
        self,
        path: str | os.PathLike[str],
        page_index: int,
        zoom: float,
        clip: Clip | None = None,
        password: str | None = None,
        cancel: CancelToken | None = None,
        file_state: FileState | None = None,
    ) -> RenderedImage:
        """The page, or the part of it in `clip` (points as displayed), at `zoom` pixels a point.

        The zoom is lowered where the image would exceed `Limits.max_pixels`. Raises as `read` does, and
        `FileChangedError` if the file is no longer as in `file_state` (a document's; None for any).
        """
        full_path = str(Path(path).absolute())
        if file_state is not None and FileState.of(full_path) != file_state:
            raise changed(full_path)
        request = RenderRequest(full_path, password, page_index, zoom, clip, self._limits.max_pixels)
        lost = DocumentError(
            "Page cannot be shown",
            f"Page {page_index + 1} of “{shown_name(full_path)}” could not be drawn in time. "
            "It is probably damaged; the other pages can still be shown.",
        )
        answer = self._ask(request, self._limits.render_s, cancel, lost)
        assert isinstance(answer, RenderedImage)
        return answer

    def page_sizes(
        self,
        path: str | os.PathLike[str],
        password: str | None = None,
        cancel: CancelToken | None = None,
    ) -> tuple[tuple[float, float], ...]:
        """(width, height) of every page in points as displayed, long before its text is read.

        (0, 0) for a damaged page. Raises as `read` does.
        """
        full_path = str(Path(path).absolute())
        request = PageSizesRequest(full_path, password)
        answer = self._ask(request, self._limits.open_s, cancel, cannot_be_opened(shown_name(full_path)))
        assert isinstance(answer, PageSizes)
        return answer.sizes

    def _ask(
        self, request: Request, limit_s: float, cancel: CancelToken | None, lost: DocumentError
    ) -> object:
        """The one answer to `request`; raises `lost` if the process ends or is late."""
        with self._lock:
            try:
                self._link.send(request)
                answer = self._link.receive(limit_s, cancel)
            except WorkerLostError as error:
                self._link.stop()
                raise lost from error
            except BaseException:
                self._link.stop()
                raise
        if isinstance(answer, Failed):
            raise answer.error
        return answer
