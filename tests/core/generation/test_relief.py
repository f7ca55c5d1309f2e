"""Memory that runs out in the middle of the work: taken back whole, continued smaller, said in the answer."""

import gc
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import PreTrainedModel

from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_model
from core.cancel import CancelToken
from core.engine import Engine, open_model
from core.errors import DoesNotFitError
from core.events import CacheOutcome, Finished, Progress
from core.generation import relief
from core.generation.prefill import prefill
from core.generation.relief import Relief, is_about_host, is_out_of_memory, notes_of
from core.generation.runner import ModelRunner
from core.kv import host_memory
from core.kv.cache import TieredCache
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore
from core.settings import EngineSettings, SamplingSettings
from tests.core.kv.adversary import AdversarialExecutor
from tests.core.test_engine import DOCUMENT
from tests.reference import tiny_cache

register()

TOKENS = torch.randint(3, VOCAB_SIZE, (140,), generator=torch.Generator().manual_seed(5)).tolist()
NUM_READ = 136
CHUNK = 64
HOT_BLOCKS = 6
ARCHITECTURES = (
    "llama",
    "qwen3_5_text",
    "gemma3_text",
    "gemma4_text",
    "granitemoehybrid",
    "deepseek_v3",
)
SHORT = SamplingSettings(max_new_tokens=6)


class Faults:
    """Raises `error` at visits whose number is in `when`; visits are counted from 0."""

    def __init__(self, error: Callable[[], BaseException], when: Sequence[int] | range) -> None:
        self._error, self._when, self.num_visits = error, when, 0
        self.num_raised = 0

    def visit(self, *_: object) -> None:
        self.num_visits += 1
        if self.num_visits - 1 in self._when:
            self.num_raised += 1
            raise self._error()


def device_error() -> BaseException:
    return torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")


