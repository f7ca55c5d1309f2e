"""How a sealed block's K and V become the bytes that every tier holds.

Encoding happens once, when a block is sealed. Every tier holds the same bytes, so attention sees
`decode(encode(x))` wherever the block lives.
"""

from dataclasses import dataclass

import torch

from core.errors import UsageError
from core.kv.block import BlockShape
from core.kv.rotation import rotation
from core.kv.scheme import Scheme, TensorShape, UnitIndex
from core.kv.schemes import Int4Channels, Int4Groups, Int8Groups, Plain
from core.settings import KV_CODECS


@dataclass(frozen=True)
class _Recipe:
    """`bits` is what a value costs with a usual head dim; None depends on the stored dtype."""

    key: type[Scheme]
    value: type[Scheme]
    rotates_values: bool
    bits: float | None


_RECIPES = {
    "none": _Recipe(Plain, Plain, rotates_values=False, bits=None),
    "int8": _Recipe(Int8Groups, Int8Groups, rotates_values=False, bits=8.5),
    "k8v4": _Recipe(Int8Groups, Int4Groups, rotates_values=True, bits=6.75),
    "int4": _Recipe(Int4Channels, Int4Groups, rotates_values=True, bits=4.75),
}


def nominal_bits_per_value(name: str, dtype: torch.dtype) -> float:
    """Bits a value of K or V costs under the codec `name` where head dims are multiples of 32."""
    return _RECIPES[name].bits or 8.0 * dtype.itemsize


class Codec:
    """A scheme for K and one for V, and the rotation that values are stored under, if any.

    Rotating values before they are encoded spreads outliers over all channels (Ashkboos et al. 2024,
    QuaRot). Attention is linear in the values, so the rotation is undone once, on its output.
    """

    def __init__(self, name: str, shape: BlockShape, compute_dtype: torch.dtype) -> None:
        if name not in _RECIPES:
            raise UsageError("Unknown KV compression", f"{name!r}: there are {', '.join(KV_CODECS)}.")
        recipe = _RECIPES[name]
        self.shape = shape
        self.compute_dtype = compute_dtype
        self._key = recipe.key(_tensor_shape(recipe.key, shape, shape.k_dim, compute_dtype))
        self._value = recipe.value(_tensor_shape(recipe.value, shape, shape.v_dim, compute_dtype))
        self.rotates_values = recipe.rotates_values
        self.is_lossy = recipe.bits is not None

    @property
    def block_bytes(self) -> int:
        """The encoded size of one block."""
        return self._key.size_bytes + self._value.size_bytes

    @property
    def bits_per_value(self) -> float:
        """Bits that one number of K or V costs, scales included."""
        num_values = self.shape.num_kv_heads * self.shape.num_tokens * (self.shape.k_dim + self.shape.v_dim)
        return 8 * self.block_bytes / num_values

    def encode(self, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        """Encode `key` `(num_blocks, num_kv_heads, num_tokens, k_dim)` and the like-shaped `value`.

        Returns uint8 `(num_blocks, block_bytes)` on the same device.
        """
        if self.rotates_values:
            value = value.float() @ rotation(self.shape.v_dim).to(value.device)
        return torch.cat([self._key.encode(key), self._value.encode(value)], dim=1)

    def decode(self, encoded: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The K and (still rotated) V of `encoded` `(num_blocks, block_bytes)`; may be views of it."""
        cut = self._key.size_bytes
        return self._key.decode(encoded[:, :cut]), self._value.decode(encoded[:, cut:])

    def take_units(self, encoded: torch.Tensor, where: UnitIndex) -> torch.Tensor:
        """The bytes of chosen units' K and V, uint8 `(num_units, …)`, and no others."""
        cut = self._key.size_bytes
        key = self._key.take_units(encoded[:, :cut], where)
        value = self._value.take_units(encoded[:, cut:], where)
        return torch.cat([key, value], dim=1)

    def decode_units(self, taken: torch.Tensor, unit_tokens: int) -> tuple[torch.Tensor, torch.Tensor]:
        """K and (still rotated) V `(num_units, unit_tokens, dim)` of what `take_units` gave."""
        cut = self._key.unit_bytes(unit_tokens)
        key = self._key.decode_units(taken[:, :cut].contiguous(), unit_tokens)
        return key, self._value.decode_units(taken[:, cut:].contiguous(), unit_tokens)

    def unit_bytes(self, unit_tokens: int) -> int:
        """What one unit's K and V cost to bring over."""
        return self._key.unit_bytes(unit_tokens) + self._value.unit_bytes(unit_tokens)

    def rotate(self, query: torch.Tensor) -> torch.Tensor:
        """A query `(…, v_dim)` against values, so that its products with decoded ones are the same."""
        if not self.rotates_values:
            return query
        return (query.float() @ rotation(self.shape.v_dim).to(query.device)).to(query.dtype)

    def unrotate(self, out: torch.Tensor) -> torch.Tensor:
        """Attention's output `(…, v_dim)` over decoded values, in the space of the original values."""
        if not self.rotates_values:
            return out
        return out @ rotation(self.shape.v_dim).to(out.device, out.dtype).T


def _tensor_shape(
    scheme: type[Scheme], shape: BlockShape, dim: int, compute_dtype: torch.dtype
) -> TensorShape:
    """Plain values come back as they were stored, decoded ones in what the model computes in."""
    dtype = shape.dtype if scheme is Plain else compute_dtype
    return TensorShape(shape.num_kv_heads, shape.num_tokens, dim, dtype)
