"""Multi-head latent attention: the keys and values of all heads are made from one small latent a token.

A token keeps a latent and a rope part. Head h's key is `[W_uk[h] latent, rope]`, its value `W_uv[h] latent`
(DeepSeek-AI 2024, DeepSeek-V2). These maps are linear, so a query can be taken to the latents instead
(*absorbed*): all heads then attend to one shared key, `[rope, latent]`, and `W_uv` is applied once to what
they gather. Few queries are cheaper that way, many are cheaper over keys and values *expanded* for a while.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from core.attention.merge import Partial, merge
from core.attention.over_tiers import attend_set

_MAX_EXPANDED_VALUES = 1 << 25
_PLAIN_DTYPES = (torch.float32, torch.bfloat16, torch.float16)


@dataclass(frozen=True)
class LatentHeads:
    """The heads of an attention module of transformers, as maps from and to its latents.

    Queries are `(1, num_heads, num_queries, nope_dim + rope_dim)` in the given dtype and place, rope parts
    `(1, 1, num_tokens, rope_dim)`, latents `(1, 1, num_tokens, latent_dim)`.
    """

    module: Any
    dtype: torch.dtype
    device: torch.device

    @property
    def latent_dim(self) -> int:
        return int(self.module.kv_lora_rank)

    @property
    def rope_dim(self) -> int:
        return int(self.module.qk_rope_head_dim)

    @property
    def nope_dim(self) -> int:
        return int(self.module.qk_nope_head_dim)

    @property
    def v_dim(self) -> int:
        return int(self.module.v_head_dim)

    def is_cheaper_expanded(self, num_queries: int, num_keys: int) -> bool:
        """Whether expanding `num_keys` tokens takes fewer products than absorbing the queries."""
        map_size = self.latent_dim * (self.nope_dim + self.v_dim)
        num_mapped = num_queries if self._plain_weight is not None else num_queries + self.latent_dim
        num_pairs = num_queries * num_keys
        expanded = num_keys * map_size + num_pairs * (self.nope_dim + self.rope_dim + self.v_dim)
        absorbed = num_mapped * map_size + num_pairs * (2 * self.latent_dim + self.rope_dim)
        return expanded < absorbed

    def absorb(self, query: torch.Tensor) -> torch.Tensor:
        """Queries against `[rope, latent]`: `(1, num_heads, num_queries, rope_dim + latent_dim)`."""
        nope, rope = query.split([self.nope_dim, self.rope_dim], dim=-1)
        return torch.cat([rope, nope @ self._maps[0]], dim=-1)

    def project(self, gathered: torch.Tensor) -> torch.Tensor:
        """fp32 `(…, v_dim)` of the latents `(1, num_heads, num_queries, latent_dim)` that were gathered."""
        return (gathered.to(self.dtype) @ self._maps[1].transpose(-1, -2)).float()

    def expand(self, rope: torch.Tensor, latent: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Keys and values of all heads `(1, num_heads, num_tokens, …)`, made by the model itself."""
        key, value = self.module.expand_kv(latent.to(self.dtype), rope.to(self.dtype))
        return key, value

    @property
    def _plain_weight(self) -> torch.Tensor | None:
        """`kv_b_proj` as a matrix `(num_heads * (nope_dim + v_dim), latent_dim)`; None if it is none."""
        linear: Any = self.module.kv_b_proj
        if type(linear) is not torch.nn.Linear:
            return None
        weight: torch.Tensor = linear.weight
        is_plain = type(weight) in (torch.Tensor, torch.nn.Parameter) and weight.dtype in _PLAIN_DTYPES
        return weight if is_plain and weight.device == self.device else None

    @cached_property
    def _maps(self) -> tuple[torch.Tensor, torch.Tensor]:
        """W_uk `(num_heads, nope_dim, latent_dim)` and W_uv `(num_heads, v_dim, latent_dim)`.

        Weights that only their module can read are seen by sending the unit vectors through it.
        """
        weight = self._plain_weight
        if weight is None:
            weight = self.module.kv_b_proj(torch.eye(self.latent_dim, dtype=self.dtype, device=self.device)).T
        heads = weight.to(self.dtype).unflatten(0, (-1, self.nope_dim + self.v_dim))
        w_uk, w_uv = heads.split([self.nope_dim, self.v_dim], dim=1)
        return w_uk, w_uv


def has_latent_heads(module: Any) -> bool:
    """Whether `LatentHeads` can work with this attention module."""
    sizes = ("kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim")
    if not all(isinstance(getattr(module, name, None), int) for name in sizes):
        return False
    expansion = getattr(module, "kv_b_proj", None)
    is_linear_map = callable(expansion) and getattr(expansion, "bias", None) is None
    return is_linear_map and callable(getattr(module, "expand_kv", None))


def as_shared_key(rope: torch.Tensor, latent: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Stored rope parts and latents as the key, and the value, of absorbed queries: `(…, rope + latent)`.

    One tensor serves as both, so that no second copy is made: of what is gathered the first `rope_dim`
    entries mean nothing.
    """
    shared = torch.cat([rope, latent], dim=-1)
    return shared, shared


def attend_expanded(
    heads: LatentHeads,
    query: torch.Tensor,
    rope: torch.Tensor,
    latent: torch.Tensor,
    scaling: float,
    softcap: float | None,
) -> Partial:
    """Attention over one set of latents, expanded a bounded number of tokens at a time."""
    values_per_token = query.shape[1] * (query.shape[-1] + heads.v_dim)
    size = max(1, _MAX_EXPANDED_VALUES // values_per_token)
    result: Partial | None = None
    for rope_part, latent_part in zip(rope.split(size, dim=-2), latent.split(size, dim=-2), strict=True):
        partial = attend_set(query, *heads.expand(rope_part, latent_part), scaling, softcap)
        result = partial if result is None else merge(result, partial)
    assert result is not None, "there is a token"
    return result
