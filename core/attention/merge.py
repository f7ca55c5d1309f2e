"""Merging partial attention results: the identity that lets keys live in different places.

A *partial* is attention over one set of keys: `(out, lse)` with `out` the softmax-weighted values
`(batch, num_heads, num_queries, v_dim)` and `lse` the natural logarithm of the softmax's denominator
`(batch, num_heads, num_queries)`, both fp32. Partials over disjoint sets merge into the partial over
their union (Milakov and Gimelshein 2018; the same algebra serves FlashAttention's split keys).
"""

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
    """Merge along a leading axis of partials, `(num_sets, …)`, pairwise in an order fixed by its length."""
    out, lse = stack
    while out.shape[0] > 1:
        half = out.shape[0] // 2
        merged_out, merged_lse = merge((out[:half], lse[:half]), (out[half : 2 * half], lse[half : 2 * half]))
        out = torch.cat([merged_out, out[2 * half :]])
        lse = torch.cat([merged_lse, lse[2 * half :]])
    return out[0], lse[0]


def empty_partial(query: torch.Tensor, v_dim: int) -> Partial:
    """The partial over no keys at all for `query` `(batch, num_heads, num_queries, head_dim)`."""
    rows = query.shape[:-1]
    out = query.new_zeros((*rows, v_dim), dtype=torch.float32)
    lse = query.new_full(rows, float("-inf"), dtype=torch.float32)
    return out, lse
