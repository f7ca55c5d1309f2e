"""How one tensor of a block, K or V, becomes bytes: as it is, or in few bits with scales.

A scheme sees `(num_blocks, num_kv_heads, num_tokens, dim)` and gives uint8 `(num_blocks, size_bytes)`.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch

_GROUP = 32
_TOKEN_GROUP = 64
_SCALE_DTYPE = torch.float16
_TINY = 1e-8


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


class Plain(Scheme):
    """The values as they are, `[head][token][dim]`."""

    @property
    def size_bytes(self) -> int:
        return self.shape.num_values * self.shape.dtype.itemsize

    def encode(self, values: torch.Tensor) -> torch.Tensor:
        return values.to(self.shape.dtype).flatten(1).contiguous().view(torch.uint8)

    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        return _shaped(encoded.view(self.shape.dtype), 1, self.shape.sizes)


class Int8Groups(Scheme):
    """8 bits a value; groups of up to 32 channels of a token share a scale (largest magnitude / 127)."""

    def __init__(self, shape: TensorShape) -> None:
        super().__init__(shape)
        self._groups = _Groups(shape.dim, multiple=1)
        self._num_codes = shape.num_kv_heads * shape.num_tokens * self._groups.padded_dim

    @property
    def size_bytes(self) -> int:
        return self._num_codes + self._num_scales * _SCALE_DTYPE.itemsize

    @property
    def _num_scales(self) -> int:
        return self.shape.num_kv_heads * self.shape.num_tokens * self._groups.count

    def encode(self, values: torch.Tensor) -> torch.Tensor:
        grouped = self._groups.split(values.float())
        scale = (grouped.abs().amax(-1, keepdim=True) / 127).clamp_min(_TINY).to(_SCALE_DTYPE)
        codes = (grouped / scale.float().clamp_min(_TINY)).round_().clamp_(-127, 127).to(torch.int8)
        return torch.cat([codes.flatten(1).view(torch.uint8), scale.flatten(1).view(torch.uint8)], 1)

    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        sizes = (*self.shape.sizes[:2], self._groups.count)
        codes = _shaped(encoded[:, : self._num_codes].view(torch.int8), 1, (*sizes, self._groups.size))
        scale = _shaped(encoded[:, self._num_codes :].view(_SCALE_DTYPE), 1, (*sizes, 1))
        return self._groups.join(codes.to(self.shape.dtype) * scale.to(self.shape.dtype))


class Int4Groups(Scheme):
    """4 bits a value; groups of up to 32 channels of a token share a scale and a smallest value."""

    def __init__(self, shape: TensorShape) -> None:
        super().__init__(shape)
        self._groups = _Groups(shape.dim, multiple=2)
        rows = shape.num_kv_heads * shape.num_tokens
        self._num_code_bytes = rows * self._groups.padded_dim // 2
        self._scale_bytes = rows * self._groups.count * _SCALE_DTYPE.itemsize

    @property
    def size_bytes(self) -> int:
        return self._num_code_bytes + 2 * self._scale_bytes

    def encode(self, values: torch.Tensor) -> torch.Tensor:
        grouped = self._groups.split(values.float())
        codes, scale, low = _asymmetric_int4(grouped, dim=-1)
        parts = (_pack(codes.flatten(1)), scale.flatten(1), low.flatten(1))
        return torch.cat([part.view(torch.uint8) for part in parts], 1)

    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        sizes = (*self.shape.sizes[:2], self._groups.count)
        codes, scale, low = encoded.split([self._num_code_bytes, self._scale_bytes, self._scale_bytes], 1)
        values = _shaped(_unpack(codes, self.shape.dtype), 1, (*sizes, self._groups.size))
        scale, low = (
            _shaped(x.view(_SCALE_DTYPE).to(self.shape.dtype), 1, (*sizes, 1)) for x in (scale, low)
        )
        return self._groups.join(values * scale + low)


class Int4Channels(Scheme):
    """4 bits a value; up to 64 tokens in a row share a scale and a smallest value per channel and head.

    Keys have a few channels of large, steady values (Liu et al. 2024, KIVI): along the tokens these cost
    nothing, along the channels they would spoil every group they are in.
    """

    def __init__(self, shape: TensorShape) -> None:
        super().__init__(shape)
        self._groups = _Groups(shape.num_tokens, multiple=1, at_most=_TOKEN_GROUP)
        self._num_codes = shape.num_kv_heads * shape.dim * self._groups.padded_dim
        self._num_code_bytes = 2 * -(-self._num_codes // 4)
        num_scales = shape.num_kv_heads * shape.dim * self._groups.count
        self._scale_bytes = num_scales * _SCALE_DTYPE.itemsize

    @property
    def size_bytes(self) -> int:
        return self._num_code_bytes + 2 * self._scale_bytes

    def encode(self, values: torch.Tensor) -> torch.Tensor:
        grouped = self._groups.split(values.float().transpose(-1, -2))
        codes, scale, low = _asymmetric_int4(grouped, dim=-1)
        padding = 2 * self._num_code_bytes - self._num_codes
        packed = _pack(torch.nn.functional.pad(codes.flatten(1), (0, padding)))
        return torch.cat([part.view(torch.uint8) for part in (packed, scale.flatten(1), low.flatten(1))], 1)

    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        sizes = (self.shape.num_kv_heads, self.shape.dim, self._groups.count)
        codes, scale, low = encoded.split([self._num_code_bytes, self._scale_bytes, self._scale_bytes], 1)
        values = _unpack(codes, self.shape.dtype)[:, : self._num_codes]
        scale, low = (
            _shaped(x.view(_SCALE_DTYPE).to(self.shape.dtype), 1, (*sizes, 1)) for x in (scale, low)
        )
        grouped = _shaped(values, 1, (*sizes, self._groups.size)) * scale + low
        return self._groups.join(grouped).transpose(-1, -2).contiguous()


class _Groups:
    """Splits the last dimension into groups of equal size, padded with its last entry where it must be."""

    def __init__(self, dim: int, *, multiple: int, at_most: int = _GROUP) -> None:
        self.count = -(-dim // at_most)
        size = -(-dim // self.count)
        self.size = -(-size // multiple) * multiple
        self.padded_dim = self.count * self.size
        self._dim = dim

    def split(self, values: torch.Tensor) -> torch.Tensor:
        """`(…, dim)` as `(…, count, size)`."""
        padding = self.padded_dim - self._dim
        if padding:
            values = torch.cat([values, values[..., -1:].expand(*values.shape[:-1], padding)], dim=-1)
        return _shaped(values, -1, (self.count, self.size))

    def join(self, values: torch.Tensor) -> torch.Tensor:
        """`(…, count, size)` as `(…, dim)`."""
        return values.flatten(-2)[..., : self._dim]


def _shaped(values: torch.Tensor, dim: int, sizes: tuple[int, ...]) -> torch.Tensor:
    shaped: torch.Tensor = values.unflatten(dim, sizes)
    return shaped


def _asymmetric_int4(values: torch.Tensor, dim: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Codes 0 to 15 (uint8), scale and smallest value (fp16) along `dim`, which is kept."""
    low = values.amin(dim, keepdim=True)
    scale = ((values.amax(dim, keepdim=True) - low) / 15).clamp_min(_TINY).to(_SCALE_DTYPE)
    low = low.to(_SCALE_DTYPE)
    codes = ((values - low.float()) / scale.float().clamp_min(_TINY)).round_().clamp_(0, 15).to(torch.uint8)
    return codes, scale, low


def _pack(codes: torch.Tensor) -> torch.Tensor:
    """Two codes a byte, the even one in the low half: `(num_blocks, n)` as `(num_blocks, n / 2)`."""
    return codes[:, 0::2] | (codes[:, 1::2] << 4)


def _unpack(packed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return torch.stack([packed & 0x0F, packed >> 4], dim=-1).flatten(1).to(dtype)
