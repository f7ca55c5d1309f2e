"""Bringing numbers to a narrower type without letting any of them become infinite."""

import torch


def narrowed(values: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """`values` in `dtype`; what is beyond its range, infinities too, becomes its largest number.

    Copies nothing if the dtype is the same already.
    """
    limit = largest(dtype)
    if not is_narrower(dtype, values.dtype):
        return values.to(dtype)
    return values.to(dtype).clamp_(-limit, limit)


def is_narrower(dtype: torch.dtype, than: torch.dtype) -> bool:
    """Whether numbers of the type `than` can be beyond the range of `dtype` by more than a rounding."""
    return 2 * largest(dtype) < largest(than)


def largest(dtype: torch.dtype) -> float:
    """The largest number that `dtype` holds."""
    return torch.finfo(dtype).max
