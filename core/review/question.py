"""A question of a review as the engine takes it, and the questions that a checklist asks."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.cancel import CancelToken
from core.review.answer_forms import question_for_model
from core.review.checklist import ChecklistItem
from core.settings import SamplingSettings


@dataclass(frozen=True)
class Question:
    """One row of a review. `sampling` None is the review's own; `cancel` stops this row alone."""

    row_id: str
    text: str
    sampling: SamplingSettings | None = None
    cancel: CancelToken = field(default_factory=CancelToken, compare=False, repr=False)


def questions_of(items: Iterable[ChecklistItem], language: str) -> tuple[Question, ...]:
    """The items of a checklist as rows: each is known by its item's id."""
    return tuple(Question(item.item_id, question_for_model(item, language)) for item in items)
