"""One row of a review: the answer to a question of a checklist, and what a reader thinks of it."""

from dataclasses import dataclass
from enum import StrEnum


class FindingStatus(StrEnum):
    """What the reader decided about an answer."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True)
class ReviewFinding:
    """`title` and `question` are as they were asked, in one language.

    `page_index` is 0-based and None without a quote; `page_label` is what is printed there. `confidence` is
    from 0 to 1, None where the answer quotes nothing that it could be judged by.
    """

    checklist: str
    question_id: str
    title: str
    question: str
    answer: str
    quote: str = ""
    page_index: int | None = None
    page_label: str = ""
    verified: bool = False
    confidence: float | None = None
    status: FindingStatus = FindingStatus.OPEN
    comment: str = ""
