"""Memory for the tiers' pools."""

import torch


def allocate_rows(
    num_rows: int, row_bytes: int, device: torch.device, *, pinned: bool = False
) -> torch.Tensor:
    """Uninitialised memory, uint8 `(num_rows, row_bytes)`; `pinned` is for host memory.

    Pinned memory moves two to three times faster to a GPU than pageable memory; torch rounds such an
    allocation up to a power of two, so callers ask for sizes that are one. The tensor can be written inside
    and outside of inference mode.
    """
    with torch.inference_mode(mode=False):
        return torch.empty(num_rows, row_bytes, dtype=torch.uint8, device=device, pin_memory=pinned)


def release_unused() -> None:
    """Give device memory that torch keeps for later back to the device."""
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()
