"""Merging partial attention results: the identity that lets keys live in different places.

A *partial* is attention over one set of keys: `(out, lse)` with `out` the softmax-weighted values
`(batch, num_heads, num_queries, v_dim)` and `lse` the natural logarithm of the softmax's denominator
`(batch, num_heads, num_queries)`, both fp32. Partials over disjoint sets merge into the partial over
their union (Milakov and Gimelshein 2018; the same algebra serves FlashAttention's split keys).
"""

from collections.abc import Sequence

import torch

Partial = tuple[torch.Tensor, torch.Tensor]


def merge(left: Partial, right: Partial) -> Partial:
    """The partial over the union of two disjoint key sets.

    An empty set has `lse = -inf` and changes nothing; two empty sets merge into an empty one, not NaN.
    """
    left_out, left_lse = left
    right_out, right_lse = right
    peak = torch.maximum(left_lse, right_lse)
    shift = torch.where(torch.isneginf(peak), 0.0, peak)
    left_weight = torch.exp(left_lse - shift)
    right_weight = torch.exp(right_lse - shift)
    total = left_weight + right_weight
    safe_total = torch.where(total == 0, 1.0, total)
    out = left_out * (left_weight / safe_total).unsqueeze(-1)
    out = out + right_out * (right_weight / safe_total).unsqueeze(-1)
    return out, shift + torch.log(total)


def merge_stack(stack: Partial) -> Partial:
    """The partial over the union of many disjoint sets, stacked along a leading axis `(num_sets, …)`.

    What `merge` does for two, in one pass; no set of the stack may be empty.
    """
    out, lse = stack
    total = torch.logsumexp(lse, dim=0)
    weight = torch.exp(lse - total).unsqueeze(-1)
    return (out * weight).sum(dim=0), total


def merge_in_turn(partials: Sequence[Partial]) -> Partial:
    """What `merge_stack` does, with room for one more partial instead of for all of them again."""
    lses = torch.stack([lse for _, lse in partials])
    total = torch.logsumexp(lses, dim=0)
    weights = torch.exp(lses - total).unsqueeze(-1)
    result = partials[0][0] * weights[0]
    for (out, _), weight in zip(partials[1:], weights[1:], strict=True):
        result.addcmul_(out, weight)
    return result, total


def empty_partial(query: torch.Tensor, v_dim: int) -> Partial:
    """The partial over no keys at all for `query` `(batch, num_heads, num_queries, head_dim)`."""
    rows = query.shape[:-1]
    out = query.new_zeros((*rows, v_dim), dtype=torch.float32)
    lse = query.new_full(rows, float("-inf"), dtype=torch.float32)
    return out, lse
