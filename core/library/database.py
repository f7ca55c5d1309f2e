"""One connection to the library: how it is opened, read, written and left behind."""

import os
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from core.library.errors import in_plain_words, is_index_damage
from core.library.schema import migrate
from core.library.search_index import SearchIndex

BUSY_TIMEOUT_S = 10.0
_LATEST_MS = 4_102_444_800_000

T = TypeVar("T")


def connect(path: Path) -> sqlite3.Connection:
    """A connection that waits for others, reads rows by name and begins no transaction by itself.

    Text that is no UTF-8, as damage leaves it, is read with replacement characters.
    """
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def create_file(path: Path) -> None:
    """An empty file that only its owner reads, unless there is one; SQLite's own files follow it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


class Database:
    """A library whose file is sound and of a known version. One thread opens, uses and closes it.

    A commit is on disk when it returns (write-ahead log, `synchronous=FULL`). Deleted content is overwritten.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path = path
        self._clock = clock
        self._is_purge_due = False
        with in_plain_words(path):
            create_file(path)
            self._connection = connect(path)
            try:
                _configure(self._connection)
                migrate(self._connection)
                self.index = SearchIndex(self._connection)
            except BaseException:
                self._connection.close()
                raise

    def rows(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        with in_plain_words(self.path):
            return self._connection.execute(sql, values).fetchall()

    def row(self, sql: str, *values: Any) -> sqlite3.Row | None:
        return next(iter(self.rows(sql, *values)), None)

    def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """What `change` returns; all that it wrote is on disk, or nothing is. It may be called twice."""
        with in_plain_words(self.path):
            try:
                return self._in_transaction(change)
            except (sqlite3.DatabaseError, MemoryError) as error:
                if not is_index_damage(error):
                    raise
                self.index.build_anew()
                return self._in_transaction(change)

    def erase(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """As `write`, for what deletes: afterwards its text is in no file of the library.

        While another process reads, the log keeps it until that is over or the library is closed.
        """

        def and_purge_index(connection: sqlite3.Connection) -> T:
            result = change(connection)
            self.index.purge()
            return result

        result = self.write(and_purge_index)
        self._truncate_log()
        return result

    def now_ms(self) -> int:
        return round(self._clock().timestamp() * 1000)

    def close(self) -> None:
        with in_plain_words(self.path):
            try:
                if self._is_purge_due:
                    self._truncate_log()
            finally:
                self._connection.close()

    def _in_transaction(self, change: Callable[[sqlite3.Connection], T]) -> T:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            result = change(self._connection)
            self._connection.execute("COMMIT")
            return result
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _truncate_log(self) -> None:
        with in_plain_words(self.path):
            row = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._is_purge_due = bool(row[0])


def storable(text: str) -> str:
    """`text` without what SQLite cannot keep: halves of surrogate pairs and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def time_of(milliseconds: int) -> datetime:
    """Damage can leave any number: what is no time of ours becomes the nearest one."""
    return datetime.fromtimestamp(min(max(0, milliseconds), _LATEST_MS) / 1000, UTC)


def time_or_none(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else time_of(milliseconds)


def _configure(connection: sqlite3.Connection) -> None:
    _enter_wal(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")


def _enter_wal(connection: sqlite3.Connection) -> None:
    """Switching waits for nobody by itself: two processes that create the library meet here."""
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
