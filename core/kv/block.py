"""A block: a fixed number of consecutive tokens of one layer, K and V of all its KV heads."""

import itertools
from dataclasses import dataclass, field

import torch

DEFAULT_BLOCK_TOKENS = 64


@dataclass(frozen=True)
class BlockShape:
    """The shape of one layer's blocks; K and V may differ in size. `dtype` is that of the stored KV."""

    num_kv_heads: int
    k_dim: int
    v_dim: int
    dtype: torch.dtype
    num_tokens: int = DEFAULT_BLOCK_TOKENS

    @property
    def k_bytes(self) -> int:
        return self.num_kv_heads * self.num_tokens * self.k_dim * self.dtype.itemsize

    @property
    def v_bytes(self) -> int:
        return self.num_kv_heads * self.num_tokens * self.v_dim * self.dtype.itemsize

    @property
    def bytes_per_token(self) -> int:
        return (self.k_bytes + self.v_bytes) // self.num_tokens


@dataclass(eq=False, slots=True)
class SealedBlock:
    """A full, immutable block: its row in the cold tier, its slot in the hot tier if it is resident.

    `num_owners` counts the sequences that hold it; the block is freed when the last one lets go. `serial`
    is its own for the life of the program, while rows and slots are used again.
    """

    cold_row: int
    hot_slot: int | None = None
    num_owners: int = 1
    serial: int = field(default_factory=itertools.count().__next__)

    @property
    def is_resident(self) -> bool:
        return self.hot_slot is not None