@contextmanager
def faults_between_layers(model: PreTrainedModel, faults: Faults) -> Iterator[None]:
    """A visit in the middle of each layer, when its cache is updated, and one at its end."""
    hooks = []
    for layer in model.model.layers:
        middle = next(
            child for name, child in layer.named_children() if "post_attention" in name or name == "ffn_norm"
        )
        hooks.append(middle.register_forward_pre_hook(faults.visit))
        hooks.append(layer.register_forward_hook(faults.visit))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def read_and_decode(runner: ModelRunner, cache: TieredCache) -> torch.Tensor:
    """Logits `(num_steps, vocab_size)` after the text and after each token that follows."""
    reading = prefill(runner, cache, TOKENS[:NUM_READ], chunk_tokens=CHUNK, cancel=CancelToken())
    done = []
    try:
        while True:
            progress = next(reading)
            assert progress.done == cache.num_tokens, "progress says what is in the cache"
            done.append(progress.done)
    except StopIteration as end:
        logits = [end.value]
    assert done == sorted(set(done))
    assert done[-1] == NUM_READ
    logits += [runner.step(torch.tensor([token]), cache) for token in TOKENS[NUM_READ:]]
    return torch.stack(logits)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_a_failure_at_any_layer_changes_nothing_but_the_steps(name: str) -> None:
    """Recurrent and sliding states too: none of a failed pass is left anywhere."""
    model = tiny_model(name, attention="tiered")
    undisturbed = tiny_cache(model, num_hot_blocks=HOT_BLOCKS)
    count = Faults(device_error, ())
    with faults_between_layers(model, count):
        expected = read_and_decode(ModelRunner(model), undisturbed)
    cold_bytes, num_points = undisturbed.store.cold_bytes, 2 * len(model.model.layers)
    undisturbed.close()
    for point in range(num_points):
        for step in (1,) if point % 2 else (4,):  # the second chunk; a token of the answer
            cache, runner = tiny_cache(model, num_hot_blocks=HOT_BLOCKS), ModelRunner(model)
            faults = Faults(device_error, (step * num_points + point,))
            with faults_between_layers(model, faults):
                logits = read_and_decode(runner, cache)
            assert faults.num_raised == 1
            assert (logits - expected).abs().max() < 1e-5, f"point {point} of step {step}"
            (given,) = runner.reliefs
            assert given.step_tokens == (CHUNK // 2 if step == 1 else None)
            assert given.hot_bytes > 0
            assert runner.num_computed_tokens == len(TOKENS), "what was taken back does not count"
            assert cache.store.cold_bytes == cold_bytes
            assert {layer.get_seq_length() for layer in cache.tiered_layers} <= {0, len(TOKENS)}
            cache.store.check_integrity()
            cache.close()
            assert (cache.store.cold_bytes, cache.store.hot_bytes) == (0, 0)


@pytest.mark.parametrize("point", range(0, 24, 3))
def test_blocks_that_are_on_their_way_are_forgotten(point: int) -> None:
    """The same over staging slots that are filled late and out of order."""
    model = tiny_model("llama", attention="tiered")
    settings = KvSettings(block_tokens=16, hot_budget_bytes=40_000)

    def cache_of() -> TieredCache:
        return TieredCache(model.config, KvStore(settings, 4, AdversarialExecutor(point)))

    expected = read_and_decode(ModelRunner(model), cache_of())
    cache, faults = cache_of(), Faults(device_error, (point, 30 + point))
    with faults_between_layers(model, faults):
        logits = read_and_decode(ModelRunner(model), cache)
    assert faults.num_raised == 2
    assert (logits - expected).abs().max() < 1e-5
    cache.store.check_integrity()


def test_a_copy_that_fails_leaves_no_slot_with_wrong_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_model("llama", attention="tiered")
    settings = KvSettings(block_tokens=16, hot_budget_bytes=40_000)
    expected = read_and_decode(ModelRunner(model), TieredCache(model.config, KvStore(settings, 4)))
    for number in (0, 1, 5, 9):
        executor = AdversarialExecutor(number)
        cache = TieredCache(model.config, KvStore(settings, 4, executor))
        faults, copy = Faults(device_error, (number,)), executor.copy

        def failing(
            work: Callable[[], None], after: object, f: Faults = faults, c: Callable[..., object] = copy
        ) -> object:
            f.visit()
            return c(work, after)

        monkeypatch.setattr(executor, "copy", failing)
        assert (read_and_decode(ModelRunner(model), cache) - expected).abs().max() < 1e-5
        assert faults.num_raised == 1
        cache.store.check_integrity()


@pytest.mark.parametrize("number", range(12))
def test_host_memory_that_cannot_grow_is_asked_again(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_model("llama", attention="tiered")
    expected = read_and_decode(ModelRunner(model), tiny_cache(model, block_tokens=8))
    cache, runner = tiny_cache(model, block_tokens=8), ModelRunner(model)
    faults = Faults(lambda: DoesNotFitError("Not enough memory", "The next part needs 1 GB."), (number,))
    monkeypatch.setattr(host_memory, "require_host_memory", faults.visit)
    monkeypatch.setattr("core.kv.slab_sizes.MIN_SLAB_ROWS", 1)
    logits = read_and_decode(runner, cache)
    assert (logits - expected).abs().max() < 1e-5
    assert len(runner.reliefs) == faults.num_raised == (number < faults.num_visits)
    cache.store.check_integrity()


def test_steps_are_halved_down_to_the_floor_and_stay_small() -> None:
    model = tiny_model("llama", attention="tiered")
    runner, cache = ModelRunner(model), tiny_cache(model, num_hot_blocks=100)
    sizes: list[int] = []

    def fits(_module: object, arguments: tuple[torch.Tensor, ...]) -> None:
        sizes.append(arguments[0].shape[1])
        if sizes[-1] > 40:
            raise device_error()

    model.model.layers[2].register_forward_pre_hook(fits)
    for progress in prefill(runner, cache, TOKENS, chunk_tokens=130, cancel=CancelToken()):
        assert progress.done == cache.num_tokens
    assert sizes == [130, 65, 32, 32, 32, 32, 2, 10]
    assert [given.step_tokens for given in runner.reliefs] == [65, 32]
    assert notes_of(runner.reliefs)[0] == relief.SMALLER_STEPS_NOTE.format(tokens=32)
    assert runner.step_tokens(512) == 32


def test_half_of_the_hot_tier_is_given_back_each_time() -> None:
    model = tiny_model("llama", attention="tiered")
    cache = tiny_cache(model, num_hot_blocks=5)
    runner = ModelRunner(model)
    runner.step(torch.tensor(TOKENS[:100]), cache)
    store, block_bytes = cache.store, cache.store.layers[0].hot.block_bytes
    assert [layer.num_residents for layer in store.layers] == [5] * 4
    given = [store.shrink_hot() // (4 * block_bytes) for _ in range(4)]
    assert given == [3, 1, 1, 0]
    assert store.hot_bytes == 0
    cache.promote()
    store.check_integrity()
    cache.close()


def test_a_hot_tier_that_cannot_come_back_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_model("llama", attention="tiered")
    cache, runner = tiny_cache(model, num_hot_blocks=4), ModelRunner(model)
    runner.step(torch.tensor(TOKENS[:100]), cache)
    faults = Faults(device_error, range(100))
    monkeypatch.setattr("core.kv.hot_tier.allocate_rows", faults.visit)
    assert cache.store.shrink_hot() == 4 * 4 * cache.store.layers[0].hot.block_bytes
    cache.promote()
    assert cache.usage.hot_tokens == 100 % 16
    runner.step(torch.tensor([5]), cache)
    cache.store.check_integrity()


def test_layers_that_come_later_get_half_as_well() -> None:
    """Memory may run out before the last layer has made its tiers."""
    model = tiny_model("llama", attention="tiered")
    cache, runner = tiny_cache(model, num_hot_blocks=4), ModelRunner(model)
    with faults_between_layers(model, Faults(device_error, (1,))):
        runner.step(torch.tensor(TOKENS[:100]), cache)
    assert [layer.hot.num_rows for layer in cache.store.layers] == [2] * 4
    (given,) = runner.reliefs
    assert given.hot_bytes == 2 * 4 * cache.store.layers[0].hot.block_bytes


def test_a_failed_pass_keeps_none_of_its_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would be in the way of the next attempt."""
    model = tiny_model("llama", attention="tiered")
    cache, activations = tiny_cache(model), list[weakref.ref[torch.Tensor]]()

    def fail_once(_module: object, _arguments: object, output: torch.Tensor) -> None:
        if not activations:
            activations.append(weakref.ref(output))
            raise device_error()
        assert activations[0]() is None

    model.model.layers[3].mlp.register_forward_hook(fail_once)
    monkeypatch.setattr(gc, "collect", lambda: 0)
    gc.disable()
    try:
        ModelRunner(model).step(torch.tensor(TOKENS[:50]), cache)
    finally:
        gc.enable()
    assert len(activations) == 1


def test_sparse_decoding_goes_on_after_a_failure() -> None:
    model = tiny_model("llama", attention="tiered")
    cache, runner = tiny_cache(model, num_hot_blocks=4), ModelRunner(model)
    runner.step(torch.tensor(TOKENS[:130]), cache)
    cache.decode_sparsely(SparseSettings(budget=32, sinks=16, recent=16, reuse_steps=2, dense_layers=1))
    with faults_between_layers(model, Faults(device_error, (13, 26))):
        logits = [runner.step(torch.tensor([token]), cache) for token in TOKENS[130:]]
    assert torch.stack(logits).isfinite().all()
    assert cache.is_sparse
    assert len(runner.reliefs) == 2
    cache.store.check_integrity()


def test_what_counts_as_memory_that_ran_out() -> None:
    allocator = RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory")
    assert all(map(is_out_of_memory, (device_error(), MemoryError(), allocator)))
    assert not any(map(is_out_of_memory, (RuntimeError("an illegal access"), ValueError("out of memory"))))
    assert is_about_host(allocator)
    assert not is_about_host(device_error())


def test_notes_add_up() -> None:
    notes = notes_of([Relief(256, 1 << 20), Relief(128, 0), Relief(None, 1 << 20)])
    assert notes[0].startswith("Memory ran out")
    assert "steps of 128 tokens" in notes[0]
    assert "2.0 MiB of the hot tier" in notes[1]
    assert notes_of([]) == []


@pytest.fixture
def engine(tiny_folder: Path) -> Iterator[Engine]:
    settings = EngineSettings(
        model=str(tiny_folder),
        kv_dtype="float32",
        hot_budget_bytes=1 << 17,
        block_tokens=16,
        prefill_chunk=128,
        max_seq_len=2048,
        sampling=SHORT,
    )
    with open_model(settings) as engine:
        yield engine


def ask(engine: Engine, question: str = "What is the rent?") -> tuple[list[Progress], Finished]:
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    events = list(conversation.ask(question, SHORT, CancelToken()))
    conversation.close()
    session.close()
    assert isinstance(events[-1], Finished)
    return [event for event in events if isinstance(event, Progress)], events[-1]


@pytest.mark.parametrize(
    ("visit", "is_reading"), [(9, True), (31, True), (44, False), (52, False)]
)  # the document takes five chunks of eight visits, the question the sixth; then come the words
def test_an_answer_says_what_was_given_up_for_it(engine: Engine, visit: int, is_reading: bool) -> None:
    _, undisturbed = ask(engine)
    assert undisturbed.notes[-1].startswith("The answer ends early")
    model = engine.parts.loaded.model
    with faults_between_layers(model, Faults(device_error, (visit,))):
        progress, finished = ask(engine)
    assert finished.answer == undisturbed.answer
    assert progress[-1].done == progress[-1].total
    assert any("steps of 64 tokens" in note for note in finished.notes) is is_reading
    assert any("of the hot tier were given back" in note for note in finished.notes)
    assert set(finished.notes) <= set(finished.warnings)
    _, later = ask(engine)
    assert not any("Memory ran out" in note for note in later.notes), "a note is about its own answer"
    assert later.answer == undisturbed.answer


def test_when_nothing_is_left_to_give_up_what_was_read_stays(engine: Engine) -> None:
    _, undisturbed = ask(engine)
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    model, num_tokens = engine.parts.loaded.model, session.num_prefix_tokens
    with (
        faults_between_layers(model, Faults(device_error, range(18, 10_000))),
        pytest.raises(DoesNotFitError, match="Out of memory") as caught,
    ):
        list(conversation.ask("What is the rent?", SHORT, CancelToken()))
    assert session.num_cached_tokens == 256
    assert "After 256 tokens" in caught.value.message
    assert "the next 32" in caught.value.message
    assert engine.parts.store.hot_bytes == 0
    engine.parts.store.check_integrity()
    before = engine.parts.runner.num_computed_tokens
    *_, finished = conversation.ask("What is the rent?", SHORT, CancelToken())
    assert isinstance(finished, Finished)
    assert finished.metrics.cache is CacheOutcome.RESUMED
    assert finished.metrics.prefill_tokens == num_tokens - 256
    assert engine.parts.runner.num_computed_tokens - before < num_tokens
    assert finished.answer == undisturbed.answer


def test_an_answer_that_memory_ends_leaves_the_document(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    list(session.read(CancelToken()))
    conversation, before = engine.converse(session), engine.parts.store.cold_bytes
    with (
        faults_between_layers(engine.parts.loaded.model, Faults(MemoryError, range(10, 10_000))),
        pytest.raises(DoesNotFitError, match="Out of memory"),
    ):
        list(conversation.ask("What is the rent?", SHORT, CancelToken()))
    assert engine.parts.store.cold_bytes == before
    assert session.num_cached_tokens == session.num_prefix_tokens
    *_, finished = conversation.ask("What is the rent?", SHORT, CancelToken())
    assert isinstance(finished, Finished)
    assert finished.metrics.cache is CacheOutcome.HIT


def test_a_fault_of_the_device_is_no_lack_of_memory(engine: Engine) -> None:
    """It is not tried again: nothing that such a device says can be trusted."""
    faults = Faults(lambda: RuntimeError("an illegal memory access"), (12,))
    with (
        faults_between_layers(engine.parts.loaded.model, faults),
        pytest.raises(Exception, match="device failed"),
    ):
        ask(engine)
    assert faults.num_raised == 1
    assert engine.parts.runner.reliefs == []
    assert engine.parts.store.cold_bytes == 0
    engine.parts.store.check_integrity()


def test_cpu_and_gpu_are_told_apart(engine: Engine) -> None:
    """A host without memory gets nothing back from the hot tier of a GPU."""
    ask(engine)
    store = engine.parts.store
    assert store.shrink_hot("cuda") == 0
    assert store.shrink_hot("cpu") > 0
    assert replace(store.settings) == store.settings
