"""What can still be read of a damaged library, row by row, and its way into a new one."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from core.library.database import Database, connect
from core.library.lost_schema import restore_schema
from core.library.mended_copy import mended_copy

TABLES = ("documents", "conversations", "conversation_documents", "turns", "findings", "document_caches")
"""Parents before children."""

_PARENTS = {
    "conversation_documents": {"conversation_id": "conversations", "document_id": "documents"},
    "turns": {"conversation_id": "conversations"},
    "findings": {"document_id": "documents"},
}
_STAND_INS = {
    "conversations": (
        "INSERT INTO conversations (id, title, created_ms, updated_ms) "
        "VALUES (:id, 'Recovered conversation', :now, :now)"
    ),
    "documents": "INSERT INTO documents VALUES (:id, 'recovered-' || :id, '', 'Recovered document', 0, :now)",
}
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "REAL": (float, int)}
_END = 1 << 62
_NUM_SMALL_STEPS = 500

Row = dict[str, Any]


def salvage(source: Path, target: Database) -> None:
    """Copy every row that can be read from the file `source` into the empty library `target`.

    A row whose parent was lost gets a stand-in for it: a question is worth more than the title above it.
    """
    with mended_copy(source) as copy:
        restore_schema(copy, target, TABLES)
        with closing(connect(copy)) as connection:
            found = {table: list(_readable_rows(connection, table)) for table in TABLES}
    now = target.now_ms()

    def insert(writer: sqlite3.Connection) -> None:
        for table in TABLES:
            for row in found[table]:
                _insert(writer, table, row, now)

    target.write(insert)


def _insert(writer: sqlite3.Connection, table: str, row: Row, now: int) -> None:
    """A row that breaks a rule of its table is left out."""
    columns = {column["name"]: column for column in writer.execute(f"PRAGMA table_info({table})")}
    values = {name: value for name, value in row.items() if name in columns}
    if not all(_is_of_type(value, columns[name]) for name, value in values.items()):
        return
    for name, parent in _PARENTS.get(table, {}).items():
        if writer.execute(f"SELECT 1 FROM {parent} WHERE id = ?", (values.get(name),)).fetchone() is None:
            if table not in ("turns", "findings") or not isinstance(values.get(name), int):
                return
            writer.execute(_STAND_INS[parent], {"id": values[name], "now": now})
    writer.execute(
        f"INSERT OR IGNORE INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
        tuple(values.values()),
    )


def _is_of_type(value: Any, column: sqlite3.Row) -> bool:
    if value is None:
        return not column["notnull"]
    return isinstance(value, _PYTHON_TYPES[column["type"]])


def _readable_rows(connection: sqlite3.Connection, table: str) -> Iterator[Row]:
    """From the first row up to the damage, from the last one down to it, and what lies in between."""
    select = f"SELECT rowid AS place, * FROM {table} NOT INDEXED "
    forward, is_whole = _until_damage(connection, select + "ORDER BY rowid")
    yield from forward
    if is_whole:
        return
    first = forward[-1]["place"] + 1 if forward else 1
    backward, _ = _until_damage(connection, select + f"WHERE rowid >= {first} ORDER BY rowid DESC")
    end = backward[-1]["place"] if backward else _END
    yield from _between(connection, select, first, end)
    yield from reversed(backward)


def _between(connection: sqlite3.Connection, select: str, first: int, end: int) -> Iterator[Row]:
    """The rows `[first, end)` around several damages: row by row past each, faster past long ones."""
    num_failures = 0
    while first < end:
        rows, is_whole = _until_damage(
            connection, select + f"WHERE rowid >= {first} AND rowid < {end} ORDER BY rowid"
        )
        yield from rows
        if is_whole:
            return
        num_failures = 0 if rows else num_failures + 1
        start = rows[-1]["place"] if rows else first
        first = start + max(1, 1 << max(0, num_failures - _NUM_SMALL_STEPS))


def _until_damage(connection: sqlite3.Connection, sql: str) -> tuple[list[Row], bool]:
    """The rows before anything goes wrong, and whether nothing did."""
    rows: list[Row] = []
    try:
        rows.extend(dict(row) for row in connection.execute(sql))
    except (sqlite3.Error, OverflowError, UnicodeDecodeError):
        return rows, False
    return rows, True
