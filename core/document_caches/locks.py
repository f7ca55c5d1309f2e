"""Who may write a document cache: a lock on a file of its own, which the system lets go with its process."""

import sys
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class FileLock:
    """Held by one writer alone or by any number of readers. Two locks of one process exclude each other too.

    Windows has no shared locks of this kind: readers there hold nothing, and the system itself keeps files
    that are mapped from being removed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def try_exclusive(self) -> bool:
        """Be the writer; what was held before is lost if that fails."""
        return self._take(is_shared=False)

    def try_shared(self) -> bool:
        """Be a reader beside others; a writer becomes one without letting go."""
        return self._take(is_shared=True)

    def release(self) -> None:
        """Safe to call twice."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _take(self, *, is_shared: bool) -> bool:
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab")
        try:
            _lock(self._file, is_shared=is_shared)
        except OSError:
            self.release()
            return False
        return True


if sys.platform == "win32":

    def _lock(file: BinaryIO, *, is_shared: bool) -> None:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            if not is_shared:
                raise
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)  # it was our own; a stranger's raises again
            return
        if is_shared:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:

    def _lock(file: BinaryIO, *, is_shared: bool) -> None:
        kind = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
        fcntl.flock(file, kind | fcntl.LOCK_NB)
