"""Which blocks should be resident: pure functions from what is known to what should be."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

BlockT = TypeVar("BlockT")


def recent_window(blocks: Sequence[BlockT], num_slots: int) -> Sequence[BlockT]:
    """The blocks of a sequence, oldest first, that should be resident: the newest that fit.

    In exact mode every block is read once a token, so any resident set of one size saves the same
    traffic; the newest cost no transfer, because they are on the device when they are sealed.
    """
    return blocks[len(blocks) - min(num_slots, len(blocks)) :]


def evictions(resident: Sequence[BlockT], wanted: Collection[BlockT], num_needed: int) -> list[BlockT]:
    """`num_needed` of the `resident` blocks to give up: unwanted ones first, longest resident first."""
    keep = set(wanted)
    ordered = [block for block in resident if block not in keep] + [b for b in resident if b in keep]
    return ordered[: max(0, num_needed)]


def most_retrieved(
    resident: Sequence[BlockT], demand: Mapping[BlockT, int], num_slots: int, block_bytes: int
) -> list[BlockT]:
    """The blocks that should be resident when chosen units of blocks are read, the most wanted first.

    `demand` is how many bytes were read of a block lately. A block that is not resident has to be brought
    over whole, which pays only where at least that much was read of it; a resident one stays until a block
    in greater demand needs its slot.
    """
    here = set(resident)
    arrivals = [b for b, num_bytes in demand.items() if num_bytes >= block_bytes and b not in here]
    candidates = [*resident, *arrivals]
    return sorted(candidates, key=lambda block: demand.get(block, 0), reverse=True)[:num_slots]
