"""Branches that go through the model together: as exact as alone, and the prefix is read once for all."""

import random
from collections.abc import Sequence

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from core.attention.tiered import register
from core.bench.tiny_models import TINY_CONFIGS, VOCAB_SIZE, tiny_config, tiny_model
from core.generation.runner import ModelRunner
from core.kv.batch import BatchCache, Branch, Feed
from core.kv.branch_sizes import room_tokens
from core.kv.cache import TieredCache
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore
from core.kv.window import WindowSettings
from core.models.forward import ForwardSignature
from tests.core.kv.adversary import AdversarialExecutor
from tests.reference import tiny_cache

register()

PREFIX = torch.randint(3, VOCAB_SIZE, (75,), generator=torch.Generator().manual_seed(1))
QUESTIONS = [[3 + (n * 13 + i * 7) % (VOCAB_SIZE - 3) for i in range(n)] for n in (5, 17, 2, 30)]
NUM_DECODED = 4
_OF_LLAMA4 = (
    *("vocab_size", "hidden_size", "intermediate_size", "intermediate_size_mlp", "num_hidden_layers"),
    *("num_attention_heads", "num_key_value_heads", "head_dim", "num_local_experts", "attention_chunk_size"),
)
HYBRID = ("qwen3_5_text", "granitemoehybrid", "lfm2")


class Together:
    """A batch over a prefix, and the logits it gives."""

    def __init__(self, model: PreTrainedModel, prefix: TieredCache) -> None:
        self.model = model
        self.batch = BatchCache(prefix.branch(), model.config)
        self._signature = ForwardSignature(model)

    def step(self, feeds: Sequence[tuple[Branch, list[int]]]) -> list[torch.Tensor]:
        """The logits after each feed, in one pass if the model can, else one after the other."""
        lengths = {len(token_ids) for _, token_ids in feeds}
        if not self.batch.packs and len(lengths) > 1:
            return [self.step([feed])[0] for feed in feeds]
        made = [Feed(branch, token_ids) for branch, token_ids in feeds]
        with torch.inference_mode(), self.batch.forward_pass(made):
            token_ids = [token_id for feed in made for token_id in feed.token_ids]
            return list(self._signature.run_batch(self.model, self.batch, token_ids))


def read_prefix(model: PreTrainedModel, cache: TieredCache) -> TieredCache:
    ModelRunner(model).step(PREFIX, cache)
    return cache


def alone(model: PreTrainedModel, prefix: TieredCache, question: list[int], num: int) -> list[torch.Tensor]:
    """The logits of a question by itself and of the likeliest tokens that follow."""
    branch, runner = prefix.branch(), ModelRunner(model)
    logits = [runner.step(torch.tensor(question), branch)]
    for _ in range(num):
        logits.append(runner.step(logits[-1].argmax().unsqueeze(0), branch))
    branch.close()
    return logits


def all_together(together: Together, expected: Sequence[Sequence[torch.Tensor]]) -> float:
    """The largest difference of logits when all questions are answered together with the expected tokens."""
    rows = [together.batch.join() for _ in QUESTIONS]
    worst = 0.0
    feeds = list(zip(rows, QUESTIONS, strict=True))
    for step in range(NUM_DECODED + 1):
        for logits, wanted in zip(together.step(feeds), expected, strict=True):
            worst = max(worst, float((logits - wanted[step]).abs().max()))
            assert logits.argmax() == wanted[step].argmax()
        feeds = [(row, [int(wanted[step].argmax())]) for row, wanted in zip(rows, expected, strict=True)]
    return worst


@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_together_is_as_exact_as_alone(name: str) -> None:
    """Sliding windows, sinks, latents, shared layers, states: answers of unequal questions are the same."""
    model = tiny_model(name, attention="tiered")
    prefix = read_prefix(model, tiny_cache(model))
    expected = [alone(model, prefix, question, NUM_DECODED) for question in QUESTIONS]
    together = Together(model, prefix)
    assert together.batch.packs is (name not in HYBRID)
    assert all_together(together, expected) < 1e-4
    together.batch.close()
    together.batch.close()
    prefix.store.check_integrity()


