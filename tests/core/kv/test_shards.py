"""Layers divided among logical devices on the CPU: two streamers under two adversaries, two budgets."""

import pytest
import torch

from core.attention.tiered import register
from core.bench.tiny_models import tiny_model
from core.kv.cache import TieredCache
from core.kv.store import KvSettings, KvStore, Shard
from tests.core.kv.adversary import AdversarialExecutor
from tests.reference import logits_of_a_life, tiered_logits

register()

BLOCK_TOKENS = 16
TIERED_LAYERS = {"qwen3": (0, 1, 2, 3), "gpt_oss": (1, 3), "gemma4_text": (1, 3)}


def settings(codec: str, hot_budget_bytes: int = 0) -> KvSettings:
    return KvSettings(block_tokens=BLOCK_TOKENS, codec=codec, hot_budget_bytes=hot_budget_bytes)


def divided(name: str, codec: str, budgets: tuple[int, int], seed: int) -> KvStore:
    layers = TIERED_LAYERS[name]
    half = len(layers) // 2
    executors = AdversarialExecutor(seed), AdversarialExecutor(seed + 1000)
    shards = [
        Shard(frozenset(part), budget, executor)
        for part, budget, executor in zip((layers[:half], layers[half:]), budgets, executors, strict=True)
    ]
    return KvStore(settings(codec, sum(budgets)), len(layers), shards=shards)


@pytest.mark.parametrize("codec", ["none", "int4"])
@pytest.mark.parametrize("name", sorted(TIERED_LAYERS))
def test_a_divided_model_reads_the_same_to_the_bit(name: str, codec: str) -> None:
    model = tiny_model(name, attention="tiered")
    layers = TIERED_LAYERS[name]
    expected = logits_of_a_life(model, KvStore(settings(codec), len(layers)))
    for seed, budgets in enumerate([(0, 0), (30_000, 0), (5_000, 60_000)]):
        store = divided(name, codec, budgets, seed)
        assert torch.equal(logits_of_a_life(model, store), expected)
        assert store.streams


def test_each_device_has_a_budget_of_its_own_and_fills_it() -> None:
    model = tiny_model("qwen3", attention="tiered")
    budgets = 20_000, 60_000
    store = divided("qwen3", "none", budgets, seed=1)
    cache = TieredCache(model.config, store)
    token_ids = torch.arange(3, 103).repeat(4)
    tiered_logits(model, cache, token_ids, (300, 99))
    block_bytes = store.layers[0].codec.block_bytes
    slots_by_layer = [budget // 2 // block_bytes for budget in budgets]
    assert [layer.num_residents for layer in store.layers] == [
        num_slots for num_slots in slots_by_layer for _ in range(2)
    ]
    for hot_bytes, budget in zip(store.hot_bytes_by_shard, budgets, strict=True):
        assert budget - 2 * block_bytes < hot_bytes <= budget
    assert sum(store.hot_bytes_by_shard) == store.hot_bytes
    num_cold_blocks = 400 // BLOCK_TOKENS - sum(slots_by_layer) / 2
    assert cache.usage.hot_tokens == round(400 - num_cold_blocks * BLOCK_TOKENS)


def test_the_traffic_of_all_devices_adds_up() -> None:
    """A decoded token brings over every block that is not resident, once, on whichever device."""
    model = tiny_model("qwen3", attention="tiered")
    store = divided("qwen3", "none", (20_000, 60_000), seed=2)
    cache = TieredCache(model.config, store)
    token_ids = torch.arange(3, 103).repeat(4)
    tiered_logits(model, cache, token_ids[:389], (389,))
    cache.seal()
    store.traffic.start_step()
    cold_bytes = store.cold_bytes - store.hot_bytes
    tiered_logits(model, cache, token_ids[389:390], (1,))
    assert store.traffic.step_host_to_device_bytes == cold_bytes > 0
    assert store.traffic.device_to_host_bytes == store.cold_bytes


def test_layers_of_one_device_stream_through_its_own_slots() -> None:
    """A device's plan holds its own layers only, so that no device waits for another's copies."""
    model = tiny_model("qwen3", attention="tiered")
    copies: list[int] = []

    class Counting(AdversarialExecutor):
        def copy(self, work, after):  # type: ignore[no-untyped-def]
            copies.append(self.device)
            return super().copy(work, after)

    executors = [Counting(3), Counting(4)]
    for device, executor in enumerate(executors):
        executor.device = device  # type: ignore[attr-defined]
    shards = [Shard(frozenset({0, 1, 2}), 0, executors[0]), Shard(frozenset({3}), 0, executors[1])]
    store = KvStore(settings("none"), 4, shards=shards)
    cache = TieredCache(model.config, store)
    token_ids = torch.arange(3, 103)
    tiered_logits(model, cache, token_ids, (64,))
    copies.clear()
    tiered_logits(model, cache, token_ids[:5], ())
    assert copies.count(0) == 3 * copies.count(1) == 15
