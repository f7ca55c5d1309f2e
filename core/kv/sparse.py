"""Sparse decoding of one layer: a digest of the prefix, and the units of it that are read now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from core.attention.select import LowRankDigest, choose, digest_of, unit_scores
from core.kv.block import SealedBlock
from core.kv.layer_store import LayerStore


@dataclass(frozen=True)
class SparseSettings:
    """How sparse decoding chooses. All sizes are in tokens.

    `budget` tokens of each layer and KV head are read beside the first `sinks`, the newest `recent` and
    what came after the prefix; the first `dense_layers` layers read everything. A choice serves
    `reuse_steps` tokens. `unit` tokens are chosen together.
    """

    budget: int = 4096
    sinks: int = 64
    recent: int = 512
    unit: int = 16
    reuse_steps: int = 4
    dense_layers: int = 2


class SparseIndex:
    """The digest of a prefix's sealed blocks in one layer; frozen, shared by all its branches."""

    def __init__(self, store: LayerStore, blocks: Sequence[SealedBlock], settings: SparseSettings) -> None:
        self.store = store
        self.settings = settings
        self.blocks = tuple(blocks)
        self.digest: LowRankDigest = digest_of(self._key_batches)

    def active_region(self, num_tokens: int) -> range:
        """The blocks that are chosen from while the sequence holds `num_tokens`; all others are read whole.

        Empty if the budget takes all of them.
        """
        size = self.store.shape.num_tokens
        first = -(-self.settings.sinks // size)
        last = min(len(self.blocks), max(0, num_tokens - self.settings.recent) // size)
        region = range(first, max(first, last))
        return region if len(region) * size > self.settings.budget else range(first, first)

    def choose(self, query: torch.Tensor, region: range, scaling: float) -> torch.Tensor:
        """Units inside `region`, best for `query` `(num_kv_heads, group, k_dim)`.

        Returns int64 `(num_kv_heads, num_chosen)`, counted from the region's first token in units.
        """
        size, unit = self.store.shape.num_tokens, self.settings.unit
        part = LowRankDigest(
            self.digest.basis, self.digest.codes[:, region.start * size : region.stop * size]
        )
        units = unit_scores(part.scores(query) * scaling, unit)
        return choose(units, min(units.shape[-1], self.settings.budget // unit))

    def read(self, chosen: torch.Tensor, region: range) -> tuple[torch.Tensor, torch.Tensor]:
        """K and (still rotated) V `(1, num_kv_heads, num_chosen * unit, dim)` of the chosen units."""
        num_heads, num_chosen = chosen.shape
        per_block = self.store.shape.num_tokens // self.settings.unit
        units = chosen.flatten()
        heads = torch.arange(num_heads, device=chosen.device).repeat_interleave(num_chosen)
        blocks, unit = self.blocks[region.start : region.stop], self.settings.unit
        key, value = self.store.read_units(blocks, units // per_block, heads, units % per_block, unit)
        return (
            key.reshape(1, num_heads, -1, key.shape[-1]),
            value.reshape(1, num_heads, -1, value.shape[-1]),
        )

    def _key_batches(self) -> Iterator[torch.Tensor]:
        for segment in self.store.segments(self.blocks):
            with self.store.reading(segment) as pieces:
                for key, _ in pieces:
                    yield key.transpose(0, 1).flatten(1, 2)


class SparseReader:
    """What one branch reads of a `SparseIndex` now; the choice is renewed every few tokens."""

    def __init__(self, index: SparseIndex) -> None:
        self.index = index
        self._age = 0
        self._region = range(0)
        self._key = torch.empty(0)
        self._value = torch.empty(0)

    def branch(self) -> "SparseReader":
        """A reader for another branch, which chooses for itself."""
        return SparseReader(self.index)

    def read(
        self, query: torch.Tensor, num_tokens: int, scaling: float
    ) -> tuple[range, torch.Tensor, torch.Tensor] | None:
        """The region that is chosen from, and K and V of the choice; None if everything is within budget.

        `query` `(num_kv_heads, group, k_dim)` is that of the token at `num_tokens - 1`.
        """
        region = self.index.active_region(num_tokens)
        if not region:
            return None
        if self._age == 0 or region != self._region:
            chosen = self.index.choose(query, region, scaling)
            self._key, self._value = self.index.read(chosen, region)
            self._region, self._age = region, 0
        self._age = (self._age + 1) % self.index.settings.reuse_steps
        return region, self._key, self._value
