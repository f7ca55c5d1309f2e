"""How fast tokens are decoded over a long context, exactly and sparsely, beside transformers' caches."""

import time
from statistics import median
from typing import Any

import torch

from core.bench.filled import Source, real_source
from core.bench.peers import Peer, StockPeer, TieredPeer, stock_peers
from core.bench.result import BenchResult, Chart, Target
from core.bench.sample import contract_tokens
from core.cancel import CancelToken
from core.engine import open_model
from core.kv.cache import TieredCache
from core.kv.sparse import SparseSettings
from core.session import EngineParts
from core.settings import EngineSettings

_NUM_TOKENS = 32_768
_LONG = 131_072
_NUM_ROUNDS = 6
_TOKENS_PER_ROUND = 4
_MIN_WANTED_TOKENS = 32_768


def measure(
    settings: EngineSettings, context: int | None, cancel: CancelToken, num_rounds: int = _NUM_ROUNDS
) -> BenchResult:
    """Seconds a token of each cache at `context` tokens, taken in turns so that noise hits all alike."""
    with open_model(settings, cancel=cancel) as engine:
        parts = engine.parts
        token_ids = contract_tokens(parts.loaded, context or _NUM_TOKENS)
        source = real_source(parts.loaded, token_ids, cancel)
        peers = _peers(parts, source)
        next_ids = token_ids[:_TOKENS_PER_ROUND]
        weights_s = _seconds_of_weights(parts, next_ids)
        for peer in peers:
            peer.decode(next_ids)
        rounds = []
        for _ in range(num_rounds):
            cancel.raise_if_cancelled()
            rounds.append([peer.decode(next_ids) / len(next_ids) for peer in peers])
        seconds = [median(times) for times in zip(*rounds, strict=True)]
        decoding_s = _seconds_of_decoding(peers)
        stock_s = next(s for peer, s in zip(peers, seconds, strict=True) if isinstance(peer, StockPeer))
        rows = tuple(
            _row(peer, seconds_each, stock_s, source, weights_s, decoding_s)
            for peer, seconds_each in zip(peers, seconds, strict=True)
        )
        for peer in peers:
            peer.close()
    bars = {str(row["cache"]): float(row["tokens_per_s"]) for row in rows}
    chart = Chart(f"Decoding after {source.num_tokens:,} tokens", "tokens a second", bars)
    return BenchResult(rows, _targets(rows, source.num_tokens), chart)


def _peers(parts: EngineParts, source: Source) -> list[Peer]:
    sparse = SparseSettings(budget=parts.settings.sparse_budget)
    return [
        TieredPeer("tiered, exact", parts, source),
        TieredPeer("tiered, sparse", parts, source, sparse),
        *stock_peers(parts.loaded, source),
    ]


def _row(
    peer: Peer, seconds: float, stock_s: float, source: Source, weights_s: float, decoding_s: float
) -> dict[str, Any]:
    is_ours = isinstance(peer, TieredPeer)
    return {
        "cache": peer.name,
        "tokens": source.num_tokens,
        "filled": "by repetition" if source.is_tiled else "by reading",
        "ms_per_token": 1000 * seconds,
        "tokens_per_s": 1 / seconds,
        "times_dynamic_cache": stock_s / seconds,
        "of_that_weights_ms": 1000 * weights_s,
        "of_that_decoding_kv_ms": 1000 * decoding_s if peer.name == "tiered, exact" else None,
        "cold_mib_read_per_token": (peer.loaded_bytes_per_token or 0) / (1 << 20) if is_ours else None,
    }


def _targets(rows: tuple[dict[str, Any], ...], num_tokens: int) -> tuple[Target, ...]:
    """Short contexts are all weights: there is nothing to win on them."""
    if num_tokens < _MIN_WANTED_TOKENS:
        return ()
    times = {row["cache"]: float(row["times_dynamic_cache"]) for row in rows}
    at = f"at {num_tokens:,} tokens, times DynamicCache"
    sparse_wanted = 9.0 if num_tokens >= _LONG else 3.5
    return (
        Target(f"exact decode {at}", times["tiered, exact"], 2.0, at_least=True),
        Target(f"sparse decode {at}", times["tiered, sparse"], sparse_wanted, at_least=True),
    )


def _seconds_of_weights(parts: EngineParts, token_ids: list[int]) -> float:
    """A step without a past: what the weights alone cost."""
    times = []
    for token_id in token_ids * 3:
        cache = TieredCache(parts.loaded.model.config, parts.store)
        started = time.perf_counter()
        parts.runner.step(torch.tensor([token_id]), cache)
        times.append(time.perf_counter() - started)
        cache.close()
    return median(times)


def _seconds_of_decoding(peers: list[Peer]) -> float:
    """What turning all encoded KV into numbers costs; nothing is done with them."""
    exact = next(peer for peer in peers if isinstance(peer, TieredPeer))
    if exact.store.settings.codec == "none":
        return 0.0
    started = time.perf_counter()
    with torch.inference_mode():
        for layer, store in zip(exact.cache.tiered_layers, exact.store.layers, strict=True):
            for segment in store.segments(layer.blocks):
                with store.reading(segment):
                    pass
    return time.perf_counter() - started
