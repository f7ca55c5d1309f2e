"""The contract of a scheme: how one tensor of a block, K or V, becomes bytes.

A scheme sees `(num_blocks, num_kv_heads, num_tokens, dim)` and gives uint8 `(num_blocks, size_bytes)`. Its
implementations are in `core.kv.schemes`.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class TensorShape:
    """The K or V of one block; `dtype` is what decoding gives."""

    num_kv_heads: int
    num_tokens: int
    dim: int
    dtype: torch.dtype

    @property
    def num_values(self) -> int:
        return self.num_kv_heads * self.num_tokens * self.dim

    @property
    def sizes(self) -> tuple[int, int, int]:
        return self.num_kv_heads, self.num_tokens, self.dim


@dataclass(frozen=True)
class UnitIndex:
    """Units to take: `block[i]` is the row of unit i, `head[i]` its KV head, `unit[i]` its place in the row.

    All three are int64 `(num_units,)`; `unit_tokens` divides the block's tokens.
    """

    block: torch.Tensor
    head: torch.Tensor
    unit: torch.Tensor
    unit_tokens: int

    def part(self, first: int, last: int, first_block: int) -> "UnitIndex":
        """The units from `first` to before `last`, in rows counted from `first_block`."""
        block, head, unit = (x[first:last] for x in (self.block, self.head, self.unit))
        return UnitIndex(block - first_block, head, unit, self.unit_tokens)

    def to(self, device: torch.device) -> "UnitIndex":
        return UnitIndex(self.block.to(device), self.head.to(device), self.unit.to(device), self.unit_tokens)

    def take(self, bytes_of_rows: torch.Tensor, num_heads: int, num_tokens: int) -> torch.Tensor:
        """Of uint8 `(num_blocks, num_heads * num_tokens * n)` the chosen `(num_units, unit_tokens * n)`."""
        num_places = num_tokens // self.unit_tokens
        rows = in_words(shaped(bytes_of_rows, 1, (num_heads, num_places, -1)))
        return rows[self.block, self.head, self.unit].view(torch.uint8)


class Scheme(ABC):
    """Encodes and decodes K or V of one shape."""

    def __init__(self, shape: TensorShape) -> None:
        self.shape = shape

    @property
    @abstractmethod
    def size_bytes(self) -> int:
        """The encoded size of one block's tensor."""

    @abstractmethod
    def encode(self, values: torch.Tensor) -> torch.Tensor:
        """uint8 `(num_blocks, size_bytes)` of `values` `(num_blocks, num_kv_heads, num_tokens, dim)`."""

    @abstractmethod
    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        """The values of `encoded`, in the shape's dtype; may be a view of it."""

    @abstractmethod
    def unit_bytes(self, unit_tokens: int) -> int:
        """The bytes of one unit of `unit_tokens` tokens of one head."""

    @abstractmethod
    def take_units(self, encoded: torch.Tensor, where: "UnitIndex") -> torch.Tensor:
        """The bytes of chosen units, uint8 `(num_units, …)`, of `encoded` `(num_blocks, size_bytes)`.

        A unit is a few consecutive tokens of one head; only its bytes are read and copied.
        """

    @abstractmethod
    def decode_units(self, taken: torch.Tensor, unit_tokens: int) -> torch.Tensor:
        """The values `(num_units, unit_tokens, dim)` of what `take_units` gave."""


def shaped(values: torch.Tensor, dim: int, sizes: tuple[int, ...]) -> torch.Tensor:
    """`values` with dimension `dim` unfolded into `sizes`, as a view where its strides allow one."""
    result: torch.Tensor = values.unflatten(dim, sizes)
    return result


def in_words(rows: torch.Tensor) -> torch.Tensor:
    """`rows` as a view in the widest integers that its last dimension allows: rows of those copy faster."""
    word_bytes = torch.int64.itemsize
    offsets = [rows.storage_offset(), rows.shape[-1], *rows.stride()[:-1]]
    if rows.stride(-1) == 1 and all(offset * rows.itemsize % word_bytes == 0 for offset in offsets):
        return rows.view(torch.int64)
    return rows
