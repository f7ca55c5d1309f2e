"""The tiers of every layer, shared by all sequences of a model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import torch

from core.kv.block import DEFAULT_BLOCK_TOKENS, BlockShape, SealedBlock
from core.kv.codec import Codec
from core.kv.cold_tier import ColdTier
from core.kv.hot_tier import HotTier
from core.kv.migrator import Migrator
from core.kv.traffic import TrafficMeter

SEGMENT_BLOCKS = 64


@dataclass(frozen=True)
class KvSettings:
    """How the KV of a model is kept.

    `dtype` is that of unsealed KV and of the codec `none` (None: as computed); `codec` is one of
    `core.settings.KV_CODECS`. `hot_budget_bytes` bounds the copies of sealed blocks on the compute device,
    over all layers.
    """

    block_tokens: int = DEFAULT_BLOCK_TOKENS
    dtype: torch.dtype | None = None
    codec: str = "none"
    hot_budget_bytes: int = 0


class LayerStore:
    """The hot tier, the cold tier and the codec of one layer."""

    def __init__(self, codec: Codec, num_slots: int, device: torch.device, traffic: TrafficMeter) -> None:
        self.shape = codec.shape
        self.codec = codec
        self.cold = ColdTier(self.codec.block_bytes, pinned=device.type == "cuda")
        self.hot = HotTier(self.codec.block_bytes, num_slots, device)
        self._migrator = Migrator(self.cold, self.hot, traffic)
        self._device = device
        self._traffic = traffic

    @property
    def num_residents(self) -> int:
        return self._migrator.num_residents

    def seal(self, key: torch.Tensor, value: torch.Tensor) -> list[SealedBlock]:
        """Encode and store full blocks, `key` `(num_blocks, num_kv_heads, num_tokens, k_dim)` and `value`."""
        return self._migrator.store(self.codec.encode(key, value))

    def segments(self, blocks: Sequence[SealedBlock]) -> Iterator[Sequence[SealedBlock]]:
        """`blocks` in runs of up to `SEGMENT_BLOCKS`.

        How a sequence is cut depends on its length alone, never on where its blocks live: so results do
        not either.
        """
        for start in range(0, len(blocks), SEGMENT_BLOCKS):
            yield blocks[start : start + SEGMENT_BLOCKS]

    def read(self, blocks: Sequence[SealedBlock]) -> tuple[torch.Tensor, torch.Tensor]:
        """K and V of `blocks` side by side on the compute device.

        Returns `key` `(num_blocks, num_kv_heads, num_tokens, k_dim)` and the like-shaped `value`.
        """
        pieces = list(self._pieces(blocks))
        if len(pieces) == 1 and pieces[0].device == self._device:
            return self.codec.decode(pieces[0])
        staging = torch.empty(len(blocks), self.codec.block_bytes, dtype=torch.uint8, device=self._device)
        done = 0
        for piece in pieces:
            staging[done : done + piece.shape[0]].copy_(piece, non_blocking=True)
            done += piece.shape[0]
        return self.codec.decode(staging)

    def read_in_place(self, blocks: Sequence[SealedBlock]) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """As `read`, in pieces as they lie: only what is on another device is copied."""
        for piece in self._pieces(blocks):
            yield self.codec.decode(piece.to(self._device, non_blocking=True))

    def share(self, blocks: Sequence[SealedBlock]) -> None:
        for block in blocks:
            block.num_owners += 1

    def release(self, blocks: Sequence[SealedBlock]) -> None:
        self._migrator.release(blocks)

    def promote(self, sequence: Sequence[SealedBlock]) -> None:
        self._migrator.promote(sequence)

    def check_integrity(self) -> None:
        self._migrator.check_integrity()

    def _pieces(self, blocks: Sequence[SealedBlock]) -> Iterator[torch.Tensor]:
        """The bytes of `blocks`, in order, as views of the tier that each run of them is read from."""
        for is_resident, run in groupby(blocks, key=lambda block: block.is_resident):
            group = list(run)
            yield from self._hot_pieces(group) if is_resident else self._cold_pieces(group)

    def _cold_pieces(self, blocks: list[SealedBlock]) -> list[torch.Tensor]:
        self._traffic.count_load(len(blocks) * self.codec.block_bytes)
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


class KvStore:
    """One `LayerStore` for each tiered layer, made when the layer first sees keys."""

    def __init__(self, settings: KvSettings, num_layers: int) -> None:
        self.settings = settings
        self.traffic = TrafficMeter()
        self._num_layers = num_layers
        self._layers: dict[int, LayerStore] = {}

    @property
    def layers(self) -> tuple[LayerStore, ...]:
        return tuple(self._layers.values())

    @property
    def hot_bytes(self) -> int:
        """Bytes of resident blocks, over all layers."""
        return sum(layer.hot.num_used * layer.hot.block_bytes for layer in self.layers)

    @property
    def cold_bytes(self) -> int:
        """Bytes of sealed blocks in host memory, over all layers."""
        return sum(layer.cold.num_used * layer.cold.block_bytes for layer in self.layers)

    def layer(self, layer_idx: int, key: torch.Tensor, value: torch.Tensor) -> LayerStore:
        """The store of a layer whose keys and values look like these `(batch, num_kv_heads, n, dim)`."""
        if layer_idx not in self._layers:
            shape = BlockShape(
                num_kv_heads=key.shape[1],
                k_dim=key.shape[-1],
                v_dim=value.shape[-1],
                dtype=self.settings.dtype or key.dtype,
                num_tokens=self.settings.block_tokens,
            )
            codec = Codec(self.settings.codec, shape, key.dtype)
            self._layers[layer_idx] = LayerStore(codec, self._num_slots(codec), key.device, self.traffic)
        return self._layers[layer_idx]

    def check_integrity(self) -> None:
        for layer in self.layers:
            layer.check_integrity()

    def _num_slots(self, codec: Codec) -> int:
        return self.settings.hot_budget_bytes // self._num_layers // codec.block_bytes
