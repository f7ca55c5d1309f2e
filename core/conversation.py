"""Questions and answers about documents that have been read."""

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from core.cancel import CancelToken
from core.documents.citations import find_citations
from core.documents.notices import describe_warnings
from core.documents.passages import closest_passage
from core.errors import ConversationFullError, DamagedCacheError, UsageError
from core.events import CacheOutcome, Event, Finished, FinishReason, Metrics, Progress, Token
from core.generation.generator import Generation, generate
from core.generation.relief import notes_of
from core.kv.cache import TieredCache
from core.session import MIN_ANSWER_TOKENS, DocumentSession, releasing_on_failure
from core.settings import SamplingSettings

SPARSE_NOTE = (
    "This answer was made in sparse mode: for each word the model looked at the {budget:,} tokens of the "
    "document that seemed to matter most, not at all of them. Ask again in exact mode to be sure."
)
WINDOW_NOTE = (
    "This answer was made in window mode: the model saw only the beginning of the document and the newest "
    "{window:,} tokens. Of a document longer than that, most was not looked at. Ask again in exact mode to "
    "be sure."
)


@dataclass(frozen=True)
class Turn:
    """One question with its answer, and the sequence as it was after it.

    `token_ids` is the whole sequence from the first token of the documents on.
    """

    question: str
    answer: str
    token_ids: list[int]
    cache: TieredCache


@dataclass(frozen=True)
class AnswerStart:
    """What was known when a question was asked, for the figures in the end."""

    asked_at: float
    outcome: CacheOutcome
    prefill_seconds: float
    prefill_tokens: int
    num_reliefs: int


class Conversation:
    """A chain of turns about a session's documents. No token of document or history is computed twice."""

    def __init__(self, session: DocumentSession) -> None:
        self._session = session
        self._turns: list[Turn] = []

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(self._turns)

    def ask(
        self, question: str, sampling: SamplingSettings, cancel: CancelToken
    ) -> Generator[Event, None, None]:
        """Answer `question`; the last event is `Finished`, also after a cancel during the answer.

        Reads the documents first where that is not done: a cancel there raises `CancelledError` and keeps
        what was read. Raises `ConversationFullError` if history and question leave no room for an answer.
        """
        if not question.strip():
            raise UsageError("No question", "Write a question first.")
        asked_at = time.perf_counter()
        prompt_ids = self._prompt_ids(question)
        room = require_room(self._session, len(prompt_ids))
        try:
            yield from self._read_and_answer(question, prompt_ids, room, sampling, cancel, asked_at)
        except DamagedCacheError:
            if self._turns:
                raise
            self._session.forget_disk()
            yield from self._read_and_answer(question, prompt_ids, room, sampling, cancel, asked_at)

    def _read_and_answer(
        self,
        question: str,
        prompt_ids: list[int],
        room: int,
        sampling: SamplingSettings,
        cancel: CancelToken,
        asked_at: float,
    ) -> Generator[Event, None, None]:
        outcome = self._session.cache_outcome
        tokens_before = self._session.num_cached_tokens
        num_reliefs = len(self._session.parts.runner.reliefs)
        yield from self._session.read(cancel)
        start = AnswerStart(
            asked_at,
            outcome,
            prefill_seconds=time.perf_counter() - asked_at,
            prefill_tokens=self._session.num_cached_tokens - tokens_before,
            num_reliefs=num_reliefs,
        )
        yield from self._answer(question, prompt_ids, room, sampling, cancel, start)

    def regenerate(self, sampling: SamplingSettings, cancel: CancelToken) -> Generator[Event, None, None]:
        """Answer the last question anew, from the state before it.

        The old answer is forgotten with the first token of the new one: what ends before leaves it in place.
        """
        if not self._turns:
            raise UsageError("Nothing to answer again", "Ask a question first.")
        question = self._turns[-1].question
        old: Turn | None = self._turns.pop()
        try:
            with closing(self.ask(question, sampling, cancel)) as events:
                for event in events:
                    if old is not None and isinstance(event, Token):
                        old.cache.close()
                        old = None
                    yield event
        finally:
            if old is not None:
                self._turns.append(old)

    def undo(self) -> None:
        """Forget the last turn."""
        self._turns.pop().cache.close()

    def close(self) -> None:
        """Free everything that this conversation holds."""
        while self._turns:
            self.undo()

    def _answer(
        self,
        question: str,
        prompt_ids: list[int],
        room: int,
        sampling: SamplingSettings,
        cancel: CancelToken,
        start: AnswerStart,
    ) -> Generator[Event, None, None]:
        session, parts = self._session, self._session.parts
        cache = session.branch(self._turns[-1].cache if self._turns else None)
        try:
            with releasing_on_failure(cache.close):
                cache.promote()
                generation = yield from _silent_prefill(
                    generate(
                        parts.runner,
                        cache,
                        prompt_ids,
                        decode=parts.loaded.tokenizer.decode,
                        stop_ids=parts.loaded.tokenizer.stop_ids,
                        sampling=sampling,
                        max_new_tokens=min(sampling.max_new_tokens, room),
                        chunk_tokens=parts.settings.prefill_chunk,
                        cancel=cancel,
                    )
                )
        except BaseException:  # also when the listener walks away: an answer that is not kept holds nothing
            cache.close()
            raise
        if generation.token_ids:
            self._turns.append(Turn(question, generation.text, prompt_ids + generation.token_ids, cache))
        else:
            cache.close()
        yield finish_answer(
            session, question, len(prompt_ids), generation, start, cut=sampling.max_new_tokens > room
        )

    def _prompt_ids(self, question: str) -> list[int]:
        if not self._turns:
            return [*self._session.prefix_ids, *question_ids(self._session, question)]
        lead_in = self._session.frame.after_answer
        return [*self._turns[-1].token_ids, *question_ids(self._session, question, lead_in)]


