"""All experts of a model in host memory, each in one contiguous row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from core.kv.memory import allocate_rows

ExpertWeights = Mapping[str, torch.Tensor]
"""One expert's tensors by the names of the module's parameters, without the expert dimension."""

_ALIGNMENT = 256
_ROWS_PER_SLAB = 8
_MIN_SLAB_BYTES = 1 << 26
_CPU = torch.device("cpu")


@dataclass(frozen=True)
class _Field:
    name: str
    offset: int
    size_bytes: int
    shape: torch.Size
    dtype: torch.dtype


@dataclass(frozen=True)
class ExpertLayout:
    """Where an expert's tensors lie in its row; the same on every tier."""

    fields: tuple[_Field, ...]
    row_bytes: int

    @classmethod
    def of(cls, parameters: Mapping[str, torch.Tensor]) -> "ExpertLayout":
        """The layout for `parameters`, each `(num_experts, …)`."""
        fields, offset = [], 0
        for name, tensor in parameters.items():
            size_bytes = tensor[0].numel() * tensor.element_size()
            fields.append(_Field(name, offset, size_bytes, tensor.shape[1:], tensor.dtype))
            offset += _aligned(size_bytes)
        return cls(tuple(fields), offset)

    def views(self, row: torch.Tensor) -> ExpertWeights:
        """The tensors of the expert in `row`, uint8, without a copy."""
        with torch.inference_mode(mode=False):
            return {
                field.name: row[field.offset : field.offset + field.size_bytes]
                .view(field.dtype)
                .view(field.shape)
                for field in self.fields
            }


class ExpertStore:
    """Rows in a few large slabs, filled once and never written again.

    With `pinned` the slabs are page-locked as far as the system allows; torch rounds such an allocation up
    to a power of two, so a slab fills one as well as it can.
    """

    def __init__(self, row_bytes: int, num_rows: int, *, pinned: bool) -> None:
        self.row_bytes = row_bytes
        slab_bytes = max(_MIN_SLAB_BYTES, 1 << (_ROWS_PER_SLAB * row_bytes - 1).bit_length())
        self._rows_per_slab = slab_bytes // row_bytes
        self._num_rows = num_rows
        self._pinned = pinned
        self._slabs: list[torch.Tensor] = []
        self._num_used = 0

    @property
    def size_bytes(self) -> int:
        return sum(slab.numel() for slab in self._slabs)

    @property
    def is_pinned(self) -> bool:
        return all(slab.is_pinned() for slab in self._slabs)

    def append(self, weights: ExpertWeights, layout: ExpertLayout) -> int:
        """Copy one expert into the next row; returns its index."""
        index = self._num_used
        assert index < self._num_rows, "the store was made for fewer experts"
        if index == len(self._slabs) * self._rows_per_slab:
            count = min(self._rows_per_slab, self._num_rows - index)
            self._slabs.append(_host_rows(count, self.row_bytes, pinned=self._pinned))
        self._num_used += 1
        for name, view in layout.views(self.row(index)).items():
            view.copy_(weights[name])
        return index

    def row(self, index: int) -> torch.Tensor:
        """The bytes of an expert, uint8 `(row_bytes,)`."""
        return self._slabs[index // self._rows_per_slab][index % self._rows_per_slab]


def row_bytes_of(layouts: Sequence[ExpertLayout]) -> int:
    """The size of a row that holds an expert of any of `layouts`."""
    return max(layout.row_bytes for layout in layouts)


def _host_rows(num_rows: int, row_bytes: int, *, pinned: bool) -> torch.Tensor:
    if not pinned:
        return allocate_rows(num_rows, row_bytes, _CPU)
    try:
        return allocate_rows(num_rows, row_bytes, _CPU, pinned=True)
    except RuntimeError:  # the system limits page-locked memory; pageable memory works, slower
        return allocate_rows(num_rows, row_bytes, _CPU)


def _aligned(num_bytes: int) -> int:
    return -(-num_bytes // _ALIGNMENT) * _ALIGNMENT
