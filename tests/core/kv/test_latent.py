"""Multi-head latent attention: the tiers hold latents, and nothing about the result changes."""

from typing import Any

import pytest
import torch
from transformers import PreTrainedModel

from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_config, tiny_model
from core.kv.cache import TieredCache
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore
from core.models.dry_run import dry_run
from core.settings import KV_CODECS
from tests.core.kv.adversary import AdversarialExecutor
from tests.reference import stock_logits, tiered_logits, tiny_cache

register()

TOKEN_IDS = torch.randint(3, VOCAB_SIZE, (300,), generator=torch.Generator().manual_seed(13))
NAMES = ["deepseek_v2", "deepseek_v3", "glm4_moe_lite"]
LATENT_VALUES = 24 + 8
BLOCK_TOKENS = 16
TOLERANCE = 1e-5
SMALL = SparseSettings(budget=32, sinks=16, recent=48, reuse_steps=1, dense_layers=1)


def cache_of(
    model: PreTrainedModel,
    codec: str = "none",
    *,
    num_hot_blocks: int = 2,
    executor: AdversarialExecutor | None = None,
) -> TieredCache:
    num_bytes = num_hot_blocks * 4 * BLOCK_TOKENS * LATENT_VALUES * 4
    settings = KvSettings(block_tokens=BLOCK_TOKENS, codec=codec, hot_budget_bytes=num_bytes)
    return TieredCache(model.config, KvStore(settings, 4, executor))


def prefix_of(model: PreTrainedModel, codec: str = "none", **options: Any) -> TieredCache:
    cache = cache_of(model, codec, **options)
    tiered_logits(model, cache, TOKEN_IDS[:240], (100, 140))
    cache.seal()
    return cache


@pytest.mark.parametrize("chunks", [(37, 1, 9, 64, 2, 55), (1, 3, 20, 33, 34, 100)])
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("deepseek_v2", {"q_lora_rank": None}),
        ("deepseek_v3", {"q_lora_rank": None}),
        ("deepseek_v3", {"rope_interleave": False}),
        ("deepseek_v3", {"v_head_dim": 20, "qk_nope_head_dim": 8}),
        ("glm4_moe_lite", {"q_lora_rank": None, "rope_interleave": False}),
    ],
)
def test_variants_equal_stock_attention(name: str, changes: dict[str, Any], chunks: tuple[int, ...]) -> None:
    """Chunks of few tokens absorb their queries, longer ones expand what they read."""
    stock = tiny_model(name, attention="eager", **changes)
    tiered = tiny_model(name, attention="tiered", **changes)
    logits = tiered_logits(tiered, tiny_cache(tiered), TOKEN_IDS[:250], chunks)
    assert (logits - stock_logits(stock, TOKEN_IDS[:250])).abs().max() < TOLERANCE


@pytest.mark.parametrize("name", NAMES)
def test_cold_bytes_are_latents_and_nothing_else(name: str) -> None:
    model = tiny_model(name, attention="tiered")
    cache = cache_of(model)
    tiered_logits(model, cache, TOKEN_IDS[:96], (50, 46))
    cache.seal()
    values_per_token = 4 * LATENT_VALUES
    assert cache.store.cold_bytes == 96 * values_per_token * 4
    assert dry_run(tiny_config(name)).kv_values_per_token == values_per_token
    assert cache.usage.tail_bytes == 0
    tiered_logits(model, cache, TOKEN_IDS[96:101], ())
    assert cache.usage.tail_bytes == 5 * values_per_token * 4


def test_a_step_brings_over_each_latent_once() -> None:
    model = tiny_model("deepseek_v3", attention="tiered")
    cache = prefix_of(model, num_hot_blocks=3)
    cache.store.traffic.start_step()
    tiered_logits(model, cache, TOKEN_IDS[240:241], ())
    cold_tokens = 240 - 3 * BLOCK_TOKENS
    assert cache.store.traffic.step_host_to_device_bytes == cold_tokens * 4 * LATENT_VALUES * 4


