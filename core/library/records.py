"""What the library keeps, as frozen values. Times are aware and in UTC; ids are the library's own."""

from dataclasses import dataclass
from datetime import datetime

from core.documents.citations import Citation
from core.documents.passages import ClosestPassage
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.events import EvidencePage, Finished, Metrics
from core.review.finding import ReviewFinding


@dataclass(frozen=True)
class StoredDocument:
    """A document that was opened; `sha256` is the digest of its bytes, `path` where it was seen last."""

    document_id: int
    sha256: str
    path: str
    name: str
    num_pages: int
    opened_at: datetime


@dataclass(frozen=True)
class StoredConversation:
    """`document_ids` are those it is about, in their order; `updated_at` moves with each question.

    `reading` is what is read of them.
    """

    conversation_id: int
    title: str
    document_ids: tuple[int, ...]
    num_turns: int
    created_at: datetime
    updated_at: datetime
    reading: ReadingChoice = EVERYTHING


@dataclass(frozen=True)
class StoredAnswer:
    """An answer with all that is shown beside it. `reason` is why it ended, as `FinishReason` says it.

    `warnings` end with `notes`; `token_ids` are the answer as the model said it, empty if that is not known;
    `evidence` are the pages that it looked at.
    """

    text: str
    model: str
    mode: str
    reason: str
    citations: tuple[Citation, ...] = ()
    closest_passage: ClosestPassage | None = None
    warnings: tuple[str, ...] = ()
    metrics: Metrics | None = None
    notes: tuple[str, ...] = ()
    token_ids: tuple[int, ...] = ()
    evidence: tuple[EvidencePage, ...] = ()

    @classmethod
    def of(cls, finished: Finished, model: str) -> "StoredAnswer":
        return cls(
            finished.answer,
            model,
            finished.mode,
            finished.reason.value,
            finished.citations,
            finished.closest_passage,
            finished.warnings,
            finished.metrics,
            finished.notes,
            finished.token_ids,
            finished.evidence,
        )


@dataclass(frozen=True)
class StoredTurn:
    """A question; `answer` is None until there is one."""

    turn_id: int
    conversation_id: int
    question: str
    asked_at: datetime
    answer: StoredAnswer | None = None
    answered_at: datetime | None = None


@dataclass(frozen=True)
class StoredFinding:
    """A finding of the review of a document, and what the user thinks of it."""

    finding_id: int
    document_id: int
    finding: ReviewFinding
    model: str
    mode: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class StoredCache:
    """A document cache on disk: what was computed of a document by a model."""

    path: str
    document_sha256: str
    model: str
    size_bytes: int
    num_tokens: int
    created_at: datetime
    used_at: datetime


@dataclass(frozen=True)
class SearchHit:
    """A turn that holds all words of a query. `matches` are ranges `[start, end)` of `snippet`."""

    conversation_id: int
    title: str
    turn_id: int
    asked_at: datetime
    snippet: str
    matches: tuple[tuple[int, int], ...]
