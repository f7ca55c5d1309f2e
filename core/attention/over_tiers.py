"""Attention of the newest tokens over a layer's tail and over its sealed blocks, wherever those live."""

from collections.abc import Callable, Iterator, Sequence

import torch

from core.attention.merge import Partial, merge, merge_in_turn, merge_stack
from core.attention.partial import partial_attention
from core.kv.block import SealedBlock
from core.kv.layer_store import LayerStore
from core.kv.narrow import narrowed

Piece = tuple[torch.Tensor, torch.Tensor]
"""K and V of some blocks, `(num_blocks, num_kv_heads, num_tokens, …)`."""

View = Callable[[torch.Tensor, torch.Tensor], Piece]
"""Makes what is attended to of K and V as they are stored; it treats every token alike."""

_MAX_DECODE_ROWS = 64
_MAX_UNMERGED = 8
_MAX_SIDE_BY_SIDE = 2048


def as_stored(key: torch.Tensor, value: torch.Tensor) -> Piece:
    """The view of layers that store the keys and values they attend to."""
    return key, value


def attend_tail(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float, softcap: float | None
) -> Partial:
    """The unsealed tokens: those before the newest in full, the newest causally.

    `query` `(1, num_heads, num_queries, k_dim)` belongs to the last `num_queries` of the keys.
    """
    num_queries = query.shape[-2]
    older = key.shape[-2] - num_queries
    if num_queries == 1:
        return attend_set(query, key, value, scaling, softcap)
    newest = attend_set(query, key[:, :, older:], value[:, :, older:], scaling, softcap, is_causal=True)
    if older == 0:
        return newest
    return merge(newest, attend_set(query, key[:, :, :older], value[:, :, :older], scaling, softcap))


def attend_blocks(
    store: LayerStore,
    blocks: Sequence[SealedBlock],
    folded: torch.Tensor,
    scaling: float,
    softcap: float | None,
    view: View = as_stored,
) -> Partial:
    """All of `blocks`, of which there is at least one; `folded` `(1, num_kv_heads, rows, k_dim)`.

    Few query rows attend to each block by itself, where it lies, and merge; many rows attend to some blocks
    at once, whose tokens are laid side by side first. The output is in the codec's space of values.
    """

    def attend_pieces(pieces: Sequence[Piece]) -> Partial:
        if folded.shape[-2] <= _MAX_DECODE_ROWS:
            return _attend_each_block(folded, [view(*piece) for piece in pieces], scaling, softcap)
        slices = _slices(pieces, max(1, _MAX_SIDE_BY_SIDE // store.shape.num_tokens))
        return _merged([attend_set(folded, *view(*side_by_side(part)), scaling, softcap) for part in slices])

    return attend_segments(store, blocks, attend_pieces)


def attend_segments(
    store: LayerStore,
    blocks: Sequence[SealedBlock],
    attend_pieces: Callable[[Sequence[Piece]], Partial],
) -> Partial:
    """`attend_pieces` over the segments of `blocks`, of which there is at least one, merged in order."""
    partials: list[Partial] = []
    for segment in store.segments(blocks):
        with store.reading(segment) as pieces:
            partials.append(attend_pieces(pieces))
        if len(partials) == _MAX_UNMERGED:
            partials = [_merged(partials)]
    return _merged(partials)


def _slices(pieces: Sequence[Piece], num_blocks: int) -> Iterator[list[Piece]]:
    """`pieces` cut so that each slice has `num_blocks` blocks, the last one what is left."""
    held: list[Piece] = []
    missing = num_blocks
    for key, value in pieces:
        done = 0
        while done < key.shape[0]:
            taken = min(missing, key.shape[0] - done)
            held.append((key[done : done + taken], value[done : done + taken]))
            done, missing = done + taken, missing - taken
            if missing == 0:
                yield held
                held, missing = [], num_blocks
    if held:
        yield held


def _merged(partials: Sequence[Partial]) -> Partial:
    assert partials, "there is a block"
    if len(partials) == 1:
        return partials[0]
    if partials[0][0].shape[-2] > _MAX_DECODE_ROWS:
        return merge_in_turn(partials)
    return merge_stack((torch.stack([p[0] for p in partials]), torch.stack([p[1] for p in partials])))


def attend_set(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    scaling: float,
    softcap: float | None,
    *,
    is_causal: bool = False,
) -> Partial:
    """One set of keys. Few queries are brought to the keys' dtype, many have the keys brought to theirs."""
    if query.shape[-2] * query.shape[-3] // key.shape[-3] <= _MAX_DECODE_ROWS:
        query = narrowed(query, key.dtype)
    else:
        key, value = key.to(query.dtype), value.to(query.dtype)
    return partial_attention(query, key, value, scaling=scaling, is_causal=is_causal, softcap=softcap)


def _attend_each_block(
    folded: torch.Tensor,
    pieces: Sequence[Piece],
    scaling: float,
    softcap: float | None,
) -> Partial:
    partials = [
        attend_set(folded.expand(key.shape[0], -1, -1, -1), key, value, scaling, softcap)
        for key, value in pieces
    ]
    out, lse = merge_stack((torch.cat([p[0] for p in partials]), torch.cat([p[1] for p in partials])))
    return out.unsqueeze(0), lse.unsqueeze(0)


def side_by_side(pieces: Sequence[Piece]) -> Piece:
    """The tokens of all pieces as one set, `(1, num_kv_heads, all, …)`."""
    keys = [key.transpose(0, 1).flatten(1, 2).unsqueeze(0) for key, _ in pieces]
    values = [value.transpose(0, 1).flatten(1, 2).unsqueeze(0) for _, value in pieces]
    return torch.cat(keys, dim=-2), torch.cat(values, dim=-2)