@pytest.mark.parametrize("codec", KV_CODECS)
@pytest.mark.parametrize("name", NAMES)
def test_absorbed_and_expanded_attention_agree_on_encoded_latents(name: str, codec: str) -> None:
    """The same sealed blocks, read by single tokens and by one chunk that seals nothing on its way."""
    model = tiny_model(name, attention="tiered")
    settings = KvSettings(block_tokens=64, codec=codec)
    prefix = TieredCache(model.config, KvStore(settings, 4))
    tiered_logits(model, prefix, TOKEN_IDS[:194], (194,))
    prefix.seal()
    absorbed = tiered_logits(model, prefix.branch(), TOKEN_IDS[194:250], ())
    expanded = tiered_logits(model, prefix.branch(), TOKEN_IDS[194:250], (56,))
    assert (absorbed - expanded).abs().max() < TOLERANCE


@pytest.mark.parametrize("codec", KV_CODECS)
def test_codecs_lose_little_and_something(codec: str) -> None:
    model = tiny_model("deepseek_v3", attention="tiered")
    exact = tiered_logits(model, prefix_of(model), TOKEN_IDS[240:280], (20,))
    encoded = tiered_logits(model, prefix_of(model, codec), TOKEN_IDS[240:280], (20,))
    error = ((encoded - exact).norm() / exact.norm()).item()
    print(f"{codec}: relative error of logits {error:.1e}")
    assert (error == 0) if codec == "none" else (0 < error < 0.25)


@pytest.mark.parametrize("codec", KV_CODECS)
def test_residency_and_streaming_do_not_change_a_bit(codec: str) -> None:
    model = tiny_model("deepseek_v3", attention="tiered")
    results = []
    for num_hot_blocks, executor in [
        (0, None),
        (3, None),
        (100, None),
        (2, AdversarialExecutor(1)),
        (0, AdversarialExecutor(2)),
    ]:
        cache = cache_of(model, codec, num_hot_blocks=num_hot_blocks, executor=executor)
        results.append(tiered_logits(model, cache, TOKEN_IDS[:226], (100, 9, 65, 40)))
        cache.promote()
        results.append(tiered_logits(model, cache, TOKEN_IDS[226:236], (3,)))
        cache.store.check_integrity()
    assert all(torch.equal(result, results[0]) for result in results[::2])
    assert all(torch.equal(result, results[1]) for result in results[1::2])


@pytest.mark.parametrize("name", NAMES)
def test_branches_continue_independently(name: str) -> None:
    model = tiny_model(name, attention="tiered")
    prefix = prefix_of(model)
    cold_bytes = prefix.store.cold_bytes
    first, second = prefix.branch(), prefix.branch()
    assert prefix.store.cold_bytes == cold_bytes
    ahead = tiered_logits(model, first, TOKEN_IDS[240:280], (20,))
    other = tiered_logits(model, second, TOKEN_IDS[250:290], (20,))
    assert torch.equal(ahead, tiered_logits(model, prefix_of(model), TOKEN_IDS[240:280], (20,)))
    assert not torch.equal(ahead, other)
    assert prefix.num_tokens == 240
    first.close()
    second.close()
    prefix.close()
    assert prefix.store.cold_bytes == 0
    prefix.store.check_integrity()


@pytest.mark.parametrize("codec", ["none", "k8v4"])
@pytest.mark.parametrize("removed", [1, 7, 20, 150])
def test_crop_takes_back_the_newest_tokens(removed: int, codec: str) -> None:
    """Under a codec the block cut through has been encoded once: its latents are not quite new ones."""
    model = tiny_model("deepseek_v3", attention="tiered")
    cropped, fresh = prefix_of(model, codec), cache_of(model, codec)
    cropped.crop(-removed)
    keep = 240 - removed
    assert cropped.num_tokens == keep
    tiered_logits(model, fresh, TOKEN_IDS[:keep], (100, keep - 100) if keep > 100 else (keep,))
    rest = TOKEN_IDS[keep : keep + 15]
    expected = tiered_logits(model, fresh, rest, (15,))
    error = (tiered_logits(model, cropped, rest, (15,)) - expected).norm() / expected.norm()
    assert error < (TOLERANCE if codec == "none" else 0.2)
    cropped.store.check_integrity()


