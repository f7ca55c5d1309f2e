"""Refuse before it hurts: is there host memory for what a sequence will hold?"""

import psutil

from core.errors import DoesNotFitError
from core.units import format_size

_HEADROOM_SHARE = 0.1


def usable_host_bytes() -> int:
    """What can be taken now with headroom for everybody else.

    A machine whose memory is full to the brim does not fail, it hangs; a tenth of it stays free.
    """
    memory = psutil.virtual_memory()
    return max(0, int(memory.available) - int(memory.total * _HEADROOM_SHARE))


def require_host_memory(needed_bytes: int, what: str) -> None:
    """Raise `DoesNotFitError` unless `needed_bytes` can be taken now."""
    usable = usable_host_bytes()
    if needed_bytes > usable:
        raise DoesNotFitError(
            "Not enough memory",
            f"{what} needs {format_size(needed_bytes)}; {format_size(usable)} of this machine's "
            f"{format_size(psutil.virtual_memory().total)} can be used now. Close other programs or choose "
            "fewer pages.",
        )
