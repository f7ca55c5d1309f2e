"""The attention function that transformers calls, and the mask function beside it.

Both are registered under the name `tiered`. A full-attention layer's cache hands its tiers over with
the new keys (as the keyword `tier_layer`, or as an attribute of the key tensor for layers that share
another layer's keys); such a layer attends over all tiers. Every other layer attends over the keys it
is given, through the mask that transformers builds for its window.
"""

from typing import TYPE_CHECKING, Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import sdpa_mask

from core.attention.call import AttentionCall
from core.attention.merge import Partial
from core.attention.partial import partial_attention
from core.errors import UsageError

if TYPE_CHECKING:
    from core.kv.layer import TieredLayer

IMPLEMENTATION_NAME = "tiered"
TIER_ATTRIBUTE = "_tier_layer"
_WINDOW_ROWS = 256


def tiered_attention(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    scaling: float | None = None,
    sliding_window: int | None = None,
    softcap: float | None = None,
    s_aux: torch.Tensor | None = None,
    tier_layer: "TieredLayer | None" = None,
    **_unused: Any,
) -> tuple[torch.Tensor, None]:
    """Attention as transformers expects it.

    `query` `(batch, num_heads, num_queries, head_dim)`, `key` and `value` `(batch, num_kv_heads, num_keys,
    …)` not repeated; `s_aux` is a learned sink per head. Returns `(batch, num_queries, num_heads, v_dim)`.
    """
    scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
    layer = tier_layer if tier_layer is not None else getattr(key, TIER_ATTRIBUTE, None)
    if layer is not None:
        call = AttentionCall(module, key, value)
        out, lse = layer.attend(query, call, scaling=scaling, softcap=softcap)
        if layer.tap is not None:
            layer.tap.record(layer.as_met_by_keys(query, call), lse, scaling=scaling, softcap=softcap)
    elif attention_mask is None:
        out, lse = partial_attention(
            query, key, value, scaling=scaling, is_causal=query.shape[-2] > 1, softcap=softcap
        )
    else:
        out, lse = _windowed(query, key, value, attention_mask, sliding_window, scaling, softcap)
    if s_aux is not None:
        out = out * torch.sigmoid(lse - s_aux.float().view(1, -1, 1)).unsqueeze(-1)
    return out.transpose(1, 2).to(query.dtype).contiguous(), None


def _windowed(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor,
    window: int | None,
    scaling: float,
    softcap: float | None,
) -> Partial:
    """Masked attention, a band of query rows at a time so that keys outside every window are not read."""
    num_queries, num_keys = query.shape[-2], key.shape[-2]
    first_position = num_keys - num_queries
    outs, lses = [], []
    for start in range(0, num_queries, _WINDOW_ROWS):
        end = min(start + _WINDOW_ROWS, num_queries)
        first_key = 0 if window is None else max(0, first_position + start - window + 1)
        last_key = first_position + end
        out, lse = partial_attention(
            query[:, :, start:end],
            key[:, :, first_key:last_key],
            value[:, :, first_key:last_key],
            scaling=scaling,
            mask=mask[:, :, start:end, first_key:last_key],
            softcap=softcap,
        )
        outs.append(out)
        lses.append(lse)
    return torch.cat(outs, dim=-2), torch.cat(lses, dim=-1)


def tiered_mask(
    *, attention_mask: torch.Tensor | None = None, local_size: int | None = None, **mask_arguments: Any
) -> torch.Tensor | None:
    """No mask for full attention (the tiers are causal by construction), transformers' own for windows.

    Raises `UsageError` for padded batches: the tiers hold one sequence without padding.
    """
    if attention_mask is not None and not bool(attention_mask.all()):
        raise UsageError(
            "Padded input",
            "The tiered cache takes one sequence without padding; remove the padding from the input.",
        )
    if local_size is None:
        return None
    mask_arguments["allow_is_causal_skip"] = False
    return sdpa_mask(attention_mask=None, local_size=local_size, **mask_arguments)


def register() -> None:
    """Make `attn_implementation="tiered"` known to transformers; calling it again changes nothing."""
    AttentionInterface.register(IMPLEMENTATION_NAME, tiered_attention)
    AttentionMaskInterface.register(IMPLEMENTATION_NAME, tiered_mask)
