"""A full-attention layer that keeps latents (multi-head latent attention) instead of keys and values."""

from collections.abc import Sequence
from typing import Any

import torch

from core.attention.call import AttentionCall
from core.attention.latent import LatentHeads, as_shared_key, attend_expanded, has_latent_heads
from core.attention.merge import Partial, merge
from core.attention.over_tiers import Piece, attend_segments, attend_set, side_by_side
from core.kv.layer import TieredLayer


class LatentLayer(TieredLayer):
    """Of a token it keeps one head: the rope part as K and the latent as V.

    The rope part is short and sensitive, the latent long and smooth: codecs treat them as they treat K and
    V. Nothing expanded is kept. Sealed latents stay in the codec's space of values, where the absorbed
    queries are taken instead.
    """

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Take the new latents `(1, 1, num_new, latent_dim)` and rope parts, in the order of transformers."""
        rope, latent = super().update(value_states, key_states, *args, **kwargs)
        return latent, rope

    def can_serve(self, call: AttentionCall) -> bool:
        if self._store is None or not has_latent_heads(call.module):
            return False
        heads, shape = LatentHeads(call.module, call.key.dtype, call.key.device), self._store.shape
        stored = shape.num_kv_heads, shape.k_dim, shape.v_dim
        expanded = call.key.shape[-1], call.value.shape[-1]
        return stored == (1, heads.rope_dim, heads.latent_dim) and expanded == (
            heads.nope_dim + heads.rope_dim,
            heads.v_dim,
        )

    def attend(
        self, query: torch.Tensor, call: AttentionCall, /, *, scaling: float, softcap: float | None
    ) -> Partial:
        """As `TieredLayer.attend`, for a `query` `(1, num_heads, num_queries, nope_dim + rope_dim)`.

        The newest tokens of a longer chunk see each other through the keys that the model has expanded
        anyway; everything older is read from its latents.
        """
        heads = LatentHeads(call.module, query.dtype, query.device)
        num_new = query.shape[-2] if query.shape[-2] > 1 else 0
        num_old = self.get_seq_length() - num_new
        if num_old == 0:
            return attend_set(query, call.key, call.value, scaling, softcap, is_causal=True)
        is_sparse = self.sparse is not None and num_new == 0
        if not is_sparse and heads.is_cheaper_expanded(query.shape[-2], num_old):
            old = self._attend_expanded(heads, query, num_new, scaling, softcap)
        else:
            old = self._attend_absorbed(heads, query, num_new, scaling, softcap)
        if num_new == 0:
            return old
        return merge(attend_set(query, call.key, call.value, scaling, softcap, is_causal=True), old)

    def attend_sealed(
        self, query: torch.Tensor, call: AttentionCall, /, *, scaling: float, softcap: float | None
    ) -> Partial | None:
        """As `TieredLayer.attend_sealed`, through whichever form of the latents takes fewer products."""
        if self._store is None or not self.visible_blocks():
            return None
        heads = LatentHeads(call.module, query.dtype, query.device)
        num_sealed = self.get_seq_length() - self.num_tail_tokens
        is_expanded = heads.is_cheaper_expanded(query.shape[-2], num_sealed)
        attend_old = self._attend_expanded if is_expanded else self._attend_absorbed
        return attend_old(heads, query, self.num_tail_tokens, scaling, softcap)

    def as_met_by_keys(self, query: torch.Tensor, call: AttentionCall, /) -> torch.Tensor:
        return LatentHeads(call.module, query.dtype, query.device).absorb(query)

    def _unrotated_key(self, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        assert self._store is not None
        return as_shared_key(key.float(), self._store.codec.unrotate(value.float()))[0]

    @staticmethod
    def _view(key: torch.Tensor, value: torch.Tensor) -> Piece:
        return as_shared_key(key, value)

    def _attend_absorbed(
        self,
        heads: LatentHeads,
        query: torch.Tensor,
        num_new: int,
        scaling: float,
        softcap: float | None,
    ) -> Partial:
        """All but the newest `num_new` tokens; partials are merged as latents and projected once."""
        assert self._store is not None
        absorbed, partials = heads.absorb(query), []
        rope, latent = self._old_tail(num_new)
        if rope.shape[-2]:
            folded = absorbed.reshape(1, 1, -1, absorbed.shape[-1])
            out, lse = attend_set(folded, *as_shared_key(rope, latent), scaling, softcap)
            partials.append((out[..., heads.rope_dim :], lse))
        if self.visible_blocks():
            codec = self._store.codec
            nope = codec.rotate(absorbed[..., heads.rope_dim :])
            rotated = torch.cat([absorbed[..., : heads.rope_dim], nope], dim=-1)
            folded = rotated.reshape(1, 1, -1, rotated.shape[-1])
            out, lse = self._attend_sealed(folded, scaling, softcap, is_decode=query.shape[-2] == 1)
            partials.append((codec.unrotate(out[..., heads.rope_dim :]), lse))
        out, lse = partials[0] if len(partials) == 1 else merge(*partials)
        rows = query.shape[:-1]
        return heads.project(out.reshape(*rows, heads.latent_dim)), lse.reshape(rows)

    def _attend_expanded(
        self,
        heads: LatentHeads,
        query: torch.Tensor,
        num_new: int,
        scaling: float,
        softcap: float | None,
    ) -> Partial:
        """All but the newest `num_new` tokens, through keys and values that are dropped at once."""
        assert self._store is not None
        codec = self._store.codec

        def attend_pieces(pieces: Sequence[Piece]) -> Partial:
            rope, latent = side_by_side(pieces)
            return attend_expanded(heads, query, rope, codec.unrotate(latent.float()), scaling, softcap)

        partials = []
        rope, latent = self._old_tail(num_new)
        if rope.shape[-2]:
            partials.append(attend_expanded(heads, query, rope, latent, scaling, softcap))
        if self.visible_blocks():
            partials.append(attend_segments(self._store, self.visible_blocks(), attend_pieces))
            self._give_back_maps()
        return partials[0] if len(partials) == 1 else merge(*partials)

    def _old_tail(self, num_new: int) -> tuple[torch.Tensor, torch.Tensor]:
        old = self.num_tail_tokens - num_new
        return self._tail_key[:, :, :old], self._tail_value[:, :, :old]
