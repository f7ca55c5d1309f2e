"""A full-attention layer of a batch of branches: the prefix lies in the tiers, own tokens on the device."""

from typing import Any

import torch

from core.attention.call import AttentionCall
from core.attention.latent import LatentHeads, as_shared_key
from core.attention.merge import Partial, merge
from core.attention.over_tiers import attend_set
from core.kv.layer import TieredLayer
from core.kv.narrow import narrowed
from core.kv.row_layer import Batch, RowLayer


class TieredRows(RowLayer):
    """A full-attention layer: the sealed blocks of the prefix are shared, and so is its tail.

    A codec encodes the prefix's tail together with the first own tokens of a branch; then every branch has
    a copy of it, and what fills a block goes through the codec as in a sequence that stands alone. Own
    tokens stay on the compute device for as long as a branch lasts.
    """

    is_sliding = False

    def __init__(self, batch: Batch, prefix: TieredLayer) -> None:
        super().__init__(batch, prefix.tail)
        assert prefix.tiers is not None, "the prefix has a token"
        self.prefix = prefix
        self.codec = prefix.tiers.codec if prefix.tiers.codec.is_lossy else None

    @property
    def first(self) -> int:
        return self.prefix.num_tail_tokens if self.codec is not None else 0

    def start(self, row: int) -> None:
        """Prepare the place of a new branch."""
        if self.first and row < self.own_key.shape[0]:
            self._copy_tail(slice(row, row + 1))

    def make_room(self, num_tokens: int) -> None:
        num_rows = self.own_key.shape[0]
        super().make_room(num_tokens)
        if self.first and num_rows < self.own_key.shape[0]:
            self._copy_tail(slice(num_rows, None))

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        if self.prefix.tiers is not None:
            self.prefix.tiers.watch_range(key_states, value_states)
        return super().update(key_states, value_states, *args, **kwargs)

    def attend_shared(
        self, query: torch.Tensor, call: AttentionCall, *, scaling: float, softcap: float | None
    ) -> Partial | None:
        sealed = self.prefix.attend_sealed(query, call, scaling=scaling, softcap=softcap)
        if self.first or not self.prefix.num_tail_tokens:
            return sealed
        tail = attend_set(query, *self.prefix.tail, scaling, softcap)
        return tail if sealed is None else merge(tail, sealed)

    def coded(self, row: int, start: int, stop: int) -> tuple[torch.Tensor, torch.Tensor]:
        """A branch's tokens from `start` to before `stop`, whole blocks, as the codec gives them back."""
        assert self.codec is not None, "asked only where there is a codec"
        size = self.codec.shape.num_tokens
        key, value = (own[row, start:stop].unflatten(0, (-1, size)).transpose(1, 2) for own in self._both)
        decoded_key, rotated = self.codec.decode(self.codec.encode(key, value))
        decoded_value = self.codec.unrotate(rotated.float())
        return decoded_key.transpose(1, 2).flatten(0, 1), decoded_value.transpose(1, 2).flatten(0, 1)

    def put(self, row: int, start: int, key: torch.Tensor, value: torch.Tensor) -> None:
        """Put tokens `(num_tokens, num_kv_heads, dim)` in the place of a branch's own from `start` on."""
        for own, new in ((self.own_key, key), (self.own_value, value)):
            own[row, start : start + new.shape[0]] = narrowed(new, own.dtype)

    def _copy_tail(self, rows: slice) -> None:
        for own, tail in zip(self._both, self.prefix.tail, strict=True):
            own[rows, : self.first] = tail[0].transpose(0, 1)


class LatentRows(TieredRows):
    """The same for latents: own latents and those of the prefix's tail are attended to absorbed."""

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        rope, latent = super().update(value_states, key_states, *args, **kwargs)
        return latent, rope

    def _attend_packed(
        self, query: torch.Tensor, call: AttentionCall, scaling: float, softcap: float | None
    ) -> Partial:
        heads = LatentHeads(call.module, query.dtype, query.device)
        absorbed = heads.absorb(query)
        own = as_shared_key(*self._own(query.dtype))
        out, lse = self._attend_own(absorbed, *own, scaling, softcap)
        if not self.first and self.prefix.num_tail_tokens:
            folded = absorbed.reshape(1, 1, -1, absorbed.shape[-1])
            tail_out, tail_lse = attend_set(folded, *as_shared_key(*self.prefix.tail), scaling, softcap)
            out, lse = merge((out, lse), (tail_out.reshape(out.shape), tail_lse.reshape(lse.shape)))
        result = heads.project(out[..., heads.rope_dim :]), lse
        sealed = self.prefix.attend_sealed(query, call, scaling=scaling, softcap=softcap)
        return result if sealed is None else merge(result, sealed)