def question_ids(session: DocumentSession, question: str, lead_in: str | None = None) -> list[int]:
    """A question as the model reads it, up to where its answer begins; `lead_in` is what stands before it,
    None after the documents."""
    tokenizer, frame = session.parts.loaded.tokenizer, session.frame
    return [
        *tokenizer.encode_frame(frame.before_question if lead_in is None else lead_in),
        *tokenizer.encode_data(question.strip()),
        *tokenizer.encode_frame(frame.before_answer),
    ]


def require_room(session: DocumentSession, num_prompt_tokens: int) -> int:
    """How many tokens an answer may have after a prompt of so many.

    Raises `ConversationFullError` before anything is computed if that is too little.
    """
    parts = session.parts
    room = parts.max_seq_len - num_prompt_tokens
    if room < MIN_ANSWER_TOKENS:
        raise ConversationFullError(
            "No room for an answer",
            f"Documents, conversation and question are {num_prompt_tokens:,} tokens and "
            f"{parts.loaded.name} takes {parts.max_seq_len:,}. Start a new conversation or ask shorter.",
        )
    return room


def finish_answer(
    session: DocumentSession,
    question: str,
    num_prompt_tokens: int,
    generation: Generation,
    start: AnswerStart,
    *,
    cut: bool,
    mode: str | None = None,
) -> Finished:
    """The end of an answer: quotes verified, notes gathered, figures made.

    `cut` says that the context leaves less room than was asked for; `mode` is how the answer was really made
    where that is not what the settings say.
    """
    answer, settings = generation.text.strip(), session.parts.settings
    mode = mode or settings.mode
    citations = find_citations(answer, session.quote_index)
    has_proof = any(citation.verified for citation in citations)
    passage = None if has_proof else closest_passage(question, answer, session.quote_index)
    warnings = describe_warnings(session.documents, session.wanted)
    notes = [*session.parts.loaded.notes, *session.parts.store.notes]
    notes += notes_of(session.parts.runner.reliefs[start.num_reliefs :])
    notes += session.take_notes()
    if mode == "sparse":
        notes.append(SPARSE_NOTE.format(budget=settings.sparse_budget))
    if mode == "window":
        notes.append(WINDOW_NOTE.format(window=settings.window_tokens))
    if generation.reason is FinishReason.LENGTH:
        limit = "the model's context is full" if cut else "the limit of new tokens was reached"
        notes.append(f"The answer ends early: {limit}.")
    return Finished(
        answer=answer,
        reason=generation.reason,
        mode=mode,
        warnings=(*warnings, *notes),
        notes=tuple(notes),
        citations=citations,
        closest_passage=passage,
        pages_read=session.page_refs(read=True),
        pages_unread=session.page_refs(read=False),
        metrics=_metrics(session, num_prompt_tokens, generation, start),
    )


def _metrics(
    session: DocumentSession, num_prompt_tokens: int, generation: Generation, start: AnswerStart
) -> Metrics:
    steps = max(1, len(generation.token_ids) - 1)
    first = generation.first_token_at
    return Metrics(
        prompt_tokens=num_prompt_tokens,
        new_tokens=len(generation.token_ids),
        prefill_tokens=start.prefill_tokens,
        prefill_tokens_per_s=start.prefill_tokens / start.prefill_seconds if start.prefill_tokens else None,
        ttft_s=None if first is None else first - start.asked_at,
        tokens_per_s=generation.tokens_per_s,
        hot_bytes_peak=generation.hot_bytes_peak,
        cold_bytes=session.parts.store.cold_bytes,
        disk_bytes=session.disk_bytes,
        host_to_device_bytes_per_token=generation.decode_host_to_device_bytes / steps,
        device_to_host_bytes_per_token=generation.decode_device_to_host_bytes / steps,
        cache=start.outcome,
        hot_share=session.parts.store.scheduler.hot_share,
    )


def _silent_prefill(events: Generator[Event, None, Generation]) -> Generator[Event, None, Generation]:
    """The events without the progress of reading the question, which is over before it shows."""
    while True:
        try:
            event = next(events)
        except StopIteration as end:
            generation: Generation = end.value
            return generation
        if not isinstance(event, Progress):
            yield event
