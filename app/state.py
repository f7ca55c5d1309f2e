"""What the window shows, as one frozen value, and the object that tells what changed."""

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.engine_backend import ModelInfo
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.documents.sizes import DocumentSizes
from core.events import Progress, TierUsage
from core.telemetry import Sample


class Activity(StrEnum):
    """What the program is doing; one thing at a time, as the user sees it."""

    IDLE = "idle"
    OPENING = "opening"
    PREPARING = "preparing"
    ANSWERING = "answering"
    REVIEWING = "reviewing"


def activity_of(
    *, is_opening: bool, is_engine_busy: bool, is_answering: bool, is_reviewing: bool = False
) -> Activity:
    """What the user sees of all that is going on."""
    if is_opening:
        return Activity.OPENING
    if not is_engine_busy:
        return Activity.IDLE
    if is_answering:
        return Activity.ANSWERING
    return Activity.REVIEWING if is_reviewing else Activity.PREPARING


class ClosingReason(StrEnum):
    """What would close a conversation that is on screen; `UNKEPT` one that is in no library."""

    DOCUMENTS = "documents"
    UNKEPT = "unkept"
    MODEL = "model"


@dataclass(frozen=True)
class Speed:
    """How fast the current or last answer came; None while unknown. Rates are tokens a second."""

    tokens_per_s: float | None = None
    ttft_s: float | None = None
    bytes_per_token: float | None = None


@dataclass(frozen=True)
class AppState:
    """`documents` are those of the session, `shown_document` the position of the one on screen.

    There is a conversation from its first question on. `reading` is what is to be read of the documents,
    `sizes` how long they are for the model, None until it has counted.
    """

    documents: tuple[Document, ...] = ()
    shown_document: int = 0
    activity: Activity = Activity.IDLE
    progress: Progress | None = None
    model: ModelInfo | None = None
    mode: str = "exact"
    usage: TierUsage | None = None
    speed: Speed = Speed()
    sample: Sample | None = None
    is_read: bool = False
    suggestions: tuple[str, ...] = ()
    has_conversation: bool = False
    reading: ReadingChoice = EVERYTHING
    sizes: DocumentSizes | None = None

    @property
    def can_start_conversation(self) -> bool:
        """Whether a new conversation about the same documents may take the place of the one on screen."""
        return self.has_conversation and self.activity in (Activity.IDLE, Activity.PREPARING)


class StateStore(QObject):
    """Holds the state; `update` emits the signals of the fields that are different afterwards, only those."""

    documents_changed = Signal(object)
    shown_document_changed = Signal(int)
    activity_changed = Signal(object)
    progress_changed = Signal(object)
    model_changed = Signal(object)
    mode_changed = Signal(str)
    usage_changed = Signal(object)
    speed_changed = Signal(object)
    sample_changed = Signal(object)
    is_read_changed = Signal(bool)
    suggestions_changed = Signal(object)
    has_conversation_changed = Signal(bool)
    reading_changed = Signal(object)
    sizes_changed = Signal(object)

    def __init__(self, state: AppState | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = state or AppState()

    @property
    def state(self) -> AppState:
        return self._state

    def update(self, **changes: Any) -> None:
        """Change fields; the whole new state is in place before the first signal goes out."""
        before = self._state
        self._state = replace(before, **changes)
        for field in fields(AppState):
            value = getattr(self._state, field.name)
            if field.name in changes and not _is_same(getattr(before, field.name), value):
                getattr(self, f"{field.name}_changed").emit(value)


def _is_same(before: object, after: object) -> bool:
    """Documents are compared by identity: they hold a million words and never change."""
    if isinstance(before, tuple) and isinstance(after, tuple):
        return len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True))
    return before == after
