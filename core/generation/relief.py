"""What gives way when memory runs out in the middle of the work, and how the user hears of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from core.errors import DoesNotFitError
from core.units import format_size

MIN_STEP_TOKENS = 32
"""Steps are not made smaller than this: what a step needs beside its tokens is then the greater part."""

SMALLER_STEPS_NOTE = (
    "Memory ran out while this answer was prepared, so the text was read in steps of {tokens:,} tokens. "
    "Nothing was left out; it took longer."
)
LESS_HOT_NOTE = (
    "Memory ran out while this answer was prepared, so {size} of the hot tier were given back. Nothing was "
    "left out; it took longer."
)
FEWER_ROWS_NOTE = (
    "Memory ran out while questions were answered together, so that fewer were answered at a time: {rows} at "
    "least. Nothing was left out; it took longer."
)
_OF_TORCH = ("DefaultCPUAllocator", "CUBLAS_STATUS_ALLOC_FAILED", "out of memory")


@dataclass(frozen=True)
class Relief:
    """What was given up once: steps are `step_tokens` at most from then on, None if they stayed as they were,
    the hot tier is `hot_bytes` smaller, and `num_rows` branches at most go through the model together."""

    step_tokens: int | None
    hot_bytes: int
    num_rows: int | None = None

    @property
    def is_something(self) -> bool:
        return self.step_tokens is not None or self.hot_bytes > 0 or self.num_rows is not None


def is_out_of_memory(error: BaseException) -> bool:
    """Whether less memory would have let the work succeed."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError | DoesNotFitError):
        return True
    return isinstance(error, RuntimeError) and any(words in str(error) for words in _OF_TORCH)


def is_about_host(error: BaseException) -> bool:
    """Whether it is the host's memory that ran out, of which no GPU has anything to give."""
    return isinstance(error, MemoryError | DoesNotFitError) or "DefaultCPUAllocator" in str(error)


def smaller_step(num_tokens: int) -> int | None:
    """Half of a step of `num_tokens` that did not fit; None if it is as small as steps get."""
    return max(MIN_STEP_TOKENS, num_tokens // 2) if num_tokens > MIN_STEP_TOKENS else None


def notes_of(reliefs: Sequence[Relief]) -> list[str]:
    """What the user should know of what was given up on the way to one answer."""
    notes = []
    steps = [relief.step_tokens for relief in reliefs if relief.step_tokens is not None]
    if steps:
        notes.append(SMALLER_STEPS_NOTE.format(tokens=min(steps)))
    rows = [relief.num_rows for relief in reliefs if relief.num_rows is not None]
    if rows:
        notes.append(FEWER_ROWS_NOTE.format(rows=min(rows)))
    hot_bytes = sum(relief.hot_bytes for relief in reliefs)
    if hot_bytes:
        notes.append(LESS_HOT_NOTE.format(size=format_size(hot_bytes)))
    return notes


def nothing_left_to_give(
    error: BaseException, *, num_cached: int, num_tokens: int, cold_bytes: int
) -> DoesNotFitError:
    """The end: a step of `num_tokens` after `num_cached` does not fit, and nothing is left to give up."""
    reason = (
        error.message.rstrip(".") if isinstance(error, DoesNotFitError) else "the compute device refused it"
    )
    return DoesNotFitError(
        "Out of memory",
        f"After {num_cached:,} tokens there is no memory for the next {num_tokens:,} ({reason}), and nothing "
        f"is left to be given up; the sealed cache takes {format_size(cold_bytes)} of host memory. What was "
        "read is kept. Close other programs and ask again, or choose fewer pages, a smaller model or a "
        "stronger --kv-compression.",
    )
