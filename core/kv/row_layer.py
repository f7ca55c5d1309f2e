"""One attention layer of a batch of branches: what they share is attended to once, their own one by one."""

from abc import abstractmethod
from typing import Any, Protocol

import torch
from transformers.cache_utils import CacheLayerMixin

from core.attention.call import AttentionCall
from core.attention.merge import Partial, merge
from core.attention.partial import partial_attention
from core.attention.tiered import TIER_ATTRIBUTE
from core.errors import UsageError
from core.kv.branch_sizes import room_tokens
from core.kv.narrow import narrowed
from core.kv.pass_layout import PassLayout, Window


class Batch(Protocol):
    """What a layer asks the batch that it belongs to."""

    @property
    def layout(self) -> PassLayout: ...

    @property
    def num_rows(self) -> int: ...


class RowLayer(CacheLayerMixin):
    """The own tokens of all branches side by side, `(num_rows, room, num_kv_heads, dim)`.

    Queries and new keys come packed, `(1, num_heads, num_new, dim)`, or, from models that cannot pack,
    with a branch in each row, `(num_stretches, num_heads, n, dim)`. What is written beyond a branch's length
    is never read, so that a failed pass leaves nothing behind.
    """

    is_croppable = False
    is_compileable = False
    supports_early_init = False
    tap = None
    """What branches together look at is not noted."""

    def __init__(
        self, batch: Batch, like: tuple[torch.Tensor, torch.Tensor], window: Window | None = None
    ) -> None:
        """`like` are keys and values of the prefix, `(1, num_kv_heads, n, dim)`: own ones are like them."""
        super().__init__()  # type: ignore[no-untyped-call]  # transformers is typed in part
        self._batch = batch
        self._window = window
        self.own_key, self.own_value = (kv.new_empty((0, 0, kv.shape[1], kv.shape[-1])) for kv in like)
        self.is_initialized = True

    @property
    def first(self) -> int:
        """The places before a branch's own tokens, which hold a copy of what comes before them."""
        return 0

    @property
    def own_bytes(self) -> int:
        return self.own_key.nbytes + self.own_value.nbytes

    @property
    def device(self) -> torch.device:
        return self.own_key.device

    def branch_bytes(self, num_own: int) -> int:
        """What one branch takes here while the longest has `num_own` tokens of its own."""
        token_bytes = sum(own.shape[2] * own.shape[3] * own.itemsize for own in self._both)
        return room_tokens(self.first + num_own) * token_bytes

    @abstractmethod
    def attend_shared(
        self, query: torch.Tensor, call: AttentionCall, *, scaling: float, softcap: float | None
    ) -> Partial | None:
        """Attention of packed queries over what all branches share, read once; None if there is nothing."""

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        """Nothing: a batch has a prefix, which shows what keys and values look like."""

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Take in the new keys and values, each at the place its branch has for it."""
        layout = self._batch.layout
        self.make_room(self.first + layout.num_own)
        indices = layout.indices(key_states.device)
        where = indices.row_of * self.own_key.shape[1] + self.first + indices.places
        for own, new in ((self.own_key, key_states), (self.own_value, value_states)):
            tokens = new.transpose(1, 2).flatten(0, 1)
            own.flatten(0, 1).index_copy_(0, where, narrowed(tokens, own.dtype))
        attention_kwargs = kwargs.get("kwargs")
        if isinstance(attention_kwargs, dict):
            attention_kwargs["tier_layer"] = self
        setattr(key_states, TIER_ATTRIBUTE, self)
        return key_states, value_states

    def make_room(self, num_tokens: int) -> None:
        """Places for every branch of the batch and `num_tokens` tokens of each; what is there stays."""
        num_rows, room = self._batch.num_rows, max(room_tokens(num_tokens), self.own_key.shape[1])
        if self.own_key.shape[:2] != (num_rows, room):
            self.own_key, self.own_value = (
                _resized(own, num_rows, room) for own in (self.own_key, self.own_value)
            )

    def move(self, source: int, target: int) -> None:
        """Put the own tokens of one branch in the place of another's, which is over."""
        for own in (self.own_key, self.own_value):
            if source < own.shape[0]:
                own[target] = own[source]

    def shrink(self) -> None:
        """Give back the memory of branches that are over."""
        if self.own_key.shape[0] > self._batch.num_rows:
            self.own_key = self.own_key[: self._batch.num_rows].clone()
            self.own_value = self.own_value[: self._batch.num_rows].clone()

    def attend(
        self, query: torch.Tensor, call: AttentionCall, /, *, scaling: float, softcap: float | None
    ) -> Partial:
        """As `TieredLayer.attend`, for the queries of all branches of the pass in either form."""
        packed = query.transpose(1, 2).reshape(1, -1, *query.shape[1::2]).transpose(1, 2)
        out, lse = self._attend_packed(packed, call, scaling, softcap)
        num_lines, num_heads, length, _ = query.shape
        out = out.transpose(1, 2).reshape(num_lines, length, num_heads, -1).transpose(1, 2)
        return out, lse.reshape(num_heads, num_lines, length).transpose(0, 1)

    def _attend_packed(
        self, query: torch.Tensor, call: AttentionCall, scaling: float, softcap: float | None
    ) -> Partial:
        own = self._attend_own(query, *self._own(query.dtype), scaling, softcap)
        shared = self.attend_shared(query, call, scaling=scaling, softcap=softcap)
        return own if shared is None else merge(own, shared)

    def _own(self, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
        """Keys and values of the branches of the pass, `(num_stretches, num_kv_heads, all, dim)`."""
        layout = self._batch.layout
        rows, num_tokens = layout.rows, self.first + layout.num_own
        if rows == list(range(rows[0], rows[0] + len(rows))):
            key, value = (own[rows[0] : rows[0] + len(rows), :num_tokens] for own in self._both)
        else:
            index = layout.indices(self.own_key.device).rows
            key, value = (own[:, :num_tokens].index_select(0, index) for own in self._both)
        return key.to(dtype).transpose(1, 2), value.to(dtype).transpose(1, 2)

    @property
    def _both(self) -> tuple[torch.Tensor, torch.Tensor]:
        return self.own_key, self.own_value

    def _attend_own(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        scaling: float,
        softcap: float | None,
    ) -> Partial:
        """Packed queries over `key` and `value` of their own branch, spread for it and packed again."""
        layout, indices = self._batch.layout, self._batch.layout.indices(query.device)
        tokens = query[0].transpose(0, 1)
        num_lines, length = indices.spread.shape
        spread = tokens if layout.is_even else tokens[indices.spread.flatten()]
        spread = spread.unflatten(0, (num_lines, length)).transpose(1, 2)
        mask = layout.visible_own(query.device, self.first, self._window)
        out, lse = partial_attention(spread, key, value, scaling=scaling, mask=mask, softcap=softcap)
        out, lse = out.transpose(1, 2).flatten(0, 1), lse.transpose(1, 2).flatten(0, 1)
        if not layout.is_even:
            out, lse = out[indices.packed], lse[indices.packed]
        return out.transpose(0, 1).unsqueeze(0), lse.transpose(0, 1).unsqueeze(0)

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return query_length, 0

    def get_seq_length(self) -> int:
        return self._batch.layout.num_prefix

    def get_max_length(self) -> int:
        return -1

    def crop(self, _tokens_to_remove: int) -> None:
        raise _no_search()

    def reorder_cache(self, _beam_idx: torch.LongTensor) -> None:
        raise _no_search()


class WindowRows(RowLayer):
    """A layer with a window: of the prefix it has the newest tokens, which all branches share."""

    is_sliding = True

    def __init__(self, batch: Batch, prefix: Any, window: Window) -> None:
        super().__init__(batch, (prefix.keys, prefix.values), window)
        self._prefix = prefix

    def attend_shared(
        self, query: torch.Tensor, _call: AttentionCall, *, scaling: float, softcap: float | None
    ) -> Partial | None:
        assert self._window is not None
        if not self._prefix.keys.shape[-2]:
            return None
        key, value = self._prefix.keys.to(query.dtype), self._prefix.values.to(query.dtype)
        mask = self._batch.layout.visible_before(query.device, key.shape[-2], self._window)
        out, lse = partial_attention(query, key, value, scaling=scaling, mask=mask, softcap=softcap)
        sees_any = mask.any(-1)
        out = torch.where(sees_any.unsqueeze(-1), out, 0.0)
        return out, torch.where(sees_any, lse, float("-inf"))


def _resized(own: torch.Tensor, num_rows: int, room: int) -> torch.Tensor:
    """A copy for `num_rows` branches with `room` places each; new places hold zeros."""
    larger = own.new_zeros((num_rows, room, *own.shape[2:]))
    kept_rows, kept_room = min(num_rows, own.shape[0]), min(room, own.shape[1])
    larger[:kept_rows, :kept_room] = own[:kept_rows, :kept_room]
    return larger


def _no_search() -> UsageError:
    return UsageError("Branches only grow", "A batch of branches takes no token back and knows no beams.")
