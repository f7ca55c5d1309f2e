"""One full-attention layer of a sequence: sealed blocks in the tiers and an unsealed tail."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from transformers.cache_utils import CacheLayerMixin

from core.attention.call import AttentionCall
from core.attention.merge import Partial, merge
from core.attention.over_tiers import Piece, attend_blocks, attend_set, attend_tail
from core.attention.query_tap import QueryTap
from core.attention.select import LowRankDigest
from core.attention.tiered import TIER_ATTRIBUTE
from core.errors import UsageError
from core.kv.block import SealedBlock
from core.kv.layer_store import LayerStore
from core.kv.mapped_blocks import MappedBlocks
from core.kv.narrow import narrowed
from core.kv.sparse import SparseIndex, SparseReader, SparseSettings
from core.kv.streamer import Load
from core.kv.window import WindowSettings

StoreOf = Callable[[torch.Tensor, torch.Tensor], LayerStore]


@dataclass(frozen=True)
class LayerCheckpoint:
    """A layer as it was before a forward pass. Nothing is copied: sealed blocks stay, tails are replaced."""

    store: LayerStore | None
    num_blocks: int
    tail_key: torch.Tensor
    tail_value: torch.Tensor


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
        self.window: WindowSettings | None = None
        self.tap: QueryTap | None = None
        self._tail_key = torch.empty(0)
        self._tail_value = torch.empty(0)

    @property
    def tiers(self) -> LayerStore | None:
        """Where sealed blocks are; None before the first keys."""
        return self._store

    @property
    def tail(self) -> Piece:
        """The unsealed K and V `(1, num_kv_heads, num_tail_tokens, …)` as stored."""
        return self._tail_key, self._tail_value

    @property
    def num_tail_tokens(self) -> int:
        return self._tail_key.shape[-2] if self._store is not None else 0

    @property
    def tail_bytes(self) -> int:
        return self._tail_key.nbytes + self._tail_value.nbytes

    @property
    def values_per_token(self) -> int:
        """How many numbers this layer keeps of a token; 0 before it has seen one."""
        if self._store is None:
            return 0
        shape = self._store.shape
        return shape.num_kv_heads * (shape.k_dim + shape.v_dim)

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
        assert self._store is not None, "the first keys bring the store"
        self._store.watch_range(key_states, value_states)
        self._tail_key = torch.cat([self._tail_key, narrowed(key_states, self._tail_key.dtype)], dim=-2)
        self._tail_value = torch.cat(
            [self._tail_value, narrowed(value_states, self._tail_value.dtype)], dim=-2
        )
        attention_kwargs = kwargs.get("kwargs")
        if isinstance(attention_kwargs, dict):
            attention_kwargs["tier_layer"] = self
        setattr(key_states, TIER_ATTRIBUTE, self)
        return key_states, value_states

    def stand_at(self, sealed: MappedBlocks | None, tail: Piece, compute_dtype: torch.dtype) -> None:
        """Be where another sequence of the same shapes was; `tail` is its unsealed K and V as stored."""
        key, value = tail
        self.lazy_initialization(key.to(compute_dtype), value.to(compute_dtype))
        assert self._store is not None
        self.blocks = self._store.adopt(sealed) if sealed is not None else []
        self._tail_key, self._tail_value = tail

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

    def can_serve(self, call: AttentionCall) -> bool:
        """Whether what this layer keeps is what that attention reads; asked after an `update`."""
        if self._store is None:
            return False
        shape = self._store.shape
        return (call.key.shape[-1], call.value.shape[-1]) == (shape.k_dim, shape.v_dim)

    def attend(
        self, query: torch.Tensor, call: AttentionCall, /, *, scaling: float, softcap: float | None
    ) -> Partial:
        """Attention of the newest tokens' `query` `(1, num_heads, num_queries, k_dim)` over all tiers.

        The newest tokens see each other causally and everything older in full; the partials are merged
        in a fixed order. Returns `(out, lse)` as `core.attention.merge` defines them.
        """
        assert self._store is not None, "attention comes after update"
        result = attend_tail(query, self._tail_key, self._tail_value, scaling, softcap)
        sealed = self.attend_sealed(query, call, scaling=scaling, softcap=softcap)
        return result if sealed is None else merge(result, sealed)

    def attend_sealed(
        self, query: torch.Tensor, _call: AttentionCall, /, *, scaling: float, softcap: float | None
    ) -> Partial | None:
        """As `attend`, over the sealed blocks alone, which all queries see; None if there are none."""
        if self._store is None or not self.visible_blocks():
            return None
        rows = query.shape[:-1]
        folded = query.reshape(1, self._store.shape.num_kv_heads, -1, query.shape[-1])
        out, lse = self._attend_sealed(folded, scaling, softcap, is_decode=query.shape[-2] == 1)
        out = self._store.codec.unrotate(out)
        return out.reshape(*rows, out.shape[-1]), lse.reshape(rows)

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
                self._tail_key = narrowed(key, self._tail_key.dtype).clone()
                unrotated = self._store.codec.unrotate(value.float())
                self._tail_value = narrowed(unrotated, self._tail_value.dtype).clone()
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
        twin = type(self)(self._store_of)
        twin.window = self.window
        if self._store is not None:
            self._store.share(self.blocks)
            twin._store = self._store
            twin.blocks = list(self.blocks)
            twin._tail_key = self._tail_key.clone()
            twin._tail_value = self._tail_value.clone()
            twin.is_initialized = True
            twin.sparse = self.sparse.branch() if self.sparse is not None else None
        return twin

    def checkpoint(self) -> LayerCheckpoint:
        """What `restore` needs to take back the next forward pass."""
        return LayerCheckpoint(self._store, len(self.blocks), self._tail_key, self._tail_value)

    def restore(self, checkpoint: LayerCheckpoint) -> None:
        """Be again as at `checkpoint`, whatever part of one forward pass came after it.

        Sparse decoding chooses anew: what it held may be half changed.
        """
        if self._store is not None:
            self._store.release(self.blocks[checkpoint.num_blocks :])
        del self.blocks[checkpoint.num_blocks :]
        self._store = checkpoint.store
        self._tail_key, self._tail_value = checkpoint.tail_key, checkpoint.tail_value
        self.is_initialized = self._store is not None
        self.sparse = self.sparse.branch() if self.sparse is not None else None

    def decode_sparsely(
        self,
        settings: SparseSettings,
        index_type: type[SparseIndex] = SparseIndex,
        digest: LowRankDigest | None = None,
    ) -> None:
        """From now on read chosen units of the blocks sealed so far, by `digest` or by one that is made."""
        if self._store is not None and self.blocks:
            self.sparse = SparseReader(index_type(self._store, self.blocks, settings, self._view, digest))
            self._give_back_maps()

    def loads(self, num_new: int) -> Iterator[Load]:
        """What a forward pass over `num_new` tokens brings over for this layer."""
        if self._store is None:
            return
        if self.sparse is not None and num_new == 1 and self.sparse.chooses(self.get_seq_length() + 1):
            return
        for segment in self._store.segments(self.visible_blocks()):
            load = self._store.load_of(segment)
            if load is not None:
                yield load

    def visible_blocks(self) -> list[SealedBlock]:
        """The sealed blocks that attention may read: all of them, in window mode the first and the newest."""
        if self.window is None or self._store is None:
            return self.blocks
        return self.window.visible(self.blocks, self._store.shape.num_tokens)

    def promote(self) -> None:
        """Make the newest blocks of this sequence resident, as the budget allows.

        Where units are chosen the newest blocks are laid beside them anyway; there the most retrieved stay.
        """
        if self._store is not None and self.sparse is None:
            self._store.promote(self.blocks)

    def as_met_by_keys(self, query: torch.Tensor, _call: AttentionCall, /) -> torch.Tensor:
        """`query` as its products with `visible_keys` are scores."""
        return query

    def visible_keys(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """What attention may see: positions `(num,)` on the CPU and keys `(num_kv_heads, num, k_dim)`.

        Keys are valid until the next ones are asked for.
        """
        if self._store is None:
            return
        size = self._store.shape.num_tokens
        place = {block: index for index, block in enumerate(self.blocks)}
        for segment in self._store.segments(self.visible_blocks()):
            starts = torch.tensor([place[block] * size for block in segment])
            positions = (starts.unsqueeze(1) + torch.arange(size)).flatten()
            with self._store.reading(segment) as pieces:
                done = 0
                for piece in pieces:
                    keys = self._unrotated_key(*piece).transpose(0, 1).flatten(1, 2)
                    yield positions[done : done + keys.shape[1]], keys
                    done += keys.shape[1]
        tail = torch.arange(self.num_tail_tokens) + len(self.blocks) * size
        yield tail, self._view(self._tail_key, self._tail_value)[0][0]

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

    @staticmethod
    def _view(key: torch.Tensor, value: torch.Tensor) -> Piece:
        """What is attended to of decoded K and V of sealed tokens."""
        return key, value

    def _unrotated_key(self, key: torch.Tensor, _value: torch.Tensor) -> torch.Tensor:
        """The keys of sealed tokens in the space of `as_met_by_keys`."""
        return key

    def _give_back_maps(self) -> None:
        """Where units are chosen, what was read of mapped files does not stay in memory beside them.

        A question still reads all of a document: what is mapped at one time is what one layer reads.
        """
        if self._store is not None and self.sparse is not None:
            self._store.cold.give_back_maps()

    def _attend_sealed(
        self, folded: torch.Tensor, scaling: float, softcap: float | None, *, is_decode: bool
    ) -> Partial:
        """What the mode reads of the sealed blocks; `folded` `(1, num_kv_heads, group * num_queries, k_dim)`.

        Only decoding is sparse: a question is read against the whole document. The output is in the codec's
        space of values.
        """
        assert self._store is not None
        chosen = None
        if self.sparse is not None and is_decode:
            chosen = self.sparse.read(folded[0], self.blocks, self.get_seq_length(), scaling)
        if chosen is None:
            result = attend_blocks(self._store, self.visible_blocks(), folded, scaling, softcap, self._view)
        else:
            result = attend_set(folded, *self._view(*chosen), scaling, softcap)
        self._give_back_maps()
        return result
