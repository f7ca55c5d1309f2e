"""How far logits through the tiers are from stock attention, for every architecture that is promised."""

import torch

from core.attention.tiered import register
from core.bench.result import BenchResult, Target
from core.bench.tiny_models import TINY_CONFIGS, VOCAB_SIZE, tiny_model
from core.cancel import CancelToken
from core.kv.cache import TieredCache
from core.kv.store import KvSettings, KvStore
from core.models.dry_run import dry_run

_NUM_TOKENS = 257
_CHUNKS = (37, 1, 50, 64, 55)
_HOT_BLOCKS = 2
_BLOCK_TOKENS = 16


def measure(cancel: CancelToken) -> BenchResult:
    """The largest absolute difference of logits over 257 tokens, 50 of them decoded one by one."""
    rows = []
    for name in sorted(TINY_CONFIGS):
        cancel.raise_if_cancelled()
        rows.append({"architecture": name, "largest_difference": largest_difference(name)})
    worst = max(float(str(row["largest_difference"])) for row in rows)
    return BenchResult(tuple(rows), (Target("largest difference of logits", worst, 1e-5, at_least=False),))


def largest_difference(name: str) -> float:
    register()
    stock, tiered = tiny_model(name, attention="eager"), tiny_model(name, attention="tiered")
    token_ids = torch.randint(3, VOCAB_SIZE, (1, _NUM_TOKENS), generator=torch.Generator().manual_seed(1))
    reach = dry_run(tiered.config)
    hot_bytes = reach.kv_values_per_token * 4 * _BLOCK_TOKENS * _HOT_BLOCKS
    store = KvStore(KvSettings(_BLOCK_TOKENS, hot_budget_bytes=hot_bytes), reach.num_tiered_layers)
    cache = TieredCache(tiered.config, store)
    logits, start = [], 0
    with torch.inference_mode():
        expected = stock(token_ids).logits
        for size in [*_CHUNKS, *[1] * (_NUM_TOKENS - sum(_CHUNKS))]:
            logits.append(tiered(token_ids[:, start : start + size], cache=cache).logits)
            start += size
    return float((torch.cat(logits, dim=1) - expected).abs().max())
