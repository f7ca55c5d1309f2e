"""What the engine thread needs from an engine; the real one and the scripted one of the tests both fit."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.cancel import CancelToken
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.documents.sizes import DocumentSizes
from core.events import Event, Progress, ReviewEvent
from core.past_turn import PastTurn
from core.review.question import Question
from core.settings import EngineSettings, SamplingSettings


@dataclass(frozen=True)
class ModelInfo:
    """A model that is ready. `context_length` is in tokens; `device` is `cpu` or `cuda`."""

    name: str
    context_length: int
    device: str


class EngineBackend(Protocol):
    """All calls come from one thread, one at a time. Errors are raised as `core.engine` raises them."""

    def open_model(
        self, settings: EngineSettings, on_progress: Callable[[Progress], None], cancel: CancelToken
    ) -> ModelInfo:
        """Load the model in place of the one before, whose documents and conversation are gone then."""
        ...

    def change_settings(self, settings: EngineSettings) -> ModelInfo | None:
        """Go on with other settings and the model that is loaded; None if it must be loaded anew for them.

        What was read and asked stays where `core.settings_change` says so; else the documents are closed.
        """
        ...

    def measure(self, documents: Sequence[Document]) -> DocumentSizes:
        """How long the documents are for the model, page by page, and how much it takes."""
        ...

    def open_document(self, documents: Sequence[Document], reading: ReadingChoice = EVERYTHING) -> int:
        """Start a session and an empty conversation in place of those before; returns its tokens.

        Where sections are to be read nothing is, until a question chooses some. Each question stands by
        itself then: the history is kept from the model.
        """
        ...

    def read(self, cancel: CancelToken) -> Iterator[Progress]:
        """Compute what is missing of the documents and of restored turns; a cancel keeps what is done."""
        ...

    def ask(self, question: str, sampling: SamplingSettings, cancel: CancelToken) -> Iterator[Event]:
        """Answer; the last event is `Finished`."""
        ...

    def regenerate(
        self, sampling: SamplingSettings, cancel: CancelToken, question: str = ""
    ) -> Iterator[Event]:
        """Answer the last question anew, or `question` in its place."""
        ...

    def review(
        self,
        document: Document,
        questions: Sequence[Question],
        sampling: SamplingSettings,
        cancel: CancelToken,
    ) -> Iterator[ReviewEvent]:
        """Put the questions to one of the documents that are open; the conversation stays as it is."""
        ...

    def start_conversation(self, history: Sequence[PastTurn] = ()) -> None:
        """Forget what was asked and answered about the documents that are open; they stay read.

        The conversation that takes the place of the one before begins with `history`.
        """
        ...

    def close(self) -> None:
        """Free everything; harmless when nothing is open."""
        ...
