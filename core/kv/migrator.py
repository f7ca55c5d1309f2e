"""Moves blocks between the tiers of one layer; what to move is decided in `core.kv.policy`."""

from collections.abc import Mapping, Sequence

import torch

from core.kv.block import SealedBlock
from core.kv.cold_tier import ColdTier
from core.kv.hot_tier import HotTier
from core.kv.policy import evictions, most_retrieved, recent_window
from core.kv.traffic import TrafficMeter


class Migrator:
    """Executes moves and keeps the list of residents, longest resident first."""

    def __init__(self, cold: ColdTier, hot: HotTier, traffic: TrafficMeter) -> None:
        self._cold = cold
        self._hot = hot
        self._traffic = traffic
        self._residents: dict[SealedBlock, None] = {}

    @property
    def num_residents(self) -> int:
        return len(self._residents)

    def store(self, encoded: torch.Tensor) -> list[SealedBlock]:
        """Write new blocks `(num_blocks, block_bytes)` through to the cold tier, the newest also to the hot.

        Each byte goes to the host once, here, and never again.
        """
        blocks = [SealedBlock(row) for row in self._cold.allocate(encoded.shape[0])]
        try:
            self._fill(blocks, encoded)
        except BaseException:
            self.release(blocks)
            raise
        return blocks

    def _fill(self, blocks: list[SealedBlock], encoded: torch.Tensor) -> None:
        done = 0
        for run in self.cold_runs(blocks):
            self._cold.rows_tensor(run[0].cold_row, len(run)).copy_(encoded[done : done + len(run)])
            done += len(run)
        self._traffic.count_store(encoded.numel())
        newest = recent_window(blocks, self._hot.num_rows)
        self._make_room(len(newest), newest)
        for block, source in zip(newest, encoded[len(blocks) - len(newest) :], strict=True):
            self._load(block, source)

    def promote(self, sequence: Sequence[SealedBlock]) -> None:
        """Make the newest blocks of `sequence` resident, as many as there are slots."""
        self._make_resident(recent_window(sequence, self._hot.num_rows))

    def rebalance(self, demand: Mapping[SealedBlock, int]) -> int:
        """Let the blocks in greatest `demand` (bytes read of each lately) be resident; the bytes moved."""
        wanted = most_retrieved(list(self._residents), demand, self._hot.num_rows, self._cold.block_bytes)
        return self._make_resident(wanted)

    def release(self, blocks: Sequence[SealedBlock]) -> None:
        """One owner of `blocks` lets go; those without owners leave every tier."""
        for block in blocks:
            block.num_owners -= 1
        orphans = [block for block in blocks if block.num_owners == 0]
        self._evict([block for block in orphans if block.is_resident])
        self._cold.free([block.cold_row for block in orphans])

    def evict_all(self) -> None:
        """Let no block be resident."""
        self._evict(list(self._residents))

    def cold_runs(self, blocks: Sequence[SealedBlock]) -> list[list[SealedBlock]]:
        """`blocks` split into runs that lie contiguously in the cold tier."""
        runs: list[list[SealedBlock]] = []
        for block in blocks:
            if runs and self._cold.are_neighbours(runs[-1][-1].cold_row, block.cold_row):
                runs[-1].append(block)
            else:
                runs.append([block])
        return runs

    def check_integrity(self) -> None:
        slots = [block.hot_slot for block in self._residents]
        assert None not in slots, "a resident has a slot"
        assert len(slots) == len(set(slots)) == self._hot.num_used, "every used slot has one resident"
        self._cold.check_integrity()
        self._hot.check_integrity()

    def _make_resident(self, wanted: Sequence[SealedBlock]) -> int:
        """Bring over what is missing of `wanted`, which fits the hot tier; the bytes moved."""
        missing = [block for block in wanted if not block.is_resident]
        self._make_room(len(missing), wanted)
        for block in missing:
            self._load(block, self._cold.rows_tensor(block.cold_row, 1)[0])
            self._traffic.count_load(self._cold.block_bytes)
        return len(missing) * self._cold.block_bytes

    def _make_room(self, num_needed: int, wanted: Sequence[SealedBlock]) -> None:
        shortfall = num_needed - self._hot.num_free
        self._evict(evictions(list(self._residents), wanted, shortfall))

    def _load(self, block: SealedBlock, source: torch.Tensor) -> None:
        (slot,) = self._hot.allocate(1)
        try:
            self._hot.rows_tensor(slot, 1)[0].copy_(source)
        except BaseException:
            self._hot.complete_load([slot])
            self._hot.free([slot])
            raise
        self._hot.complete_load([slot])
        block.hot_slot = slot
        self._residents[block] = None

    def _evict(self, blocks: Sequence[SealedBlock]) -> None:
        slots = [block.hot_slot for block in blocks if block.hot_slot is not None]
        for block in blocks:
            block.hot_slot = None
            del self._residents[block]
        self._hot.free(slots)
