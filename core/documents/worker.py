"""Reads and renders PDFs in a process of its own: PyMuPDF is not thread-safe, and may hang or crash."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Self

from core.cancel import CancelToken
from core.documents.hyphens import resolve_hyphens
from core.documents.layout import Document
from core.documents.messages import (
    Failed,
    Opened,
    PageRead,
    PageSizes,
    PageSizesRequest,
    ReadRequest,
    RenderedImage,
    RenderRequest,
    Request,
)
from core.documents.plain_spawn import start_without_main
from core.documents.unreadable import unreadable_page
from core.documents.worker_process import serve
from core.errors import DocumentError, LecternError

ProgressCallback = Callable[[int, int], None]
Clip = tuple[float, float, float, float]

DEFAULT_EXTRACTOR = "core.documents.extraction:extract_page"
_POLL_S = 0.02


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things may take, in seconds, and how large a rendered image may be, in pixels."""

    open_s: float = 60.0
    page_s: float = 30.0
    request_s: float = 3600.0
    render_s: float = 30.0
    max_pixels: int = 32_000_000


class WorkerLostError(Exception):
    """The process ended or went over its time while it worked on one step of a request."""


class RequestRefusedError(Exception):
    """The process cannot serve the request and is ready for the next one."""

    def __init__(self, error: LecternError) -> None:
        super().__init__(error)
        self.error = error


class DocumentWorker:
    """One process that reads PDFs. It starts with the first request and again after a crash.

    Serves one request at a time; give the window a worker of its own for rendering. `close` (or the end
    of the `with` block) ends the process. All paths are those of the file system.
    """

    def __init__(self, limits: Limits = Limits(), extractor: str = DEFAULT_EXTRACTOR) -> None:
        self._limits = limits
        self._extractor = extractor
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the process ahead of its first request; harmless if it runs."""
        with self._lock:
            self._start_if_gone()

    def close(self) -> None:
        """End the process; safe to call twice and while nothing runs."""
        with self._lock:
            self._stop()

    def read(
        self,
        path: str | os.PathLike[str],
        password: str | None = None,
        *,
        on_progress: ProgressCallback | None = None,
        cancel: CancelToken | None = None,
        pages: Iterable[int] | None = None,
    ) -> Document:
        """The document's pages, all or those in `pages` (0-based, in the order given).

        `on_progress(done, total)` is called once before the first page and after every page, in this
        thread. A page that crashes or hangs the process comes back empty with a warning. Raises
        `PasswordRequiredError`, `WrongPasswordError`, `DocumentError`, and `CancelledError` as soon as
        `cancel` is set, even in the middle of a page.
        """
        full_path = str(Path(path).absolute())
        wanted = None if pages is None else tuple(pages)
        with self._lock:
            reading = _Reading(self, full_path, password, on_progress, cancel, self._limits)
            try:
                opened, reads = reading.run(wanted)
            except RequestRefusedError as refused:
                raise refused.error from None
            except BaseException:
                self._stop()
                raise
        return Document(
            full_path,
            Path(full_path).name,
            opened.sha256,
            resolve_hyphens(reads),
            opened.outline,
            opened.warnings,
        )

    def render(
        self,
        path: str | os.PathLike[str],
        page_index: int,
        zoom: float,
        clip: Clip | None = None,
        password: str | None = None,
        cancel: CancelToken | None = None,
    ) -> RenderedImage:
        """The page, or the part of it in `clip` (points as displayed), at `zoom` pixels a point.

        The zoom is lowered where the image would exceed `Limits.max_pixels`. Raises as `read` does.
        """
        full_path = str(Path(path).absolute())
        request = RenderRequest(full_path, password, page_index, zoom, clip, self._limits.max_pixels)
        lost = DocumentError(
            "Page cannot be shown",
            f"Page {page_index + 1} of “{Path(full_path).name}” could not be drawn in time. "
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
        answer = self._ask(request, self._limits.open_s, cancel, _cannot_be_opened(full_path))
        assert isinstance(answer, PageSizes)
        return answer.sizes

    def _ask(
        self, request: Request, limit_s: float, cancel: CancelToken | None, lost: DocumentError
    ) -> object:
        """The one answer to `request`; raises `lost` if the process ends or is late."""
        with self._lock:
            try:
                self.send(request)
                answer = self.receive(limit_s, cancel)
            except WorkerLostError as error:
                self._stop()
                raise lost from error
            except BaseException:
                self._stop()
                raise
        if isinstance(answer, Failed):
            raise answer.error
        return answer

    @property
    def process_id(self) -> int | None:
        """The operating system's number of the process; None while there is none."""
        return None if self._process is None else self._process.pid

    @property
    def extractor(self) -> str:
        return self._extractor

    def send(self, request: Request) -> None:
        """Start the process if need be and hand it the request."""
        self._start_if_gone()
        assert self._connection is not None
        try:
            self._connection.send(request)
        except OSError as error:
            raise WorkerLostError from error

    def receive(self, limit_s: float, cancel: CancelToken | None) -> object:
        """The next answer. Raises `WorkerLostError` without one in `limit_s` seconds, or on a crash."""
        assert self._connection is not None
        deadline = time.monotonic() + limit_s
        while not self._connection.poll(_POLL_S):
            if cancel is not None:
                cancel.raise_if_cancelled()
            if time.monotonic() > deadline:
                raise WorkerLostError
        if cancel is not None:
            cancel.raise_if_cancelled()
        try:
            return self._connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerLostError from error

    def restart(self) -> None:
        self._stop()

    def _start_if_gone(self) -> None:
        if self._process is None or not self._process.is_alive():
            self._stop()
            self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        hard_limit_s = 2 * max(self._limits.open_s, self._limits.page_s, self._limits.render_s) + 5
        process = context.Process(
            target=serve, args=(there, hard_limit_s), name="lectern-documents", daemon=True
        )
        start_without_main(process)
        there.close()
        self._process, self._connection = process, here

    def _stop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None


