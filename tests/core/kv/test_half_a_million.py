"""Positions beyond 2¹⁹: nothing in the engine wraps, loses precision or miscounts at that length."""

from collections.abc import Iterator

import pytest
import torch
from transformers import DynamicCache, PreTrainedModel

from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_config, tiny_model
from core.generation.runner import ModelRunner
from core.kv.block import SealedBlock
from core.kv.cache import TieredCache
from core.kv.layer_store import SEGMENT_BLOCKS
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore
from core.models.rope_scaling import scale_rope
from core.planning.geometry import ModelGeometry
from core.planning.kv_sizes import HOST_UNIT_BYTES, KvSizes
from core.settings import RopeScaling
from tests.core.kv.adversary import AdversarialExecutor

register()

NUM_FILLED = (1 << 19) + 777
PIECE = 1 << 16
BLOCK = 256
DIM = 8
SIZES = {
    "num_hidden_layers": 2,
    "hidden_size": 16,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": DIM,
    "max_position_embeddings": 1 << 18,
}
TOKENS = torch.randint(3, VOCAB_SIZE, (24,), generator=torch.Generator().manual_seed(3))


def model_with(attention: str) -> PreTrainedModel:
    """Yarn stretches its 262,144 positions to 1,048,576."""
    config = tiny_config("llama", **SIZES)
    scale_rope(config, RopeScaling("yarn", 4))
    assert config.max_position_embeddings == 1 << 20
    stretched = {name: getattr(config, name) for name in ("max_position_embeddings", "rope_parameters")}
    return tiny_model("llama", attention=attention, **SIZES | stretched)


