"""Window mode: equal to masked attention, bounded in what it reads, and nothing of the KV is lost."""

from collections.abc import Sequence

import pytest
import torch
from transformers import PreTrainedModel

from core.attention.call import AttentionCall
from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_model
from core.kv.cache import TieredCache
from core.kv.store import KvSettings, KvStore
from core.kv.window import WindowSettings
from core.settings import KV_CODECS
from tests.core.kv.adversary import AdversarialExecutor
from tests.reference import tiered_logits

register()

BLOCK = 16
NUM_TOKENS = 300
TOKEN_IDS = torch.randint(3, VOCAB_SIZE, (NUM_TOKENS,), generator=torch.Generator().manual_seed(5))
CHUNKS = (64, 50, 1, 77, 64)
WINDOW = WindowSettings(window=40, sinks=20)


def windowed_cache(
    model: PreTrainedModel,
    *,
    window: WindowSettings | None = WINDOW,
    codec: str = "none",
    hot_bytes: int = 0,
    executor: AdversarialExecutor | None = None,
) -> TieredCache:
    settings = KvSettings(block_tokens=BLOCK, codec=codec, hot_budget_bytes=hot_bytes)
    cache = TieredCache(model.config, KvStore(settings, 4, executor))
    cache.attend_within(window)
    return cache


def naive_mask(chunks: Sequence[int], num_sinks: int, num_newest: int) -> torch.Tensor:
    """Boolean `(num_tokens, num_tokens)`: what each token may see, block by block."""
    visible = torch.zeros(NUM_TOKENS, NUM_TOKENS, dtype=torch.bool)
    start = 0
    for size in [*chunks, *[1] * (NUM_TOKENS - sum(chunks))]:
        num_blocks = start // BLOCK
        for block in range(num_blocks):
            if block < num_sinks or block >= num_blocks - num_newest:
                visible[start : start + size, block * BLOCK : (block + 1) * BLOCK] = True
        visible[start : start + size, num_blocks * BLOCK : start] = True
        for query in range(start, start + size):
            visible[query, start : query + 1] = True
        start += size
    return visible


def masked_logits(model: PreTrainedModel, visible: torch.Tensor) -> torch.Tensor:
    """An eager model that reads everything at once under a mask of our own."""
    bias = torch.zeros(1, 1, NUM_TOKENS, NUM_TOKENS).masked_fill(~visible, float("-inf"))
    with torch.inference_mode():
        return model(TOKEN_IDS.unsqueeze(0), attention_mask=bias).logits[0]


@pytest.mark.parametrize("name", ["llama", "smollm3"])
def test_a_window_equals_masked_attention(name: str) -> None:
    expected = masked_logits(tiny_model(name, attention="eager"), naive_mask(CHUNKS, 2, 3))
    model = tiny_model(name, attention="tiered")
    logits = tiered_logits(model, windowed_cache(model), TOKEN_IDS, CHUNKS)
    torch.testing.assert_close(logits, expected, atol=1e-5, rtol=1e-4)
    exact = tiered_logits(model, windowed_cache(model, window=None), TOKEN_IDS, CHUNKS)
    assert (logits - exact).abs().max() > 0.1


def test_a_window_without_newest_blocks_keeps_the_tail() -> None:
    expected = masked_logits(tiny_model("llama", attention="eager"), naive_mask(CHUNKS, 0, 0))
    model = tiny_model("llama", attention="tiered")
    cache = windowed_cache(model, window=WindowSettings(window=0, sinks=0))
    torch.testing.assert_close(tiered_logits(model, cache, TOKEN_IDS, CHUNKS), expected, atol=1e-5, rtol=1e-4)


def test_a_window_for_everything_is_exact() -> None:
    model = tiny_model("qwen3", attention="tiered")
    wide = windowed_cache(model, window=WindowSettings(window=NUM_TOKENS))
    expected = tiered_logits(model, windowed_cache(model, window=None), TOKEN_IDS, CHUNKS)
    assert torch.equal(tiered_logits(model, wide, TOKEN_IDS, CHUNKS), expected)


@pytest.mark.parametrize("codec", KV_CODECS)
def test_residency_and_streaming_do_not_change_what_a_window_gives(codec: str) -> None:
    model = tiny_model("qwen3", attention="tiered")
    results = []
    for hot_bytes, executor in ((0, None), (100_000, None), (0, AdversarialExecutor(1))):
        cache = windowed_cache(model, codec=codec, hot_bytes=hot_bytes, executor=executor)
        results.append(tiered_logits(model, cache, TOKEN_IDS[:212], (200,)))
        branch = cache.branch()
        branch.promote()
        results.append(tiered_logits(model, branch, TOKEN_IDS[212:230], ()))
        cache.store.check_integrity()
    for left, right in zip(results[:2] * 2, results[2:], strict=True):
        assert torch.equal(left, right)


def test_a_token_reads_sinks_and_window_however_long_the_document() -> None:
    model = tiny_model("qwen3", attention="tiered")
    cache = windowed_cache(model)
    tiered_logits(model, cache, TOKEN_IDS[:290], CHUNKS)
    traffic, moved = cache.store.traffic, []
    branch = cache.branch()
    for start in (290, 291):
        traffic.start_step()
        tiered_logits(model, branch, TOKEN_IDS[start : start + 1], ())
        moved.append(traffic.step_host_to_device_bytes)
    bytes_per_token = cache.store.layers[0].shape.bytes_per_token
    assert moved == [4 * (2 + 3) * BLOCK * bytes_per_token] * 2


def test_the_whole_kv_is_kept_and_can_be_read_again() -> None:
    model = tiny_model("qwen3", attention="tiered")
    windowed, exact = windowed_cache(model), windowed_cache(model, window=None)
    for cache in (windowed, exact):
        tiered_logits(model, cache, TOKEN_IDS[:288], CHUNKS)
    windowed.attend_within(None)
    first, expected = windowed.tiered_layers[0], exact.tiered_layers[0]
    assert len(first.visible_blocks()) == len(expected.blocks) == 18
    query = torch.randn(1, 6, 1, 16, generator=torch.Generator().manual_seed(1))
    call = AttentionCall(None, query[:, :2], query[:, :2])
    for left, right in zip(
        first.attend(query, call, scaling=0.25, softcap=None),
        expected.attend(query, call, scaling=0.25, softcap=None),
        strict=True,
    ):
        assert torch.equal(left, right)
