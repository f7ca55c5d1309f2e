"""Many answers at once: each as if asked alone, whatever happens to the others."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
import torch

from core.attention.tiered import register
from core.bench.tiny_models import tiny_model
from core.cancel import CancelToken
from core.errors import DoesNotFitError
from core.events import FinishReason, TierUsage
from core.generation.batch_generator import (
    BatchEvent,
    BatchGenerator,
    BatchRow,
    RowBegan,
    RowEnded,
    RowGrew,
)
from core.generation.relief import notes_of
from core.generation.runner import ModelRunner
from core.kv.batch import BatchCache
from core.kv.cache import TieredCache
from core.settings import SamplingSettings
from tests.core.generation.test_generator import letters
from tests.core.generation.test_generator import run as run_alone
from tests.reference import tiny_cache

register()

PREFIX = [3 + (5 * i) % 120 for i in range(80)]
QUESTIONS = [[3 + (q * 11 + i * 7) % 120 for i in range(4 + 3 * q)] for q in range(6)]
GREEDY = SamplingSettings()


class World:
    """A model that has read a prefix, and answers of its own to compare with."""

    def __init__(self, name: str) -> None:
        self.runner = ModelRunner(tiny_model(name, attention="tiered"))
        self.prefix = tiny_cache(self.runner.model)
        self.runner.step(torch.tensor(PREFIX), self.prefix)
        self.answers = [self.alone(question) for question in QUESTIONS]

    def alone(self, question: list[int], sampling: SamplingSettings = GREEDY, **changes: object) -> list[int]:
        branch = self.prefix.branch()
        arguments = {"prompt": PREFIX + question, "sampling": sampling, "max_new_tokens": 10} | changes
        _, generation = run_alone(self.runner, branch, **arguments)
        branch.close()
        return generation.token_ids

    def batch(self) -> BatchCache:
        return BatchCache(self.prefix.branch(), self.runner.model.config)

    def answer(
        self,
        rows: Iterable[BatchRow],
        *,
        cancel: CancelToken | None = None,
        on_event: Callable[[BatchEvent], None] = lambda _: None,
        **changes: object,
    ) -> list[BatchEvent]:
        waiting, batch = iter(rows), self.batch()
        arguments: dict[str, object] = {
            "decode": letters,
            "stop_ids": frozenset(),
            "chunk_tokens": 32,
            "width": 4,
        } | changes
        generator = BatchGenerator(self.runner, batch, lambda: next(waiting, None), **arguments)
        events: list[BatchEvent] = []
        for event in generator.run(cancel or CancelToken()):
            events.append(event)
            on_event(event)
        assert batch.num_rows == 0, "who is done has left"
        batch.close()
        self.prefix.store.check_integrity()
        return events


@pytest.fixture(scope="module", params=["llama", "qwen3_5_text"])
def world(request: pytest.FixtureRequest) -> World:
    return World(request.param)


@pytest.fixture(scope="module")
def llama() -> World:
    return World("llama")


def rows_of(sampling: SamplingSettings = GREEDY, max_new_tokens: int = 10) -> list[BatchRow]:
    return [BatchRow(index, question, sampling, max_new_tokens) for index, question in enumerate(QUESTIONS)]


def test_more_questions_than_fit_at_once_are_all_answered_as_if_alone(world: World) -> None:
    rows = rows_of()
    events = world.answer(rows)
    assert [row.generation.token_ids for row in rows] == world.answers
    began = [event.row.key for event in events if isinstance(event, RowBegan)]
    ended = [event.row.key for event in events if isinstance(event, RowEnded)]
    assert (began, sorted(ended)) == ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5])
    for row in rows:
        text = "".join(e.token.text for e in events if isinstance(e, RowGrew) and e.row is row)
        assert text == row.generation.text == letters(row.generation.token_ids)
        assert row.generation.reason is FinishReason.LENGTH
    assert any(isinstance(event, TierUsage) and event.host_to_device_bytes for event in events)


def test_a_seed_gives_the_same_answer_in_any_company(llama: World) -> None:
    seeds = [replace(GREEDY, temperature=2.0, top_k=20, seed=seed) for seed in range(len(QUESTIONS))]
    rows = [
        BatchRow(index, question, sampling, 10)
        for index, (question, sampling) in enumerate(zip(QUESTIONS, seeds, strict=True))
    ]
    llama.answer(rows)
    expected = [llama.alone(q, sampling) for q, sampling in zip(QUESTIONS, seeds, strict=True)]
    assert [row.generation.token_ids for row in rows] == expected
    assert expected != llama.answers


def test_each_answer_stops_by_itself(llama: World) -> None:
    free = llama.answers
    stop_ids = frozenset({free[0][3], free[2][5]})
    rows = rows_of()
    llama.answer(rows, stop_ids=stop_ids)
    for row, whole in zip(rows, free, strict=True):
        stop = next((i for i, token in enumerate(whole) if token in stop_ids), len(whole))
        assert row.generation.token_ids == whole[:stop]
        assert row.generation.reason is (FinishReason.STOP if stop < len(whole) else FinishReason.LENGTH)


def test_one_is_cancelled_and_the_others_go_on(llama: World) -> None:
    rows = rows_of()

    def stop_the_second(event: BatchEvent) -> None:
        if isinstance(event, RowGrew) and event.row is rows[1] and len(rows[1].generation.token_ids) == 3:
            rows[1].cancel.cancel()

    rows[5].cancel.cancel()
    events = llama.answer(rows, on_event=stop_the_second)
    assert rows[1].generation.token_ids == llama.answers[1][:3]
    assert rows[1].generation.reason is FinishReason.CANCELLED
    assert [rows[i].generation.token_ids for i in (0, 2, 3, 4)] == [llama.answers[i] for i in (0, 2, 3, 4)]
    assert rows[5] not in [event.row for event in events if isinstance(event, RowBegan)]
    assert sum(isinstance(event, RowEnded) for event in events) == 6


def test_a_cancel_of_all_ends_within_one_token_and_leaves_who_waits(llama: World) -> None:
    rows, cancel = rows_of(), CancelToken()

    def stop(event: BatchEvent) -> None:
        if isinstance(event, RowGrew) and event.row is rows[0] and len(rows[0].generation.token_ids) == 2:
            cancel.cancel()

    events = llama.answer(rows, cancel=cancel, on_event=stop)
    assert [event.row for event in events if isinstance(event, RowEnded)] == [
        event.row for event in events if isinstance(event, RowBegan)
    ]
    assert len(rows[0].generation.token_ids) == 2
    assert rows[5].generation.token_ids == []


class Shortage:
    """Memory for at most `num_rows` branches a pass, `num_tokens` tokens and `num_branches` in all."""

    def __init__(self, *, num_rows: int = 99, num_tokens: int = 999, num_branches: int = 99) -> None:
        self._limits = num_rows, num_tokens, num_branches
        self.num_refused = 0

    def __call__(self, module: torch.nn.Module, _arguments: object, keywords: dict[str, object]) -> None:
        cache = keywords["cache"]
        if not isinstance(cache, BatchCache):
            return
        layout, (num_rows, num_tokens, num_branches) = cache.layout, self._limits
        too_many = len(layout.stretches) > num_rows or cache.num_rows > num_branches
        if too_many or layout.num_new > num_tokens:
            self.num_refused += 1
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")


def answer_in(
    world: World, shortage: Shortage, num_rows: int = 4, **changes: object
) -> tuple[list[BatchRow], list[BatchEvent]]:
    model, rows = world.runner.model, rows_of()[:num_rows]
    hook = model.register_forward_pre_hook(shortage, with_kwargs=True)
    world.runner.reliefs.clear()
    try:
        return rows, world.answer(rows, **changes)
    finally:
        hook.remove()


def test_memory_for_half_of_the_branches_takes_twice_the_passes(llama: World) -> None:
    """Nothing fails, nothing differs, and the answer says what happened."""
    shortage = Shortage(num_rows=1)
    rows, _ = answer_in(llama, shortage)
    assert shortage.num_refused > 0
    assert [row.generation.token_ids for row in rows] == llama.answers[:4]
    assert any("fewer were answered at a time: 1 " in note for note in notes_of(llama.runner.reliefs))


def test_long_questions_are_read_in_smaller_pieces(llama: World) -> None:
    rows, _ = answer_in(llama, Shortage(num_tokens=32), chunk_tokens=128)
    assert llama.runner.reliefs[0].step_tokens == 32
    assert [row.generation.token_ids for row in rows] == llama.answers[:4]


def test_branches_that_do_not_fit_give_way_and_begin_again_where_they_were(world: World) -> None:
    shortage = Shortage(num_branches=2)
    rows, events = answer_in(world, shortage)
    assert shortage.num_refused > 1
    assert [row.generation.token_ids for row in rows] == world.answers[:4]
    assert sum(isinstance(event, RowBegan) for event in events) == len(rows), "said once"


def test_what_does_not_fit_even_alone_fails_and_the_others_go_on(llama: World) -> None:
    rows, events = answer_in(llama, Shortage(num_branches=0), num_rows=2)
    ended = [event for event in events if isinstance(event, RowEnded)]
    assert len(ended) == len(rows)
    assert all(isinstance(event.error, DoesNotFitError) for event in ended)


def test_the_prefix_is_given_back(llama: World) -> None:
    cache: TieredCache = llama.prefix
    before = cache.store.cold_bytes
    llama.answer(rows_of())
    assert cache.store.cold_bytes == before
