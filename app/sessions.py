"""Which documents the session is about: files that are opened, opened again, or brought back with a talk."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.consent import Consent
from app.engine_desk import EngineDesk
from app.error_router import ErrorRouter
from app.opener import Opener
from app.recorder import Recorder
from app.saved_conversation import SavedConversation
from app.state import ClosingReason, StateStore
from app.suggestions import suggestions_for
from app.talk import Talk
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING
from core.errors import LecternError
from core.events import Progress
from core.samples import default_sample


class Sessions(QObject):
    """One session after the other; `changed` comes when something begins or ends.

    What would close a conversation waits until the user agrees.
    """

    pages_known = Signal(str, object)
    changed = Signal()

    def __init__(
        self,
        store: StateStore,
        opener: Opener,
        desk: EngineDesk,
        talk: Talk,
        recorder: Recorder,
        consent: Consent,
        router: ErrorRouter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._opener, self._desk, self._talk = store, opener, desk, talk
        self._recorder, self._consent, self._router = recorder, consent, router
        self._restoring: SavedConversation | None = None
        self._reading = EVERYTHING
        self._recognised: frozenset[str] = frozenset()
        opener.documents_opened.connect(self._on_documents_opened)
        opener.progressed.connect(self._on_progressed)
        opener.pages_known.connect(self._on_pages_known)

    @property
    def is_opening(self) -> bool:
        return self._opener.is_busy

    def open_files(self, paths: Sequence[str]) -> None:
        if paths:
            self._consent.once_agreed(ClosingReason.DOCUMENTS, partial(self._open_files, paths))

    def recognise_shown(self) -> None:
        state = self._store.state
        if state.documents:
            shown = state.documents[state.shown_document].path
            self.open_again(self._recognised | {shown})

    def open_again(self, recognised: frozenset[str] | None = None) -> None:
        paths = [document.path for document in self._store.state.documents]
        chosen = self._recognised if recognised is None else recognised
        if paths:
            action = partial(self._open_files, paths, chosen, is_again=True)
            self._consent.once_agreed(ClosingReason.DOCUMENTS, action)

    def open_sample(self) -> None:
        try:
            sample = default_sample()
        except LecternError as error:
            self._router.route(error)
            return
        self.open_files([str(sample.path)])

    def open_conversation(self, saved: SavedConversation) -> None:
        if saved.conversation.conversation_id == self._recorder.conversation_id:
            self._talk.show_turn(saved)
        elif self._recorder.is_keeping:
            self._open_conversation(saved)
        else:
            action = partial(self._open_conversation, saved)
            self._consent.once_agreed(ClosingReason.DOCUMENTS, action)

    def begin(self, documents: tuple[Document, ...], saved: SavedConversation | None = None) -> None:
        """A session about these documents, in place of the one before."""
        if self._store.state.documents:
            self._desk.abandon()
        reading = saved.reading_of(documents) if saved is not None else self._reading
        if not reading.has_pages_of(documents):  # the files have become shorter since
            reading = EVERYTHING
        self._recorder.begin(documents, reading)
        self._desk.history = saved.past_turns if saved is not None else ()
        self._talk.clear()
        self._store.update(
            documents=documents,
            reading=reading,
            sizes=None,
            shown_document=0,
            is_read=False,
            progress=self._desk.progress,
            suggestions=suggestions_for(documents),
        )
        if saved is not None:
            self._talk.show_saved(saved, documents)
        self._desk.prepare()
        self.changed.emit()

    def stop(self) -> None:
        """Open nothing more; what is open stays."""
        self._restoring = None
        self._opener.stop()

    def _open_files(
        self, paths: Sequence[str], recognised: frozenset[str] = frozenset(), *, is_again: bool = False
    ) -> None:
        self._restoring = None
        self._recognised = recognised
        self._reading = self._store.state.reading if is_again else EVERYTHING
        if self._store.state.model is None and not self._desk.engine.is_busy:
            self._desk.prepare_model()
        self._opener.open(paths, recognised, is_again=is_again)
        self.changed.emit()

    def _open_conversation(self, saved: SavedConversation) -> None:
        documents = self._store.state.documents
        if documents and saved.is_about(documents):
            self._opener.stop()
            self._desk.abandon()
            self._talk.begin(saved.past_turns)
            self._store.update(reading=saved.reading_of(documents))
            self._talk.show_saved(saved, documents)
            self._desk.prepare()
            self.changed.emit()
        elif saved.present_paths:
            self._open_files(saved.present_paths)
            self._restoring = saved
        else:
            self._opener.stop()
            self.begin((), saved)

    def _on_documents_opened(self, documents: tuple[Document, ...]) -> None:
        saved, self._restoring = self._restoring, None
        if documents or saved is not None:
            self.begin(documents, saved)
        else:
            self.changed.emit()

    def _on_progressed(self, progress: Progress) -> None:
        self._store.update(progress=progress)

    def _on_pages_known(self, path: str, sizes: object) -> None:
        """Pages come on screen at once, unless other documents are there until these are read."""
        if not self._store.state.documents:
            self.pages_known.emit(path, sizes)
