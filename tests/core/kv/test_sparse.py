"""Sparse decoding: what the digest finds, what it costs, and that it is exact when the budget allows."""

from collections.abc import Iterator

import pytest
import torch

from core.attention.over_tiers import attend_blocks, attend_set
from core.attention.select import choose, digest_of
from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_model
from core.kv.cache import TieredCache
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore
from core.kv.working_set import WorkingSet
from core.settings import KV_CODECS
from tests.core.kv.adversary import AdversarialExecutor
from tests.reference import tiered_logits

register()

TOKEN_IDS = torch.randint(3, VOCAB_SIZE, (600,), generator=torch.Generator().manual_seed(11))
SMALL = SparseSettings(budget=64, sinks=16, recent=64, reuse_steps=1, dense_layers=1)


def low_rank_keys(num_tokens: int, dim: int = 64, rank: int = 10) -> torch.Tensor:
    generator = torch.Generator().manual_seed(3)
    directions = torch.randn(2, rank, dim, generator=generator)
    keys = torch.randn(2, num_tokens, rank, generator=generator) @ directions
    return keys + 0.1 * torch.randn(2, num_tokens, dim, generator=generator) + 4.0


def test_digest_scores_rank_keys_as_the_keys_do() -> None:
    keys = low_rank_keys(2048)

    def batches() -> Iterator[torch.Tensor]:
        return iter(keys.split(300, dim=1))

    digest = digest_of(batches)
    query = low_rank_keys(6)[:, :3] * 0.05
    exact = query @ keys.transpose(-1, -2)
    approximate = digest.scores(query)
    rows = [(x - x.mean(-1, keepdim=True)).flatten() for x in (exact, approximate)]
    correlation = torch.corrcoef(torch.stack(rows))[0, 1]
    assert correlation > 0.98
    mass = exact.softmax(-1).unflatten(-1, (-1, 16)).sum(-1).sum(1)
    top = choose(mass, 16)
    found = choose(digest.unit_mass(query, 16, 0, 2048), 16)
    shared = [len(set(a.tolist()) & set(b.tolist())) for a, b in zip(top, found, strict=True)]
    assert min(shared) >= 12


def test_a_digest_is_a_sixteenth_of_fp16_keys() -> None:
    keys = low_rank_keys(2048)
    digest = digest_of(lambda: iter([keys]))
    assert digest.codes.nbytes * 16 == keys.half().nbytes


def prefix_of(model: object, codec: str = "none", executor: AdversarialExecutor | None = None) -> TieredCache:
    settings = KvSettings(block_tokens=32, codec=codec, hot_budget_bytes=50_000)
    cache = TieredCache(model.config, KvStore(settings, 4, executor))  # type: ignore[attr-defined]
    tiered_logits(model, cache, TOKEN_IDS[:560], (200, 200, 160))  # type: ignore[arg-type]
    return cache


@pytest.mark.parametrize("codec", KV_CODECS)
def test_a_budget_for_everything_is_exact(codec: str) -> None:
    model = tiny_model("qwen3", attention="tiered")
    exact, sparse = prefix_of(model, codec), prefix_of(model, codec)
    sparse.decode_sparsely(SparseSettings(budget=2048, sinks=16, recent=64, dense_layers=0))
    expected = tiered_logits(model, exact.branch(), TOKEN_IDS[560:580], ())
    assert torch.equal(tiered_logits(model, sparse.branch(), TOKEN_IDS[560:580], ()), expected)


