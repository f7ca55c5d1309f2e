"""The contract of a tier: a pool of rows that each hold one encoded block."""

from abc import ABC, abstractmethod

import torch


class Tier(ABC):
    """Rows of `block_bytes` each, numbered from 0; a row is free or used, never both.

    Verbs come in pairs (`allocate` and `free`); `rows_tensor` gives the bytes of neighbouring rows without
    copying them, which is what lets transfers be coalesced.
    """

    def __init__(self, block_bytes: int) -> None:
        self.block_bytes = block_bytes

    @property
    @abstractmethod
    def num_rows(self) -> int:
        """Rows that exist, free or used."""

    @property
    @abstractmethod
    def num_free(self) -> int:
        """Rows that can be allocated without growing."""

    @property
    def num_used(self) -> int:
        return self.num_rows - self.num_free

    @property
    def size_bytes(self) -> int:
        return self.num_rows * self.block_bytes

    @abstractmethod
    def allocate(self, count: int) -> list[int]:
        """Take `count` rows, neighbouring ones where possible. Raises `DoesNotFitError` if there are none."""

    @abstractmethod
    def free(self, rows: list[int]) -> None:
        """Give rows back; their bytes are undefined from then on."""

    @abstractmethod
    def rows_tensor(self, first: int, count: int) -> torch.Tensor:
        """The bytes of `count` neighbouring rows, uint8 `(count, block_bytes)`, as a view.

        Rows are neighbours if `are_neighbours` says so for each step between them.
        """

    @abstractmethod
    def are_neighbours(self, row: int, next_row: int) -> bool:
        """Whether `next_row` follows `row` in one contiguous piece of memory."""

    @abstractmethod
    def check_integrity(self) -> None:
        """Assert that every row is either free or used and none is both."""
