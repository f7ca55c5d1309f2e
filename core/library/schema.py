"""The tables of the library and the steps from each version to the next."""

import sqlite3
from pathlib import Path

from core.library.errors import LibraryTooNewError

APPLICATION_ID = 0x4C43544E
MAX_VERSION = 9_999

_VERSION_1 = (
    """CREATE TABLE documents (
        id INTEGER PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,
        path TEXT NOT NULL,
        name TEXT NOT NULL,
        num_pages INTEGER NOT NULL,
        opened_ms INTEGER NOT NULL
    )""",
    """CREATE TABLE conversations (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL
    )""",
    """CREATE TABLE conversation_documents (
        conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        UNIQUE (conversation_id, document_id)
    )""",
    "CREATE INDEX conversations_of_document ON conversation_documents (document_id)",
    """CREATE TABLE turns (
        id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        question TEXT NOT NULL,
        asked_ms INTEGER NOT NULL,
        answer TEXT NOT NULL DEFAULT '',
        answered_ms INTEGER,
        model TEXT NOT NULL DEFAULT '',
        mode TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT '',
        citations TEXT NOT NULL DEFAULT '[]',
        passage TEXT NOT NULL DEFAULT 'null',
        warnings TEXT NOT NULL DEFAULT '[]',
        metrics TEXT NOT NULL DEFAULT 'null'
    )""",
    "CREATE INDEX turns_of_conversation ON turns (conversation_id)",
    """CREATE TABLE findings (
        id INTEGER PRIMARY KEY,
        document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        checklist TEXT NOT NULL,
        question_id TEXT NOT NULL,
        title TEXT NOT NULL,
        question TEXT NOT NULL,
        answer TEXT NOT NULL,
        quote TEXT NOT NULL,
        page_index INTEGER,
        page_label TEXT NOT NULL,
        verified INTEGER NOT NULL,
        confidence REAL,
        status TEXT NOT NULL,
        comment TEXT NOT NULL,
        model TEXT NOT NULL,
        mode TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        UNIQUE (document_id, checklist, question_id)
    )""",
    """CREATE TABLE document_caches (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        document_sha256 TEXT NOT NULL,
        model TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        num_tokens INTEGER NOT NULL,
        created_ms INTEGER NOT NULL,
        used_ms INTEGER NOT NULL
    )""",
    # How often the text of the turns changed, and how many of the changes the search index saw.
    "CREATE TABLE search_state (content_revision INTEGER NOT NULL, indexed_revision INTEGER NOT NULL)",
    "INSERT INTO search_state VALUES (0, 0)",
    """CREATE TRIGGER turn_added AFTER INSERT ON turns BEGIN
        UPDATE search_state SET content_revision = content_revision + 1;
    END""",
    """CREATE TRIGGER turn_changed AFTER UPDATE OF question, answer ON turns BEGIN
        UPDATE search_state SET content_revision = content_revision + 1;
    END""",
    """CREATE TRIGGER turn_removed AFTER DELETE ON turns BEGIN
        UPDATE search_state SET content_revision = content_revision + 1;
    END""",
)

_VERSION_2 = (
    "ALTER TABLE turns ADD COLUMN notes TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE turns ADD COLUMN token_ids TEXT NOT NULL DEFAULT '[]'",
)

_VERSION_3 = (
    # What of the documents is read; empty is everything.
    "ALTER TABLE conversations ADD COLUMN reading TEXT NOT NULL DEFAULT ''",
)

_VERSION_4 = (
    # The pages that an answer looked at.
    "ALTER TABLE turns ADD COLUMN evidence TEXT NOT NULL DEFAULT '[]'",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4)
"""Step n leads from version n to n + 1. What was released is never changed; later steps are added."""


def version_of(connection: sqlite3.Connection) -> int:
    """0 of an empty file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Whether the file is neither empty nor a library: another program's, or one whose header was lost."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (num_tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version_of(connection) == 0 and num_tables == 0:
        return False
    return application_id != APPLICATION_ID or not 0 < version_of(connection) <= MAX_VERSION


def require_known_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raises `LibraryTooNewError` for what a newer program wrote; reads only."""
    if version_of(connection) > len(MIGRATIONS):
        raise LibraryTooNewError(
            "The library is from a newer version",
            f"{path} was written by a newer version of Lectern and was left as it is. Update Lectern to see "
            "your conversations and findings; what you do until then is not saved.",
        )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to the newest version: all steps or none."""
    if version_of(connection) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)  # another process may have been here in the meantime
        if version < len(MIGRATIONS):
            for statements in MIGRATIONS[version:]:
                for statement in statements:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
