"""Damaged libraries: noticed when they are opened, set aside, and rebuilt from what can be read."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from core.library.database import Database, connect
from core.library.errors import is_damage
from core.library.mended_copy import COPY_MARK, MAGIC
from core.library.salvage import TABLES, salvage
from core.library.schema import is_foreign, require_known_version
from core.library.search_index import TRIGRAMS, WORDS

_LOCK_TIMEOUT_S = 60.0
_REBUILT_MARK = ".rebuilt-"


def is_damaged(path: Path) -> bool:
    """Whether the file at `path` is no sound library; an empty one is sound. Reads only.

    A damaged search index is no damage: it can be built from the turns. Raises `LibraryTooNewError`.
    """
    try:
        if not _may_be_database(path):
            return True
        with closing(connect(path)) as connection:
            if is_foreign(connection):
                return True
            require_known_version(connection, path)
            problems = (row[0] for row in connection.execute("PRAGMA quick_check"))
            return not all(map(_is_harmless, problems)) or _lacks_tables(connection)
    except UnicodeDecodeError:
        return True
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return True
        raise


def set_aside(path: Path) -> str:
    """Keep a copy of a damaged library and put a new one in its place; what that saved, in words.

    The new one takes its place when it is complete. Empty if another process was faster.
    """
    with _alone(path):
        if not is_damaged(path):
            return ""
        _remove_leftovers(path)
        aside = _free_name(path)
        _copy(path, aside)
        rebuilt = path.with_name(f"{path.stem}{_REBUILT_MARK}{os.getpid()}{path.suffix}")
        try:
            with closing(Database(rebuilt)) as database:
                salvage(path, database)
                counts = {table: _count(database, table) for table in TABLES}
            for suffix in ("-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            rebuilt.replace(path)
        finally:
            for suffix in ("", "-wal", "-shm"):
                rebuilt.with_name(rebuilt.name + suffix).unlink(missing_ok=True)
    return (
        f"The library was damaged and was built anew: {counts['conversations']:,} conversations with "
        f"{counts['turns']:,} questions and {counts['findings']:,} findings could be read and were kept. "
        f"The damaged file lies beside it as {aside.name}."
    )


def _may_be_database(path: Path) -> bool:
    """SQLite takes a file of a few bytes for an empty one and would write over it."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC))
    return start in (b"", MAGIC)


def _is_harmless(problem: str) -> bool:
    return problem == "ok" or WORDS in problem or TRIGRAMS in problem


def _lacks_tables(connection: sqlite3.Connection) -> bool:
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    return bool(names) and not names.issuperset((*TABLES, "search_state"))


def _count(database: Database, table: str) -> int:
    return int(database.rows(f"SELECT count(*) FROM {table}")[0][0])


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Held by one process at a time; a lock of SQLite works the same on every system."""
    lock = sqlite3.connect(path.with_name(path.name + ".lock"), _LOCK_TIMEOUT_S, isolation_level=None)
    with closing(lock):
        lock.execute("BEGIN EXCLUSIVE")
        yield


def _remove_leftovers(path: Path) -> None:
    """What a repair that was killed left behind; nobody else repairs now."""
    for folder in path.parent.glob(f"{path.name}{COPY_MARK}*"):
        shutil.rmtree(folder, ignore_errors=True)
    for file in path.parent.glob(f"{path.stem}{_REBUILT_MARK}*"):
        file.unlink(missing_ok=True)


def _free_name(path: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    number = 1
    while True:
        ending = f"-{number}" if number > 1 else ""
        name = path.with_name(f"{path.stem}.damaged-{stamp}{ending}{path.suffix}")
        if not name.exists():
            return name
        number += 1


def _copy(path: Path, aside: Path) -> None:
    """The file and its log; a copy that could not be completed is not left behind."""
    copies = [
        (path.with_name(path.name + suffix), aside.with_name(aside.name + suffix)) for suffix in ("", "-wal")
    ]
    try:
        for source, target in copies:
            if source.exists():
                shutil.copy2(source, target)
    except OSError:
        for _, target in copies:
            target.unlink(missing_ok=True)
        raise