def test_a_missing_block_would_be_noticed() -> None:
    model = tiny_model("deepseek_v3", attention="tiered")
    whole, broken = prefix_of(model), prefix_of(model)
    del broken.tiered_layers[2].blocks[4]
    last = TOKEN_IDS[240:241].unsqueeze(0)
    with torch.inference_mode():
        difference = (model(last, cache=whole).logits - model(last, cache=broken).logits).abs().max()
    assert difference > 10 * TOLERANCE


class OpaqueLinear(torch.nn.Module):
    """A linear map whose weights only it can read, as those of quantised models."""

    def __init__(self, linear: torch.nn.Linear) -> None:
        super().__init__()
        self._linear = linear

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        return self._linear(states)


def test_weights_that_only_their_module_reads_give_the_same_logits() -> None:
    stock, tiered = (tiny_model("deepseek_v3", attention=name) for name in ("eager", "tiered"))
    for layer in tiered.model.layers:
        layer.self_attn.kv_b_proj = OpaqueLinear(layer.self_attn.kv_b_proj)
    logits = tiered_logits(tiered, tiny_cache(tiered), TOKEN_IDS[:250], (5, 37, 1, 9, 100))
    assert (logits - stock_logits(stock, TOKEN_IDS[:250])).abs().max() < TOLERANCE


@pytest.mark.parametrize("codec", KV_CODECS)
def test_a_sparse_budget_for_everything_is_exact(codec: str) -> None:
    model = tiny_model("deepseek_v3", attention="tiered")
    exact, sparse = prefix_of(model, codec), prefix_of(model, codec)
    sparse.decode_sparsely(SparseSettings(budget=2048, sinks=16, recent=64, dense_layers=0))
    expected = tiered_logits(model, exact.branch(), TOKEN_IDS[240:260], ())
    assert torch.equal(tiered_logits(model, sparse.branch(), TOKEN_IDS[240:260], ()), expected)


@pytest.mark.parametrize("codec", ["none", "k8v4"])
def test_residency_and_streaming_do_not_change_sparse_results(codec: str) -> None:
    model = tiny_model("glm4_moe_lite", attention="tiered")
    results = []
    for executor in (None, AdversarialExecutor(3), AdversarialExecutor(4)):
        prefix = prefix_of(model, codec, executor=executor)
        prefix.decode_sparsely(SMALL)
        branch = prefix.branch()
        assert branch.is_sparse
        results.append(tiered_logits(model, branch, TOKEN_IDS[240:260], ()))
        prefix.store.check_integrity()
    assert torch.equal(results[0], results[1])
    assert torch.equal(results[0], results[2])


@pytest.mark.parametrize("codec", ["none", "int4"])
def test_sparse_decoding_chooses_better_than_the_newest_tokens(codec: str) -> None:
    model = tiny_model("deepseek_v3", attention="tiered")
    exact = tiered_logits(model, prefix_of(model, codec).branch(), TOKEN_IDS[240:290], ())
    errors = []
    for budget, recent in [(96, 32), (16, 112)]:
        prefix = prefix_of(model, codec)
        settings = SparseSettings(
            budget=budget, sinks=16, recent=recent, reuse_steps=1, dense_layers=0, unit=8
        )
        prefix.decode_sparsely(settings)
        sparse = tiered_logits(model, prefix.branch(), TOKEN_IDS[240:290], ())
        errors.append(((sparse - exact).norm() / exact.norm()).item())
    print(f"{codec}: relative error chosen {errors[0]:.1e}, newest {errors[1]:.1e}")
    assert 0 < errors[0] < errors[1]


def test_sparse_decoding_moves_the_budget_and_no_more() -> None:
    model = tiny_model("deepseek_v3", attention="tiered")
    prefix = prefix_of(model, num_hot_blocks=0)
    prefix.decode_sparsely(SMALL)
    branch = prefix.branch()
    branch.store.traffic.start_step()
    tiered_logits(model, branch, TOKEN_IDS[240:241], ())
    moved = branch.store.traffic.step_host_to_device_bytes
    whole = 240 * LATENT_VALUES * 4
    read = (SMALL.sinks + SMALL.budget + SMALL.recent) * LATENT_VALUES * 4
    assert whole < moved <= whole + 3 * (read + BLOCK_TOKENS * LATENT_VALUES * 4)
