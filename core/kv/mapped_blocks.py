"""The disk tier: sealed blocks in a file that is mapped, not read."""

import mmap
from collections.abc import Sequence
from pathlib import Path

import torch

from core.document_caches.checksums import block_checksum
from core.errors import DamagedCacheError


class MappedBlocks:
    """The first blocks of a layer as a slab of the cold tier, uint8 `(num_rows, block_bytes)`.

    The system brings over what is touched and takes it back as it likes; nothing is ever written. Each block
    is checked when it is first asked for: by then it has to come from the disk anyway, and a block that
    nobody asks for costs nothing. Raises `DamagedCacheError` if the file is shorter than that.
    """

    def __init__(
        self,
        path: Path,
        layer_idx: int,
        block_bytes: int,
        sums: Sequence[int],
        checked_from: int | None = None,
    ) -> None:
        """`sums` are the checksums of the rows, of which those from `checked_from` on need no check."""
        self._layer_idx = layer_idx
        self._sums = sums
        num_unchecked = len(sums) if checked_from is None else checked_from
        self._is_checked = bytearray(num_unchecked) + b"\x01" * (len(sums) - num_unchecked)
        try:
            with path.open("rb") as file:
                source = mmap.mmap(file.fileno(), len(sums) * block_bytes, access=mmap.ACCESS_COPY)
        except (OSError, ValueError) as error:
            raise DamagedCacheError.of(f"the file {path.name} is missing or too short") from error
        self._source: mmap.mmap | None = source
        self._view: memoryview | None = memoryview(source)
        with torch.inference_mode(mode=False):
            whole = torch.frombuffer(source, dtype=torch.uint8)
            self._tensor: torch.Tensor | None = whole.view(len(sums), block_bytes)

    @property
    def tensor(self) -> torch.Tensor:
        assert self._tensor is not None, "a map is not used after it was freed"
        return self._tensor

    @property
    def is_freed(self) -> bool:
        return self._tensor is None

    def require_intact(self, first: int, count: int) -> None:
        """Raises `DamagedCacheError` if one of these rows is not what was written."""
        row = self._is_checked.find(0, first, first + count)
        while row >= 0:
            self._check(row)
            self._is_checked[row] = 1
            row = self._is_checked.find(0, row, first + count)

    def give_back(self) -> None:
        """Let the system take what was read so far; it comes back when it is read again.

        The system maps more than what is touched (Linux 64 KiB around it), so that scattered reading would
        soon have the whole file in this process. Where the system cannot be told, nothing happens.
        """
        if self._source is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._source.madvise(mmap.MADV_DONTNEED)

    def free(self) -> None:
        """Let go of the map; what was cut from `tensor` keeps it until it goes. Safe to call twice."""
        self._tensor = self._view = self._source = None

    def _check(self, row: int) -> None:
        assert self._view is not None, "a map is not used after it was freed"
        size = self.tensor.shape[1]
        data = self._view[row * size : (row + 1) * size]
        if block_checksum(data, self._layer_idx, row) != self._sums[row]:
            raise DamagedCacheError.of(f"block {row} of layer {self._layer_idx} has changed")
