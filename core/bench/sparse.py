"""What sparse decoding costs in quality, by budget, beside random choice and an oracle's."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from core.bench.result import BenchResult, Chart, Target
from core.bench.sample import contract_tokens
from core.cancel import CancelToken
from core.engine import open_model
from core.generation.prefill import prefill
from core.kv.cache import TieredCache
from core.kv.sparse import SparseIndex, SparseSettings
from core.kv.store import KvStore
from core.session import EngineParts
from core.settings import EngineSettings

_NUM_TOKENS = 6144
_NUM_JUDGED = 96
_SHARES = (2, 4, 8, 16)
_WANTED = {2: 0.003, 4: 0.02}
_FP16_BYTES = 2


class RandomIndex(SparseIndex):
    """Chooses units by chance."""

    def choose(self, queries: torch.Tensor, region: range, _scaling: float) -> torch.Tensor:
        per_block = self.store.shape.num_tokens // self.settings.unit
        num_units, num_chosen = len(region) * per_block, self.settings.budget // self.settings.unit
        chance = torch.rand(queries.shape[0], num_units, device=queries.device)
        return chance.topk(num_chosen, dim=-1).indices.sort(dim=-1).values + region.start * per_block


class OracleIndex(SparseIndex):
    """Chooses the units that the queries really attend to most, from all keys."""

    def choose(self, queries: torch.Tensor, region: range, scaling: float) -> torch.Tensor:
        per_block = self.store.shape.num_tokens // self.settings.unit
        keys = torch.cat(list(self._key_batches()), dim=1).float()
        size = self.store.shape.num_tokens
        scores = queries.float() @ keys[:, region.start * size : region.stop * size].transpose(-1, -2)
        weights: torch.Tensor = (scores * scaling).softmax(-1)
        units = weights.unflatten(-1, (-1, self.settings.unit)).sum((1, -1))
        chosen = units.topk(self.settings.budget // self.settings.unit, dim=-1).indices
        in_order: torch.Tensor = chosen.sort(dim=-1).values
        return in_order + region.start * per_block


CHOOSERS: Mapping[str, type[SparseIndex]] = {
    "digest": SparseIndex,
    "random": RandomIndex,
    "oracle": OracleIndex,
}


def measure(
    settings: EngineSettings,
    context: int | None,
    cancel: CancelToken,
    shares: Sequence[int] = _SHARES,
    num_judged: int = _NUM_JUDGED,
) -> BenchResult:
    """KL divergence from exact decoding and agreement of the likeliest token over the last tokens of a text.

    The budget is a share of the context. As in answers, every judged token is decoded by itself after an
    exact reading; random choice and the oracle choose at every token.
    """
    with open_model(settings, cancel=cancel) as engine:
        parts = engine.parts
        token_ids = contract_tokens(parts.loaded, context or _NUM_TOKENS)
        before, judged = token_ids[:-num_judged], token_ids[-num_judged:]
        store = KvStore(parts.store.settings, parts.loaded.reach.num_tiered_layers)
        prefix = TieredCache(parts.loaded.model.config, store)
        for _ in prefill(
            parts.runner, prefix, before, chunk_tokens=parts.settings.prefill_chunk, cancel=cancel
        ):
            pass
        exact = _log_probabilities(parts, prefix, judged, cancel)
        rows = []
        for share in shares:
            for name, reuse in (("digest", None), ("digest", 1), ("random", 1), ("oracle", 1)):
                sparse = SparseSettings(budget=len(before) // share // 16 * 16)
                if reuse is not None:
                    sparse = SparseSettings(budget=sparse.budget, reuse_steps=reuse)
                sparse_prefix = _sparse_twin(prefix, sparse, CHOOSERS[name])
                found = _log_probabilities(parts, sparse_prefix, judged, cancel)
                rows.append(_row(name, share, sparse, exact, found))
                sparse_prefix.close()
        digest_share = _digest_share(prefix)
        prefix.close()
    targets = [
        Target(f"KL at 1/{row['budget_share']}", row["kl"], _WANTED[row["budget_share"]], at_least=False)
        for row in rows
        if row["chosen_by"] == "digest" and row["budget_share"] in _WANTED and not row["every_token"]
    ]
    targets.append(Target("digest, share of fp16 keys", digest_share, 1 / 16, at_least=False))
    bars = {
        f"1/{row['budget_share']} {row['chosen_by']}{'' if row['every_token'] else ', reused'}": row["kl"]
        for row in rows
    }
    chart = Chart(f"Sparse decoding after {len(before):,} tokens", "KL divergence from exact", bars)
    return BenchResult(tuple(rows), tuple(targets), chart)


def _sparse_twin(prefix: TieredCache, sparse: SparseSettings, chooser: type[SparseIndex]) -> TieredCache:
    twin = prefix.branch()
    with torch.inference_mode():
        twin.decode_sparsely(sparse, chooser)
    return twin


def _row(
    name: str, share: int, sparse: SparseSettings, exact: torch.Tensor, found: torch.Tensor
) -> dict[str, Any]:
    return {
        "chosen_by": name,
        "every_token": sparse.reuse_steps == 1,
        "budget_share": share,
        "budget": sparse.budget,
        "kl": float((exact.exp() * (exact - found)).sum(-1).mean()),
        "top1_same": float((exact.argmax(-1) == found.argmax(-1)).float().mean()),
    }


def _log_probabilities(
    parts: EngineParts, prefix: TieredCache, token_ids: Sequence[int], cancel: CancelToken
) -> torch.Tensor:
    branch, rows = prefix.branch(), []
    for token_id in token_ids:
        cancel.raise_if_cancelled()
        rows.append(parts.runner.step(torch.tensor([token_id]), branch).float().log_softmax(-1).cpu())
    branch.close()
    return torch.stack(rows)


def _digest_share(prefix: TieredCache) -> float:
    """The bytes of the digest's codes beside those of the keys in fp16."""
    twin = _sparse_twin(prefix, SparseSettings(), SparseIndex)
    reader = next(layer.sparse for layer in twin.tiered_layers if layer.sparse is not None)
    digest, shape = reader.index.digest, reader.index.store.shape
    twin.close()
    return digest.codes.nbytes / (digest.num_tokens * shape.num_kv_heads * shape.k_dim * _FP16_BYTES)
