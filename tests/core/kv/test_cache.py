"""Branches, crops and the life of a sequence."""

import pytest
import torch

from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_config, tiny_model
from core.errors import ModelError
from core.kv.cache import TieredCache, num_tiered_layers
from tests.reference import tiered_logits, tiny_cache

register()

TOKEN_IDS = torch.randint(3, VOCAB_SIZE, (200,), generator=torch.Generator().manual_seed(7))


@pytest.mark.parametrize("name", ["llama", "qwen3_5_text", "gemma4_text", "lfm2", "granitemoehybrid"])
def test_branches_continue_independently(name: str) -> None:
    """Recurrent and sliding states too: each branch sees the prefix and its own tokens only."""
    model = tiny_model(name, attention="tiered")
    prefix = tiny_cache(model)
    tiered_logits(model, prefix, TOKEN_IDS[:120], (120,))
    first, second = prefix.branch(), prefix.branch()
    ahead = tiered_logits(model, first, TOKEN_IDS[120:160], (40,))
    other = tiered_logits(model, second, TOKEN_IDS[150:190], (40,))
    fresh = tiny_cache(model)
    tiered_logits(model, fresh, TOKEN_IDS[:120], (120,))
    assert torch.equal(ahead, tiered_logits(model, fresh, TOKEN_IDS[120:160], (40,)))
    assert not torch.equal(ahead, other)
    assert prefix.num_tokens == 120


def test_a_branch_shares_blocks_and_frees_only_its_own() -> None:
    model = tiny_model("llama", attention="tiered")
    prefix = tiny_cache(model)
    store = prefix.store
    tiered_logits(model, prefix, TOKEN_IDS[:128], (128,))
    prefix.seal()
    cold_bytes = store.cold_bytes
    branch = prefix.branch()
    assert store.cold_bytes == cold_bytes, "branching copies no block"
    tiered_logits(model, branch, TOKEN_IDS[128:200], (72,))
    branch.seal()
    assert store.cold_bytes > cold_bytes
    branch.close()
    assert store.cold_bytes == cold_bytes
    store.check_integrity()
    prefix.close()
    assert (store.cold_bytes, store.hot_bytes) == (0, 0)
    store.check_integrity()


@pytest.mark.parametrize("removed", [1, 7, 20, 64, 150])
def test_crop_takes_back_the_newest_tokens(removed: int) -> None:
    model = tiny_model("llama", attention="tiered")
    cropped = tiny_cache(model)
    tiered_logits(model, cropped, TOKEN_IDS[:180], (180,))
    cropped.crop(-removed)
    keep = 180 - removed
    assert cropped.num_tokens == keep
    fresh = tiny_cache(model)
    tiered_logits(model, fresh, TOKEN_IDS[:keep], (keep,))
    rest = TOKEN_IDS[keep : keep + 15]
    difference = tiered_logits(model, cropped, rest, (15,)) - tiered_logits(model, fresh, rest, (15,))
    assert difference.abs().max() < 1e-5
    cropped.store.check_integrity()


def test_cold_bytes_cross_once_a_token_and_nothing_comes_back() -> None:
    model = tiny_model("llama", attention="tiered")
    cache = tiny_cache(model, num_hot_blocks=2)
    tiered_logits(model, cache, TOKEN_IDS[:161], (161,))
    cache.seal()
    traffic, store = cache.store.traffic, cache.store
    written_once = traffic.device_to_host_bytes
    assert written_once == store.cold_bytes
    traffic.start_step()
    tiered_logits(model, cache, TOKEN_IDS[161:162], (1,))
    assert traffic.step_host_to_device_bytes == store.cold_bytes - store.hot_bytes
    assert traffic.step_device_to_host_bytes == 0
    assert store.hot_bytes == 2 * 4 * store.layers[0].cold.block_bytes


def test_usage_adds_up() -> None:
    model = tiny_model("qwen3", attention="tiered")
    cache = tiny_cache(model, num_hot_blocks=3)
    tiered_logits(model, cache, TOKEN_IDS[:100], (100,))
    cache.seal()
    usage = cache.usage
    assert usage.total_tokens == 100
    assert usage.hot_tokens == 3 * 16 + 4, "three resident blocks and the tail"


def test_a_layer_kind_that_grows_out_of_reach_is_refused() -> None:
    config = tiny_config("llama")
    config.layer_types = ["full_attention", "hybrid", "full_attention", "full_attention"]
    with pytest.raises(ModelError, match="hybrid"):
        num_tiered_layers(config)


def test_closing_twice_is_harmless() -> None:
    model = tiny_model("llama", attention="tiered")
    cache: TieredCache = tiny_cache(model)
    tiered_logits(model, cache, TOKEN_IDS[:70], (70,))
    cache.close()
    cache.close()
    cache.store.check_integrity()
