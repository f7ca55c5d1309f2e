"""Questions and answers about documents that have been read."""

import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from core.answer import AnswerStart, finish_answer, question_ids, require_room
from core.cancel import CancelToken
from core.errors import DamagedCacheError, UsageError
from core.events import Event, Finished, FinishReason, Progress, Token
from core.evidence import watch
from core.generation.failure import releasing_on_failure
from core.generation.generator import Generation, generate
from core.generation.prefill import prefill
from core.kv.cache import TieredCache
from core.past_turn import PastTurn
from core.session import DocumentSession
from core.settings import SamplingSettings


@dataclass(frozen=True)
class Turn:
    """One question with its answer, and the sequence as it was after it.

    `token_ids` is the whole sequence from the first token of the documents on; `cache` is None until a turn
    of an earlier time has been read.
    """

    question: str
    answer: str
    token_ids: list[int]
    cache: TieredCache | None


class Conversation:
    """A chain of turns about a session's documents. No token of document or history is computed twice."""

    def __init__(self, session: DocumentSession) -> None:
        self._session = session
        self._turns: list[Turn] = []

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(self._turns)

    def restore(self, past: Sequence[PastTurn]) -> None:
        """Go on from turns of an earlier time; those without an answer are left out. Computes nothing yet.

        The sequence becomes the one that it was: by the token ids of an answer where this tokenizer decodes
        them to its words, else by the words, encoded anew.
        """
        assert not self._turns, "turns are put back into an empty conversation"
        for turn in past:
            answer_ids = self._answer_ids(turn)
            if answer_ids:
                token_ids = [*self._prompt_ids(turn.question), *answer_ids]
                self._turns.append(Turn(turn.question, turn.answer, token_ids, None))

    def read(self, cancel: CancelToken) -> Generator[Progress, None, None]:
        """Compute what is missing of the documents and of restored turns; a cancel keeps what is done.

        Turns beyond what the model takes are not read; a question behind them says so.
        """
        yield from self._session.read(cancel)
        yield from self._read_turns(cancel)

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
            for index in range(len(self._turns)):
                self._drop_cache(index)
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
        yield from self.read(cancel)
        start = AnswerStart(
            asked_at,
            outcome,
            prefill_seconds=time.perf_counter() - asked_at,
            prefill_tokens=self._session.num_cached_tokens - tokens_before,
            num_reliefs=num_reliefs,
        )
        events = self._answer(question, prompt_ids, room, sampling, cancel, start)
        yield from self._with_evidence(events, cancel)

    def regenerate(
        self, sampling: SamplingSettings, cancel: CancelToken, question: str = ""
    ) -> Generator[Event, None, None]:
        """Answer the last question anew, or `question` in its place, from the state before it.

        The old answer is forgotten with the first token of the new one: what ends before leaves it in place.
        """
        if not self._turns:
            raise UsageError("Nothing to answer again", "Ask a question first.")
        question = question or self._turns[-1].question
        old: Turn | None = self._turns.pop()
        try:
            with closing(self.ask(question, sampling, cancel)) as events:
                for event in events:
                    if old is not None and isinstance(event, Token):
                        _close(old)
                        old = None
                    yield event
        finally:
            if old is not None:
                self._turns.append(old)

    def undo(self) -> None:
        """Forget the last turn."""
        _close(self._turns.pop())

    def close(self) -> None:
        """Free everything that this conversation holds."""
        while self._turns:
            self.undo()

    def _answer_ids(self, turn: PastTurn) -> list[int]:
        tokenizer = self._session.parts.loaded.tokenizer
        if turn.token_ids and tokenizer.decode(turn.token_ids).strip() == turn.answer.strip():
            return list(turn.token_ids)
        return tokenizer.encode_data(turn.answer)

    def _read_turns(self, cancel: CancelToken) -> Generator[Progress, None, None]:
        """Each turn is a branch of the one before, as if it had been asked just now."""
        session, parts = self._session, self._session.parts
        before: TieredCache | None = None
        fitting = [turn for turn in self._turns if len(turn.token_ids) <= parts.max_seq_len]
        for index, turn in enumerate(fitting):
            cache = turn.cache
            if cache is None:
                cache = session.branch(before)
                self._turns[index] = replace(turn, cache=cache)
            with releasing_on_failure(partial(self._drop_cache, index)):
                # The last token of an answer is read with what comes after it.
                for progress in prefill(
                    parts.runner,
                    cache,
                    turn.token_ids[:-1],
                    chunk_tokens=parts.settings.prefill_chunk,
                    cancel=cancel,
                ):
                    yield _with_total(progress, len(fitting[-1].token_ids) - 1)
            before = cache

    def _drop_cache(self, index: int) -> None:
        _close(self._turns[index])
        self._turns[index] = replace(self._turns[index], cache=None)

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
                if session.evidence.is_wanted:
                    watch(cache)
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

    def _with_evidence(
        self, events: Generator[Event, None, None], cancel: CancelToken
    ) -> Generator[Event, None, None]:
        """The same events, the last one with the pages that a whole answer looked at."""
        with closing(events):
            for event in events:
                cache = self._turns[-1].cache if self._turns else None
                if isinstance(event, Finished) and event.metrics.new_tokens and cache is not None:
                    is_whole = event.reason is not FinishReason.CANCELLED
                    evidence = self._session.evidence.pages(cache, cancel) if is_whole else ()
                    yield replace(event, evidence=evidence)
                else:
                    yield event

    def _prompt_ids(self, question: str) -> list[int]:
        if not self._turns:
            return [*self._session.prefix_ids, *question_ids(self._session, question)]
        lead_in = self._session.frame.after_answer
        return [*self._turns[-1].token_ids, *question_ids(self._session, question, lead_in)]


def _close(turn: Turn) -> None:
    if turn.cache is not None:
        turn.cache.close()


def _with_total(progress: Progress, total: int) -> Progress:
    """The progress of one turn as that of all of them."""
    rate = progress.rate
    return replace(progress, total=total, eta_s=(total - progress.done) / rate if rate else None)


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
