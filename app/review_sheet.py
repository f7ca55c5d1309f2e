"""What a review shows: a cell for each question of a checklist and each document, as frozen values."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.error_router import ErrorText
from core.documents.citations import Citation
from core.documents.layout import Document
from core.review.answer_forms import is_not_found
from core.review.checklist import Checklist, ChecklistItem
from core.review.finding import FindingStatus, ReviewFinding


class CellState(StrEnum):
    EMPTY = "empty"
    WAITING = "waiting"
    ANSWERING = "answering"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True)
class Cell:
    """The answer to one question about one document.

    `text` is what came so far, also of an answer that was stopped. `finding` is the last whole answer, while
    another one comes that of before; `finding_id` is None where the library does not have it.
    """

    state: CellState = CellState.EMPTY
    text: str = ""
    finding: ReviewFinding | None = None
    citations: tuple[Citation, ...] = ()
    finding_id: int | None = None
    error: ErrorText | None = None
    model: str = ""
    mode: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_under_way(self) -> bool:
        return self.state in (CellState.WAITING, CellState.ANSWERING)

    @property
    def is_decided(self) -> bool:
        """Whether the reader has accepted or rejected the answer."""
        return self.finding is not None and self.finding.status is not FindingStatus.OPEN

    @property
    def is_not_found(self) -> bool:
        """Whether the document does not say, as far as the answer goes."""
        if self.state is not CellState.DONE or self.finding is None:
            return False
        return any(is_not_found(self.finding.answer, language) for language in ("en", "zh_CN"))

    @property
    def answer(self) -> str:
        """What to show: what comes now, else the whole answer."""
        if self.state in (CellState.DONE, CellState.WAITING) and self.finding is not None:
            return self.finding.answer
        return self.text


@dataclass(frozen=True)
class Place:
    """Of a cell: the position of its document and the id of its question."""

    document_index: int
    item_id: str


@dataclass
class Sheet:
    """A checklist over documents. Only `ReviewController` changes it.

    `language` is the one that questions were asked in last.
    """

    checklist: Checklist | None = None
    documents: tuple[Document, ...] = ()
    language: str = "en"
    cells: dict[Place, Cell] = field(default_factory=dict)

    @property
    def items(self) -> tuple[ChecklistItem, ...]:
        return self.checklist.items if self.checklist is not None else ()

    @property
    def places(self) -> tuple[Place, ...]:
        """Document by document, in the order of the checklist."""
        return tuple(
            Place(index, item.item_id) for index in range(len(self.documents)) for item in self.items
        )

    def cell(self, place: Place) -> Cell:
        return self.cells.get(place, Cell())

    def item(self, item_id: str) -> ChecklistItem:
        return next(item for item in self.items if item.item_id == item_id)
