"""What the engine tells while it works: frozen values that travel to any front end as they are."""

from dataclasses import dataclass, field
from enum import StrEnum

from core.documents.citations import Citation
from core.documents.passages import ClosestPassage
from core.documents.quote_index import PageRect
from core.errors import LecternError


class Stage(StrEnum):
    """What a `Progress` counts.

    `READ_BEFORE` comes once, with the tokens that an earlier reading has left on the disk; if that is all of
    them, nothing is read.
    """

    DOWNLOADING_MODEL = "downloading_model"
    CHECKING_MODEL = "checking_model"
    CONVERTING_MODEL = "converting_model"
    LOADING_MODEL = "loading_model"
    READING_PAGES = "reading_pages"
    READING_TOKENS = "reading_tokens"
    READ_BEFORE = "read_before"
    CHOOSING_SECTIONS = "choosing_sections"


class FinishReason(StrEnum):
    """Why an answer ended."""

    STOP = "stop"
    LENGTH = "length"
    CANCELLED = "cancelled"


class CacheOutcome(StrEnum):
    """Whether the document had been read before this question."""

    HIT = "hit"
    MISS = "miss"
    RESUMED = "resumed"


@dataclass(frozen=True)
class PartProgress:
    """How far one of several parts is: `done` of `total` tokens of it are read, or written about it.

    What is written may end before `total`. `share` (0 to 1) is how much of the part's work that is, `rate` is
    tokens a second, None while unknown.
    """

    done: int
    total: int
    is_writing: bool
    share: float
    rate: float | None = None


@dataclass(frozen=True)
class Progress:
    """`done` of `total` `unit`s; `rate` is units a second and `eta_s` seconds, None while unknown.

    `part` is how far the unit after those done is, where that takes long.
    """

    stage: Stage
    done: int
    total: int
    unit: str
    rate: float | None = None
    eta_s: float | None = None
    part: PartProgress | None = None

    @property
    def share(self) -> float:
        """How much is done (0 to 1), with what is done of the part under way."""
        within = self.part.share if self.part is not None else 0.0
        return (self.done + within) / max(1, self.total)


@dataclass(frozen=True)
class Token:
    """One generated token and the text that became complete with it (may be empty)."""

    token_id: int
    text: str


@dataclass(frozen=True)
class TierUsage:
    """Where the KV of the current sequence is, and what the last step moved.

    `hot_bytes` counts resident blocks and tails on the compute device, `cold_bytes` sealed blocks in host
    memory and `disk_bytes` those in mapped files; all over all sequences and layers. `hot_share` is the share
    of the sealed bytes read during the last migration interval that were on the compute device already, None
    before the first one is over.
    """

    total_tokens: int
    hot_tokens: int
    hot_bytes: int
    cold_bytes: int
    host_to_device_bytes: int
    device_to_host_bytes: int
    hot_share: float | None = None
    disk_bytes: int = 0


@dataclass(frozen=True)
class Metrics:
    """What one answer cost. Rates are tokens a second, times seconds; None where nothing was measured.

    `disk_bytes` is what the documents take on the disk, so that they need not be read again.
    """

    prompt_tokens: int
    new_tokens: int
    prefill_tokens: int
    prefill_tokens_per_s: float | None
    ttft_s: float | None
    tokens_per_s: float | None
    hot_bytes_peak: int
    cold_bytes: int
    disk_bytes: int
    host_to_device_bytes_per_token: float
    device_to_host_bytes_per_token: float
    cache: CacheOutcome
    hot_share: float | None = None


@dataclass(frozen=True)
class PageRef:
    """A page of one of the documents; `page_index` is 0-based, `page_label` is what is printed on it."""

    document: str
    page_index: int
    page_label: str


@dataclass(frozen=True)
class EvidencePage:
    """A page and its share (0 to 1) of the attention that an answer paid beyond what any question would.

    `passage` is what got most of it, a sentence or about 25 words: the characters `[start, end)` of the
    page's text on one line, with their boxes in `rects`. It is empty where there is no text to show. All this
    says where the model looked while it wrote, and proves nothing.
    """

    document: str
    page_index: int
    mass: float
    page_label: str = ""
    passage: str = ""
    start: int = 0
    end: int = 0
    rects: tuple[PageRect, ...] = ()


@dataclass(frozen=True)
class Finished:
    """The end of an answer: the whole text, what supports it, and what it cost.

    `warnings` holds what is to be known about the documents, then `notes`, which are about this answer.
    `token_ids` are the answer as the model said it; `evidence` is where the model looked while it wrote, most
    first, empty where that was not watched.
    """

    answer: str
    reason: FinishReason
    mode: str
    warnings: tuple[str, ...]
    citations: tuple[Citation, ...]
    closest_passage: ClosestPassage | None
    pages_read: tuple[PageRef, ...]
    pages_unread: tuple[PageRef, ...]
    metrics: Metrics
    evidence: tuple[EvidencePage, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    token_ids: tuple[int, ...] = field(default=())


@dataclass(frozen=True)
class RowStarted:
    """One question of a review is being read by the model."""

    row_id: str


@dataclass(frozen=True)
class RowToken:
    """The answer to one question of a review goes on with `text`."""

    row_id: str
    text: str


@dataclass(frozen=True)
class RowFinished:
    """One question of a review is done, or was cancelled (`finished.reason`)."""

    row_id: str
    finished: Finished


@dataclass(frozen=True)
class RowFailed:
    """One question of a review cannot be answered; the others go on."""

    row_id: str
    error: LecternError


Event = Progress | Token | TierUsage | Finished
ReviewEvent = Progress | TierUsage | RowStarted | RowToken | RowFinished | RowFailed
