"""Attention of a block of queries over one set of keys, returning `(out, lse)`.

The fused kernels of torch are used where they return the log-sum-exp; everything they do not take
(soft caps, values longer than keys on CUDA, large heads) goes through plain matrix products.
"""

import torch

from core.attention.merge import Partial, empty_partial

_FLASH_CUDA_MAX_HEAD_DIM = 256
_MAX_SCORE_ELEMENTS = 1 << 24


def partial_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    scaling: float,
    is_causal: bool = False,
    mask: torch.Tensor | None = None,
    softcap: float | None = None,
) -> Partial:
    """Softmax attention over one set of keys.

    `query` `(batch, num_heads, num_queries, k_dim)`, `key` `(batch, num_kv_heads, num_keys, k_dim)`,
    `value` `(batch, num_kv_heads, num_keys, v_dim)`; `num_heads` is a multiple of `num_kv_heads`.
    `is_causal` lets query i see keys 0…i and needs `num_queries == num_keys`. `mask` is boolean and
    broadcasts to `(batch, num_heads, num_queries, num_keys)`; True is visible. Query, key and value
    share a dtype. Returns fp32 `(out, lse)`, see `core.attention.merge`.
    """
    if key.shape[-2] == 0:
        return empty_partial(query, value.shape[-1])
    if softcap is None and query.device.type == "cpu":
        return _flash_cpu(query, key, value, scaling, is_causal, mask)
    if softcap is None and mask is None and query.is_cuda and key.shape[-1] >= value.shape[-1]:
        half = query.dtype in (torch.float16, torch.bfloat16)
        if half and key.shape[-1] <= _FLASH_CUDA_MAX_HEAD_DIM and key.shape[-1] % 8 == 0:
            return _flash_cuda(query, key, value, scaling, is_causal)
    return _matmul(query, key, value, scaling, is_causal, mask, softcap)


def _flash_cpu(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    scaling: float,
    is_causal: bool,
    mask: torch.Tensor | None,
) -> Partial:
    bias = None if mask is None else _as_bias(mask, query.dtype)
    query, key, value = (_with_dense_rows(x) for x in (query, key, value))
    k_dim, v_dim = key.shape[-1], value.shape[-1]
    if k_dim > v_dim:
        value = torch.nn.functional.pad(value, (0, k_dim - v_dim))
    elif v_dim > k_dim:
        query = torch.nn.functional.pad(query, (0, v_dim - k_dim))
        key = torch.nn.functional.pad(key, (0, v_dim - k_dim))
    out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
        query, key, value, 0.0, is_causal, attn_mask=bias, scale=scaling
    )
    return out[..., :v_dim].float(), lse.float()


def _with_dense_rows(tensor: torch.Tensor) -> torch.Tensor:
    """The CPU kernel takes the last dimension for contiguous without looking."""
    return tensor if tensor.stride(-1) == 1 else tensor.contiguous()


def _flash_cuda(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float, is_causal: bool
) -> Partial:
    v_dim = value.shape[-1]
    if key.shape[-1] > v_dim:
        value = torch.nn.functional.pad(value, (0, key.shape[-1] - v_dim))
    out, lse, *_ = torch.ops.aten._scaled_dot_product_flash_attention(
        query, key, value, 0.0, is_causal, scale=scaling
    )
    return out[..., :v_dim].float(), lse[..., : query.shape[-2]].float()


def _matmul(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    scaling: float,
    is_causal: bool,
    mask: torch.Tensor | None,
    softcap: float | None,
) -> Partial:
    """Plain products in fp32, a bounded number of query rows at a time."""
    batch, num_heads, num_queries, _ = query.shape
    num_keys = key.shape[-2]
    group = num_heads // key.shape[1]
    keys = key.float().repeat_interleave(group, dim=1).transpose(-1, -2)
    values = value.float().repeat_interleave(group, dim=1)
    rows = max(1, _MAX_SCORE_ELEMENTS // (batch * num_heads * num_keys))
    outs, lses = [], []
    for start in range(0, num_queries, rows):
        end = min(start + rows, num_queries)
        scores = query[:, :, start:end].float() @ keys * scaling
        if softcap is not None:
            scores = torch.tanh(scores / softcap) * softcap
        if is_causal:
            positions = torch.arange(num_keys, device=query.device)
            visible = positions <= torch.arange(start, end, device=query.device).unsqueeze(-1)
            scores = scores.masked_fill(~visible, float("-inf"))
        if mask is not None:
            block = mask[..., start:end, :] if mask.shape[-2] > 1 else mask
            scores = scores.masked_fill(~block, float("-inf"))
        lse = torch.logsumexp(scores, dim=-1)
        weights = torch.exp(scores - torch.where(torch.isneginf(lse), 0.0, lse).unsqueeze(-1))
        outs.append(weights @ values)
        lses.append(lse)
    return torch.cat(outs, dim=-2), torch.cat(lses, dim=-1)


def _as_bias(mask: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill_(~mask, float("-inf"))
