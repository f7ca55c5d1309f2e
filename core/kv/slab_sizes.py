"""How the cold tier's slabs grow: a few rows at first, more with each, so that a long document needs few."""

MIN_SLAB_ROWS = 8
MAX_SLAB_BYTES = 32 << 20
SLABS_PER_SIZE = 8


def slab_rows(block_bytes: int, unit_bytes: int, slab: int) -> int:
    """Rows of the slab with number `slab`; slabs fill whole units of the host memory as far as rows do."""
    smallest_bytes = _smallest_slab_bytes(block_bytes, unit_bytes)
    doublings = min(slab // SLABS_PER_SIZE, _most_doublings(smallest_bytes))
    return (smallest_bytes << doublings) // block_bytes


def slabs_bytes(block_bytes: int, unit_bytes: int, num_blocks: int) -> int:
    """The host memory that slabs for `num_blocks` blocks take when these come one after the other."""
    smallest_bytes = _smallest_slab_bytes(block_bytes, unit_bytes)
    num_growing = SLABS_PER_SIZE * _most_doublings(smallest_bytes)
    total, num_left, slab = 0, num_blocks, 0
    while num_left > 0:
        rows = slab_rows(block_bytes, unit_bytes, slab)
        num_slabs = 1 if slab < num_growing else -(-num_left // rows)
        total += num_slabs * (-(-rows * block_bytes // unit_bytes) * unit_bytes)
        num_left, slab = num_left - num_slabs * rows, slab + num_slabs
    return total


def _smallest_slab_bytes(block_bytes: int, unit_bytes: int) -> int:
    return -(-MIN_SLAB_ROWS * block_bytes // unit_bytes) * unit_bytes


def _most_doublings(smallest_bytes: int) -> int:
    return max(0, (MAX_SLAB_BYTES // smallest_bytes).bit_length() - 1)
