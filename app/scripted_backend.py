"""An engine that plays a script: it stands in for the real one in tests and pictures, without a model.

Citations are real: what the script quotes is looked up in the documents.
"""

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.engine_backend import ModelInfo
from app.scripted_figures import (
    AROUND_TOKENS,
    BYTES_PER_TOKEN,
    CONTEXT,
    HOT_TOKENS,
    STEPS_A_PART,
    evidence_of,
    metrics_of,
    part_progress,
    sizes_of,
)
from core.cancel import CancelToken
from core.documents.citations import find_citations
from core.documents.layout import Document
from core.documents.notices import selection_note
from core.documents.passages import closest_passage
from core.documents.quote_index import QuoteIndex
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.documents.section_search import is_about_everything
from core.documents.sizes import DocumentSizes
from core.errors import DocumentsTooLargeError, LecternError
from core.events import (
    Event,
    Finished,
    FinishReason,
    PageRef,
    Progress,
    ReviewEvent,
    RowFailed,
    RowFinished,
    RowStarted,
    RowToken,
    Stage,
    TierUsage,
    Token,
)
from core.past_turn import PastTurn
from core.review.question import Question
from core.settings import EngineSettings, SamplingSettings

_CHUNK = 512
_POLL_S = 0.005


@dataclass
class Script:
    """What happens, and how long each step takes in seconds.

    `answers` are given in turn, the last one again and again. An error is raised where it is set; that of
    the answer after `tokens_before_error` tokens. `hold_at_token` waits there until `go` is set.
    All documents are `num_tokens` together, equally many on each page with text; the model takes 8,192.
    Of a review the answers are known by row, as are rows that fail; what is not there gets the first answer.
    A summary by sections has `num_parts`, which it goes through in small steps; `hold_at_chunk` counts them.
    `evidence` are pages of the first document that each answer looked at, with their shares.
    """

    answers: list[str] = field(default_factory=lambda: ["The agreement says so."])
    model_s: float = 0.0
    chunk_s: float = 0.0
    token_s: float = 0.0
    num_tokens: int = 2048
    num_parts: int = 0
    stretch: int | None = 2
    memory_bytes: int = 64 << 30
    hold_at_token: int | None = None
    hold_at_chunk: int | None = None
    go: threading.Event = field(default_factory=threading.Event)
    model_error: Exception | None = None
    change_error: Exception | None = None
    document_error: Exception | None = None
    answer_error: Exception | None = None
    tokens_before_error: int = 0
    row_answers: dict[str, str] = field(default_factory=dict)
    row_errors: dict[str, LecternError] = field(default_factory=dict)
    review_width: int = 4
    evidence: dict[int, float] = field(default_factory=dict)


