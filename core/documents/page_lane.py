"""One of the processes that read a document together, and the pages that it was asked for."""

import time
from collections import deque

from core.documents.limits import Limits
from core.documents.messages import Opened, PageRead, ReadRequest, Recognising
from core.documents.process_link import ProcessLink
from core.documents.unreadable import unreadable_page, unrecognised_page


class PageLane:
    """`asked` are positions in the request, oldest first. `is_open` once the process has opened the file."""

    def __init__(self, link: ProcessLink, limits: Limits) -> None:
        self.link = link
        self.asked: deque[int] = deque()
        self.is_open = False
        self._limits = limits
        self._deadline = 0.0
        self._unrecognised: PageRead | None = None
        self._recognition_started = 0.0

    def open(self, request: ReadRequest) -> None:
        """Hand the file to the process, which starts if need be. Raises `WorkerLostError`."""
        self.is_open = False
        self._allow(self._limits.open_s)
        self.link.send(request)

    def ask(self, position: int, page_index: int) -> None:
        """Ask for the page; a process that is gone is noticed when it should answer."""
        if not self.asked:
            self._allow(self._limits.page_s)
        self.asked.append(position)
        self.link.try_to_send(page_index)

    def close(self) -> None:
        """No more pages: the process closes the file and waits for another request."""
        if self.is_open:
            self.link.try_to_send(None)
        else:
            self.link.stop()

    @property
    def is_late(self) -> bool:
        return (not self.is_open or bool(self.asked)) and time.monotonic() > self._deadline

    @property
    def is_recognising(self) -> bool:
        return self._unrecognised is not None

    def receive(self) -> object:
        """The answer that is there. Raises `WorkerLostError` if there is none, or never will be."""
        answer = self.link.receive(0)
        if isinstance(answer, Recognising):
            self._unrecognised, self._recognition_started = answer.read, time.monotonic()
            self._allow(self._limits.recognition_s)
        else:
            self.is_open = self.is_open or isinstance(answer, Opened)
            self._unrecognised = None
            self._allow(self._limits.page_s)
        return answer

    def take_recognition_s(self) -> float:
        """How long the recognition of the page took that has just ended, or been lost; then 0."""
        started, self._recognition_started = self._recognition_started, 0.0
        if not started:
            return 0.0
        return time.monotonic() - started

    def lost_page(self, page_index: int, label: str) -> PageRead:
        """What is left of a page that cost the process."""
        unrecognised, self._unrecognised = self._unrecognised, None
        if unrecognised is not None:
            return unrecognised_page(unrecognised)
        return unreadable_page(page_index, label, "it takes too long or breaks the reader")

    def _allow(self, limit_s: float) -> None:
        self._deadline = time.monotonic() + limit_s
