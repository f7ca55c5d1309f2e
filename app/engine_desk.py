"""What the engine works with now, and the requests that go to it."""

from collections.abc import Sequence
from dataclasses import replace

from app.engine_thread import EngineThread
from app.state import StateStore
from core.documents.layout import Document
from core.documents.reading_choice import ReadingChoice, ReadingKind
from core.documents.sizes import DocumentSizes
from core.events import Progress
from core.past_turn import PastTurn
from core.review.question import Question
from core.settings import EngineSettings, RopeScaling, SamplingSettings


class EngineDesk:
    """Every request is about the session's documents, as the state's `reading` has them read.

    `history` is what the model is to know of the conversation where the documents are opened anew. `progress`
    is how far the engine is, None while it has nothing to tell.
    """

    def __init__(self, engine: EngineThread, store: StateStore, settings: EngineSettings) -> None:
        self.engine = engine
        self.settings = settings
        self.history: tuple[PastTurn, ...] = ()
        self.progress: Progress | None = None
        self._store = store

    @property
    def documents(self) -> tuple[Document, ...]:
        return self._store.state.documents

    @property
    def reading(self) -> ReadingChoice:
        return self._store.state.reading

    def prepare_model(self) -> None:
        """Load the model ahead of documents."""
        self.engine.prepare(self.settings, ())

    def prepare(self) -> None:
        self.engine.prepare(self._for_reading(), self.documents, self.history, self.reading)

    def ask(self, question: str, sampling: SamplingSettings, *, is_again: bool = False) -> None:
        """Answer the question, in place of the last one if `is_again`."""
        request = self.engine.regenerate if is_again else self.engine.ask
        request(self._for_reading(), self.documents, question, sampling, self.history, self.reading)

    def review(self, reviewed: Document, questions: Sequence[Question]) -> None:
        self.engine.review(self._for_reading(), self.documents, reviewed, questions, self.reading)

    def abandon(self) -> None:
        """End all work and hear nothing more of it."""
        self.engine.abandon()
        self.progress = None

    def without_stretch(self, sizes: DocumentSizes) -> DocumentSizes:
        """Sizes that a stretched model counted, with the limit of all other choices: that of the settings."""
        if self.reading.kind is not ReadingKind.STRETCHED:
            return sizes
        own = self.settings.rope_scaling
        longest = int(sizes.context_length * (own.factor if own is not None else 1))
        return replace(sizes, limit=min(longest, self.settings.max_seq_len or longest))

    def _for_reading(self) -> EngineSettings:
        if self.reading.kind is not ReadingKind.STRETCHED:
            return self.settings
        return replace(
            self.settings, rope_scaling=RopeScaling("yarn", self.reading.stretch), max_seq_len=None
        )
