"""The scheduler: what it measures, and that moving blocks lowers what sparse decoding brings over."""

import torch

from core.attention.tiered import register
from core.bench.tiny_models import VOCAB_SIZE, tiny_model
from core.kv.cache import TieredCache
from core.kv.policy import most_retrieved
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore, Shard
from tests.reference import tiered_logits

register()

TOKEN_IDS = torch.randint(3, VOCAB_SIZE, (700,), generator=torch.Generator().manual_seed(11))
NUM_TOKENS = 640
BLOCK_TOKENS = 32
BLOCK_BYTES = BLOCK_TOKENS * 2 * 2 * 16 * 4
INTERVAL = 16


def read_prefix(num_hot_blocks: int, sparse: SparseSettings | None, **changes: int) -> TieredCache:
    model = tiny_model("qwen3", attention="tiered")
    settings = KvSettings(
        block_tokens=BLOCK_TOKENS,
        hot_budget_bytes=num_hot_blocks * BLOCK_BYTES * 4,
        migration_interval=INTERVAL,
        **changes,
    )
    cache = TieredCache(model.config, KvStore(settings, 4))
    tiered_logits(model, cache, TOKEN_IDS[:NUM_TOKENS], (320, 320))
    if sparse is not None:
        cache.decode_sparsely(sparse)
    return cache


def decode(cache: TieredCache, token_ids: torch.Tensor) -> int:
    """One answer, a branch of its own; the bytes it brought over, what the scheduler moved included."""
    model, branch, traffic = tiny_model("qwen3", attention="tiered"), cache.branch(), cache.store.traffic
    before = traffic.host_to_device_bytes
    branch.promote()
    for token_id in token_ids:
        traffic.start_step()
        tiered_logits(model, branch, token_id.view(1), ())
        cache.store.scheduler.after_token()
    branch.close()
    return traffic.host_to_device_bytes - before


def test_moving_blocks_lowers_the_bytes_of_sparse_decoding() -> None:
    """Two questions in turn, again and again: what they retrieve becomes resident, and stays."""
    sparse = SparseSettings(budget=128, sinks=32, recent=64, reuse_steps=1, dense_layers=0)
    cache = read_prefix(num_hot_blocks=12, sparse=sparse)
    scheduler = cache.store.scheduler
    questions = TOKEN_IDS[640:648], TOKEN_IDS[648:656]
    assert scheduler.hot_share is None
    rounds = [sum(decode(cache, question) for question in questions) for _ in range(6)]
    shares_first = scheduler.hot_share
    assert shares_first is not None
    assert rounds[-1] < 0.8 * rounds[0], rounds
    assert rounds[-1] <= rounds[-2]
    cache.store.check_integrity()
    assert cache.store.hot_bytes <= 12 * BLOCK_BYTES * 4


def test_the_hot_share_is_that_of_the_last_interval() -> None:
    cache = read_prefix(num_hot_blocks=5, sparse=None)
    decode(cache, TOKEN_IDS[640 : 640 + INTERVAL])
    assert cache.store.scheduler.hot_share == 5 / (NUM_TOKENS // BLOCK_TOKENS)


def test_exact_decoding_moves_nothing() -> None:
    cache = read_prefix(num_hot_blocks=5, sparse=None)
    residents = [block.is_resident for block in cache.tiered_layers[0].blocks]
    decode(cache, TOKEN_IDS[640 : 640 + INTERVAL + 8])
    assert [block.is_resident for block in cache.tiered_layers[0].blocks] == residents


def test_layers_that_are_read_whole_are_hot_first() -> None:
    cache = read_prefix(num_hot_blocks=12, sparse=None, whole_layers=2, whole_tokens=NUM_TOKENS)
    slots = [layer.hot.num_rows for layer in cache.store.layers]
    assert slots == [20, 20, 4, 4]


def test_whole_layers_take_no_more_than_there_is() -> None:
    cache = read_prefix(num_hot_blocks=6, sparse=None, whole_layers=2, whole_tokens=NUM_TOKENS)
    assert [layer.hot.num_rows for layer in cache.store.layers] == [20, 4, 0, 0]


def test_whole_layers_of_each_shard_take_from_its_own_budget() -> None:
    model = tiny_model("qwen3", attention="tiered")
    shards = [Shard(frozenset({0, 1}), 10 * BLOCK_BYTES), Shard(frozenset({2, 3}), 8 * BLOCK_BYTES)]
    settings = KvSettings(BLOCK_TOKENS, whole_layers=1, whole_tokens=7 * BLOCK_TOKENS)
    cache = TieredCache(model.config, KvStore(settings, 4, shards=shards))
    tiered_logits(model, cache, TOKEN_IDS[:64], (64,))
    assert [layer.hot.num_rows for layer in cache.store.layers] == [7, 3, 4, 4]


def test_the_policy_keeps_what_is_in_demand() -> None:
    demand = {"a": 50, "b": 400, "c": 120, "d": 90}
    assert most_retrieved(["a", "x"], demand, num_slots=2, block_bytes=100) == ["b", "c"]
    assert most_retrieved(["a", "x"], demand, num_slots=4, block_bytes=100) == ["b", "c", "a", "x"]
    assert most_retrieved(["d", "b"], demand, num_slots=2, block_bytes=100) == ["b", "c"]
    assert most_retrieved([], {}, num_slots=3, block_bytes=100) == []
