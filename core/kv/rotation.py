"""An orthonormal rotation that spreads a value's outliers over all of its channels."""

import functools
import math

import torch


@functools.lru_cache(maxsize=32)
def rotation(dim: int) -> torch.Tensor:
    """An orthonormal `(dim, dim)` matrix in fp32 whose entries are all of similar size.

    A Hadamard matrix where `dim` is a power of two; else the Kronecker product of the largest one that
    divides `dim` with a discrete cosine transform of what is left.
    """
    odd = dim
    while odd % 2 == 0:
        odd //= 2
    return torch.kron(_hadamard(dim // odd), _cosine(odd)).contiguous()


def _hadamard(size: int) -> torch.Tensor:
    matrix = torch.ones(1, 1)
    while matrix.shape[0] < size:
        matrix = torch.cat([torch.cat([matrix, matrix], 1), torch.cat([matrix, -matrix], 1)], 0)
    return matrix / math.sqrt(size)


def _cosine(size: int) -> torch.Tensor:
    """The orthonormal DCT-II of `size` points."""
    rows = torch.arange(size, dtype=torch.float64).unsqueeze(1)
    columns = torch.arange(size, dtype=torch.float64).unsqueeze(0)
    matrix = torch.cos(math.pi * (columns + 0.5) * rows / size) * math.sqrt(2 / size)
    matrix[0] /= math.sqrt(2)
    return matrix.float()