@pytest.mark.parametrize("codec", KV_CODECS)
def test_choosing_all_units_equals_reading_all_blocks(codec: str) -> None:
    """The path of chosen units with nothing left out: the same attention, to rounding."""
    prefix = prefix_of(tiny_model("qwen3", attention="tiered"), codec)
    prefix.decode_sparsely(SparseSettings(budget=64, sinks=32, recent=64, dense_layers=0))
    reader = prefix.tiered_layers[1].sparse
    assert reader is not None
    index, query = reader.index, torch.randn(1, 2, 3, 16, generator=torch.Generator().manual_seed(1))
    region = index.active_region(561)
    num_units = len(region) * 32 // index.settings.unit
    assert num_units == 28
    working_set = WorkingSet(index.store, index.blocks, index.settings.unit)
    working_set.choose(torch.arange(num_units).expand(2, -1) + region.start * 32 // index.settings.unit)
    key, value = working_set.key, working_set.value
    chosen, _ = attend_set(query, key, value, 0.25, None)
    blocks = index.blocks[region.start : region.stop]
    whole, _ = attend_blocks(index.store, blocks, query, 0.25, None)
    torch.testing.assert_close(chosen, whole, atol=1e-5, rtol=1e-4)


def test_sparse_decoding_moves_the_budget_and_no_more() -> None:
    model = tiny_model("qwen3", attention="tiered")
    prefix = prefix_of(model)
    store = prefix.store
    prefix.decode_sparsely(SMALL)
    branch = prefix.branch()
    tiered_logits(model, branch, TOKEN_IDS[560:561], ())
    store.traffic.start_step()
    tiered_logits(model, branch, TOKEN_IDS[561:562], ())
    sparse_bytes = store.traffic.step_host_to_device_bytes
    exact = prefix_of(model).branch()
    tiered_logits(model, exact, TOKEN_IDS[560:561], ())
    exact.store.traffic.start_step()
    tiered_logits(model, exact, TOKEN_IDS[561:562], ())
    exact_bytes = exact.store.traffic.step_host_to_device_bytes
    bytes_per_token = store.layers[0].shape.bytes_per_token
    assert sparse_bytes < exact_bytes / 2
    dense_layer = 560 // 32 * 32 * bytes_per_token
    others = 3 * (SMALL.budget + 32 + 64 + 32) * bytes_per_token
    assert sparse_bytes <= dense_layer + others


def test_reuse_reads_nothing_between_choices() -> None:
    model = tiny_model("qwen3", attention="tiered")
    prefix = prefix_of(model)
    prefix.decode_sparsely(SparseSettings(budget=64, sinks=16, recent=64, reuse_steps=4, dense_layers=0))
    branch, moved = prefix.branch(), []
    for start in range(560, 568):
        prefix.store.traffic.start_step()
        tiered_logits(model, branch, TOKEN_IDS[start : start + 1], ())
        moved.append(prefix.store.traffic.step_host_to_device_bytes)
    assert moved[0] > moved[4] > 0, "a later choice brings over only what it adds"
    assert moved[1:4] == moved[5:8] == [0, 0, 0]


@pytest.mark.parametrize("codec", ["none", "int4"])
def test_residency_and_streaming_do_not_change_sparse_results(codec: str) -> None:
    model = tiny_model("qwen3", attention="tiered")
    results = []
    for executor in (None, AdversarialExecutor(1), AdversarialExecutor(2)):
        prefix = prefix_of(model, codec, executor)
        prefix.decode_sparsely(SMALL)
        results.append(tiered_logits(model, prefix.branch(), TOKEN_IDS[560:590], ()))
        prefix.store.check_integrity()
    assert torch.equal(results[0], results[1])
    assert torch.equal(results[0], results[2])


def test_sparse_is_closer_to_exact_than_dropping_the_same_amount() -> None:
    """Reading what the digest chooses beats reading the newest tokens only."""
    model = tiny_model("smollm3", attention="tiered")
    exact = tiered_logits(model, prefix_of(model).branch(), TOKEN_IDS[560:590], ())
    chosen, newest = prefix_of(model), prefix_of(model)
    chosen.decode_sparsely(SparseSettings(budget=128, sinks=16, recent=64, reuse_steps=1, dense_layers=0))
    newest.decode_sparsely(SparseSettings(budget=16, sinks=16, recent=176, reuse_steps=1, dense_layers=0))
    errors = [
        (tiered_logits(model, cache.branch(), TOKEN_IDS[560:590], ()) - exact).norm()
        for cache in (chosen, newest)
    ]
    assert errors[0] < 0.9 * errors[1]


def test_cropping_into_the_prefix_ends_sparse_decoding() -> None:
    model = tiny_model("qwen3", attention="tiered")
    branch = prefix_of(model)
    branch.decode_sparsely(SMALL)
    branch.crop(-200)
    assert not branch.is_sparse
    tiered_logits(model, branch, TOKEN_IDS[360:365], ())
