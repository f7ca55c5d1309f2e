"""What a change of settings costs, and that the engine pays no more than that."""

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.cancel import CancelToken
from core.conversation import Conversation
from core.engine import Engine, open_model
from core.errors import DoesNotFitError, UsageError
from core.events import CacheOutcome, Event, Finished, Token
from core.session import DocumentSession
from core.settings import EngineSettings, RopeScaling, SamplingSettings
from core.settings_change import Effect, effect_of
from tests.core.test_engine import DOCUMENT

SHORT = SamplingSettings(max_new_tokens=8)
QUESTION = "What is the rent?"

CHANGES: dict[str, tuple[Any, Effect]] = {
    "model": ("other", Effect.LOAD_AGAIN),
    "mode": ("sparse", Effect.AT_ONCE),
    "sparse_budget": (64, Effect.AT_ONCE),
    "max_seq_len": (4096, Effect.AT_ONCE),
    "kv_cache_device": ("cpu", Effect.AT_ONCE),
    "kv_sharding_strategy": ("layer_wise", Effect.LOAD_AGAIN),
    "gpu_ids": ((0,), Effect.LOAD_AGAIN),
    "kv_dtype": ("float16", Effect.READ_AGAIN),
    "kv_compression": ("int8", Effect.READ_AGAIN),
    "active_window": (64, Effect.AT_ONCE),
    "hot_budget_bytes": (1 << 20, Effect.AT_ONCE),
    "migration_interval": (7, Effect.AT_ONCE),
    "block_tokens": (32, Effect.READ_AGAIN),
    "prefill_chunk": (64, Effect.AT_ONCE),
    "threads": (1, Effect.AT_ONCE),
    "cpu_memory_strategy": ("mmap_anonymous", Effect.READ_AGAIN),
    "cpu_memory_policy": ("numactl_bind", Effect.READ_AGAIN),
    "quantization": ("nf4", Effect.LOAD_AGAIN),
    "expert_budget_bytes": (1 << 20, Effect.LOAD_AGAIN),
    "rope_scaling": (RopeScaling("linear", 2.0), Effect.LOAD_AGAIN),
    "cache_root": (Path("elsewhere"), Effect.LOAD_AGAIN),
    "sampling": (SHORT, Effect.NOTHING),
    "review_width": (3, Effect.AT_ONCE),
    "evidence": (False, Effect.AT_ONCE),
    "document_caches": (True, Effect.READ_AGAIN),
    "cache_quota_bytes": (1 << 30, Effect.READ_AGAIN),
}


def last(events: Iterator[Event]) -> Finished:
    *_, finished = events
    assert isinstance(finished, Finished)
    return finished


def ask(conversation: Conversation, question: str = QUESTION) -> Finished:
    return last(conversation.ask(question, SHORT, CancelToken()))


@pytest.fixture
def settings(tiny_folder: Path) -> EngineSettings:
    return EngineSettings(
        model=str(tiny_folder),
        kv_dtype="float32",
        hot_budget_bytes=1 << 16,
        block_tokens=32,
        prefill_chunk=128,
        max_seq_len=2048,
        sparse_budget=64,
    )


@pytest.fixture
def engine(settings: EngineSettings) -> Iterator[Engine]:
    with open_model(settings) as engine:
        yield engine


@pytest.fixture
def session(engine: Engine) -> DocumentSession:
    result = engine.open_document([DOCUMENT])
    list(result.read(CancelToken()))
    return result


def fresh_answer(settings: EngineSettings) -> str:
    """What an engine says that was opened with `settings`."""
    with open_model(settings) as engine:
        return ask(engine.converse(engine.open_document([DOCUMENT]))).answer


def test_every_setting_has_its_cost() -> None:
    assert set(CHANGES) == {field.name for field in fields(EngineSettings)}
    before = EngineSettings()
    for name, (value, effect) in CHANGES.items():
        after = replace(before, **{name: value})
        assert effect_of(before, after) is effect, name
        assert effect_of(after, before) is effect, name


