"""How much memory a process that reads documents may take: a small file can unpack to gigabytes."""

import contextlib
import sys

from core.errors import DocumentError

MAX_BYTES = 1 << 30


def limit_memory() -> None:
    """Let this process have no more than `MAX_BYTES` of its own; what needs more fails by itself.

    Only Linux keeps such a limit; elsewhere this does nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_BYTES, most))


def is_out_of_memory(error: Exception) -> bool:
    """Whether the library or the interpreter failed because there was no more memory."""
    if isinstance(error, MemoryError):
        return True
    with contextlib.suppress(Exception):
        text = str(error)
        return "alloc" in text and "failed" in text
    return False


def too_large(name: str) -> DocumentError:
    """What is said of a file that does not fit."""
    return DocumentError(
        "Too large",
        f"“{name}” takes too much memory when it is unpacked. If you trust it, open it in another program "
        "and save it in several parts.",
    )
