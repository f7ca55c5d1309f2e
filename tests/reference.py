"""What "correct" means: attention written as plainly as possible, and models as transformers runs them."""

from collections.abc import Sequence

import torch
from transformers import PreTrainedModel

from core.bench.tiny_models import VOCAB_SIZE
from core.kv.cache import TieredCache
from core.kv.store import KvSettings, KvStore


def naive_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    scaling: float,
    visible: torch.Tensor | None = None,
    softcap: float | None = None,
) -> torch.Tensor:
    """Softmax attention in fp64 over all keys at once.

    `query` `(batch, num_heads, num_queries, k_dim)`, `key` and `value` `(batch, num_kv_heads, num_keys, …)`;
    `visible` is boolean `(num_queries, num_keys)`.
    """
    group = query.shape[1] // key.shape[1]
    keys = key.double().repeat_interleave(group, dim=1)
    values = value.double().repeat_interleave(group, dim=1)
    scores = query.double() @ keys.transpose(-1, -2) * scaling
    if softcap is not None:
        scores = torch.tanh(scores / softcap) * softcap
    if visible is not None:
        scores = scores.masked_fill(~visible, float("-inf"))
    return scores.softmax(-1) @ values


def stock_logits(model: PreTrainedModel, token_ids: torch.Tensor) -> torch.Tensor:
    """Logits `(num_tokens, vocab_size)` of an eager model that reads `token_ids` in one piece."""
    with torch.inference_mode():
        return model(token_ids.unsqueeze(0)).logits[0]


def tiered_logits(
    model: PreTrainedModel, cache: TieredCache, token_ids: torch.Tensor, chunks: Sequence[int]
) -> torch.Tensor:
    """Logits of every position, read through `cache` in `chunks` and then one token at a time."""
    logits, start = [], 0
    with torch.inference_mode():
        for size in [*chunks, *[1] * (token_ids.numel() - sum(chunks))]:
            logits.append(model(token_ids[start : start + size].unsqueeze(0), cache=cache).logits[0])
            start += size
    return torch.cat(logits)


def logits_of_a_life(model: PreTrainedModel, store: KvStore) -> torch.Tensor:
    """Logits of a prefill in two chunks, of decoding, of a branch, and of going on without it.

    Few tokens are decoded, but with blocks of 16 each part of it seals one.
    """
    token_ids = torch.randint(3, VOCAB_SIZE, (242,), generator=torch.Generator().manual_seed(9))
    cache = TieredCache(model.config, store)
    logits = [tiered_logits(model, cache, token_ids[:180], (100, 70))]
    branch = cache.branch()
    logits.append(tiered_logits(model, branch, token_ids[180:226], (30,)))
    branch.close()
    logits.append(tiered_logits(model, cache, token_ids[226:], (1,)))
    store.check_integrity()
    cache.close()
    assert store.hot_bytes == store.cold_bytes == 0
    return torch.cat(logits)


def tiny_cache(model: PreTrainedModel, *, block_tokens: int = 16, num_hot_blocks: int = 2) -> TieredCache:
    """A cache whose hot tier holds `num_hot_blocks` blocks a layer, so that most KV is cold."""
    probe = TieredCache(model.config)
    with torch.inference_mode():
        model(torch.zeros(1, 1, dtype=torch.long, device=model.device), cache=probe)
    layers = probe.store.layers
    block_bytes = max(layer.shape.bytes_per_token for layer in layers) * block_tokens
    probe.close()
    settings = KvSettings(
        block_tokens=block_tokens, hot_budget_bytes=num_hot_blocks * block_bytes * len(layers)
    )
    return TieredCache(model.config, KvStore(settings, len(layers)))
