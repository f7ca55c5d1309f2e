"""One request to read a document, carried over as many processes as its pages wear out."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.cancel import CancelToken
from core.documents.file_names import shown_name
from core.documents.messages import Failed, Opened, PageRead, ReadRequest, Recognising
from core.documents.process_link import ProcessLink, WorkerLostError
from core.documents.unreadable import unreadable_page, unrecognised_page
from core.errors import DocumentError, LecternError

ProgressCallback = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things may take, in seconds, and how large a rendered image may be, in pixels.

    What `recognition_s`, the recognition of one page, takes is no part of `request_s`.
    """

    open_s: float = 60.0
    page_s: float = 30.0
    recognition_s: float = 120.0
    request_s: float = 3600.0
    render_s: float = 30.0
    max_pixels: int = 32_000_000


class RequestRefusedError(Exception):
    """The process cannot serve the request and is ready for the next one."""

    def __init__(self, error: LecternError) -> None:
        super().__init__(error)
        self.error = error


def cannot_be_opened(name: str) -> DocumentError:
    """What is said when the process was lost while it opened the file `name`."""
    return DocumentError(
        "Cannot be opened",
        f"“{name}” could not be opened in time, or it breaks the reader. "
        "It is probably damaged; open it in another PDF program and save a copy.",
    )


class Reading:
    """Reads the pages that `request` asks for. Progress is told in the calling thread."""

    def __init__(
        self,
        link: ProcessLink,
        request: ReadRequest,
        limits: Limits,
        on_progress: ProgressCallback | None,
        cancel: CancelToken | None,
    ) -> None:
        self._link = link
        self._request = request
        self._limits = limits
        self._on_progress = on_progress
        self._cancel = cancel
        self._name = shown_name(request.path)
        self._deadline = time.monotonic() + limits.request_s
        self._unrecognised: PageRead | None = None

    def run(self) -> tuple[Opened, list[PageRead]]:
        opened = self._open(self._request)
        total = len(opened.page_indices)
        reads: list[PageRead] = []
        self._tell(0, total)
        is_open = True
        while len(reads) < total:
            page_index = opened.page_indices[len(reads)]
            try:
                if not is_open:
                    self._open(replace(self._request, page_indices=opened.page_indices[len(reads) :]))
                    is_open = True
                reads.append(self._page())
            except WorkerLostError:
                self._check_request_time()
                self._link.stop()
                is_open = False
                reads.append(self._lost_page(page_index, opened.labels[page_index]))
            self._tell(len(reads), total)
        return opened, reads

    def _open(self, request: ReadRequest) -> Opened:
        try:
            self._link.send(request)
            answer = self._link.receive(self._limits.open_s, self._cancel)
        except WorkerLostError as error:
            raise cannot_be_opened(self._name) from error
        if isinstance(answer, Failed):
            raise RequestRefusedError(answer.error)
        assert isinstance(answer, Opened)
        return answer

    def _page(self) -> PageRead:
        self._check_request_time()
        answer = self._link.receive(self._limits.page_s, self._cancel)
        if isinstance(answer, Recognising):
            answer = self._recognised_page(answer.read)
        if isinstance(answer, Failed):
            raise RequestRefusedError(answer.error)
        assert isinstance(answer, PageRead)
        return answer

    def _recognised_page(self, unrecognised: PageRead) -> object:
        started = time.monotonic()
        self._unrecognised = unrecognised
        try:
            answer = self._link.receive(self._limits.recognition_s, self._cancel)
        finally:
            self._deadline += time.monotonic() - started
        self._unrecognised = None
        return answer

    def _lost_page(self, page_index: int, label: str) -> PageRead:
        """What is left of a page that cost the process."""
        unrecognised, self._unrecognised = self._unrecognised, None
        if unrecognised is not None:
            return unrecognised_page(unrecognised)
        return unreadable_page(page_index, label, "it takes too long or breaks the reader")

    def _tell(self, done: int, total: int) -> None:
        if self._on_progress is not None:
            self._on_progress(done, total)

    def _check_request_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise DocumentError(
                "Takes too long",
                f"“{self._name}” could not be read within {self._limits.request_s:.0f} seconds. "
                "Read fewer pages at a time.",
            )
