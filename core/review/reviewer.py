"""Many questions about documents that have been read, answered side by side."""

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.answer import AnswerStart, finish_answer, question_ids, require_room
from core.cancel import CancelToken
from core.errors import DamagedCacheError, LecternError, UsageError
from core.events import CacheOutcome, ReviewEvent, RowFailed, RowFinished, RowStarted, RowToken
from core.generation.batch_generator import BatchGenerator, BatchRow, RowBegan, RowEnded, RowGrew
from core.generation.failure import releasing_on_failure
from core.kv.batch import BatchCache
from core.review.question import Question
from core.review.width import width_of
from core.session import DocumentSession
from core.settings import SamplingSettings


@dataclass
class _Row:
    """A question with what is known of it once it has begun."""

    question: Question
    batch_row: BatchRow
    start: AnswerStart
    num_prompt_tokens: int
    cut: bool


class Review:
    """Iterate over it for the events; the questions go through the model together.

    Every question that was added ends in one `RowFinished` or `RowFailed`. One that fails leaves the others
    alone. A cancel ends those under way with what they have, and leaves those waiting for the next iteration.
    The documents are read first where that is not done: a cancel there raises `CancelledError`. A device that
    fails raises `DeviceError`, and what was under way is over. `add` may be called and a question's `cancel`
    be set from any thread while another one iterates; sampling, stop and citations are those of a question
    asked alone. Sparse mode answers exactly here: what one question would leave unread
    another one needs.
    """

    def __init__(
        self,
        session: DocumentSession,
        questions: Iterable[Question],
        sampling: SamplingSettings,
        cancel: CancelToken,
    ) -> None:
        self._session = session
        self._sampling = sampling
        self._cancel = cancel
        self._lock = threading.Lock()
        self._waiting: deque[Question] = deque()
        self._open: set[str] = set()
        self._failed: list[RowFailed] = []
        self._rows: dict[BatchRow, _Row] = {}
        for question in questions:
            self.add(question)

    def add(self, question: Question) -> None:
        """One more question, also while others are being answered; a row that is over may come again.

        Raises `UsageError` if a row of this name is not over yet.
        """
        with self._lock:
            if question.row_id in self._open:
                raise UsageError("This row is still running", f"Wait for row {question.row_id!r} or stop it.")
            self._open.add(question.row_id)
            self._waiting.append(question)

    def resume(self, cancel: CancelToken) -> None:
        """Let the next iteration answer what was left waiting, until `cancel` says otherwise."""
        self._cancel = cancel

    def __iter__(self) -> Iterator[ReviewEvent]:
        try:
            yield from self._answers()
        except DamagedCacheError:
            self._session.forget_disk()
            yield from self._answers()
        finally:
            self._forget_rows()

    def _answers(self) -> Iterator[ReviewEvent]:
        """What waits, all together; what a damaged document cache interrupts waits again."""
        session, parts = self._session, self._session.parts
        yield from session.read(self._cancel)
        batch = BatchCache(session.branch(), parts.loaded.model.config)
        try:
            with releasing_on_failure(batch.close):
                batch.promote()
                generator = BatchGenerator(
                    parts.runner,
                    batch,
                    self._next_row,
                    decode=parts.loaded.tokenizer.decode,
                    stop_ids=parts.loaded.tokenizer.stop_ids,
                    chunk_tokens=parts.settings.prefill_chunk,
                    width=width_of(batch, self._most_own_tokens(), parts.settings.review_width),
                )
                for event in generator.run(self._cancel):
                    yield from self._take_failed()
                    if isinstance(event, RowBegan):
                        yield self._began(event.row)
                    elif isinstance(event, RowGrew):
                        yield RowToken(self._rows[event.row].question.row_id, event.token.text)
                    elif isinstance(event, RowEnded):
                        yield self._ended(event)
                    else:
                        yield event
                yield from self._take_failed()
        except DamagedCacheError:
            with self._lock:
                self._waiting.extendleft(row.question for row in reversed(self._rows.values()))
            self._rows.clear()
            raise
        finally:
            batch.close()

    def _next_row(self) -> BatchRow | None:
        """The next question that can be answered, for the generator; those that cannot are set aside."""
        while True:
            with self._lock:
                if not self._waiting:
                    return None
                question = self._waiting.popleft()
            try:
                return self._row_of(question)
            except LecternError as error:
                self._failed.append(RowFailed(question.row_id, error))
                self._over(question)

    def _row_of(self, question: Question) -> BatchRow:
        if not question.text.strip():
            raise UsageError("No question", "Write a question first.")
        session, sampling = self._session, question.sampling or self._sampling
        own_ids = question_ids(session, question.text)
        num_prompt_tokens = session.num_prefix_tokens + len(own_ids)
        room = require_room(session, num_prompt_tokens)
        most = min(sampling.max_new_tokens, room)
        row = BatchRow(question.row_id, own_ids, sampling, most, question.cancel)
        start = AnswerStart(
            time.perf_counter(),
            CacheOutcome.HIT,
            prefill_seconds=0.0,
            prefill_tokens=0,
            num_reliefs=len(session.parts.runner.reliefs),
        )
        cut = sampling.max_new_tokens > room
        self._rows[row] = _Row(question, row, start, num_prompt_tokens, cut)
        return row

    def _began(self, row: BatchRow) -> RowStarted:
        return RowStarted(self._rows[row].question.row_id)

    def _ended(self, event: RowEnded) -> RowFinished | RowFailed:
        row = self._rows.pop(event.row)
        self._over(row.question)
        if event.error is not None:
            return RowFailed(row.question.row_id, event.error)
        is_sparse = self._session.parts.settings.mode == "sparse"
        finished = finish_answer(
            self._session,
            row.question.text,
            row.num_prompt_tokens,
            event.row.generation,
            row.start,
            cut=row.cut,
            mode="exact" if is_sparse else None,
        )
        return RowFinished(row.question.row_id, finished)

    def _over(self, question: Question) -> None:
        with self._lock:
            self._open.discard(question.row_id)

    def _take_failed(self) -> Iterator[RowFailed]:
        failed, self._failed = self._failed, []
        yield from failed

    def _forget_rows(self) -> None:
        """After a failure of the device, or when nobody listens any more: what was under way is over."""
        for row in self._rows.values():
            self._over(row.question)
        self._rows.clear()

    def _most_own_tokens(self) -> int:
        """What the longest of the questions that wait now may come to, its answer included."""
        with self._lock:
            waiting = list(self._waiting)
        own = [
            len(question_ids(self._session, question.text))
            + (question.sampling or self._sampling).max_new_tokens
            for question in waiting
        ]
        return max(own, default=self._sampling.max_new_tokens)
