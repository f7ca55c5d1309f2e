"""The index of document caches on disk: what is there, how large it is, and what was used last."""

import sqlite3

from core.library.database import Database, storable, time_of
from core.library.records import StoredCache


class DocumentCaches:
    """The table of document caches. It knows what was noted; whether the files are there is for others."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, path: str, document_sha256: str, model: str, size_bytes: int, num_tokens: int) -> None:
        """Note that a cache was written or has grown."""
        now = self._database.now_ms()
        values = (storable(path), document_sha256, storable(model), size_bytes, num_tokens, now, now)
        self._database.write(
            lambda connection: connection.execute(
                "INSERT INTO document_caches (path, document_sha256, model, size_bytes, num_tokens, "
                "created_ms, used_ms) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET "
                "document_sha256 = excluded.document_sha256, model = excluded.model, "
                "size_bytes = excluded.size_bytes, num_tokens = excluded.num_tokens, "
                "used_ms = excluded.used_ms",
                values,
            )
        )

    def touch(self, path: str) -> None:
        """Note that a cache is used now."""
        now = self._database.now_ms()
        self._database.write(
            lambda connection: connection.execute(
                "UPDATE document_caches SET used_ms = ? WHERE path = ?", (now, storable(path))
            )
        )

    def all(self) -> tuple[StoredCache, ...]:
        """What was used longest ago comes first: it is the first to go."""
        return tuple(map(_cache, self._database.rows("SELECT * FROM document_caches ORDER BY used_ms, id")))

    def of(self, document_sha256: str) -> tuple[StoredCache, ...]:
        """The caches of a document, the one used last first."""
        rows = self._database.rows(
            "SELECT * FROM document_caches WHERE document_sha256 = ? ORDER BY used_ms DESC, id DESC",
            document_sha256,
        )
        return tuple(map(_cache, rows))

    @property
    def total_bytes(self) -> int:
        row = self._database.row("SELECT total(size_bytes) AS size_bytes FROM document_caches")
        return 0 if row is None else int(row["size_bytes"])

    def forget(self, path: str) -> None:
        self._database.write(
            lambda connection: connection.execute(
                "DELETE FROM document_caches WHERE path = ?", (storable(path),)
            )
        )


def _cache(row: sqlite3.Row) -> StoredCache:
    return StoredCache(
        path=row["path"],
        document_sha256=row["document_sha256"],
        model=row["model"],
        size_bytes=row["size_bytes"],
        num_tokens=row["num_tokens"],
        created_at=time_of(row["created_ms"]),
        used_at=time_of(row["used_ms"]),
    )
