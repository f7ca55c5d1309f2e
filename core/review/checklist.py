"""What a checklist is: questions that belong together, each with the form of its answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.errors import UsageError

DEFAULT_LANGUAGE = "en"

Texts = Mapping[str, str]
"""A text by language (`en`, `zh_CN`); there is at least one."""


class ChecklistError(UsageError):
    """A checklist that does not exist, cannot be understood or cannot be written.

    The message names the file and, where that is known, the line.
    """


class AnswerForm(StrEnum):
    """What an answer should look like."""

    TEXT = "text"
    DATE = "date"
    DURATION = "duration"
    AMOUNT = "amount"
    PARTIES = "parties"
    LAW = "law"
    YES_NO = "yes_no"


@dataclass(frozen=True)
class ChecklistItem:
    """One question. `item_id` stays when the words change: findings are kept by it."""

    item_id: str
    title: Texts
    question: Texts
    form: AnswerForm = AnswerForm.TEXT


@dataclass(frozen=True)
class Checklist:
    """`name` is that of the file without its ending; item ids are unique within a checklist."""

    name: str
    title: Texts
    items: tuple[ChecklistItem, ...]


def text_in(texts: Texts, language: str) -> str:
    """The text in `language`, else in English, else in the first language there is."""
    if language in texts:
        return texts[language]
    return texts.get(DEFAULT_LANGUAGE) or next(iter(texts.values()))
