"""How fast a text is read, beside transformers' own cache, in the same chunks."""

import time
from collections.abc import Callable

import torch
from transformers import DynamicCache

from core.bench.filled import with_stock_attention
from core.bench.result import BenchResult, Chart, Target
from core.bench.sample import contract_tokens
from core.cancel import CancelToken
from core.engine import open_model
from core.generation.prefill import prefill
from core.kv.cache import TieredCache
from core.session import EngineParts
from core.settings import EngineSettings

_NUM_TOKENS = 8192
_NUM_ROUNDS = 2


def measure(settings: EngineSettings, context: int | None, cancel: CancelToken) -> BenchResult:
    """Tokens a second over `context` tokens; the caches take turns and the best of two rounds counts."""
    with open_model(settings, cancel=cancel) as engine:
        parts = engine.parts
        token_ids = contract_tokens(parts.loaded, context or _NUM_TOKENS)
        readers: dict[str, Callable[[list[int]], float]] = {
            "tiered": lambda ids: _seconds_tiered(parts, ids, cancel),
            "transformers DynamicCache": lambda ids: _seconds_stock(parts, ids, cancel),
        }
        for read in readers.values():
            read(token_ids[: parts.settings.prefill_chunk])
        seconds: dict[str, list[float]] = {name: [] for name in readers}
        for _ in range(_NUM_ROUNDS):
            for name, read in readers.items():
                seconds[name].append(read(token_ids))
    rates = {name: len(token_ids) / min(times) for name, times in seconds.items()}
    stock = rates["transformers DynamicCache"]
    rows = tuple(
        {
            "cache": name,
            "tokens": len(token_ids),
            "chunk": settings.prefill_chunk,
            "tokens_per_s": rate,
            "times_dynamic_cache": rate / stock,
        }
        for name, rate in rates.items()
    )
    target = Target(
        f"prefill of {len(token_ids):,} tokens, times DynamicCache",
        rates["tiered"] / stock,
        1.0,
        at_least=True,
    )
    chart = Chart(f"Reading {len(token_ids):,} tokens", "tokens a second", rates)
    return BenchResult(rows, (target,), chart)


def _seconds_tiered(parts: EngineParts, token_ids: list[int], cancel: CancelToken) -> float:
    cache = TieredCache(parts.loaded.model.config, parts.store)
    parts.store.expect(len(token_ids))
    started = time.perf_counter()
    for _ in prefill(
        parts.runner, cache, token_ids, chunk_tokens=parts.settings.prefill_chunk, cancel=cancel
    ):
        pass
    elapsed = time.perf_counter() - started
    cache.close()
    return elapsed


def _seconds_stock(parts: EngineParts, token_ids: list[int], cancel: CancelToken) -> float:
    loaded, chunk = parts.loaded, parts.settings.prefill_chunk
    cache = DynamicCache(config=loaded.model.config)
    ids = torch.tensor([token_ids], device=loaded.device)

    def read() -> None:
        for start in range(0, len(token_ids), chunk):
            cancel.raise_if_cancelled()
            loaded.model(ids[:, start : start + chunk], cache=cache, logits_to_keep=1)

    started = time.perf_counter()
    with_stock_attention(loaded, read)
    return time.perf_counter() - started
