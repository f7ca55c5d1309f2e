"""Keeps some queries of one layer, so that it can be asked afterwards what they looked at."""

from collections.abc import Iterator

import torch

_MAX_CALLS = 64
_MAX_SCORES = 1 << 22


class QueryTap:
    """The newest `rows_per_call` queries of attention calls, of at most 64 calls spread evenly over all.

    Attention is recomputed from them and from keys alone: a score divided by what the whole softmax was
    divided by (`lse`) is the share that a key got.
    """

    def __init__(self, rows_per_call: int = 1) -> None:
        self._rows = rows_per_call
        self._stride = 1
        self._num_calls = 0
        self._kept: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._scaling = 1.0
        self._softcap: float | None = None

    def record(
        self, query: torch.Tensor, lse: torch.Tensor, *, scaling: float, softcap: float | None
    ) -> None:
        """`query` `(1, num_heads, num_queries, k_dim)` as it meets the keys, `lse` without the last dim."""
        if self._num_calls % self._stride == 0:
            rows = min(self._rows, query.shape[-2])
            self._kept.append((query[0, :, -rows:].clone(), lse[0, :, -rows:].clone()))
            self._scaling, self._softcap = scaling, softcap
        self._num_calls += 1
        if len(self._kept) > _MAX_CALLS:
            self._kept = self._kept[::2]
            self._stride *= 2

    def token_mass(
        self, keys: Iterator[tuple[torch.Tensor, torch.Tensor]], num_tokens: int
    ) -> torch.Tensor | None:
        """The share of attention that each of the first `num_tokens` got, averaged over queries and heads.

        `keys` gives positions `(num,)` on the CPU and keys `(num_kv_heads, num, k_dim)`. Returns fp32
        `(num_tokens,)` on the CPU, None if no query was recorded.
        """
        if not self._kept:
            return None
        query = torch.cat([query for query, _ in self._kept], dim=1).float()
        lse = torch.cat([lse for _, lse in self._kept], dim=1).float()
        mass = torch.zeros(num_tokens)
        for positions, key in keys:
            is_inside = positions < num_tokens
            if not bool(is_inside.any()):
                continue
            num_kv_heads = key.shape[0]
            folded = query.reshape(num_kv_heads, -1, query.shape[-1])
            divisor = lse.reshape(num_kv_heads, -1, 1)
            size = max(1, _MAX_SCORES // (num_kv_heads * folded.shape[1]))
            shares = [self._shares(folded, divisor, part) for part in key.split(size, dim=1)]
            mass[positions[is_inside]] = torch.cat(shares).cpu()[is_inside]
        return mass

    def _shares(self, query: torch.Tensor, lse: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
        scores = query @ key.float().transpose(-1, -2) * self._scaling
        if self._softcap is not None:
            scores = torch.tanh(scores / self._softcap) * self._softcap
        return (scores - lse).exp_().mean(dim=(0, 1))
