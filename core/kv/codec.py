"""How a sealed block's K and V become the bytes that every tier holds."""

from abc import ABC, abstractmethod

import torch

from core.kv.block import BlockShape


class Codec(ABC):
    """Turns K and V into bytes once, when a block is sealed, and back whenever attention reads it.

    Every tier holds the same encoded bytes, so `decode(encode(x))` is what attention sees wherever the
    block lives.
    """

    def __init__(self, shape: BlockShape) -> None:
        self.shape = shape

    @property
    @abstractmethod
    def block_bytes(self) -> int:
        """The encoded size of one block."""

    @abstractmethod
    def encode(self, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        """Encode `key` `(num_blocks, num_kv_heads, num_tokens, k_dim)` and the like-shaped `value`.

        Returns uint8 `(num_blocks, block_bytes)` on the same device.
        """

    @abstractmethod
    def decode(self, encoded: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The K and V of `encoded` `(num_blocks, block_bytes)`; may be views of it."""


class PlainCodec(Codec):
    """The codec `none`: the values as they are, `[K|V][head][token][dim]`."""

    @property
    def block_bytes(self) -> int:
        return self.shape.k_bytes + self.shape.v_bytes

    def encode(self, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        num_blocks = key.shape[0]
        encoded = torch.empty(num_blocks, self.block_bytes, dtype=torch.uint8, device=key.device)
        k, v = self.decode(encoded)
        k.copy_(key)
        v.copy_(value)
        return encoded

    def decode(self, encoded: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        shape = self.shape
        rows = (encoded.shape[0], shape.num_kv_heads, shape.num_tokens)
        k = encoded[:, : shape.k_bytes].view(shape.dtype).unflatten(1, (*rows[1:], shape.k_dim))
        v = encoded[:, shape.k_bytes :].view(shape.dtype).unflatten(1, (*rows[1:], shape.v_dim))
        return k, v