def test_chunks_begin_where_they_would_alone() -> None:
    """Llama 4: a token sees its own chunk of 24, not the last 24."""
    config = tiny_config("llama", num_local_experts=2, attention_chunk_size=24, intermediate_size_mlp=64)
    chunked = AutoConfig.for_model(
        "llama4_text",
        **{name: value for name, value in config.to_dict().items() if name in _OF_LLAMA4},
        layer_types=["chunked_attention", "full_attention"] * 2,
    )
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(chunked, attn_implementation="tiered", dtype=torch.float32)
    prefix = read_prefix(model.eval(), tiny_cache(model))
    expected = [alone(model, prefix, question, NUM_DECODED) for question in QUESTIONS]
    assert all_together(Together(model, prefix), expected) < 1e-5


@pytest.mark.parametrize(
    ("name", "codec"), [("llama", "int8"), ("llama", "k8v4"), ("llama", "int4"), ("deepseek_v3", "k8v4")]
)
def test_own_tokens_go_through_the_codec_as_they_would_alone(name: str, codec: str) -> None:
    """The tail of the prefix fills a block with the first own tokens: both are encoded together."""
    model = tiny_model(name, attention="tiered")
    store = KvStore(KvSettings(block_tokens=16, codec=codec), 4)
    prefix = read_prefix(model, TieredCache(model.config, store))
    expected = [alone(model, prefix, question, NUM_DECODED) for question in QUESTIONS]
    together = Together(model, prefix)
    assert all_together(together, expected) < 1e-3
    together.batch.close()


def test_blocks_that_are_streamed_are_read_once_for_all() -> None:
    model = tiny_model("gemma4_text", attention="tiered")
    exact = read_prefix(model, tiny_cache(model))
    expected = [alone(model, exact, question, NUM_DECODED) for question in QUESTIONS]
    for seed in range(2):
        store = KvStore(KvSettings(16, hot_budget_bytes=9000), 2, AdversarialExecutor(seed))
        together = Together(model, read_prefix(model, TieredCache(model.config, store)))
        assert all_together(together, expected) < 1e-4
        store.check_integrity()


@pytest.mark.parametrize("name", ["llama", "gpt_oss", "qwen3_5_text", "glm4_moe_lite"])
def test_branches_join_and_leave_at_any_step(name: str) -> None:
    rng, model = random.Random(1), tiny_model(name, attention="tiered")
    prefix = read_prefix(model, tiny_cache(model))
    answers = [alone(model, prefix, question, NUM_DECODED) for question in QUESTIONS]
    together, running = Together(model, prefix), dict[Branch, tuple[int, int]]()
    for _ in range(18):
        if len(running) < 4 and rng.random() < 0.5:
            running[together.batch.join()] = rng.randrange(len(QUESTIONS)), 0
        if running and rng.random() < 0.15:
            branch = rng.choice(list(running))
            together.batch.leave(branch)
            del running[branch]
        chosen = [branch for branch in running if rng.random() < 0.8]
        if not chosen:
            continue
        feeds = [(branch, _next_tokens(answers, *running[branch])) for branch in chosen]
        for (branch, _), logits in zip(feeds, together.step(feeds), strict=True):
            question, step = running[branch]
            assert (logits - answers[question][step]).abs().max() < 1e-5
            running[branch] = question, step + 1
            if step == NUM_DECODED:
                together.batch.leave(branch)
                del running[branch]
    for branch in list(running):
        together.batch.leave(branch)
    together.batch.shrink()
    assert together.batch.own_bytes == 0
    together.batch.close()
    prefix.close()
    assert (prefix.store.cold_bytes, prefix.store.hot_bytes) == (0, 0)
    prefix.store.check_integrity()


def _next_tokens(answers: Sequence[Sequence[torch.Tensor]], question: int, step: int) -> list[int]:
    return QUESTIONS[question] if step == 0 else [int(answers[question][step - 1].argmax())]


