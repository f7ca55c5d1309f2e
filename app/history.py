"""The conversations of the library, as the window lists, searches and changes them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.library_service import LibraryService
from app.saved_conversation import SavedConversation
from core.library.library import Library
from core.library.records import SearchHit, StoredConversation

_MAX_HITS = 100


@dataclass(frozen=True)
class DocumentGroup:
    """Conversations about the same documents, the newest first; `names` may be empty."""

    names: tuple[str, ...]
    conversations: tuple[StoredConversation, ...]


class History(QObject):
    """Everything is read and written in the library's thread; other windows may change it at any time."""

    listed = Signal(object)
    found = Signal(str, object)
    opened = Signal(object)
    deleting = Signal(int)

    def __init__(self, service: LibraryService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._query = ""

    def refresh(self) -> None:
        """Ends in `listed` with the groups of documents, that of the newest conversation first."""
        self._service.run(document_groups, self.listed.emit)
        if self._query:
            self.search(self._query)

    def search(self, query: str) -> None:
        """Ends in `found` with the query and its hits, unless another one is asked for in the meantime."""
        self._query = query.strip()
        if self._query:
            wanted = self._query
            self._service.run(partial(self._hits, wanted), partial(self._on_found, wanted))

    def open(self, conversation_id: int, turn_id: int | None = None) -> None:
        """Ends in `opened` with the `SavedConversation`."""
        self._service.run(partial(_load, conversation_id, turn_id), self.opened.emit)

    def rename(self, conversation_id: int, title: str) -> None:
        if title.strip():
            self._change(partial(_rename, conversation_id, title.strip()))

    def delete(self, conversation_id: int) -> None:
        """Nothing of it stays on the disk. `deleting` comes before."""
        self.deleting.emit(conversation_id)
        self._change(partial(_delete, conversation_id))

    def _change(self, work: Callable[[Library], None]) -> None:
        self._service.run(work)
        self.refresh()

    def _hits(self, query: str, library: Library) -> tuple[SearchHit, ...]:
        return library.search(query, _MAX_HITS) if query == self._query else ()

    def _on_found(self, query: str, hits: tuple[SearchHit, ...]) -> None:
        if query == self._query:
            self.found.emit(query, hits)


def document_groups(library: Library) -> tuple[DocumentGroup, ...]:
    names = {document.document_id: document.name for document in library.documents.all()}
    groups: dict[tuple[int, ...], list[StoredConversation]] = {}
    for conversation in library.conversations.all():
        groups.setdefault(conversation.document_ids, []).append(conversation)
    return tuple(
        DocumentGroup(tuple(names[each] for each in ids if each in names), tuple(conversations))
        for ids, conversations in groups.items()
    )


def _load(conversation_id: int, turn_id: int | None, library: Library) -> SavedConversation:
    return SavedConversation.load(library, conversation_id, turn_id)


def _rename(conversation_id: int, title: str, library: Library) -> None:
    library.conversations.rename(conversation_id, title)


def _delete(conversation_id: int, library: Library) -> None:
    library.conversations.delete(conversation_id)
