"""Answering many questions at once: branches come, are read, decode together and go."""

from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass, field

import torch

from core.cancel import CancelToken
from core.errors import DoesNotFitError, LecternError
from core.events import FinishReason, TierUsage, Token
from core.generation.batch_pass import plan_pass
from core.generation.batch_runner import BatchRunner
from core.generation.detokenize import StreamDecoder
from core.generation.generator import Generation
from core.generation.runner import ModelRunner
from core.generation.sampling import Sampler
from core.kv.batch import BatchCache, Branch, Feed
from core.settings import SamplingSettings


@dataclass(eq=False)
class BatchRow:
    """One question on its way. `new_ids` are tokens that its branch does not have yet.

    It keeps what is needed to begin again where it stopped, should its branch have to give way.
    """

    key: Hashable
    prompt_ids: list[int]
    sampling: SamplingSettings
    max_new_tokens: int
    cancel: CancelToken = field(default_factory=CancelToken)
    generation: Generation = field(default_factory=Generation)
    branch: Branch | None = None

    def __post_init__(self) -> None:
        assert self.prompt_ids, "a question has a token"
        self.new_ids = list(self.prompt_ids)
        self.sampler = Sampler(self.sampling)

    def start_over(self) -> None:
        """Without a branch: everything will be read again, the answer so far included."""
        self.branch, self.new_ids = None, self.prompt_ids + self.generation.token_ids


@dataclass(frozen=True)
class RowBegan:
    """A question has its branch now."""

    row: BatchRow


@dataclass(frozen=True)
class RowGrew:
    """The answer to one question goes on."""

    row: BatchRow
    token: Token


@dataclass(frozen=True)
class RowEnded:
    """One question is done, or failed with `error`."""

    row: BatchRow
    error: LecternError | None = None


BatchEvent = RowBegan | RowGrew | RowEnded | TierUsage


