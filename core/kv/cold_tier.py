"""The cold tier: sealed blocks in host memory, in slabs that come and go with their blocks."""

from bisect import bisect_right

import torch

from core.kv.host_memory import HostMemory, HostRegion
from core.kv.slab_sizes import slab_rows
from core.kv.tier import Tier


class ColdTier(Tier):
    """Grows by slabs; one whose rows are all free goes back to the system.

    Blocks that were announced by `expect` share one slab. Without that, slabs are a multiple of the memory's
    unit and later ones larger, so that a long document does not need tens of thousands of them and at most
    about an eighth of the memory stands empty. A slab is known by its first row; rows are not used again
    after it.
    """

    def __init__(self, block_bytes: int, memory: HostMemory | None = None) -> None:
        super().__init__(block_bytes)
        self._memory = memory or HostMemory()
        self._next_row = 0
        self._num_expected = 0
        self._starts: list[int] = []
        self._regions: dict[int, HostRegion] = {}
        self._slabs: dict[int, torch.Tensor] = {}
        self._free_rows: dict[int, list[int]] = {}

    @property
    def num_rows(self) -> int:
        return sum(slab.shape[0] for slab in self._slabs.values())

    @property
    def num_free(self) -> int:
        return sum(len(rows) for rows in self._free_rows.values())

    def expect(self, num_blocks: int) -> None:
        """So many blocks will be allocated from now on; memory for them is taken when the first one comes."""
        self._num_expected = num_blocks

    def allocate(self, count: int) -> list[int]:
        rows: list[int] = []
        try:
            for slab in list(self._free_rows):
                self._take(slab, rows, count)
            while len(rows) < count:
                self._take(self._add_slab(), rows, count)
        except BaseException:
            self.free(rows)
            raise
        return rows

    def free(self, rows: list[int]) -> None:
        for row in rows:
            self._free_rows[self._slab_of(row)].append(row)
        for slab in {self._slab_of(row) for row in rows}:
            self._free_rows[slab].sort()
            if len(self._free_rows[slab]) == self._slabs[slab].shape[0]:
                self._starts.remove(slab)
                del self._free_rows[slab], self._slabs[slab]
                self._regions.pop(slab).free()

    def rows_tensor(self, first: int, count: int) -> torch.Tensor:
        slab = self._slab_of(first)
        return self._slabs[slab][first - slab : first - slab + count]

    def are_neighbours(self, row: int, next_row: int) -> bool:
        return next_row == row + 1 and next_row not in self._slabs

    def check_integrity(self) -> None:
        assert self._slabs.keys() == self._free_rows.keys() == set(self._starts), "every slab is listed"
        assert self._slabs.keys() == self._regions.keys(), "every slab has its memory"
        assert self._starts == sorted(self._starts), "slabs are listed in order"
        for slab, free in self._free_rows.items():
            assert len(free) == len(set(free)) < self._slabs[slab].shape[0], (
                "no row is free twice, no slab is empty"
            )
            assert all(self._slab_of(row) == slab for row in free), "free rows belong to their slab"

    def _take(self, slab: int, rows: list[int], count: int) -> None:
        """Move free rows of a slab to `rows` until there are `count`."""
        free = self._free_rows[slab]
        taken = min(count - len(rows), len(free))
        rows += free[:taken]
        del free[:taken]

    def _slab_of(self, row: int) -> int:
        return self._starts[bisect_right(self._starts, row) - 1]

    def _add_slab(self) -> int:
        num_rows = self._num_expected or slab_rows(
            self.block_bytes, self._memory.unit_bytes, len(self._slabs)
        )
        region = self._memory.allocate(num_rows * self.block_bytes)
        self._num_expected = 0
        slab, self._next_row = self._next_row, self._next_row + num_rows
        with torch.inference_mode(mode=False):
            self._slabs[slab] = region.tensor.view(num_rows, self.block_bytes)
        self._regions[slab] = region
        self._free_rows[slab] = list(range(slab, slab + num_rows))
        self._starts.append(slab)
        return slab
