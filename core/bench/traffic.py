"""The bytes that a decoded token brings to the compute device, by mode and codec.

This does not depend on the machine: on a CPU the same bytes are read where they are.
"""

from dataclasses import replace
from typing import Any

from core.bench.filled import Source, real_source
from core.bench.peers import TieredPeer
from core.bench.result import BenchResult, Chart, Target
from core.bench.sample import contract_tokens
from core.cancel import CancelToken
from core.engine import open_model
from core.kv.codec import nominal_bits_per_value
from core.kv.sparse import SparseSettings
from core.kv.store import KvStore
from core.session import EngineParts
from core.settings import KV_CODECS, EngineSettings

_NUM_TOKENS = 16_384
_NUM_DECODED = 32
_HOT_SHARE = 0.25
_BUDGET_SHARE = 8


def measure(settings: EngineSettings, context: int | None, cancel: CancelToken) -> BenchResult:
    """A quarter of the KV is hot; sparse decoding may look at an eighth of the context.

    In exact mode each cold byte has to come once a token. In sparse mode the layers that choose may bring
    over no larger a share of their cold bytes than the budget is of the context; here all layers choose.
    """
    rows, targets = [], []
    with open_model(settings, cancel=cancel) as engine:
        token_ids = contract_tokens(engine.parts.loaded, context or _NUM_TOKENS)
        source = real_source(engine.parts.loaded, token_ids, cancel)
        for codec in KV_CODECS:
            for mode in ("exact", "sparse"):
                cancel.raise_if_cancelled()
                rows.append(_row(_with_codec(engine.parts, codec, source), source, mode))
    for row in rows:
        wanted = 1.0 if row["mode"] == "exact" else 1 / _BUDGET_SHARE
        name = f"{row['mode']}, {row['codec']}: share of the cold bytes moved a token"
        targets.append(Target(name, row["share_of_cold"], wanted, at_least=False))
    bars = {f"{row['mode']}, {row['codec']}": row["mib_per_token"] for row in rows}
    chart = Chart(f"Traffic after {source.num_tokens:,} tokens, a quarter hot", "MiB a token", bars)
    return BenchResult(tuple(rows), tuple(targets), chart)


def _with_codec(parts: EngineParts, codec: str, source: Source) -> EngineParts:
    bits = nominal_bits_per_value(codec, parts.kv_dtype)
    kv_bytes = parts.loaded.reach.kv_values_per_token * source.num_tokens * bits / 8
    kv = replace(
        parts.store.settings,
        codec=codec,
        hot_budget_bytes=int(_HOT_SHARE * kv_bytes),
        migration_interval=_NUM_DECODED // 2,
    )
    return replace(parts, store=KvStore(kv, parts.loaded.reach.num_tiered_layers))


def _row(parts: EngineParts, source: Source, mode: str) -> dict[str, Any]:
    sparse = SparseSettings(budget=source.num_tokens // _BUDGET_SHARE, dense_layers=0)
    peer = TieredPeer(mode, parts, source, sparse if mode == "sparse" else None)
    store = peer.store
    cold_before = store.cold_bytes - store.hot_bytes
    peer.decode(list(range(_NUM_DECODED)))
    cold = max(cold_before, store.cold_bytes - store.hot_bytes)  # decoding may seal a block
    row = {
        "mode": mode,
        "codec": parts.store.settings.codec,
        "tokens": source.num_tokens,
        "kv_mib": store.cold_bytes / (1 << 20),
        "cold_mib": cold / (1 << 20),
        "mib_per_token": peer.loaded_bytes_per_token / (1 << 20),
        "share_of_cold": peer.loaded_bytes_per_token / cold,
        "hot_share": store.scheduler.hot_share,
    }
    peer.close()
    return row
