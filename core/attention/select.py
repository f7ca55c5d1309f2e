"""Which keys a query is likely to attend to, judged from a digest a sixteenth of their size.

Keys after RoPE lie close to a space of few dimensions. A digest keeps each key's coordinates along the
main directions of its layer and head, 4 bits each; scores against it rank tokens almost as the keys
themselves would (low-rank keys: Singhania et al. 2024, Loki; Sun et al. 2024, ShadowKV).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

RANK_SHARE = 4
_LEVELS = 16
_RANGE_SIGMAS = 6.0

KeyBatches = Callable[[], Iterator[torch.Tensor]]
"""Gives the keys anew, in order, in batches `(num_kv_heads, num_tokens, k_dim)`."""


@dataclass(frozen=True)
class LowRankDigest:
    """The keys of a sequence in few bits.

    `basis` `(num_kv_heads, k_dim, rank)` holds the main directions times the size of one step; `codes`
    uint8 `(num_kv_heads, num_tokens, rank / 2)` two 4-bit steps a byte.
    """

    basis: torch.Tensor
    codes: torch.Tensor

    @property
    def num_tokens(self) -> int:
        return self.codes.shape[1]

    @property
    def size_bytes(self) -> int:
        return self.codes.nbytes + self.basis.nbytes

    def scores(self, query: torch.Tensor) -> torch.Tensor:
        """Approximate products of `query` `(num_kv_heads, group, k_dim)` with every key, up to a constant.

        Returns fp32 `(num_kv_heads, group, num_tokens)`.
        """
        projected = query.float() @ self.basis
        even: torch.Tensor = projected[..., 0::2] @ (self.codes & 0x0F).float().transpose(-1, -2)
        odd = projected[..., 1::2] @ (self.codes >> 4).float().transpose(-1, -2)
        return even + odd


def digest_of(batches: KeyBatches) -> LowRankDigest:
    """The digest of all keys that `batches` gives; they are gone through twice."""
    mean, covariance = _moments(batches)
    rank = max(2, covariance.shape[-1] // RANK_SHARE // 2 * 2)
    variances, directions = torch.linalg.eigh(covariance)
    basis = directions[..., -rank:].flip(-1)
    step = variances[..., -rank:].flip(-1).clamp_min(1e-12).sqrt() * (_RANGE_SIGMAS / (_LEVELS - 1))
    codes = []
    for keys in batches():
        coordinates = (keys.float() - mean.unsqueeze(1)) @ basis / step.unsqueeze(1)
        levels = (coordinates + (_LEVELS - 1) / 2).round_().clamp_(0, _LEVELS - 1).to(torch.uint8)
        codes.append(levels[..., 0::2] | (levels[..., 1::2] << 4))
    return LowRankDigest(basis * step.unsqueeze(1), torch.cat(codes, dim=1))


def unit_mass(scores: torch.Tensor, unit_tokens: int) -> torch.Tensor:
    """The share of attention that units of `unit_tokens` tokens would get, `(num_kv_heads, num_units)`.

    `scores` `(num_kv_heads, rows, num_tokens)` are scaled; the rows of a KV head (its group of query heads)
    weigh the same, so the shares of a head sum to the number of rows.
    """
    weights = (scores - scores.amax(-1, keepdim=True)).exp_()
    units: torch.Tensor = weights.unflatten(-1, (-1, unit_tokens)).sum(-1)
    return (units / units.sum(-1, keepdim=True)).sum(1)


def choose(mass: torch.Tensor, num_chosen: int) -> torch.Tensor:
    """The `num_chosen` best units of each head, in document order: int64 `(num_kv_heads, num_chosen)`."""
    return mass.topk(num_chosen, dim=-1).indices.sort(dim=-1).values


def _moments(batches: KeyBatches) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean `(num_kv_heads, k_dim)` and covariance `(num_kv_heads, k_dim, k_dim)` of all keys."""
    count, total, square = 0, None, None
    for keys in batches():
        wide = keys.float()
        count += wide.shape[1]
        batch_total, batch_square = wide.sum(1), wide.transpose(-1, -2) @ wide
        total = batch_total if total is None else total + batch_total
        square = batch_square if square is None else square + batch_square
    assert total is not None, "there are keys"
    assert square is not None, "there are keys"
    mean = total / count
    return mean, square / count - mean.unsqueeze(-1) * mean.unsqueeze(-2)