class ScriptedBackend:
    """Plays `script`; `calls` tells what was asked of it, in order, `num_reads` how often it had to read.

    `history` is what the conversation was begun with, `readings` what was to be read at each opening.
    """

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or Script()
        self.calls: list[str] = []
        self.num_reads = 0
        self.history: tuple[PastTurn, ...] = ()
        self.readings: list[ReadingChoice] = []
        self._documents: tuple[Document, ...] = ()
        self._reading = EVERYTHING
        self._limit = CONTEXT
        self._num_tokens = 0
        self._num_read = 0
        self._question = ""
        self._num_answers = 0
        self._num_steps = 0
        self._mode = "exact"

    def open_model(
        self, settings: EngineSettings, on_progress: Callable[[Progress], None], cancel: CancelToken
    ) -> ModelInfo:
        self.calls.append("open_model")
        on_progress(Progress(Stage.LOADING_MODEL, 0, 1, "model"))
        self._pause(self.script.model_s, cancel)
        cancel.raise_if_cancelled()
        if self.script.model_error is not None:
            raise self.script.model_error
        return self._use(settings)

    def change_settings(self, settings: EngineSettings) -> ModelInfo | None:
        self.calls.append("change_settings")
        if self.script.change_error is not None:
            raise self.script.change_error
        return self._use(settings)

    def measure(self, documents: Sequence[Document]) -> DocumentSizes:
        return sizes_of(
            documents, self.script.num_tokens, self._limit, self.script.stretch, self.script.memory_bytes
        )

    def open_document(self, documents: Sequence[Document], reading: ReadingChoice = EVERYTHING) -> int:
        self.calls.append("open_document")
        self.readings.append(reading)
        if self.script.document_error is not None:
            raise self.script.document_error
        sizes = self.measure(documents)
        if not sizes.fits(reading):
            raise DocumentsTooLargeError(
                "The document is too long for this model", "Even its first page does not fit."
            )
        self._documents, self._reading = tuple(documents), reading
        is_in_sections = reading.kind is ReadingKind.SECTIONS
        self._num_tokens = self.script.num_tokens
        if reading.kind is ReadingKind.PAGES:
            self._num_tokens = sizes.needed_tokens(reading) - AROUND_TOKENS
        self._num_read = self._num_tokens if is_in_sections else 0
        return 0 if is_in_sections else self._num_tokens

    def read(self, cancel: CancelToken) -> Iterator[Progress]:
        total = self._num_tokens
        self.num_reads += self._num_read < total
        rate = _CHUNK / self.script.chunk_s if self.script.chunk_s else 900.0
        while self._num_read < total:
            if self.script.hold_at_chunk == self._num_read // _CHUNK:
                self._hold(cancel)
            self._pause(self.script.chunk_s, cancel)
            cancel.raise_if_cancelled()
            self._num_read = min(total, self._num_read + _CHUNK)
            left_s = (total - self._num_read) / rate
            yield Progress(Stage.READING_TOKENS, self._num_read, total, "tokens", rate, left_s)

    def ask(self, question: str, sampling: SamplingSettings, cancel: CancelToken) -> Iterator[Event]:
        del sampling
        self.calls.append("ask")
        self._question = question
        if self._reading.kind is ReadingKind.SECTIONS:
            yield Progress(Stage.CHOOSING_SECTIONS, 0, 1, "sections")
            self._num_read = 0
            if is_about_everything(question):
                yield from self._parts(cancel)
            yield from self.read(cancel)
        yield from self._answer(cancel)

    def _parts(self, cancel: CancelToken) -> Iterator[Progress]:
        for step in range(STEPS_A_PART * self.script.num_parts):
            if self.script.hold_at_chunk == step:
                self._hold(cancel)
            self._pause(self.script.chunk_s, cancel)
            cancel.raise_if_cancelled()
            yield part_progress(step + 1, self.script.num_parts)

    def regenerate(
        self, sampling: SamplingSettings, cancel: CancelToken, question: str = ""
    ) -> Iterator[Event]:
        del sampling
        self.calls.append("regenerate")
        self._question = question or self._question
        yield from self._answer(cancel)

    def review(
        self,
        document: Document,
        questions: Sequence[Question],
        sampling: SamplingSettings,
        cancel: CancelToken,
    ) -> Iterator[ReviewEvent]:
        """Rows grow side by side, a word at a time, as many as `review_width`."""
        del sampling
        self.calls.append(f"review {document.name}: {' '.join(one.row_id for one in questions)}")
        waiting, rows = list(questions), dict[str, tuple[list[str], int]]()
        cancels = {question.row_id: question.cancel for question in questions}
        started = time.perf_counter()
        while rows or (waiting and not cancel.is_cancelled):
            while waiting and not cancel.is_cancelled and len(rows) < self.script.review_width:
                row_id = waiting.pop(0).row_id
                if row_id in self.script.row_errors:
                    yield RowFailed(row_id, self.script.row_errors[row_id])
                    continue
                yield RowStarted(row_id)
                text = self.script.row_answers.get(row_id, self.script.answers[0])
                rows[row_id] = (re.findall(r"\S+\s*|\s+", text), 0)
            self._num_steps += 1
            if self.script.hold_at_token == self._num_steps:
                self._hold(cancel)
            self._pause(self.script.token_s, cancel)
            for row_id, (words, num_said) in list(rows.items()):
                is_stopped = cancel.is_cancelled or cancels[row_id].is_cancelled
                if is_stopped or num_said == len(words):
                    reason = FinishReason.CANCELLED if is_stopped else FinishReason.STOP
                    text, documents = "".join(words[:num_said]), (document,)
                    yield RowFinished(row_id, self._finished(text, num_said, started, reason, documents))
                    del rows[row_id]
                else:
                    yield RowToken(row_id, words[num_said])
                    rows[row_id] = (words, num_said + 1)
            yield self._usage(1)

    def start_conversation(self, history: Sequence[PastTurn] = ()) -> None:
        self.calls.append("start_conversation")
        self.history = tuple(history)
        self._question = ""

    def close(self) -> None:
        self.calls.append("close")

    def _use(self, settings: EngineSettings) -> ModelInfo:
        self._mode = settings.mode
        factor = settings.rope_scaling.factor if settings.rope_scaling is not None else 1
        self._limit = settings.max_seq_len or int(factor * CONTEXT)
        return ModelInfo(settings.model, self._limit, "cpu")

    def _answer(self, cancel: CancelToken) -> Iterator[Event]:
        script = self.script
        text = script.answers[min(self._num_answers, len(script.answers) - 1)]
        self._num_answers += 1
        words = re.findall(r"\S+\s*|\s+", text)
        started = time.perf_counter()
        for i, word in enumerate(words):
            if script.answer_error is not None and i == script.tokens_before_error:
                raise script.answer_error
            if script.hold_at_token == i:
                self._hold(cancel)
            self._pause(script.token_s, cancel)
            if cancel.is_cancelled:
                yield self._finished("".join(words[:i]), i, started, FinishReason.CANCELLED)
                return
            yield Token(i, word)
            yield self._usage(i + 1)
        finished = self._finished(text, len(words), started, FinishReason.STOP)
        yield replace(finished, evidence=evidence_of(self._documents[0], script.evidence))

    def _usage(self, num_new: int) -> TierUsage:
        total = self._num_read + num_new
        hot = min(total, HOT_TOKENS)
        cold_bytes = (total - hot) * BYTES_PER_TOKEN
        return TierUsage(total, hot, hot * BYTES_PER_TOKEN, cold_bytes, cold_bytes, BYTES_PER_TOKEN)

    def _finished(
        self,
        answer: str,
        num_tokens: int,
        started: float,
        reason: FinishReason,
        documents: tuple[Document, ...] = (),
    ) -> Finished:
        pages = self._pages_read
        read = {
            one.name: [page.page_index for page in pages if page.document == one.name]
            for one in self._documents
        }
        index = QuoteIndex(documents or self._documents, None if documents else read)
        citations = find_citations(answer, index)
        has_proof = any(citation.verified for citation in citations)
        elapsed_s = max(1e-6, time.perf_counter() - started)
        chosen = self._reading.selection(self._documents)
        note = selection_note(self._documents, chosen) if chosen is not None else None
        notes = (note,) if note is not None else ()
        return Finished(
            answer=answer.strip(),
            reason=reason,
            mode=self._mode,
            warnings=notes,
            notes=notes,
            citations=citations,
            closest_passage=None if has_proof else closest_passage(self._question, answer, index),
            pages_read=pages,
            pages_unread=(),
            metrics=metrics_of(self._num_read, num_tokens, elapsed_s),
        )

    @property
    def _pages_read(self) -> tuple[PageRef, ...]:
        chosen = self._reading.selection(self._documents)
        return tuple(
            PageRef(document.name, page.page_index, page.label)
            for document in self._documents
            for page in document.pages
            if chosen is None or page.page_index in chosen.of_document(document.name)
        )

    def _hold(self, cancel: CancelToken) -> None:
        while not self.script.go.wait(_POLL_S) and not cancel.is_cancelled:
            pass

    def _pause(self, seconds: float, cancel: CancelToken) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not cancel.is_cancelled:
            time.sleep(min(_POLL_S, seconds))
