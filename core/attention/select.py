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
_CPU_TOKENS_AT_ONCE = 16384  # what fits the caches of a CPU
_NO_WEIGHT = -80.0  # weights below exp(-80) would be denormal numbers, which are slow

KeyBatches = Callable[[], Iterator[torch.Tensor]]
"""Gives the keys anew, in order, in batches `(num_kv_heads, num_tokens, k_dim)`."""


@dataclass(frozen=True)
class LowRankDigest:
    """The keys of a sequence in few bits.

    `basis` `(num_kv_heads, k_dim, rank)` holds the main directions times the size of one step; `codes`
    uint8 `(num_kv_heads, rank / 2, num_tokens)` two 4-bit steps a byte.
    """

    basis: torch.Tensor
    codes: torch.Tensor

    @property
    def num_tokens(self) -> int:
        return self.codes.shape[-1]

    @property
    def size_bytes(self) -> int:
        return self.codes.nbytes + self.basis.nbytes

    def scores(self, query: torch.Tensor, first: int = 0, last: int | None = None) -> torch.Tensor:
        """Approximate products of `query` with the keys from `first` to before `last`, up to a constant.

        `query` `(num_kv_heads, rows, k_dim)`; returns fp32 `(num_kv_heads, rows, num_tokens)`.
        """
        codes = self.codes[..., first:last]
        projected = query.float() @ self.basis
        low, high = projected[..., 0::2], projected[..., 1::2]
        # A code is low + 16 * high: taking it whole saves taking its lower half out.
        levels = torch.cat([codes, codes >> 4], dim=1).float()
        scores: torch.Tensor = torch.cat([low, high - 16 * low], dim=-1) @ levels
        return scores

    def unit_mass(self, query: torch.Tensor, unit_tokens: int, first: int, last: int) -> torch.Tensor:
        """The share of attention that units of the keys from `first` to before `last` would get.

        `query` `(num_kv_heads, rows, k_dim)` is scaled; the rows of a KV head (its group of query heads)
        weigh the same. Returns fp32 `(num_kv_heads, num_units)`; the shares of a head sum to `rows`.
        """
        is_on_cpu = self.codes.device.type == "cpu"
        step = _CPU_TOKENS_AT_ONCE // unit_tokens * unit_tokens if is_on_cpu else last - first
        masses, peaks, ones = [], [], query.new_ones(unit_tokens, dtype=torch.float32)
        for start in range(first, last, step):
            scores = self.scores(query, start, min(start + step, last))
            peak = scores.amax(-1, keepdim=True)
            weights = scores.sub_(peak).clamp_(min=_NO_WEIGHT).exp_()
            masses.append(weights.unflatten(-1, (-1, unit_tokens)) @ ones)
            peaks.append(peak)
        highest = torch.cat(peaks, dim=-1).amax(-1, keepdim=True)
        mass = torch.cat([m * (peak - highest).exp() for m, peak in zip(masses, peaks, strict=True)], dim=-1)
        return (mass / mass.sum(-1, keepdim=True)).sum(1)


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
        codes.append((levels[..., 0::2] | (levels[..., 1::2] << 4)).transpose(1, 2))
    return LowRankDigest(basis * step.unsqueeze(1), torch.cat(codes, dim=-1))


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
