"""What travels between the window and the engine's thread: requests one way, news the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.engine_backend import ModelInfo
from core.cancel import CancelToken
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.documents.sizes import DocumentSizes
from core.errors import LecternError
from core.events import Event, Progress, ReviewEvent, RowToken, TierUsage, Token
from core.past_turn import PastTurn
from core.review.question import Question
from core.settings import EngineSettings, SamplingSettings


class JobKind(StrEnum):
    PREPARE = "prepare"
    ASK = "ask"
    REGENERATE = "regenerate"
    REVIEW = "review"


@dataclass(frozen=True)
class Job:
    """One request. The model, and what `reading` has read of the documents, is made ready first.

    The conversation begins with `history` if the documents are opened for this job.
    A review puts `questions` to `reviewed`, which is one of the documents.
    """

    job_id: int
    kind: JobKind
    settings: EngineSettings
    documents: tuple[Document, ...]
    question: str = ""
    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    cancel: CancelToken = field(default_factory=CancelToken)
    history: tuple[PastTurn, ...] = ()
    reading: ReadingChoice = EVERYTHING
    reviewed: Document | None = None
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True)
class SessionOpened:
    """What is to be read is in the model's words: so many tokens, none of them computed yet.

    0 where each question chooses what is read.
    """

    num_tokens: int


@dataclass(frozen=True)
class Doubt:
    """What may go wrong, while the job goes on."""

    error: LecternError


@dataclass(frozen=True)
class Text:
    """What so many tokens in a row said."""

    text: str
    num_tokens: int


@dataclass(frozen=True)
class JobEnded:
    """The last thing heard of a job; `error` is None if it was done."""

    job: Job
    error: Exception | None


Message = Event | ReviewEvent | Text | ModelInfo | DocumentSizes | SessionOpened | Doubt | JobEnded


def merge(batch: Sequence[tuple[int, Message]]) -> Iterator[tuple[int, Message]]:
    """The same news in fewer messages: tokens in a row become one `Text` or one `RowToken` for each row of a
    review, and of progress and tiers in a row only the last counts.
    """
    tokens: list[str] = []
    rows: dict[str, list[str]] = {}
    latest: dict[type, tuple[int, Message]] = {}
    token_job = 0

    def flush() -> Iterator[tuple[int, Message]]:
        if tokens:
            yield token_job, Text("".join(tokens), len(tokens))
        for row_id, pieces in rows.items():
            yield token_job, RowToken(row_id, "".join(pieces))
        yield from latest.values()
        tokens.clear()
        rows.clear()
        latest.clear()

    for job_id, message in batch:
        if isinstance(message, Token | RowToken):
            if job_id != token_job:
                yield from flush()
            token_job = job_id
            pieces = tokens if isinstance(message, Token) else rows.setdefault(message.row_id, [])
            pieces.append(message.text)
        elif isinstance(message, Progress | TierUsage):
            latest[type(message)] = (job_id, message)
        else:
            yield from flush()
            yield job_id, message
    yield from flush()
