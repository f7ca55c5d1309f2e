"""The cold tier: sealed blocks in host memory, in slabs that come and go with their blocks."""

import torch

from core.kv.memory import allocate_rows
from core.kv.tier import Tier

_MIN_SLAB_BYTES = 1 << 20


class ColdTier(Tier):
    """Grows by slabs of at least 1 MiB; a slab whose rows are all free goes back to the system."""

    def __init__(self, block_bytes: int, *, pinned: bool = False) -> None:
        super().__init__(block_bytes)
        self._pinned = pinned
        rows = max(4, _MIN_SLAB_BYTES // block_bytes)
        self._slab_rows = 1 << (rows - 1).bit_length()
        self._slabs: dict[int, torch.Tensor] = {}
        self._free_rows: dict[int, list[int]] = {}

    @property
    def num_rows(self) -> int:
        return len(self._slabs) * self._slab_rows

    @property
    def num_free(self) -> int:
        return sum(len(rows) for rows in self._free_rows.values())

    def allocate(self, count: int) -> list[int]:
        rows: list[int] = []
        for slab in list(self._free_rows):
            free = self._free_rows[slab]
            taken = min(count - len(rows), len(free))
            rows += free[:taken]
            del free[:taken]
        while len(rows) < count:
            fresh = self._add_slab()
            taken = min(count - len(rows), len(fresh))
            rows += fresh[:taken]
            del fresh[:taken]
        return rows

    def free(self, rows: list[int]) -> None:
        for row in rows:
            self._free_rows[row // self._slab_rows].append(row)
        for slab in {row // self._slab_rows for row in rows}:
            self._free_rows[slab].sort()
            if len(self._free_rows[slab]) == self._slab_rows:
                del self._free_rows[slab], self._slabs[slab]

    def rows_tensor(self, first: int, count: int) -> torch.Tensor:
        offset = first % self._slab_rows
        return self._slabs[first // self._slab_rows][offset : offset + count]

    def are_neighbours(self, row: int, next_row: int) -> bool:
        return next_row == row + 1 and next_row % self._slab_rows != 0

    def check_integrity(self) -> None:
        assert self._slabs.keys() == self._free_rows.keys(), "every slab has a list of its free rows"
        for slab, free in self._free_rows.items():
            assert len(free) == len(set(free)) < self._slab_rows, "no row is free twice, no slab is empty"
            assert all(row // self._slab_rows == slab for row in free), "free rows belong to their slab"

    def _add_slab(self) -> list[int]:
        slab = next(index for index in range(len(self._slabs) + 1) if index not in self._slabs)
        self._slabs[slab] = allocate_rows(
            self._slab_rows, self.block_bytes, torch.device("cpu"), pinned=self._pinned
        )
        first = slab * self._slab_rows
        self._free_rows[slab] = list(range(first, first + self._slab_rows))
        return self._free_rows[slab]
