"""Refuse before it hurts: is there host memory for what a sequence will hold?"""

import psutil

from core.errors import DoesNotFitError
from core.units import format_size

_HEADROOM_SHARE = 0.1


def require_host_memory(needed_bytes: int, what: str) -> None:
    """Raise `DoesNotFitError` unless `needed_bytes` are available with headroom for everybody else.

    A machine whose memory is full to the brim does not fail, it hangs; a tenth of it stays free.
    """
    memory = psutil.virtual_memory()
    usable = memory.available - int(memory.total * _HEADROOM_SHARE)
    if needed_bytes > usable:
        raise DoesNotFitError(
            "Not enough memory",
            f"{what} needs {format_size(needed_bytes)}; {format_size(max(0, usable))} of this machine's "
            f"{format_size(memory.total)} can be used now. Close other programs or choose fewer pages.",
        )
