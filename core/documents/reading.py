"""One request to read a document: its pages shared out to processes, and to new ones where pages cost one."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.cancel import CancelToken
from core.documents.file_names import shown_name
from core.documents.limits import Limits
from core.documents.messages import Failed, Opened, PageRead, ReadRequest, Recognising
from core.documents.page_lane import PageLane
from core.documents.process_link import ProcessLink, WorkerLostError, wait_for_answers
from core.errors import DocumentError, LecternError

ProgressCallback = Callable[[int, int], None]

_MAX_ASKED = 2
_RECOGNISED_PAGES_PER_PROCESS = 2


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
    """Reads the pages that `request` asks for. Progress is told in the calling thread.

    The first of `links` opens the file; the others, one for each further process, help with many pages.
    """

    def __init__(
        self,
        links: Sequence[ProcessLink],
        request: ReadRequest,
        limits: Limits,
        on_progress: ProgressCallback | None,
        cancel: CancelToken | None,
    ) -> None:
        self._spare = list(links[1:])
        self._lanes = [PageLane(links[0], limits)]
        self._request = request
        self._limits = limits
        self._on_progress = on_progress
        self._cancel = cancel
        self._name = shown_name(request.path)
        self._deadline = time.monotonic() + limits.request_s
        self._recognises = False
        self._waiting: deque[int] = deque()
        self._reads: dict[int, PageRead] = {}
        self._tried_again: set[int] = set()

    def run(self) -> tuple[Opened, list[PageRead]]:
        opened = self._open()
        total = len(opened.page_indices)
        self._waiting.extend(range(total))
        self._tell(0, total)
        while len(self._reads) < total:
            self._widen()
            for lane in self._lanes:
                while lane.is_open and self._waiting and len(lane.asked) < _MAX_ASKED:
                    position = self._waiting.popleft()
                    lane.ask(position, opened.page_indices[position])
            self._check_time()
            ready = wait_for_answers([lane.link for lane in self._lanes], self._cancel)
            num_before = len(self._reads)
            for lane in list(self._lanes):
                if lane.link in ready or lane.is_late:
                    self._hear(lane, opened)
            for done in range(num_before + 1, len(self._reads) + 1):
                self._tell(done, total)
        for lane in self._lanes:
            lane.close()
        return opened, [self._reads[position] for position in range(total)]

    def _open(self) -> Opened:
        [lane] = self._lanes
        try:
            lane.open(self._request)
            answer = lane.link.receive(self._limits.open_s, self._cancel)
        except WorkerLostError as error:
            raise cannot_be_opened(self._name) from error
        if isinstance(answer, Failed):
            raise RequestRefusedError(answer.error)
        assert isinstance(answer, Opened)
        lane.is_open = True
        self._request = replace(self._request, known=replace(answer, outline=(), warnings=()))
        return answer

    def _widen(self) -> None:
        """Another process if many pages wait for each that there is."""
        each = _RECOGNISED_PAGES_PER_PROCESS if self._recognises else self._limits.pages_per_process
        while self._spare and len(self._waiting) > each * len(self._lanes):
            lane = PageLane(self._spare.pop(0), self._limits)
            self._lanes.append(lane)
            self._start(lane)

    def _start(self, lane: PageLane) -> None:
        try:
            lane.open(self._request)
        except WorkerLostError:
            self._drop(lane, cannot_be_opened(self._name))

    def _hear(self, lane: PageLane, opened: Opened) -> None:
        """Take what `lane` answers; a page that costs its process is given up and the file opened again."""
        try:
            answer = lane.receive()
        except WorkerLostError:
            self._lose(lane, opened)
            return
        if isinstance(answer, Failed):
            self._drop(lane, answer.error)
        elif isinstance(answer, Recognising):
            self._recognises = True
        elif isinstance(answer, PageRead):
            self._deadline += lane.take_recognition_s()
            self._reads[lane.asked.popleft()] = answer

    def _lose(self, lane: PageLane, opened: Opened) -> None:
        """A process may have been ended from outside: its page is tried again, unless it is late."""
        is_innocent = not lane.is_late and not lane.is_recognising
        lane.link.stop()
        if not lane.is_open:
            self._drop(lane, cannot_be_opened(self._name))
            return
        self._deadline += lane.take_recognition_s()
        if lane.asked:
            position = lane.asked.popleft()
            if is_innocent and position not in self._tried_again:
                self._tried_again.add(position)
                lane.asked.appendleft(position)
            else:
                page_index = opened.page_indices[position]
                self._reads[position] = lane.lost_page(page_index, opened.labels[page_index])
        self._take_back(lane)
        if self._waiting:
            self._start(lane)
        else:
            self._lanes.remove(lane)

    def _drop(self, lane: PageLane, error: LecternError) -> None:
        """Go on without `lane`; without any, `error` is what the request comes to."""
        self._take_back(lane)
        self._lanes.remove(lane)
        lane.link.stop()
        if not self._lanes and self._waiting:
            raise error

    def _take_back(self, lane: PageLane) -> None:
        self._waiting.extendleft(reversed(lane.asked))
        lane.asked.clear()

    def _tell(self, done: int, total: int) -> None:
        if self._on_progress is not None:
            self._on_progress(done, total)

    def _check_time(self) -> None:
        is_recognising = any(lane.is_recognising for lane in self._lanes)
        if time.monotonic() > self._deadline and not is_recognising:
            raise DocumentError(
                "Takes too long",
                f"“{self._name}” could not be read within {self._limits.request_s:.0f} seconds. "
                "Read fewer pages at a time.",
            )
