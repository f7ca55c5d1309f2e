"""What becomes of a sequence when the device fails in the middle of computing it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.errors import DeviceError, DoesNotFitError, LecternError
from core.generation.relief import is_out_of_memory


@contextmanager
def releasing_on_failure(release: Callable[[], None]) -> Iterator[None]:
    """Free a half-computed sequence when the device fails, and say what happened in plain words.

    A cancel is no failure, and memory that runs out leaves whole steps: what was computed until then stays.
    """
    try:
        yield
    except LecternError:
        raise
    except (RuntimeError, MemoryError) as error:
        if is_out_of_memory(error):
            raise DoesNotFitError(
                "Out of memory",
                "The compute device ran out of memory. Lower the prefill chunk or the hot budget, or close "
                "other programs that use it; your document and conversation are kept.",
            ) from error
        release()
        raise DeviceError("The compute device failed", f"{error}") from error
