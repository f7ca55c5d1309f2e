"""Which pages of the document on screen are warm: those that the answer in question looked at."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.document_view.view import DocumentView
from app.state import StateStore
from core.events import EvidencePage


class EvidenceDisplay(QObject):
    """Shows the evidence of one answer at a time, in whichever of its documents is on screen."""

    def __init__(self, store: StateStore, document_view: DocumentView, parent: QObject) -> None:
        super().__init__(parent)
        self._store, self._document_view = store, document_view
        self._evidence: tuple[EvidencePage, ...] = ()
        store.documents_changed.connect(self.clear)
        store.shown_document_changed.connect(self._on_shown_document_changed)

    def show(self, evidence: Sequence[EvidencePage]) -> None:
        self._evidence = tuple(evidence)
        self._on_shown_document_changed(self._store.state.shown_document)

    def clear(self, *_: object) -> None:
        self.show(())

    def _on_shown_document_changed(self, index: int) -> None:
        documents = self._store.state.documents
        name = documents[index].name if index < len(documents) else None
        pages = [page for page in self._evidence if page.document == name]
        self._document_view.show_warmth({page.page_index: page.mass for page in pages})
