"""The hot tier: copies of sealed blocks on the compute device, within a byte budget."""

import torch

from core.errors import DoesNotFitError
from core.kv.memory import allocate_rows
from core.kv.tier import Tier


class HotTier(Tier):
    """A number of slots on `device`, allocated at once so that nothing grows later; it can only be replaced.

    Loading has two phases: `allocate` reserves slots whose bytes are not valid yet, `complete_load` makes
    them valid. A slot in flight cannot be freed.
    """

    def __init__(self, block_bytes: int, num_slots: int, device: torch.device) -> None:
        super().__init__(block_bytes)
        self.device = device
        self._pool = allocate_rows(num_slots, block_bytes, device)
        self._free = list(range(num_slots))
        self._in_flight: set[int] = set()

    @property
    def num_rows(self) -> int:
        return self._pool.shape[0]

    @property
    def num_free(self) -> int:
        return len(self._free)

    def allocate(self, count: int) -> list[int]:
        if count > len(self._free):
            raise DoesNotFitError(
                "The hot tier is full", f"{count} slots were asked for and {len(self._free)} are free."
            )
        rows = self._free[:count]
        del self._free[:count]
        self._in_flight.update(rows)
        return rows

    def complete_load(self, rows: list[int]) -> None:
        """The bytes of `rows` have arrived; from now on attention may read them."""
        self._in_flight.difference_update(rows)

    def free(self, rows: list[int]) -> None:
        assert self._in_flight.isdisjoint(rows), "a slot in flight cannot be freed"
        self._free += rows
        self._free.sort()

    def resize(self, num_slots: int) -> int:
        """Replace the slots, none of which is used, by `num_slots`; returns how many there were.

        The old memory goes before the new one is taken. If that cannot be had, there are no slots left.
        """
        assert self.num_used == 0, "blocks leave before their slots do"
        before = self.num_rows
        self._free = []
        self._pool = self._pool.new_empty(0, self.block_bytes)
        if num_slots:
            self._pool = allocate_rows(num_slots, self.block_bytes, self.device)
            self._free = list(range(num_slots))
        return before

    def rows_tensor(self, first: int, count: int) -> torch.Tensor:
        return self._pool[first : first + count]

    def are_neighbours(self, row: int, next_row: int) -> bool:
        return next_row == row + 1

    def check_integrity(self) -> None:
        assert len(self._free) == len(set(self._free)), "no slot is free twice"
        assert self._in_flight.isdisjoint(self._free), "no slot is free and in flight"
