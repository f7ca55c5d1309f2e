"""How K and V become bytes: as they are, or in few bits with scales."""

import torch

from core.kv.narrow import largest, narrowed
from core.kv.scheme import Scheme, TensorShape, UnitIndex, shaped

_GROUP = 32
_TOKEN_GROUP = 64
_SCALE_DTYPE = torch.float16
_TINY = 1e-8
_ROUNDING_ROOM = 1 - 2**-10


class Plain(Scheme):
    """The values as they are, `[head][token][dim]`."""

    @property
    def size_bytes(self) -> int:
        return self.shape.num_values * self.shape.dtype.itemsize

    def encode(self, values: torch.Tensor) -> torch.Tensor:
        return narrowed(values, self.shape.dtype).flatten(1).contiguous().view(torch.uint8)

    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        return shaped(encoded.view(self.shape.dtype), 1, self.shape.sizes)

    def take_units(self, encoded: torch.Tensor, where: UnitIndex) -> torch.Tensor:
        return where.take(encoded, *self.shape.sizes[:2])

    def unit_bytes(self, unit_tokens: int) -> int:
        return unit_tokens * self.shape.dim * self.shape.dtype.itemsize

    def decode_units(self, taken: torch.Tensor, unit_tokens: int) -> torch.Tensor:
        return shaped(taken.view(self.shape.dtype), 1, (unit_tokens, self.shape.dim))


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
        scale = grouped.abs().amax(-1, keepdim=True) / 127
        scale = scale.clamp(_TINY, _largest_scale(127, self.shape.dtype)).to(_SCALE_DTYPE)
        codes = (grouped / scale.float().clamp_min(_TINY)).round_().clamp_(-127, 127).to(torch.int8)
        return torch.cat([codes.flatten(1).view(torch.uint8), scale.flatten(1).view(torch.uint8)], 1)

    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        codes, scale = encoded[:, : self._num_codes], encoded[:, self._num_codes :]
        return self._values(codes, scale, self.shape.sizes[:2])

    def take_units(self, encoded: torch.Tensor, where: UnitIndex) -> torch.Tensor:
        codes, scale = encoded[:, : self._num_codes], encoded[:, self._num_codes :]
        return torch.cat([where.take(part, *self.shape.sizes[:2]) for part in (codes, scale)], 1)

    def unit_bytes(self, unit_tokens: int) -> int:
        return unit_tokens * (self._groups.padded_dim + self._groups.count * _SCALE_DTYPE.itemsize)

    def decode_units(self, taken: torch.Tensor, unit_tokens: int) -> torch.Tensor:
        cut = unit_tokens * self._groups.padded_dim
        return self._values(taken[:, :cut], taken[:, cut:], (unit_tokens,))

    def _values(self, codes: torch.Tensor, scale: torch.Tensor, rows: tuple[int, ...]) -> torch.Tensor:
        sizes = (*rows, self._groups.count)
        values = shaped(codes.view(torch.int8), 1, (*sizes, self._groups.size)).to(self.shape.dtype)
        return self._groups.join(values * _scales(scale, (*sizes, 1), self.shape.dtype))


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
        codes, scale, low = _asymmetric_int4(grouped, self.shape.dtype)
        parts = (_pack(codes.flatten(1)), scale.flatten(1), low.flatten(1))
        return torch.cat([part.view(torch.uint8) for part in parts], 1)

    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        return self._values(self._parts(encoded), self.shape.sizes[:2])

    def take_units(self, encoded: torch.Tensor, where: UnitIndex) -> torch.Tensor:
        return torch.cat([where.take(part, *self.shape.sizes[:2]) for part in self._parts(encoded)], 1)

    def unit_bytes(self, unit_tokens: int) -> int:
        scale_bytes = self._groups.count * _SCALE_DTYPE.itemsize
        return unit_tokens * (self._groups.padded_dim // 2 + 2 * scale_bytes)

    def decode_units(self, taken: torch.Tensor, unit_tokens: int) -> torch.Tensor:
        scale_bytes = unit_tokens * self._groups.count * _SCALE_DTYPE.itemsize
        code_bytes = unit_tokens * self._groups.padded_dim // 2
        return self._values(taken.split([code_bytes, scale_bytes, scale_bytes], 1), (unit_tokens,))

    def _parts(self, encoded: torch.Tensor) -> tuple[torch.Tensor, ...]:
        code_bytes, scale_bytes = self._num_code_bytes, self._scale_bytes
        codes, scale, low = encoded.split([code_bytes, scale_bytes, scale_bytes], 1)
        return codes, scale, low

    def _values(self, parts: tuple[torch.Tensor, ...], rows: tuple[int, ...]) -> torch.Tensor:
        codes, scale, low = parts
        sizes = (*rows, self._groups.count)
        values = shaped(_unpack(codes, self.shape.dtype), 1, (*sizes, self._groups.size))
        scale, low = (_scales(part, (*sizes, 1), self.shape.dtype) for part in (scale, low))
        return self._groups.join(values * scale + low)


class Int4Channels(Scheme):
    """4 bits a value; up to 64 tokens in a row share a scale and a smallest value per channel and head.

    Keys have a few channels of large, steady values (Liu et al. 2024, KIVI): along the tokens these cost
    nothing, along the channels they would spoil every group they are in.
    """

    def __init__(self, shape: TensorShape) -> None:
        super().__init__(shape)
        self._groups = _Groups(shape.num_tokens, multiple=1, at_most=_TOKEN_GROUP)
        self._padded_dim = shape.dim + shape.dim % 2
        self._num_code_bytes = shape.num_kv_heads * shape.num_tokens * self._padded_dim // 2
        self._num_code_bytes += self._num_code_bytes % 2
        num_scales = shape.num_kv_heads * self._groups.count * shape.dim
        self._scale_bytes = num_scales * _SCALE_DTYPE.itemsize

    @property
    def size_bytes(self) -> int:
        return self._num_code_bytes + 2 * self._scale_bytes

    def encode(self, values: torch.Tensor) -> torch.Tensor:
        grouped = self._groups.split(values.float().transpose(-1, -2))
        codes, scale, low = _asymmetric_int4(grouped, self.shape.dtype)
        rows = self._groups.join(codes).transpose(-1, -2)
        packed = _pack(torch.nn.functional.pad(rows, (0, self._padded_dim - self.shape.dim)).flatten(1))
        packed = torch.nn.functional.pad(packed, (0, self._num_code_bytes - packed.shape[1]))
        scales = [x.squeeze(-1).transpose(-1, -2).flatten(1).view(torch.uint8) for x in (scale, low)]
        return torch.cat([packed, *scales], 1)

    def decode(self, encoded: torch.Tensor) -> torch.Tensor:
        codes, scale, low = self._parts(encoded)
        num_heads, num_tokens, dim = self.shape.sizes
        values = shaped(_unpack(codes, self.shape.dtype), 1, (num_heads, num_tokens, self._padded_dim))
        sizes = (num_heads, self._groups.count, 1, dim)
        scale, low = (
            _scales(part, sizes, self.shape.dtype).expand(-1, -1, -1, self._groups.size, -1).flatten(2, 3)
            for part in (scale, low)
        )
        return values[..., :dim] * scale[:, :, :num_tokens] + low[:, :, :num_tokens]

    def take_units(self, encoded: torch.Tensor, where: UnitIndex) -> torch.Tensor:
        codes, scale, low = self._parts(encoded)
        num_heads, num_tokens, _ = self.shape.sizes
        group = where.unit * where.unit_tokens // self._groups.size
        scales = [
            shaped(part, 1, (num_heads, self._groups.count, -1))[where.block, where.head, group]
            for part in (scale, low)
        ]
        return torch.cat([where.take(codes, num_heads, num_tokens), *scales], 1)

    def unit_bytes(self, unit_tokens: int) -> int:
        return unit_tokens * self._padded_dim // 2 + 2 * self.shape.dim * _SCALE_DTYPE.itemsize

    def decode_units(self, taken: torch.Tensor, unit_tokens: int) -> torch.Tensor:
        scale_bytes = self.shape.dim * _SCALE_DTYPE.itemsize
        code_bytes = unit_tokens * self._padded_dim // 2
        codes, scale, low = taken.split([code_bytes, scale_bytes, scale_bytes], 1)
        values = shaped(_unpack(codes, self.shape.dtype), 1, (unit_tokens, self._padded_dim))
        scale, low = (_scales(part, (1, self.shape.dim), self.shape.dtype) for part in (scale, low))
        return values[..., : self.shape.dim] * scale + low

    def _parts(self, encoded: torch.Tensor) -> tuple[torch.Tensor, ...]:
        codes, scale, low = encoded.split([self._num_code_bytes, self._scale_bytes, self._scale_bytes], 1)
        used = self.shape.num_kv_heads * self.shape.num_tokens * self._padded_dim // 2
        return codes[:, :used], scale, low


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
        return shaped(values, -1, (self.count, self.size))

    def join(self, values: torch.Tensor) -> torch.Tensor:
        """`(…, count, size)` as `(…, dim)`."""
        return values.flatten(-2)[..., : self._dim]


def _scales(encoded: torch.Tensor, sizes: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return shaped(encoded.contiguous().view(_SCALE_DTYPE), 1, sizes).to(dtype)


def _asymmetric_int4(
    values: torch.Tensor, dtype: torch.dtype
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Codes 0 to 15 (uint8), scale and smallest value (fp16) along the last dimension, which is kept.

    What they are decoded to is finite in `dtype`.
    """
    limit = largest(_SCALE_DTYPE)
    low = values.amin(-1, keepdim=True).clamp(-limit, limit)
    scale = ((values.amax(-1, keepdim=True) - low) / 15).clamp(_TINY, _largest_scale(15, dtype))
    scale, low = scale.to(_SCALE_DTYPE), low.to(_SCALE_DTYPE)
    step = scale.float().clamp_min(_TINY)
    highest = ((largest(dtype) * _ROUNDING_ROOM - low.float()) / step).clamp(0, 15).floor_()
    codes = ((values - low.float()) / step).round_().clamp_min_(0).minimum(highest).to(torch.uint8)
    return codes, scale, low


def _largest_scale(highest_code: int, dtype: torch.dtype) -> float:
    """The largest scale that fp16 holds and whose product with the highest code is finite in `dtype`."""
    return min(largest(_SCALE_DTYPE), largest(dtype) / highest_code * _ROUNDING_ROOM)


def _pack(codes: torch.Tensor) -> torch.Tensor:
    """Two codes a byte, the even one in the low half: `(num_blocks, n)` as `(num_blocks, n / 2)`."""
    return codes[:, 0::2] | (codes[:, 1::2] << 4)


def _unpack(packed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return torch.stack([packed & 0x0F, packed >> 4], dim=-1).flatten(1).to(dtype)
