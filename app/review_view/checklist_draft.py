"""A checklist while it is edited: pure, and what is wrong with it by field."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.review.checklist import AnswerForm, Checklist, ChecklistItem, Texts, text_in

MAX_LENGTH = 2_000
_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class ItemProblems:
    """Whether the title or the question of an item cannot stay as it is."""

    has_bad_title: bool
    has_bad_question: bool

    def __bool__(self) -> bool:
        return self.has_bad_title or self.has_bad_question


def problems_of(item: ChecklistItem, language: str) -> ItemProblems:
    return ItemProblems(
        not is_fit(text_in(item.title, language)), not is_fit(text_in(item.question, language))
    )


def is_fit(text: str) -> bool:
    """Whether a text has something in it and is not too long for a checklist."""
    return bool(text.strip()) and len(text) <= MAX_LENGTH


def with_text(texts: Texts, language: str, text: str) -> Texts:
    """The texts with the one of `language` changed; the others stay."""
    return {**texts, language: text}


def new_item(items: Iterable[ChecklistItem], language: str) -> ChecklistItem:
    """An empty question; its id says nothing and stays."""
    taken = {item.item_id for item in items}
    number = next(n for n in range(1, len(taken) + 2) if f"question-{n}" not in taken)
    return ChecklistItem(f"question-{number}", {language: ""}, {language: ""}, AnswerForm.TEXT)


def moved(items: tuple[ChecklistItem, ...], index: int, by: int) -> tuple[ChecklistItem, ...]:
    """The items with that at `index` `by` places further down."""
    result = list(items)
    result.insert(index + by, result.pop(index))
    return tuple(result)


def changed_item(checklist: Checklist, index: int, item: ChecklistItem) -> Checklist:
    items = (*checklist.items[:index], item, *checklist.items[index + 1 :])
    return replace(checklist, items=items)


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name for a file that is not taken: `wanted`, else with a number after it."""
    base = _SLUG.sub("-", wanted.lower()).strip("-")[:56] or "checklist"
    names = {name.casefold() for name in taken}
    candidates = (base if n == 1 else f"{base}-{n}" for n in range(1, len(names) + 3))
    return next(name for name in candidates if name not in names)
