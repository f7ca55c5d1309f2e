"""Private memory straight from the system, and pinning it for the GPU.

Nothing here outlives its last reference: a tensor over `Mapping.view` keeps the memory, however late it goes.
"""

import contextlib
import ctypes
import mmap
import sys
import weakref
from dataclasses import dataclass

import torch

ALIGNMENT_BYTES = 2 << 20
"""A transparent huge page on x86-64 and on most ARM systems."""

_MAP_HUGETLB = 0x40000  # mmap(2); Python's module does not name it
_MADV_POPULATE_WRITE = 23  # madvise(2), Linux 5.14
_CUDA_HOST_REGISTER_PORTABLE = 1


@dataclass(frozen=True)
class Mapping:
    """Fresh memory at `address`: `view` looks at it, `source` gives it back to the system."""

    source: mmap.mmap
    view: memoryview
    address: int


def map_ordinary(num_bytes: int, alignment: int = 1) -> Mapping:
    """Memory in the system's usual pages, taken when first touched. Raises `OSError`."""
    source = _map(num_bytes + alignment - 1)
    return _cut(source, num_bytes, -_address_of(source) % alignment)


def map_reserved_huge(num_bytes: int) -> Mapping:
    """Memory from the reserved pool, a multiple of its page size. Raises `OSError` if the pool is short."""
    return _cut(_map(num_bytes, extra_flags=_MAP_HUGETLB), num_bytes)


def advise_huge(mapping: Mapping) -> None:
    """Let the kernel back memory that is aligned for it with transparent huge pages. Raises `OSError`."""
    assert sys.platform != "win32"
    start = mapping.address - _address_of(mapping.source)
    mapping.source.madvise(mmap.MADV_HUGEPAGE, start, mapping.view.nbytes)


def populate(mapping: Mapping) -> None:
    """Take all pages now. Raises `OSError`; touching a page that is not there would end the process."""
    assert sys.platform != "win32"
    mapping.source.madvise(_MADV_POPULATE_WRITE)


def pin(mapping: Mapping) -> None:
    """Lock the pages so that a GPU reads them at full speed. Raises `OSError`."""
    code = int(
        torch.cuda.cudart().cudaHostRegister(
            mapping.address, mapping.view.nbytes, _CUDA_HOST_REGISTER_PORTABLE
        )
    )
    if code != 0:
        _clear_cuda_error()
        raise OSError(f"CUDA error {code}")


def release_with(mapping: Mapping, *, is_pinned: bool) -> None:
    """Unpin and give back the memory as the last tensor over it goes, or as the program ends."""
    weakref.finalize(mapping.view, _release, mapping.source, mapping.address if is_pinned else None)


def _release(source: mmap.mmap, pinned_address: int | None) -> None:
    if pinned_address is not None:
        with contextlib.suppress(RuntimeError):  # a GPU that has failed copies nothing any more
            torch.cuda.synchronize()
            torch.cuda.cudart().cudaHostUnregister(pinned_address)
    with contextlib.suppress(BufferError):  # at the end of the program a tensor may still be there
        source.close()


def _map(num_bytes: int, extra_flags: int = 0) -> mmap.mmap:
    if sys.platform == "win32":
        return mmap.mmap(-1, num_bytes)
    return mmap.mmap(-1, num_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | extra_flags)


def _cut(source: mmap.mmap, num_bytes: int, start: int = 0) -> Mapping:
    return Mapping(source, memoryview(source)[start : start + num_bytes], _address_of(source) + start)


def _address_of(source: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(source))


def _clear_cuda_error() -> None:
    """CUDA reports a refused registration again at the next kernel, whoever starts it: start one here."""
    with contextlib.suppress(RuntimeError):
        torch.zeros(1, device="cuda")
