"""Sparse decoding of one layer: a digest of the prefix, and what one branch reads of it now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from core.attention.over_tiers import View, as_stored
from core.attention.select import LowRankDigest, choose, digest_of
from core.kv.block import SealedBlock
from core.kv.layer_store import LayerStore
from core.kv.working_set import WorkingSet


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
    """The digest of a prefix's sealed blocks in one layer; frozen, shared by all its branches.

    `view` makes keys and values of what the layer stores; `k_dim` below is that of its result.
    """

    def __init__(
        self,
        store: LayerStore,
        blocks: Sequence[SealedBlock],
        settings: SparseSettings,
        view: View = as_stored,
        digest: LowRankDigest | None = None,
    ) -> None:
        """Without a `digest`, which must be that of just these blocks, one is made: all keys are read."""
        self.store = store
        self.settings = settings
        self._view = view
        self.blocks = tuple(blocks)
        self.digest: LowRankDigest = digest_of(self._key_batches) if digest is None else digest

    def active_region(self, num_tokens: int) -> range:
        """The blocks that are chosen from while the sequence holds `num_tokens`; all others are read whole.

        Empty if the budget takes all of them.
        """
        size = self.store.shape.num_tokens
        first = -(-self.settings.sinks // size)
        last = min(len(self.blocks), max(0, num_tokens - self.settings.recent) // size)
        region = range(first, max(first, last))
        return region if len(region) * size > self.settings.budget else range(first, first)

    def choose(self, queries: torch.Tensor, region: range, scaling: float) -> torch.Tensor:
        """Units inside `region`, best for `queries` `(num_kv_heads, rows, k_dim)`.

        Returns int64 `(num_kv_heads, num_chosen)`, counted from the prefix's first token in units.
        """
        size, unit = self.store.shape.num_tokens, self.settings.unit
        first, last = region.start * size, region.stop * size
        mass = self.digest.unit_mass(queries * scaling, unit, first, last)
        return choose(mass, min(mass.shape[-1], self.settings.budget // unit)) + first // unit

    def _key_batches(self) -> Iterator[torch.Tensor]:
        for segment in self.store.segments(self.blocks):
            with self.store.reading(segment) as pieces:
                for piece in pieces:
                    key, _ = self._view(*piece)
                    yield key.transpose(0, 1).flatten(1, 2)


class SparseReader:
    """What one branch reads of a `SparseIndex` now; the choice is renewed every few tokens."""

    def __init__(self, index: SparseIndex) -> None:
        self.index = index
        self._age = 0
        self._region = range(0)
        self._set: WorkingSet | None = None

    def branch(self) -> "SparseReader":
        """A reader for another branch, which chooses for itself."""
        return SparseReader(self.index)

    def chooses(self, num_tokens: int) -> bool:
        """Whether a sequence of `num_tokens` is read in part."""
        return bool(self.index.active_region(num_tokens))

    def read(
        self, query: torch.Tensor, blocks: Sequence[SealedBlock], num_tokens: int, scaling: float
    ) -> tuple[torch.Tensor, torch.Tensor] | None:
        """K and (still rotated) V, as stored, `(1, num_kv_heads, n, dim)`, of what is read of `blocks` now.

        None if everything is within budget. `query` `(num_kv_heads, group, k_dim)` is that of the token at
        `num_tokens - 1`, `blocks` are all that the sequence has sealed.
        """
        region = self.index.active_region(num_tokens)
        if not region:
            return None
        if self._set is None:
            self._set = WorkingSet(self.index.store, self.index.blocks, self.index.settings.unit)
        if self._age == 0 or region != self._region:
            self._set.choose(self.index.choose(query, region, scaling))
            self._region, self._age = region, 0
        self._age = (self._age + 1) % self.index.settings.reuse_steps
        self._set.keep_whole([*blocks[: region.start], *blocks[region.stop :]])
        return self._set.key, self._set.value
