"""What can go wrong with the library, in words for users."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import LecternError

_FULL = (sqlite3.SQLITE_FULL,)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DENIED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class LibraryError(LecternError):
    """The library cannot be opened, read or written. The work can go on without it."""


class LibraryTooNewError(LibraryError):
    """A newer version of the program made this library; it was left as it is."""


class NotInLibraryError(LibraryError):
    """What was asked for is not there, or no longer."""


@contextmanager
def in_plain_words(path: Path) -> Iterator[None]:
    """Raises what SQLite and the file system say about the library at `path` as `LibraryError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(path, error) from error
    except UnicodeDecodeError as error:  # SQLite quotes what it cannot read, and Python cannot read that
        raise _damaged(path) from error
    except OSError as error:
        raise LibraryError(
            "The library cannot be used", f"{path}: {error.strerror or error}. Nothing is saved until then."
        ) from error


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file is damaged or no database at all."""
    return _primary_code(error) in _DAMAGED


def is_index_damage(error: sqlite3.Error | MemoryError) -> bool:
    """Whether an error says that a search index is damaged, and nothing else.

    A damaged index can also ask for more memory than there is, or break a rule of its own tables, which have
    no names to be told.
    """
    if isinstance(error, MemoryError) or str(error) == "constraint failed":
        return True
    return getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CORRUPT_VTAB


def _explained(path: Path, error: sqlite3.Error) -> LibraryError:
    code = _primary_code(error)
    if code in _FULL:
        return LibraryError(
            "Your work cannot be saved",
            f"The disk that holds {path} is full. Free some space; what you do until then is not saved.",
        )
    if code in _DENIED:
        return LibraryError(
            "Your work cannot be saved",
            f"{path} or its folder cannot be written. Check who may write there; what you do until then is "
            "not saved.",
        )
    if code in _BUSY:
        return LibraryError(
            "The library is in use", f"Another program keeps {path} locked. Close it and try again."
        )
    if code in _DAMAGED:
        return _damaged(path)
    return LibraryError("The library cannot be used", f"{path}: {error}.")


def _damaged(path: Path) -> LibraryError:
    return LibraryError(
        "The library is damaged",
        f"{path} cannot be read as a whole. Start Lectern again: the file is then set aside and what can "
        "be read is copied into a new one.",
    )


def _primary_code(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