@pytest.mark.parametrize(
    ("changes", "effect"),
    [
        ({}, Effect.NOTHING),
        ({"mode": "window"}, Effect.READ_AGAIN),
        ({"mode": "sparse", "kv_compression": "int4"}, Effect.READ_AGAIN),
        ({"kv_compression": "int4", "model": "other"}, Effect.LOAD_AGAIN),
        ({"kv_cache_device": "multi_gpu"}, Effect.LOAD_AGAIN),
    ],
)
def test_the_dearest_of_several_changes_counts(changes: dict[str, Any], effect: Effect) -> None:
    assert effect_of(EngineSettings(), replace(EngineSettings(), **changes)) is effect


def test_what_was_read_through_a_window_serves_that_window_only() -> None:
    narrow = EngineSettings(mode="window", active_window=64)
    assert effect_of(narrow, replace(narrow, active_window=128)) is Effect.READ_AGAIN
    assert effect_of(narrow, replace(narrow, mode="sparse")) is Effect.READ_AGAIN
    assert effect_of(narrow, replace(narrow, prefill_chunk=64)) is Effect.AT_ONCE


def test_exact_and_sparse_change_places_and_nothing_is_read_again(
    engine: Engine, session: DocumentSession, settings: EngineSettings
) -> None:
    sparse = replace(settings, mode="sparse")
    exact_answer, sparse_answer = fresh_answer(settings), fresh_answer(sparse)
    assert exact_answer != sparse_answer, "the test sees which mode answers"
    runner = engine.parts.runner
    for wanted, answer in ((sparse, sparse_answer), (settings, exact_answer), (sparse, sparse_answer)):
        engine.change(wanted)
        session.use(engine.parts)
        before = runner.num_computed_tokens
        finished = ask(engine.converse(session))
        assert (finished.answer, finished.mode) == (answer, wanted.mode)
        assert finished.metrics.cache is CacheOutcome.HIT
        assert runner.num_computed_tokens - before < 100
        engine.parts.store.check_integrity()


def test_a_conversation_goes_on_in_the_other_mode(
    engine: Engine, session: DocumentSession, settings: EngineSettings
) -> None:
    conversation = engine.converse(session)
    ask(conversation)
    engine.change(replace(settings, mode="sparse"))
    session.use(engine.parts)
    second = ask(conversation, "And on page 3?")
    assert second.mode == "sparse"
    assert conversation.turns[1].cache.is_sparse
    assert not conversation.turns[0].cache.is_sparse
    engine.change(settings)
    session.use(engine.parts)
    assert ask(conversation, "And on page 4?").mode == "exact"
    assert not conversation.turns[2].cache.is_sparse
    assert len(conversation.turns) == 3


@pytest.mark.parametrize("budget", [0, 1 << 14, 1 << 20])
@pytest.mark.parametrize("mode", ["exact", "sparse"])
def test_another_hot_budget_is_divided_as_a_new_engine_divides_it(
    engine: Engine, session: DocumentSession, settings: EngineSettings, budget: int, mode: str
) -> None:
    wanted = replace(settings, hot_budget_bytes=budget, mode=mode, migration_interval=3)
    expected = fresh_answer(wanted)
    with open_model(wanted) as other:
        list(other.open_document([DOCUMENT]).read(CancelToken()))
        slots = [layer.hot.num_rows for layer in other.parts.store.layers]
    engine.change(wanted)
    session.use(engine.parts)
    store = engine.parts.store
    assert [layer.hot.num_rows for layer in store.layers] == slots
    assert store.scheduler.interval_tokens == 3
    finished = ask(engine.converse(session))
    assert finished.answer == expected
    assert finished.metrics.cache is CacheOutcome.HIT
    store.check_integrity()


def test_shares_that_stay_keep_their_blocks(
    engine: Engine, session: DocumentSession, settings: EngineSettings
) -> None:
    ask(engine.converse(session))
    hot_bytes = engine.parts.store.hot_bytes
    assert hot_bytes > 0
    engine.change(replace(settings, prefill_chunk=64, migration_interval=5))
    assert engine.parts.store.hot_bytes == hot_bytes