def filling(layer: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Keys so far apart that some of them take far more attention than others: losing these would show."""
    generator = torch.Generator().manual_seed(layer)
    for start in range(0, NUM_FILLED, PIECE):
        size = min(PIECE, NUM_FILLED - start)
        key = torch.randn(1, 1, size, DIM, generator=generator) * 2.0
        yield key, torch.randn(1, 1, size, DIM, generator=generator)


def fill(cache: TieredCache | DynamicCache) -> None:
    with torch.inference_mode():
        for layer in range(2):
            for key, value in filling(layer):
                cache.update(key, value, layer)


@pytest.fixture(scope="module")
def expected() -> torch.Tensor:
    """Logits of transformers' own cache and attention behind the same keys and values."""
    model = model_with("eager")
    cache = DynamicCache(config=model.config)
    for layer in range(2):
        keys, values = (torch.cat(tensors, dim=-2) for tensors in zip(*filling(layer), strict=True))
        cache.update(keys, values, layer)
    with torch.inference_mode():
        logits: torch.Tensor = model(TOKENS.unsqueeze(0), cache=cache).logits[0]
    assert cache.get_seq_length() == NUM_FILLED + len(TOKENS)
    return logits


def tiered(executor: AdversarialExecutor | None = None, hot_bytes: int = 1 << 20) -> TieredCache:
    settings = KvSettings(block_tokens=BLOCK, hot_budget_bytes=hot_bytes)
    cache = TieredCache(tiny_config("llama", **SIZES), KvStore(settings, 2, executor))
    fill(cache)
    cache.seal()
    return cache


@pytest.mark.parametrize("executor", [None, AdversarialExecutor(0)], ids=["in place", "streamed"])
def test_logits_equal_those_of_transformers(
    expected: torch.Tensor, executor: AdversarialExecutor | None
) -> None:
    """A chunk and single tokens, with nearly everything cold."""
    cache, runner = tiered(executor), ModelRunner(model_with("tiered"))
    logits = {20: runner.step(TOKENS[:20], cache)}
    for number in (21, 22, 23):
        logits[number] = runner.step(TOKENS[number - 1 : number], cache)
    for number, found in logits.items():
        assert (found - expected[number - 1]).abs().max() < 1e-5
    assert cache.num_tokens == NUM_FILLED + 23
    assert cache.usage.total_tokens - cache.usage.hot_tokens > 500_000
    without = cache.tiered_layers[1]
    del without.blocks[_heaviest(without.blocks)]
    broken = runner.step(TOKENS[23:24], cache)
    assert (broken - expected[23]).abs().max() > 3e-5, "one block of 2,051 makes a difference"


def _heaviest(blocks: list[SealedBlock]) -> int:
    """Where the longest key is: most queries that agree with any key agree with it."""
    lengths = torch.cat([key.norm(dim=-1).flatten() for key, _ in filling(1)])
    return min(int(lengths.argmax()) // BLOCK, len(blocks) - 1)


def test_pools_hold_what_the_plan_says() -> None:
    cache = tiered(hot_bytes=1 << 20)
    config = tiny_config("llama", **SIZES)
    sizes = KvSizes(ModelGeometry.from_config(config.to_dict(), "x").growing_layers, "none", 4, BLOCK)
    num_blocks = NUM_FILLED // BLOCK
    assert [len(layer.blocks) for layer in cache.tiered_layers] == [num_blocks] * 2
    assert [layer.num_tail_tokens for layer in cache.tiered_layers] == [NUM_FILLED % BLOCK] * 2
    store = cache.store
    assert store.cold_bytes == sizes.cold_bytes(NUM_FILLED) == num_blocks * BLOCK * DIM * 2 * 4 * 2
    taken = sum(region.num_bytes for layer in store.layers for region in layer.cold._regions.values())
    assert taken % HOST_UNIT_BYTES == 0
    assert taken <= store.cold_bytes + sizes.slab_rounding_bytes(NUM_FILLED, 1)
    assert store.hot_bytes == sizes.hot_bytes(1 << 20, 2)
    segments = list(store.layers[0].segments(cache.tiered_layers[0].blocks))
    assert len(segments) == -(-num_blocks // SEGMENT_BLOCKS)
    assert sum(map(len, segments)) == num_blocks
    assert all(len(layer.cold._slabs) < 60 for layer in store.layers), "few mappings"
    store.check_integrity()
    cache.crop(-(NUM_FILLED - 300_000))
    assert cache.num_tokens == 300_000
    cache.close()
    assert (store.cold_bytes, store.hot_bytes) == (0, 0)
    store.check_integrity()


@pytest.mark.parametrize("needle", [70, 300_001, (1 << 19) - 1, (1 << 19) + 5])
def test_sparse_decoding_finds_one_token_at_any_distance(needle: int) -> None:
    """A key that the query is made for, among half a million others: its value is the answer."""
    cache = TieredCache(tiny_config("llama", **SIZES), KvStore(KvSettings(block_tokens=BLOCK), 2))
    direction = torch.nn.functional.normalize(torch.ones(DIM), dim=0)
    generator, layer = torch.Generator().manual_seed(1), cache.layers[0]
    for start in range(0, NUM_FILLED, PIECE):
        size = min(PIECE, NUM_FILLED - start)
        along = torch.rand(1, 1, size, 1, generator=generator) * 8 - 4
        key = along * direction + torch.randn(1, 1, size, DIM, generator=generator) * 0.1
        value = torch.zeros(1, 1, size, DIM)
        if 0 <= needle - start < size:
            key[0, 0, needle - start] = direction * 7
            value[0, 0, needle - start] = torch.arange(DIM) + 1.0
        layer.update(key, value)
    layer.seal()
    layer.decode_sparsely(SparseSettings(budget=1024, sinks=64, recent=512, dense_layers=0))
    query = direction.view(1, 1, 1, DIM) * 10
    layer.update(torch.zeros(1, 1, 1, DIM), torch.zeros(1, 1, 1, DIM))
    assert layer.sparse.index.digest.num_tokens == NUM_FILLED // BLOCK * BLOCK
    out, _ = layer.attend(query, None, scaling=1.0, softcap=None)
    assert (out.flatten() - (torch.arange(DIM) + 1.0)).abs().max() < 1e-3
    read = layer.sparse._set
    assert read is None or read.key.shape[-2] < 3 * 1024, "few tokens were looked at"
    cache.close()