@pytest.mark.parametrize("name", ["llama", "gemma3_text", "deepseek_v3", "lfm2"])
def test_a_pass_reads_cold_bytes_once_and_holds_the_prefix_once(name: str) -> None:
    model = tiny_model(name, attention="tiered")
    prefix = read_prefix(model, tiny_cache(model))
    store = prefix.store
    cold_bytes, hot_bytes = store.cold_bytes, store.hot_bytes
    together = Together(model, prefix)
    rows = [together.batch.join() for _ in range(9)]
    for tokens in ([3, 4, 5], [6], [7]):
        store.traffic.start_step()
        together.step([(row, tokens) for row in rows])
        assert store.traffic.step_host_to_device_bytes == cold_bytes - hot_bytes
        assert store.traffic.step_device_to_host_bytes == 0
        assert store.cold_bytes == cold_bytes
    assert together.batch.own_bytes == 9 * sum(together.batch.branch_bytes(5).values())
    tail_bytes = prefix.usage.tail_bytes
    assert together.batch.shared_tail_bytes == tail_bytes, "one copy of the unsealed tokens, not nine"


def test_a_pass_that_fails_changes_nothing() -> None:
    """At every layer, while branches decode and another one's question is read."""
    for name in ("llama", "gemma3_text", "lfm2"):
        model = tiny_model(name, attention="tiered")
        prefix = read_prefix(model, tiny_cache(model))
        expected = [alone(model, prefix, question, 2) for question in QUESTIONS[:2]]
        together = Together(model, prefix)
        rows = [together.batch.join(), together.batch.join()]
        together.step(list(zip(rows, QUESTIONS, strict=False)))
        feeds = [(row, [int(answer[0].argmax())]) for row, answer in zip(rows, expected, strict=True)]
        for layer in model.model.layers:
            with pytest.raises(RuntimeError, match="stop here"):
                _failing(layer, together, feeds)
        for logits, answer in zip(together.step(feeds), expected, strict=True):
            assert (logits - answer[1]).abs().max() < 1e-5
        assert [row.num_own for row in rows] == [6, 18]
        together.batch.close()


def _failing(layer: torch.nn.Module, together: Together, feeds: list[tuple[Branch, list[int]]]) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("stop here")

    hook = layer.register_forward_hook(fail)
    try:
        together.step(feeds)
    finally:
        hook.remove()


def test_a_sparse_prefix_is_read_exactly() -> None:
    model = tiny_model("llama", attention="tiered")
    exact = read_prefix(model, tiny_cache(model))
    expected = [alone(model, exact, question, NUM_DECODED) for question in QUESTIONS]
    prefix = read_prefix(model, tiny_cache(model))
    prefix.decode_sparsely(SparseSettings(budget=16, sinks=16, recent=16, dense_layers=0))
    assert any(
        not torch.equal(a, b)
        for a, b in zip(alone(model, prefix, QUESTIONS[0], NUM_DECODED), expected[0], strict=True)
    ), "alone it does choose"
    assert all_together(Together(model, prefix), expected) < 1e-5
    assert prefix.is_sparse


def test_window_mode_shows_all_branches_the_same_blocks() -> None:
    """While no branch alone fills a block, which would push the window on."""
    model = tiny_model("llama", attention="tiered")
    cache = tiny_cache(model)
    cache.attend_within(WindowSettings(32, sinks=16))
    prefix = read_prefix(model, cache)
    question = QUESTIONS[2]
    expected = alone(model, prefix, question, 2)
    together = Together(model, prefix)
    rows = [together.batch.join() for _ in range(3)]
    for step, tokens in enumerate([question, *([int(x.argmax())] for x in expected[:2])]):
        for logits in together.step([(row, tokens) for row in rows]):
            assert (logits - expected[step]).abs().max() < 1e-5


def test_own_places_come_in_steps() -> None:
    assert [room_tokens(n) for n in (0, 1, 64, 65)] == [0, 64, 64, 128]
