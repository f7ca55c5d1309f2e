"""The documents that were opened, known by the digest of their bytes."""

import sqlite3

from core.library.database import Database, storable, time_of
from core.library.errors import NotInLibraryError
from core.library.records import StoredDocument


class Documents:
    """The table of documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, sha256: str, path: str, name: str, num_pages: int) -> StoredDocument:
        """Note that a document is opened now; one that is known moves to its new path and name."""
        values = (sha256, storable(path), storable(name), num_pages, self._database.now_ms())
        self._database.write(
            lambda connection: connection.execute(
                "INSERT INTO documents (sha256, path, name, num_pages, opened_ms) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (sha256) DO UPDATE SET path = excluded.path, name = excluded.name, "
                "num_pages = excluded.num_pages, opened_ms = excluded.opened_ms",
                values,
            )
        )
        found = self.find(sha256)
        if found is None:
            raise NotInLibraryError("The document is not in the library", f"{name} was removed just now.")
        return found

    def find(self, sha256: str) -> StoredDocument | None:
        row = self._database.row("SELECT * FROM documents WHERE sha256 = ?", sha256)
        return None if row is None else _document(row)

    def get(self, document_id: int) -> StoredDocument:
        """Raises `NotInLibraryError`."""
        row = self._database.row("SELECT * FROM documents WHERE id = ?", document_id)
        if row is None:
            raise NotInLibraryError("The document is not in the library", "It was removed in the meantime.")
        return _document(row)

    def all(self) -> tuple[StoredDocument, ...]:
        """The one opened last comes first."""
        return tuple(
            map(_document, self._database.rows("SELECT * FROM documents ORDER BY opened_ms DESC, id DESC"))
        )

    def delete(self, document_id: int) -> None:
        """Forget a document and its findings. Conversations about it stay until they are deleted."""
        self._database.erase(
            lambda connection: connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        )


def _document(row: sqlite3.Row) -> StoredDocument:
    return StoredDocument(
        document_id=row["id"],
        sha256=row["sha256"],
        path=row["path"],
        name=row["name"],
        num_pages=row["num_pages"],
        opened_at=time_of(row["opened_ms"]),
    )
