"""One full-attention layer of a sequence: sealed blocks in the tiers and an unsealed tail."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from transformers.cache_utils import CacheLayerMixin

from core.attention.merge import Partial, merge, merge_stack
from core.attention.partial import partial_attention
from core.attention.tiered import TIER_ATTRIBUTE
from core.errors import UsageError
from core.kv.block import SealedBlock
from core.kv.layer_store import LayerStore
from core.kv.sparse import SparseIndex, SparseReader, SparseSettings
from core.kv.streamer import Load

_MAX_DECODE_ROWS = 64

StoreOf = Callable[[torch.Tensor, torch.Tensor], LayerStore]


class TieredLayer(CacheLayerMixin):
    """The cache layer that transformers updates, and the attention over its tiers.

    `update` returns the new keys and values only; attention asks this layer for the rest. New tokens stay
    in the tail until `seal` is called, which the next `update` does at the latest: attention within one
    forward pass, also that of layers sharing these keys, sees one unchanging state.
    """

    is_sliding = False
    is_croppable = True
    is_compileable = False
    supports_early_init = False

    def __init__(self, store_of: StoreOf) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # transformers is typed in part
        self._store_of = store_of
        self._store: LayerStore | None = None
        self.blocks: list[SealedBlock] = []
        self.sparse: SparseReader | None = None
        self._tail_key = torch.empty(0)
        self._tail_value = torch.empty(0)

    @property
    def num_tail_tokens(self) -> int:
        return self._tail_key.shape[-2] if self._store is not None else 0

    @property
    def tail_bytes(self) -> int:
        return self._tail_key.nbytes + self._tail_value.nbytes

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        self._store = self._store_of(key_states, value_states)
        shape = self._store.shape
        self._tail_key = key_states.new_empty((1, shape.num_kv_heads, 0, shape.k_dim), dtype=shape.dtype)
        self._tail_value = value_states.new_empty((1, shape.num_kv_heads, 0, shape.v_dim), dtype=shape.dtype)
        self.is_initialized = True

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Take the new `(1, num_kv_heads, num_new, dim)` keys and values into the tail.

        Raises `UsageError` for a batch: a tiered sequence stands alone.
        """
        if key_states.shape[0] != 1:
            raise UsageError(
                "One sequence at a time", f"The tiered cache was given a batch of {key_states.shape[0]}."
            )
        if self._store is None:
            self.lazy_initialization(key_states, value_states)
        self.seal()
        self._tail_key = torch.cat([self._tail_key, key_states.to(self._tail_key.dtype)], dim=-2)
        self._tail_value = torch.cat([self._tail_value, value_states.to(self._tail_value.dtype)], dim=-2)
        attention_kwargs = kwargs.get("kwargs")
        if isinstance(attention_kwargs, dict):
            attention_kwargs["tier_layer"] = self
        setattr(key_states, TIER_ATTRIBUTE, self)
        return key_states, value_states

    def seal(self) -> None:
        """Turn the full blocks of the tail into sealed ones."""
        if self._store is None:
            return
        size = self._store.shape.num_tokens
        num_full = self.num_tail_tokens // size
        if num_full == 0:
            return
        cut = num_full * size
        key = self._tail_key[0, :, :cut].unflatten(1, (num_full, size)).transpose(0, 1)
        value = self._tail_value[0, :, :cut].unflatten(1, (num_full, size)).transpose(0, 1)
        self.blocks += self._store.seal(key, value)
        self._tail_key = self._tail_key[:, :, cut:].clone()
        self._tail_value = self._tail_value[:, :, cut:].clone()

    def attend(self, query: torch.Tensor, *, scaling: float, softcap: float | None) -> Partial:
        """Attention of the newest tokens' `query` `(1, num_heads, num_queries, k_dim)` over all tiers.

        The newest tokens see each other causally and everything older in full; the partials are merged
        in a fixed order. Returns `(out, lse)` as `core.attention.merge` defines them.
        """
        assert self._store is not None, "attention comes after update"
        num_queries = query.shape[-2]
        result = self._attend_tail(query, num_queries, scaling, softcap)
        if not self.blocks:
            return result
        folded = query.reshape(1, self._store.shape.num_kv_heads, -1, query.shape[-1])
        cold = self._attend_sealed(folded, scaling, softcap, is_decode=num_queries == 1)
        return merge(result, (cold[0].reshape(result[0].shape), cold[1].reshape(result[1].shape)))

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.get_seq_length() + query_length, 0

    def get_seq_length(self) -> int:
        if self._store is None:
            return 0
        return len(self.blocks) * self._store.shape.num_tokens + self.num_tail_tokens

    def get_max_length(self) -> int:
        return -1

    def crop(self, tokens_to_remove: int) -> None:
        """Forget the newest `-tokens_to_remove` tokens; a block cut through goes back to the tail."""
        if tokens_to_remove > 0:
            raise UsageError("Cannot crop", "crop takes the number of tokens to remove as a negative number.")
        if self._store is None or tokens_to_remove == 0:
            return
        keep = max(0, self.get_seq_length() + tokens_to_remove)
        size = self._store.shape.num_tokens
        num_kept = min(keep // size, len(self.blocks))
        rest = keep - num_kept * size
        if num_kept < len(self.blocks):
            with self._store.reading(self.blocks[num_kept : num_kept + 1]) as ((key, value),):
                self._tail_key = key.to(self._tail_key.dtype, copy=True)
                unrotated = self._store.codec.unrotate(value)
                self._tail_value = unrotated.to(self._tail_value.dtype, copy=True)
            self._store.release(self.blocks[num_kept:])
            del self.blocks[num_kept:]
            if self.sparse is not None and num_kept < len(self.sparse.index.blocks):
                self.sparse = None
        self._tail_key = self._tail_key[:, :, :rest]
        self._tail_value = self._tail_value[:, :, :rest]

    def reset(self) -> None:
        if self._store is not None:
            self._store.release(self.blocks)
            self.blocks = []
            self.sparse = None
            self._tail_key = self._tail_key[:, :, :0]
            self._tail_value = self._tail_value[:, :, :0]

    def branch(self) -> "TieredLayer":
        """A layer that continues from here: shares the sealed blocks, owns a copy of the tail."""
        self.seal()
        twin = TieredLayer(self._store_of)
        if self._store is not None:
            self._store.share(self.blocks)
            twin._store = self._store
            twin.blocks = list(self.blocks)
            twin._tail_key = self._tail_key.clone()
            twin._tail_value = self._tail_value.clone()
            twin.is_initialized = True
            twin.sparse = self.sparse.branch() if self.sparse is not None else None
        return twin

    def decode_sparsely(self, settings: SparseSettings) -> None:
        """From now on read chosen units of the blocks sealed so far; a digest of them is made."""
        if self._store is not None and self.blocks:
            self.sparse = SparseReader(SparseIndex(self._store, self.blocks, settings))

    def loads(self, num_new: int) -> Iterator[tuple[torch.device, Load]]:
        """What a forward pass over `num_new` tokens brings over for this layer, and to which device."""
        if self._store is None:
            return
        blocks = self.blocks
        if self.sparse is not None and num_new == 1:
            region = self.sparse.index.active_region(self.get_seq_length() + 1)
            blocks = blocks[: region.start] + blocks[region.stop :]
        for segment in self._store.segments(blocks):
            load = self._store.load_of(segment)
            if load is not None:
                yield self._tail_key.device, load

    def promote(self) -> None:
        """Make the newest blocks of this sequence resident, as the budget allows."""
        if self._store is not None:
            self._store.promote(self.blocks)

    def reorder_cache(self, beam_idx: torch.LongTensor) -> None:
        if beam_idx.tolist() != [0]:
            raise UsageError("One sequence at a time", "The tiered cache cannot hold the beams of a search.")

    def batch_repeat_interleave(self, repeats: int) -> None:
        if repeats != 1:
            raise UsageError(
                "One sequence at a time", f"The tiered cache cannot be repeated {repeats} times."
            )

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        self.reorder_cache(indices)  # type: ignore[arg-type]

    def _attend_tail(
        self, query: torch.Tensor, num_queries: int, scaling: float, softcap: float | None
    ) -> Partial:
        """The unsealed tokens: those before the newest in full, the newest causally."""
        older = self.num_tail_tokens - num_queries
        if num_queries == 1:
            return self._attend(query, self._tail_key, self._tail_value, scaling, softcap)
        newest = self._attend(
            query,
            self._tail_key[:, :, older:],
            self._tail_value[:, :, older:],
            scaling,
            softcap,
            is_causal=True,
        )
        if older == 0:
            return newest
        return merge(
            newest,
            self._attend(
                query, self._tail_key[:, :, :older], self._tail_value[:, :, :older], scaling, softcap
            ),
        )

    def _attend_sealed(
        self, folded: torch.Tensor, scaling: float, softcap: float | None, *, is_decode: bool
    ) -> Partial:
        """What the mode reads of the sealed blocks; `folded` `(1, num_kv_heads, group * num_queries, k_dim)`.

        Only decoding is sparse: a question is read against the whole document.
        """
        assert self._store is not None
        choice = None
        if self.sparse is not None and is_decode:
            choice = self.sparse.read(folded[0], self.get_seq_length(), scaling)
        if choice is None:
            out, lse = self._attend_blocks(self.blocks, folded, scaling, softcap)
        else:
            region, key, value = choice
            whole = self.blocks[: region.start] + self.blocks[region.stop :]
            chosen = self._attend(folded, key, value, scaling, softcap)
            out, lse = (
                merge(self._attend_blocks(whole, folded, scaling, softcap), chosen) if whole else chosen
            )
        return self._store.codec.unrotate(out), lse

    def _attend_blocks(
        self, blocks: Sequence[SealedBlock], folded: torch.Tensor, scaling: float, softcap: float | None
    ) -> Partial:
        """All of `blocks`; `folded` `(1, num_kv_heads, group * num_queries, k_dim)`.

        Few query rows attend to each block by itself, where it lies, and merge; many rows attend to a
        segment at once, whose tokens are laid side by side first.
        """
        assert self._store is not None
        result: Partial | None = None
        for segment in self._store.segments(blocks):
            with self._store.reading(segment) as pieces:
                if folded.shape[-2] <= _MAX_DECODE_ROWS:
                    partial = self._attend_each_block(folded, pieces, scaling, softcap)
                else:
                    key = torch.cat([_side_by_side(key) for key, _ in pieces], dim=-2)
                    value = torch.cat([_side_by_side(value) for _, value in pieces], dim=-2)
                    partial = self._attend(folded, key, value, scaling, softcap)
            result = partial if result is None else merge(result, partial)
        assert result is not None
        return result

    def _attend_each_block(
        self,
        folded: torch.Tensor,
        pieces: Sequence[tuple[torch.Tensor, torch.Tensor]],
        scaling: float,
        softcap: float | None,
    ) -> Partial:
        partials = [
            self._attend(folded.expand(key.shape[0], -1, -1, -1), key, value, scaling, softcap)
            for key, value in pieces
        ]
        out, lse = merge_stack((torch.cat([p[0] for p in partials]), torch.cat([p[1] for p in partials])))
        return out.unsqueeze(0), lse.unsqueeze(0)

    def _attend(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        scaling: float,
        softcap: float | None,
        *,
        is_causal: bool = False,
    ) -> Partial:
        """Few queries are brought to the keys' dtype, many queries have the keys brought to theirs."""
        if query.shape[-2] * query.shape[-3] // key.shape[-3] <= _MAX_DECODE_ROWS:
            query = query.to(key.dtype)
        else:
            key, value = key.to(query.dtype), value.to(query.dtype)
        return partial_attention(query, key, value, scaling=scaling, is_causal=is_causal, softcap=softcap)


def _side_by_side(blocks: torch.Tensor) -> torch.Tensor:
    """`(num_blocks, num_kv_heads, num_tokens, dim)` as one set of keys, `(1, num_kv_heads, all, dim)`."""
    return blocks.transpose(0, 1).flatten(1, 2).unsqueeze(0)