def _cannot_be_opened(path: str) -> DocumentError:
    return DocumentError(
        "Cannot be opened",
        f"“{Path(path).name}” could not be opened in time, or it breaks the reader. "
        "It is probably damaged; open it in another PDF program and save a copy.",
    )


def _ignore(done: int, total: int) -> None:
    """No one wants to know how far the reading is."""


class _Reading:
    """One `read` request, carried over as many processes as its pages wear out."""

    def __init__(
        self,
        worker: DocumentWorker,
        path: str,
        password: str | None,
        on_progress: ProgressCallback | None,
        cancel: CancelToken | None,
        limits: Limits,
    ) -> None:
        self._worker = worker
        self._path = path
        self._password = password
        self._on_progress = on_progress or _ignore
        self._cancel = cancel
        self._limits = limits
        self._deadline = time.monotonic() + limits.request_s

    def run(self, wanted: tuple[int, ...] | None) -> tuple[Opened, list[PageRead]]:
        opened = self._open(wanted)
        total = len(opened.page_indices)
        reads: list[PageRead] = []
        self._on_progress(0, total)
        is_open = True
        while len(reads) < total:
            page_index = opened.page_indices[len(reads)]
            try:
                if not is_open:
                    self._open(opened.page_indices[len(reads) :])
                    is_open = True
                reads.append(self._page())
            except WorkerLostError:
                self._check_request_time()
                self._worker.restart()
                is_open = False
                label = opened.labels[page_index]
                reads.append(unreadable_page(page_index, label, "it takes too long or breaks the reader"))
            self._on_progress(len(reads), total)
        return opened, reads

    def _open(self, wanted: tuple[int, ...] | None) -> Opened:
        try:
            self._worker.send(ReadRequest(self._path, self._password, wanted, self._worker.extractor))
            answer = self._worker.receive(self._limits.open_s, self._cancel)
        except WorkerLostError as error:
            raise _cannot_be_opened(self._path) from error
        if isinstance(answer, Failed):
            raise RequestRefusedError(answer.error)
        assert isinstance(answer, Opened)
        return answer

    def _page(self) -> PageRead:
        self._check_request_time()
        answer = self._worker.receive(self._limits.page_s, self._cancel)
        if isinstance(answer, Failed):
            raise RequestRefusedError(answer.error)
        assert isinstance(answer, PageRead)
        return answer

    def _check_request_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise DocumentError(
                "Takes too long",
                f"“{Path(self._path).name}” could not be read within {self._limits.request_s:.0f} seconds. "
                "Read fewer pages at a time.",
            )
