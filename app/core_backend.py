"""The real engine behind the window's thread.

Only this module imports `core.engine`, and only when the first model is opened, in the engine's thread.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.engine_backend import ModelInfo
from app.engine_imports import import_engine_in_steps
from core.cancel import CancelToken
from core.documents.layout import Document, are_same
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.documents.sizes import DocumentSizes
from core.events import Event, Progress, ReviewEvent, Stage
from core.past_turn import PastTurn
from core.review.question import Question
from core.settings import EngineSettings, SamplingSettings
from core.settings_change import Effect

if TYPE_CHECKING:
    from core.conversation import Conversation
    from core.engine import Engine
    from core.section_reading import SectionReader
    from core.session import DocumentSession


class CoreBackend:
    """The engine itself. Its modules, torch among them, are imported when the first model is opened."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._session: DocumentSession | None = None
        self._conversation: Conversation | None = None
        self._sections: SectionReader | None = None
        self._documents: tuple[Document, ...] = ()
        self._reading = EVERYTHING
        self._question = ""
        self._measured: tuple[tuple[Document, ...], DocumentSizes] | None = None

    def open_model(
        self, settings: EngineSettings, on_progress: Callable[[Progress], None], cancel: CancelToken
    ) -> ModelInfo:
        on_progress(Progress(Stage.LOADING_MODEL, 0, 1, "model"))
        import_engine_in_steps(cancel)
        from core.engine import open_model

        self.close()
        self._engine = open_model(settings, on_progress, cancel)
        return self._model_info(self._engine)

    def change_settings(self, settings: EngineSettings) -> ModelInfo | None:
        assert self._engine is not None, "open_model() comes first"
        effect = self._engine.effect_of(settings)
        if effect is Effect.LOAD_AGAIN:
            return None
        if effect is Effect.READ_AGAIN:
            self._close_session()
        elif self._session is not None:
            self._session.require_length(self._engine.longest_sequence(settings))
        self._engine.change(settings)
        if self._session is not None:
            self._session.use(self._engine.parts)
        if self._sections is not None:
            self._sections = self._engine.read_sections(self._documents)
        return self._model_info(self._engine)

    def measure(self, documents: Sequence[Document]) -> DocumentSizes:
        assert self._engine is not None, "open_model() comes first"
        before = None
        if self._measured is not None and are_same(self._measured[0], documents):
            before = self._measured[1]
        sizes = self._engine.measure(documents, before)
        self._measured = (tuple(documents), sizes)
        return sizes

    def open_document(self, documents: Sequence[Document], reading: ReadingChoice = EVERYTHING) -> int:
        assert self._engine is not None, "open_model() comes first"
        self._close_session()
        self._documents, self._reading = tuple(documents), reading
        if reading.kind is ReadingKind.SECTIONS:
            self._sections = self._engine.read_sections(documents)
            return 0
        self._session = self._engine.open_document(documents, reading.selection(documents))
        self.start_conversation()
        return self._session.num_prefix_tokens

    def read(self, cancel: CancelToken) -> Iterator[Progress]:
        if self._sections is not None:
            return
        assert self._session is not None, "open_document() comes first"
        assert self._conversation is not None, "open_document() comes first"
        yield from self._conversation.read(cancel)
        self._session.evidence.get_ready(cancel)

    def ask(self, question: str, sampling: SamplingSettings, cancel: CancelToken) -> Iterator[Event]:
        self._question = question
        if self._sections is not None:
            return self._sections.ask(question, sampling, cancel)
        assert self._conversation is not None, "open_document() comes first"
        return self._conversation.ask(question, sampling, cancel)

    def regenerate(
        self, sampling: SamplingSettings, cancel: CancelToken, question: str = ""
    ) -> Iterator[Event]:
        if self._sections is not None:
            return self.ask(question or self._question, sampling, cancel)
        assert self._conversation is not None, "open_document() comes first"
        return self._conversation.regenerate(sampling, cancel, question)

    def review(
        self,
        document: Document,
        questions: Sequence[Question],
        sampling: SamplingSettings,
        cancel: CancelToken,
    ) -> Iterator[ReviewEvent]:
        assert self._engine is not None, "open_model() comes first"
        with self._session_of(document) as session:
            yield from self._engine.review(session, questions, sampling, cancel)

    def start_conversation(self, history: Sequence[PastTurn] = ()) -> None:
        if self._sections is not None:
            return
        assert self._engine is not None, "open_model() comes first"
        assert self._session is not None, "open_document() comes first"
        self._close_conversation()
        self._conversation = self._engine.converse(self._session)
        self._conversation.restore(history)

    def close(self) -> None:
        self._close_session()
        self._measured = None
        if self._engine is not None:
            from core.engine import release_memory

            self._engine.close()
            self._engine = None
            release_memory()

    @staticmethod
    def _model_info(engine: "Engine") -> ModelInfo:
        parts = engine.parts
        return ModelInfo(parts.loaded.name, parts.max_seq_len, parts.loaded.device.type)

    @contextmanager
    def _session_of(self, document: Document) -> Iterator["DocumentSession"]:
        """The one that is open if it is about this document alone; else one beside it, for a while."""
        assert self._engine is not None, "open_model() comes first"
        session = self._session
        if session is not None and len(session.documents) == 1:
            yield session
            return
        pages = self._reading.selection(self._documents)
        session = self._engine.open_document([document], pages)
        try:
            yield session
        finally:
            session.close()

    def _close_conversation(self) -> None:
        if self._conversation is not None:
            self._conversation.close()
            self._conversation = None

    def _close_session(self) -> None:
        self._close_conversation()
        self._sections = None
        if self._session is not None:
            self._session.close()
            self._session = None
