"""Prefill and decoding as streams of events."""

from collections.abc import Sequence

import pytest
import torch

from core.attention.tiered import register
from core.bench.tiny_models import tiny_model
from core.cancel import CancelToken
from core.errors import CancelledError
from core.events import FinishReason, Progress, TierUsage, Token
from core.generation.generator import Generation, generate
from core.generation.prefill import prefill
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache
from core.settings import SamplingSettings
from tests.reference import tiny_cache

register()

PROMPT = [3 + (7 * i) % 120 for i in range(150)]


def letters(token_ids: Sequence[int]) -> str:
    return "".join(chr(97 + token_id % 26) for token_id in token_ids)


def run(
    runner: ModelRunner,
    cache: TieredCache,
    *,
    cancel: CancelToken | None = None,
    stop_after: int = 99,
    prompt: Sequence[int] = PROMPT,
    **changes: object,
) -> tuple[list[object], Generation]:
    arguments: dict[str, object] = {
        "decode": letters,
        "stop_ids": frozenset(),
        "sampling": SamplingSettings(),
        "max_new_tokens": 12,
        "chunk_tokens": 64,
        "cancel": cancel or CancelToken(),
    } | changes
    stream = generate(runner, cache, prompt, **arguments)
    events: list[object] = []
    while True:
        try:
            events.append(next(stream))
        except StopIteration as end:
            return events, end.value
        if cancel and sum(isinstance(event, Token) for event in events) >= stop_after:
            cancel.cancel()


@pytest.fixture(scope="module")
def runner() -> ModelRunner:
    return ModelRunner(tiny_model("llama", attention="tiered"))


def test_events_tell_the_whole_story(runner: ModelRunner) -> None:
    cache = tiny_cache(runner._model)
    events, generation = run(runner, cache)
    progress = [event for event in events if isinstance(event, Progress)]
    assert [event.done for event in progress] == [64, 128, 150]
    assert all(event.total == 150 and event.rate and event.eta_s is not None for event in progress)
    assert progress[-1].eta_s == 0
    tokens = [event for event in events if isinstance(event, Token)]
    assert "".join(token.text for token in tokens) == generation.text == letters(generation.token_ids)
    assert generation.reason is FinishReason.LENGTH
    usage = [event for event in events if isinstance(event, TierUsage)]
    assert [event.total_tokens for event in usage] == list(range(150, 162))
    assert usage[-1].host_to_device_bytes > 0
    assert generation.decode_host_to_device_bytes > 0


def test_a_stop_token_ends_the_answer_and_is_not_part_of_it(runner: ModelRunner) -> None:
    _, free = run(runner, tiny_cache(runner._model))
    stop_id = next(t for i, t in enumerate(free.token_ids) if i >= 3 and t not in free.token_ids[:i])
    _, stopped = run(runner, tiny_cache(runner._model), stop_ids=frozenset({stop_id}))
    assert stopped.reason is FinishReason.STOP
    assert stopped.token_ids == free.token_ids[: free.token_ids.index(stop_id)]


def test_a_cancel_ends_within_one_token_and_keeps_what_came(runner: ModelRunner) -> None:
    _, whole = run(runner, tiny_cache(runner._model))
    _, cut = run(runner, tiny_cache(runner._model), cancel=CancelToken(), stop_after=4)
    assert cut.reason is FinishReason.CANCELLED
    assert cut.token_ids == whole.token_ids[:4]
    assert cut.text == whole.text[:4]


def test_a_cancelled_prefill_resumes_where_it_stopped_with_the_same_result(runner: ModelRunner) -> None:
    cancel, cache = CancelToken(), tiny_cache(runner._model)
    reading = prefill(runner, cache, PROMPT, chunk_tokens=32, cancel=cancel)
    next(reading), next(reading)
    cancel.cancel()
    with pytest.raises(CancelledError):
        next(reading)
    assert cache.num_tokens == 64
    before = runner.num_computed_tokens
    resumed = _logits(prefill(runner, cache, PROMPT, chunk_tokens=32, cancel=CancelToken()))
    assert runner.num_computed_tokens - before == 150 - 64
    whole = _logits(prefill(runner, tiny_cache(runner._model), PROMPT, chunk_tokens=32, cancel=CancelToken()))
    assert torch.equal(resumed, whole)


def _logits(reading: object) -> torch.Tensor:
    while True:
        try:
            next(reading)  # type: ignore[call-overload]  # a generator
        except StopIteration as end:
            return end.value
