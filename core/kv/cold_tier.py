"""The cold tier: sealed blocks in host memory, in slabs that come and go with their blocks."""

from bisect import bisect_right

import torch

from core.kv.host_memory import HostMemory, HostRegion
from core.kv.mapped_blocks import MappedBlocks
from core.kv.slab_sizes import slab_rows
from core.kv.tier import Tier


class ColdTier(Tier):
    """Grows by slabs; one whose rows are all free goes back to the system.

    Blocks that were announced by `expect` share one slab. Without that, slabs are a multiple of the memory's
    unit and later ones larger, so that a long document does not need tens of thousands of them and at most
    about an eighth of the memory stands empty. A slab is known by its first row; rows are not used again
    after it. Slabs that are maps of a file (`adopt`) are read only: their rows are used from the first and
    never again.
    """

    def __init__(self, block_bytes: int, memory: HostMemory | None = None) -> None:
        super().__init__(block_bytes)
        self._memory = memory or HostMemory()
        self._next_row = 0
        self._num_expected = 0
        self._starts: list[int] = []
        self._regions: dict[int, HostRegion | MappedBlocks] = {}
        self._maps: dict[int, MappedBlocks] = {}
        self._slabs: dict[int, torch.Tensor] = {}
        self._free_rows: dict[int, list[int]] = {}

    @property
    def num_rows(self) -> int:
        return self.num_mapped + sum(
            slab.shape[0] for first, slab in self._slabs.items() if first not in self._maps
        )

    @property
    def num_free(self) -> int:
        return sum(len(rows) for slab, rows in self._free_rows.items() if slab not in self._maps)

    @property
    def num_mapped(self) -> int:
        """Used rows that lie in a file and take no host memory of their own."""
        return sum(self._slabs[slab].shape[0] - len(self._free_rows[slab]) for slab in self._maps)

    def expect(self, num_blocks: int) -> None:
        """So many blocks will be allocated from now on; memory for them is taken when the first one comes."""
        self._num_expected = num_blocks

    def adopt(self, blocks: MappedBlocks) -> list[int]:
        """Let a map be a slab; all its rows, which are used from now on."""
        slab = self._list_slab(blocks, blocks.tensor, free=[])
        self._maps[slab] = blocks
        return list(range(slab, slab + blocks.tensor.shape[0]))

    def allocate(self, count: int) -> list[int]:
        rows: list[int] = []
        try:
            for slab in [slab for slab in self._free_rows if slab not in self._maps]:
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
                self._maps.pop(slab, None)
                self._regions.pop(slab).free()

    def rows_tensor(self, first: int, count: int) -> torch.Tensor:
        """As `Tier.rows_tensor`. Raises `DamagedCacheError` for rows of a file that has changed."""
        self.require_intact(first, count)
        return self.unchecked_rows_tensor(first, count)

    def require_intact(self, first: int, count: int = 1) -> None:
        """Check neighbouring rows that lie in a file; free for all others. Raises `DamagedCacheError`."""
        if self._maps:
            slab = self._slab_of(first)
            if slab in self._maps:
                self._maps[slab].require_intact(first - slab, count)

    def give_back_maps(self) -> None:
        """Nothing of mapped files stays in this process's memory until it is read again."""
        for blocks in self._maps.values():
            blocks.give_back()

    def unchecked_rows_tensor(self, first: int, count: int) -> torch.Tensor:
        """For callers that read a part of the rows and call `require_intact` for that part."""
        slab = self._slab_of(first)
        return self._slabs[slab][first - slab : first - slab + count]

    def are_neighbours(self, row: int, next_row: int) -> bool:
        return next_row == row + 1 and next_row not in self._slabs

    def check_integrity(self) -> None:
        assert self._slabs.keys() == self._free_rows.keys() == set(self._starts), "every slab is listed"
        assert self._slabs.keys() == self._regions.keys(), "every slab has its memory"
        assert self._starts == sorted(self._starts), "slabs are listed in order"
        assert self._maps.keys() <= self._slabs.keys(), "every map is a slab"
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
        with torch.inference_mode(mode=False):
            tensor = region.tensor.view(num_rows, self.block_bytes)
        return self._list_slab(region, tensor, free=list(range(self._next_row, self._next_row + num_rows)))

    def _list_slab(self, region: HostRegion | MappedBlocks, tensor: torch.Tensor, free: list[int]) -> int:
        slab, self._next_row = self._next_row, self._next_row + tensor.shape[0]
        self._slabs[slab], self._regions[slab], self._free_rows[slab] = tensor, region, free
        self._starts.append(slab)
        return slab
