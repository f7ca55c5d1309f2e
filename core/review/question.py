"""A question of a review as the engine takes it, and the questions that a checklist asks."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.review.answer_forms import question_for_model
from core.review.checklist import ChecklistItem
from core.settings import SamplingSettings


@dataclass(frozen=True)
class Question:
    """One row of a review. `sampling` None is the review's own."""

    row_id: str
    text: str
    sampling: SamplingSettings | None = None


def questions_of(items: Iterable[ChecklistItem], language: str) -> tuple[Question, ...]:
    """The items of a checklist as rows: each is known by its item's id."""
    return tuple(Question(item.item_id, question_for_model(item, language)) for item in items)