class BatchGenerator:
    """Answers the rows that `next_row` gives, `width` at a time, over one batch of branches.

    `next_row` is asked before every pass and gives None while there is nothing more. What memory does not
    allow together is done one after the other.
    """

    def __init__(
        self,
        runner: ModelRunner,
        batch: BatchCache,
        next_row: Callable[[], BatchRow | None],
        *,
        decode: Callable[[Sequence[int]], str],
        stop_ids: frozenset[int],
        chunk_tokens: int,
        width: int,
    ) -> None:
        self._batch = batch
        self._passes = BatchRunner(runner, batch)
        self._next_row = next_row
        self._decode = decode
        self._stop_ids = stop_ids
        self._chunk_tokens = chunk_tokens
        self._width = width
        self._rows: list[BatchRow] = []
        self._put_back: list[BatchRow] = []
        self._streams: dict[BatchRow, StreamDecoder] = {}

    def run(self, cancel: CancelToken) -> Generator[BatchEvent, None, None]:
        """Every row that began ends with a `RowEnded`, cancelled ones with what came so far.

        After a cancel no row begins any more.
        """
        while True:
            yield from self._end_cancelled(cancel)
            if cancel.is_cancelled:
                return
            yield from self._admit()
            if not self._rows:
                return
            yield from self._step()

    def _admit(self) -> Generator[BatchEvent, None, None]:
        while len(self._rows) < self._width:
            is_new = not self._put_back
            row = self._next_row() if is_new else self._put_back.pop(0)
            if row is None:
                return
            if row.cancel.is_cancelled:
                yield RowEnded(row)
                continue
            row.branch = self._batch.join()
            self._rows.append(row)
            if is_new:
                self._streams[row] = StreamDecoder(self._decode)
                yield RowBegan(row)

    def _end_cancelled(self, cancel: CancelToken) -> Generator[BatchEvent, None, None]:
        for row in [*self._rows, *self._put_back]:
            if cancel.is_cancelled or row.cancel.is_cancelled:
                yield from self._end(row, FinishReason.CANCELLED)

    def _step(self) -> Generator[BatchEvent, None, None]:
        limits = self._passes.limits(self._chunk_tokens, len(self._rows))
        lengths = [len(row.new_ids) for row in self._rows]
        chosen = [
            (self._rows[index], num_tokens)
            for index, num_tokens in plan_pass(lengths, limits, packs=self._batch.packs)
        ]
        chosen.sort(key=lambda pair: _branch_of(pair[0]).row)
        feeds = [Feed(_branch_of(row), row.new_ids[:num_tokens]) for row, num_tokens in chosen]
        traffic = self._batch.store.traffic
        traffic.start_step()
        try:
            logits = self._passes.step(feeds)
        except DoesNotFitError as error:
            yield from self._make_room([row for row, _ in chosen], error)
            return
        if logits is None:
            return
        self._batch.store.scheduler.after_token()
        yield self._usage()
        for (row, num_tokens), row_logits in zip(chosen, logits.float().cpu(), strict=True):
            self._count(row, len(chosen))
            self._rows.remove(row)
            self._rows.append(row)
            del row.new_ids[:num_tokens]
            if not row.new_ids:
                yield from self._continue(row, row_logits)

    def _continue(self, row: BatchRow, logits: torch.Tensor) -> Generator[BatchEvent, None, None]:
        generation = row.generation
        token_id = row.sampler.sample(logits, generation.token_ids)
        if token_id in self._stop_ids:
            yield from self._end(row, FinishReason.STOP)
            return
        row.new_ids = [token_id]
        yield RowGrew(row, generation.take(token_id, self._streams[row].push(token_id)))
        if len(generation.token_ids) >= row.max_new_tokens:
            yield from self._end(row, FinishReason.LENGTH)

    def _end(
        self, row: BatchRow, reason: FinishReason, error: LecternError | None = None
    ) -> Generator[BatchEvent, None, None]:
        rest = self._streams.pop(row).flush()
        if row.branch is not None:
            self._batch.leave(row.branch)
            row.branch = None
        for rows in (self._rows, self._put_back):
            if row in rows:
                rows.remove(row)
        row.generation.reason = reason
        if rest:
            row.generation.text += rest
            yield RowGrew(row, Token(row.generation.token_ids[-1], rest))
        yield RowEnded(row, error)

    def _make_room(
        self, wanted: Sequence[BatchRow], error: DoesNotFitError
    ) -> Generator[BatchEvent, None, None]:
        """Half of the branches give way and begin again later; one that fits with none beside it fails."""
        others = [row for row in self._rows if row not in wanted] or list(wanted[1:])
        if not others:
            yield from self._end(wanted[0], FinishReason.CANCELLED, error)
            return
        for row in others[len(others) // 2 :]:
            self._batch.leave(_branch_of(row))
            self._rows.remove(row)
            row.start_over()
            self._put_back.append(row)
        self._batch.shrink()
        self._width = max(1, len(self._rows))

    def _count(self, row: BatchRow, num_rows: int) -> None:
        """An answer is charged its share of what the pass moved."""
        traffic, generation = self._batch.store.traffic, row.generation
        generation.hot_bytes_peak = max(generation.hot_bytes_peak, self._hot_bytes)
        if generation.token_ids:
            generation.decode_host_to_device_bytes += traffic.step_host_to_device_bytes // num_rows
            generation.decode_device_to_host_bytes += traffic.step_device_to_host_bytes // num_rows

    @property
    def _hot_bytes(self) -> int:
        return self._batch.store.hot_bytes + self._batch.own_bytes + self._batch.shared_tail_bytes

    def _usage(self) -> TierUsage:
        batch, traffic = self._batch, self._batch.store.traffic
        num_own = batch.num_tokens - batch.num_prefix_tokens
        return TierUsage(
            total_tokens=batch.num_tokens,
            hot_tokens=batch.hot_tokens + num_own,
            hot_bytes=self._hot_bytes,
            cold_bytes=batch.store.cold_bytes,
            host_to_device_bytes=traffic.step_host_to_device_bytes,
            device_to_host_bytes=traffic.step_device_to_host_bytes,
            hot_share=batch.store.scheduler.hot_share,
        )


def _branch_of(row: BatchRow) -> Branch:
    assert row.branch is not None, "the row is in the batch"
    return row.branch