def test_another_encoding_reads_again_with_the_same_weights(
    engine: Engine, session: DocumentSession, settings: EngineSettings
) -> None:
    model, wanted = engine.parts.loaded.model, replace(settings, kv_compression="int8")
    session.close()
    engine.change(wanted)
    finished = ask(engine.converse(engine.open_document([DOCUMENT])))
    assert engine.parts.loaded.model is model
    assert finished.metrics.cache is CacheOutcome.MISS
    assert finished.answer == fresh_answer(wanted)


def test_a_lower_limit_that_the_text_exceeds_is_refused_and_changes_nothing(
    engine: Engine, session: DocumentSession, settings: EngineSettings
) -> None:
    engine.change(replace(settings, max_seq_len=session.num_prefix_tokens))
    with pytest.raises(DoesNotFitError):
        session.use(engine.parts)
    assert session.parts.max_seq_len == 2048
    engine.change(settings)
    session.use(engine.parts)
    assert ask(engine.converse(session)).metrics.cache is CacheOutcome.HIT


def test_settings_that_contradict_the_model_are_refused(engine: Engine, settings: EngineSettings) -> None:
    for wrong in (replace(settings, max_seq_len=8193), replace(settings, active_window=1000)):
        with pytest.raises(UsageError):
            engine.change(wrong)
        assert engine.parts.settings == settings


def test_threads_are_set_and_given_back(engine: Engine, settings: EngineSettings) -> None:
    before = torch.get_num_threads()
    try:
        engine.change(replace(settings, threads=3))
        assert torch.get_num_threads() == 3
        engine.change(settings)
        assert torch.get_num_threads() != 3
    finally:
        torch.set_num_threads(before)


def test_what_only_loading_can_do_is_told(engine: Engine, settings: EngineSettings) -> None:
    assert engine.effect_of(replace(settings, quantization="nf4")) is Effect.LOAD_AGAIN
    config = engine.parts.loaded.model.config
    rope = dict(config.rope_parameters)
    config.rope_parameters = {
        **rope, "rope_type": "longrope", "short_factor": [1.0], "long_factor": [2.0],
        "original_max_position_embeddings": 1024,
    }  # fmt: skip
    assert engine.effect_of(replace(settings, max_seq_len=1500)) is Effect.AT_ONCE
    assert engine.effect_of(replace(settings, max_seq_len=1000)) is Effect.LOAD_AGAIN


@pytest.mark.parametrize("num_tokens", [0, 1, 3])
def test_the_old_answer_goes_with_the_first_token_of_the_new_one(
    engine: Engine, session: DocumentSession, num_tokens: int
) -> None:
    conversation, cancel = engine.converse(session), CancelToken()
    old = ask(conversation).answer
    num_blocks = engine.parts.store.cold_bytes
    seen = 0
    if num_tokens == 0:
        cancel.cancel()
    for event in conversation.regenerate(replace(SHORT, temperature=5.0, seed=1), cancel):
        seen += isinstance(event, Token)
        if seen == num_tokens:
            cancel.cancel()
    (turn,) = conversation.turns
    assert (turn.answer.strip() == old) is (num_tokens == 0)
    assert ask(conversation, "And on page 3?").metrics.new_tokens == 8
    conversation.undo()
    assert engine.parts.store.cold_bytes == num_blocks
    conversation.close()
    engine.parts.store.check_integrity()


def test_an_answer_that_fails_before_its_first_token_leaves_the_old_one(
    engine: Engine, session: DocumentSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = engine.converse(session)
    old = ask(conversation).answer

    def fail(*_arguments: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(engine.parts.runner, "step", fail)
        with pytest.raises(DoesNotFitError):
            last(conversation.regenerate(SHORT, CancelToken()))
    assert [turn.answer.strip() for turn in conversation.turns] == [old]
    assert last(conversation.regenerate(SHORT, CancelToken())).answer == old
