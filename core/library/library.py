"""The library: everything that a user made, open in one thread."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from core.library.conversations import Conversations
from core.library.database import Database, create_file
from core.library.document_caches import DocumentCaches
from core.library.documents import Documents
from core.library.errors import in_plain_words
from core.library.findings import Findings
from core.library.records import SearchHit
from core.library.repair import is_damaged, set_aside
from core.library.search import search_turns
from core.paths import data_dir


def library_path() -> Path:
    return data_dir() / "library.db"


class Library:
    """Documents, conversations and findings in one file that several processes may have open.

    One thread opens it, calls it and closes it: the window has a worker thread for that, so that neither a
    slow disk nor another process that writes can stop it. Calls wait for the disk; what a method was told to
    keep is on it when the method returns. Everything raises `LibraryError`, which a caller tells and then
    goes on without saving.

    `notes` holds what the user must know about opening it: empty, or that it was damaged and what was kept.
    """

    def __init__(self, database: Database, notes: tuple[str, ...] = ()) -> None:
        self._database = database
        self.notes = notes
        self.documents = Documents(database)
        self.conversations = Conversations(database)
        self.findings = Findings(database)
        self.caches = DocumentCaches(database)

    @classmethod
    def open(
        cls, path: Path | None = None, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> Self:
        """The library at `path`, else the user's own; made if there is none.

        A damaged one is set aside and rebuilt from what can be read. Raises `LibraryTooNewError` for one that
        a newer program wrote, which stays as it is, and `LibraryError` if it cannot be read or written.
        """
        place = path or library_path()
        notes: tuple[str, ...] = ()
        with in_plain_words(place):
            create_file(place)
            if is_damaged(place):
                note = set_aside(place)
                notes = (note,) if note else ()
        return cls(Database(place, clock), notes)

    @property
    def path(self) -> Path:
        return self._database.path

    def search(self, query: str, limit: int = 50) -> tuple[SearchHit, ...]:
        """The newest turns whose question and answer hold every word of `query`, as word or as its start."""
        return search_turns(self._database, query, limit)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
