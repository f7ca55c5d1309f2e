"""The tiers of one layer, and how its blocks are read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, groupby

import torch

from core.errors import DamagedCacheError
from core.kv.block import SealedBlock
from core.kv.codec import Codec
from core.kv.cold_tier import ColdTier
from core.kv.host_memory import HostMemory
from core.kv.hot_tier import HotTier
from core.kv.mapped_blocks import MappedBlocks
from core.kv.migrator import Migrator
from core.kv.narrow import is_narrower, largest
from core.kv.scheme import UnitIndex, in_words
from core.kv.streamer import Load, Streamer
from core.kv.traffic import TrafficMeter

SEGMENT_BLOCKS = 64


class LayerStore:
    """The hot tier, the cold tier and the codec of one layer.

    With a `streamer` cold blocks are brought to the compute device to be read; without one they are read
    where they are, which is for host memory that the compute device reads itself.
    """

    def __init__(
        self,
        codec: Codec,
        num_slots: int,
        device: torch.device,
        traffic: TrafficMeter,
        memory: HostMemory | None = None,
        streamer: Streamer | None = None,
    ) -> None:
        self.shape = codec.shape
        self.codec = codec
        self.cold = ColdTier(self.codec.block_bytes, memory)
        self.hot = HotTier(self.codec.block_bytes, num_slots, device)
        self._migrator = Migrator(self.cold, self.hot, traffic)
        self._traffic = traffic
        self._streamer = streamer
        self._demand: dict[SealedBlock, int] = {}
        self._peak: torch.Tensor | None = None

    @property
    def num_residents(self) -> int:
        return self._migrator.num_residents

    def seal(self, key: torch.Tensor, value: torch.Tensor) -> list[SealedBlock]:
        """Encode and store full blocks, `key` `(num_blocks, num_kv_heads, num_tokens, k_dim)` and `value`."""
        return self._migrator.store(self.codec.encode(key, value))

    def adopt(self, blocks: MappedBlocks) -> list[SealedBlock]:
        """Blocks that lie in a file. Raises `DamagedCacheError` if they are not of this layer's size."""
        if blocks.tensor.shape[1] != self.codec.block_bytes:
            raise DamagedCacheError.of("its blocks are of another size")
        return [SealedBlock(row) for row in self.cold.adopt(blocks)]

    def host_rows(self, blocks: Sequence[SealedBlock]) -> list[torch.Tensor]:
        """The bytes of `blocks` in the cold tier, uint8 `(num_blocks, block_bytes)` each, in order."""
        return self._cold_pieces(blocks)

    def watch_range(self, key: torch.Tensor, value: torch.Tensor) -> None:
        """Remember the largest number among new `key` and `value` where the stored type may not hold it.

        It stays on the compute device: nothing waits for it.
        """
        if key.is_meta or not is_narrower(self.shape.dtype, key.dtype):
            return
        peaks = [values.abs().amax().float() for values in (key, value) if values.numel()]
        if self._peak is not None:
            peaks.append(self._peak)
        self._peak = torch.stack(peaks).amax() if peaks else None

    @property
    def was_cut(self) -> bool:
        """Whether keys or values were beyond the range of the stored type and were cut to it."""
        return self._peak is not None and float(self._peak) > largest(self.shape.dtype)

    def remember_cut(self) -> None:
        """Numbers were cut when blocks that came from a file were made."""
        self._peak = torch.tensor(float("inf"), device=self.hot.device)

    def segments(self, blocks: Sequence[SealedBlock]) -> Iterator[Sequence[SealedBlock]]:
        """`blocks` in runs of up to `SEGMENT_BLOCKS`.

        How a sequence is cut depends on its length alone, never on where its blocks live: so results do
        not either.
        """
        for start in range(0, len(blocks), SEGMENT_BLOCKS):
            yield blocks[start : start + SEGMENT_BLOCKS]

    @contextmanager
    def reading(self, segment: Sequence[SealedBlock]) -> Iterator[list[tuple[torch.Tensor, torch.Tensor]]]:
        """K and V of a segment on the compute device, in order, in pieces as they lie there.

        Each piece is `key` `(num_blocks, num_kv_heads, num_tokens, k_dim)` and the like-shaped `value`. The
        pieces are valid inside the `with` block: computation on them must be issued there.
        """
        load = self.load_of(segment)
        if load is None:
            yield [self.codec.decode(piece) for piece in self._pieces(segment, None)]
            return
        assert self._streamer is not None
        rows = self._streamer.take(load).view(-1, self.codec.block_bytes)
        try:
            yield [self.codec.decode(piece) for piece in self._pieces(segment, rows)]
        finally:
            self._streamer.give_back()

    def load_of(self, segment: Sequence[SealedBlock]) -> Load | None:
        """What has to be brought over before `segment` can be read; None if nothing has to."""
        cold = [block for block in segment if not block.is_resident]
        if self._streamer is None or not cold:
            return None
        return Load(
            key=tuple(block.serial for block in cold),
            num_bytes=len(cold) * self.codec.block_bytes,
            pieces=lambda: self._cold_pieces(cold),
        )

    def read_units(
        self,
        blocks: Sequence[SealedBlock],
        position: torch.Tensor,
        head: torch.Tensor,
        unit: torch.Tensor,
        unit_tokens: int,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """K and V `(num_units, unit_tokens, dim)` of chosen units, wherever their blocks live.

        Unit i is the `unit[i]`-th of head `head[i]` in `blocks[position[i]]`; only its bytes are moved. Those
        that come from the host come in one piece.
        """
        order = position.argsort()
        where = UnitIndex(position[order], head[order], unit[order], unit_tokens)
        parts = torch.cat(brought_to(position.device, list(self._take_units(blocks, where))))
        taken = in_words(parts)[order.argsort()].view(torch.uint8)
        return self.codec.decode_units(taken, unit_tokens)

    def count_kept_units(self, num_units: int, unit_tokens: int) -> None:
        """These units were asked for and are on the device already."""
        self._traffic.count_hot(num_units * self.codec.unit_bytes(unit_tokens))

    def share(self, blocks: Sequence[SealedBlock]) -> None:
        for block in blocks:
            block.num_owners += 1

    def release(self, blocks: Sequence[SealedBlock]) -> None:
        self._migrator.release(blocks)
        for block in blocks:
            if block.num_owners == 0:
                self._demand.pop(block, None)

    def give_up_hot(self) -> int:
        """Give the memory of the hot tier back, its blocks stay cold; returns how many slots it had."""
        self._migrator.evict_all()
        return self.hot.resize(0)

    def promote(self, sequence: Sequence[SealedBlock]) -> None:
        self._migrator.promote(sequence)

    def rebalance(self) -> int:
        """Make resident what chosen units were read from most; returns the bytes brought over.

        What was asked for before counts half as much each time.
        """
        moved = self._migrator.rebalance(self._demand)
        self._demand = {block: demand // 2 for block, demand in self._demand.items() if demand > 1}
        return moved

    def check_integrity(self) -> None:
        self._migrator.check_integrity()

    def _pieces(
        self, segment: Sequence[SealedBlock], streamed: torch.Tensor | None
    ) -> Iterator[torch.Tensor]:
        """The bytes of `segment` in order: views of the tiers, or of `streamed` for what was brought over."""
        done = 0
        for is_resident, run in groupby(segment, key=lambda block: block.is_resident):
            group = list(run)
            if is_resident:
                self._traffic.count_hot(len(group) * self.codec.block_bytes)
                yield from self._hot_pieces(group)
                continue
            self._traffic.count_load(len(group) * self.codec.block_bytes)
            if streamed is None:
                yield from self._cold_pieces(group)
            else:
                yield streamed[done : done + len(group)]
                done += len(group)

    def _take_units(self, blocks: Sequence[SealedBlock], where: UnitIndex) -> Iterator[torch.Tensor]:
        """The bytes of units that are sorted by block, in parts, each on the device where it lies."""
        unit_bytes = self.codec.unit_bytes(where.unit_tokens)
        for block, count in zip(blocks, where.block.bincount(minlength=len(blocks)).tolist(), strict=True):
            if count:
                self._demand[block] = self._demand.get(block, 0) + count * unit_bytes
                if not block.is_resident:
                    self.cold.require_intact(block.cold_row)
        pieces = list(self._located(blocks))
        starts = list(accumulate((piece.shape[0] for _, piece in pieces), initial=0))
        cuts = torch.searchsorted(where.block, where.block.new_tensor(starts)).tolist()
        for (is_resident, piece), start, first, last in zip(pieces, starts, cuts, cuts[1:], strict=False):
            if first == last:
                continue
            count = self._traffic.count_hot if is_resident else self._traffic.count_load
            count((last - first) * unit_bytes)
            yield self.codec.take_units(piece, where.part(first, last, start).to(piece.device))

    def _located(self, blocks: Sequence[SealedBlock]) -> Iterator[tuple[bool, torch.Tensor]]:
        """The bytes of `blocks` in order where they lie, unchecked, and whether that is the hot tier."""
        for is_resident, run in groupby(blocks, key=lambda block: block.is_resident):
            group = list(run)
            if is_resident:
                pieces = self._hot_pieces(group)
            else:
                runs = self._migrator.cold_runs(group)
                pieces = [self.cold.unchecked_rows_tensor(run[0].cold_row, len(run)) for run in runs]
            for piece in pieces:
                yield is_resident, piece

    def _cold_pieces(self, blocks: Sequence[SealedBlock]) -> list[torch.Tensor]:
        return [self.cold.rows_tensor(run[0].cold_row, len(run)) for run in self._migrator.cold_runs(blocks)]

    def _hot_pieces(self, blocks: list[SealedBlock]) -> list[torch.Tensor]:
        pieces: list[tuple[int, int]] = []
        for block in blocks:
            assert block.hot_slot is not None
            if pieces and sum(pieces[-1]) == block.hot_slot:
                pieces[-1] = (pieces[-1][0], pieces[-1][1] + 1)
            else:
                pieces.append((block.hot_slot, 1))
        return [self.hot.rows_tensor(first, count) for first, count in pieces]


def brought_to(device: torch.device, parts: list[torch.Tensor]) -> list[torch.Tensor]:
    """`parts` on `device`, in order; those from elsewhere come over in one piece."""
    foreign = [part for part in parts if part.device != device]
    if not foreign:
        return parts
    arrived = iter(torch.cat(foreign).to(device).split([part.shape[0] for part in foreign]))
    return [part if part.device == device else next(arrived) for part in parts]
