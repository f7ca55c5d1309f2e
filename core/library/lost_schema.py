"""The definitions of the tables, put back into a damaged copy that has lost its own.

SQLite keeps them on the first page and those it points to. The tables themselves begin at the same pages in
every library that was made by the same steps, so that those of a new one tell where to look.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from core.library.database import Database, connect
from core.library.mended_copy import MAGIC
from core.library.schema import APPLICATION_ID

_HEADER_BYTES = 100
_PAGE_BYTES = 4096


def restore_schema(copy: Path, fresh: Database, tables: Sequence[str]) -> None:
    """Give `copy` the definitions of the new library `fresh`, if its own are gone and it was a library.

    What is read by them afterwards must be checked: the pages may hold anything.
    """
    if _has_tables(copy, tables) or not _may_be_library(copy):
        return
    marks = ", ".join("?" * len(tables))
    definitions = fresh.rows(
        f"SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE tbl_name IN ({marks}) "
        "AND (type = 'table' OR sql IS NULL)",
        *tables,
    )
    page = _first_page(definitions, copy.with_name("schema.db"))
    if len(page) == _PAGE_BYTES:
        with copy.open("r+b") as file:
            file.seek(_HEADER_BYTES)
            file.write(page[_HEADER_BYTES:])


def _first_page(definitions: Sequence[sqlite3.Row], scratch: Path) -> bytes:
    """A database of nothing but these definitions."""
    with closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("BEGIN")
        for row in definitions:
            sql = None if row["sql"] is None else " ".join(row["sql"].split())
            connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", (*tuple(row)[:4], sql))
        connection.execute("COMMIT")
    return scratch.read_bytes()


def _has_tables(copy: Path, tables: Sequence[str]) -> bool:
    try:
        with closing(connect(copy)) as connection:
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False
    return names.issuperset(tables)


def _may_be_library(copy: Path) -> bool:
    """Whether the header is a library's, or one that was put there because there was none."""
    with copy.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    return header.startswith(MAGIC) and int.from_bytes(header[68:72], "big") == APPLICATION_ID
