"""The keys and values that sparse decoding of one layer reads, side by side on the compute device."""

from collections.abc import Sequence

import torch

from core.attention.over_tiers import side_by_side
from core.kv.block import SealedBlock
from core.kv.layer_store import LayerStore
from core.kv.scheme import in_words


class WorkingSet:
    """Chosen units of a prefix, then whole blocks; a new choice brings over only what it adds.

    `key` and `value` `(1, num_kv_heads, num_tokens, dim)` are decoded, values still rotated. The order of
    the chosen units is that of their coming: it depends on the choices made, never on where blocks live.
    """

    def __init__(self, store: LayerStore, prefix: Sequence[SealedBlock], unit_tokens: int) -> None:
        self._store = store
        self._prefix = prefix
        self._unit_tokens = unit_tokens
        self._units_per_block = store.shape.num_tokens // unit_tokens
        self._units: torch.Tensor | None = None
        self._whole: list[SealedBlock] = []
        self.key = torch.empty(0)
        self.value = torch.empty(0)

    def choose(self, units: torch.Tensor) -> None:
        """Read these units, int64 `(num_kv_heads, num_chosen)` counted from the prefix's first token."""
        if self._units is None or self._units.shape != units.shape:
            self._start_with(units)
            return
        stays, is_new = self._compare(units)
        # A head loses as many units as it gains: both lists run through the heads in step.
        head, place = (~stays).nonzero(as_tuple=True)
        gained = units[is_new]
        self._store.count_kept_units(units.numel() - gained.numel(), self._unit_tokens)
        if gained.numel():
            key, value = self._read(gained, head)
            self._units[head, place] = gained
            self._replace(self.key, head, place, key)
            self._replace(self.value, head, place, value)

    def keep_whole(self, blocks: list[SealedBlock]) -> None:
        """Read `blocks` beside the chosen units, all of their tokens."""
        if blocks == self._whole:
            return
        grows = blocks[: len(self._whole)] == self._whole
        num_kept = self.key.shape[-2] if grows else self._num_chosen_tokens
        keys, values = [self.key[:, :, :num_kept]], [self.value[:, :, :num_kept]]
        for segment in self._store.segments(blocks[len(self._whole) if grows else 0 :]):
            with self._store.reading(segment) as pieces:
                key, value = side_by_side(pieces)
            keys.append(key)
            values.append(value)
        self.key, self.value = torch.cat(keys, dim=-2), torch.cat(values, dim=-2)
        self._whole = blocks

    @property
    def _num_chosen_units(self) -> int:
        assert self._units is not None, "units are chosen first"
        return self._units.shape[1]

    @property
    def _num_chosen_tokens(self) -> int:
        return self._num_chosen_units * self._unit_tokens

    def _start_with(self, units: torch.Tensor) -> None:
        num_heads, num_chosen = units.shape
        heads = torch.arange(num_heads, device=units.device).repeat_interleave(num_chosen)
        key, value = self._read(units.flatten(), heads)
        self._units, self._whole = units.clone(), []
        self.key = key.reshape(1, num_heads, -1, key.shape[-1])
        self.value = value.reshape(1, num_heads, -1, value.shape[-1])

    def _compare(self, units: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Which of the present units stay and which of `units` are new, both boolean, shaped like `units`."""
        assert self._units is not None, "there is a choice to compare with"
        sizes = (2, units.shape[0], len(self._prefix) * self._units_per_block)
        present, wanted = units.new_zeros(sizes, dtype=torch.bool)
        present.scatter_(1, self._units, value=True)
        wanted.scatter_(1, units, value=True)
        return wanted.gather(1, self._units), ~present.gather(1, units)

    def _read(self, units: torch.Tensor, heads: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """K and V `(num_units, unit_tokens, dim)` of units of the prefix, unit i of head `heads[i]`."""
        position, place = units // self._units_per_block, units % self._units_per_block
        return self._store.read_units(self._prefix, position, heads, place, self._unit_tokens)

    def _replace(
        self, held: torch.Tensor, head: torch.Tensor, place: torch.Tensor, units: torch.Tensor
    ) -> None:
        """Put `units` `(num_units, unit_tokens, dim)` into `held`, `key` or `value`, at `place` of `head`."""
        chosen = held[0, :, : self._num_chosen_tokens].view(held.shape[1], self._num_chosen_units, -1)
        in_words(chosen)[head, place] = in_words(units.flatten(1))
