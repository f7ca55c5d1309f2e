"""How many questions are answered at once."""

import psutil
import torch

from core.kv.batch import BatchCache

MOST_AT_ONCE = 64
"""More rows than this gain little: then it is products that take the time, no longer bytes."""

_FREE_SHARE = 0.8
_HEADROOM_SHARE = 0.1


def width_of(batch: BatchCache, num_own_tokens: int, wanted: int | None) -> int:
    """As many branches with up to `num_own_tokens` of their own as memory has room for, at least one.

    `wanted` is an upper bound; None leaves it to memory.
    """
    most = wanted or MOST_AT_ONCE
    for device, branch_bytes in batch.branch_bytes(num_own_tokens).items():
        if branch_bytes:
            most = min(most, int(_FREE_SHARE * _free_bytes(device)) // branch_bytes)
    return max(1, most)


def _free_bytes(device: torch.device) -> int:
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    memory = psutil.virtual_memory()
    return max(0, int(memory.available) - int(memory.total * _HEADROOM_SHARE))
