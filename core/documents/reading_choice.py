"""What of the documents is read: everything, some pages, or for each question the sections it is about."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.documents.layout import Document
from core.documents.page_range import PageRange, PageSelection, parse_page_range
from core.errors import UsageError

MAX_STRETCH = 64
_ALL_PAGES = PageRange(((1, None),))


class ReadingKind(StrEnum):
    """`STRETCHED` reads everything with the model's positions scaled beyond what it was trained on."""

    WHOLE = "whole"
    PAGES = "pages"
    SECTIONS = "sections"
    STRETCHED = "stretched"


@dataclass(frozen=True)
class ReadingChoice:
    """`pages` are ranges as users write them, one for each document in their order; empty means all pages.

    `none` leaves a document out.
    `stretch` is the factor of `STRETCHED`.
    """

    kind: ReadingKind = ReadingKind.WHOLE
    pages: tuple[str, ...] = ()
    stretch: int = 1

    def range_of(self, document_index: int) -> PageRange:
        """The pages that may be read of a document. Raises `UsageError` for what is no range."""
        is_range = self.kind is ReadingKind.PAGES and document_index < len(self.pages)
        text = self.pages[document_index].strip() if is_range else ""
        return parse_page_range(text) if text else _ALL_PAGES

    def has_pages_of(self, documents: Sequence[Document]) -> bool:
        """Whether it leaves a page of them to be read. Raises `UsageError` for what is no range."""
        ranges = [(one, self.range_of(index)) for index, one in enumerate(documents)]
        return any(index in pages for one, pages in ranges for index in range(one.num_pages))

    def selection(self, documents: Sequence[Document]) -> PageSelection | None:
        """The range for all documents, whose names differ; None where nothing is left out beforehand."""
        if self.kind is not ReadingKind.PAGES:
            return None
        ranges = tuple((one.name, self.range_of(index)) for index, one in enumerate(documents))
        return PageSelection(tuple(part for _, pages in ranges for part in pages.parts), ranges)


EVERYTHING = ReadingChoice()


def choice_to_json(choice: ReadingChoice) -> str:
    """Empty for everything; the names in it are read for ever."""
    if choice.kind is ReadingKind.WHOLE:
        return ""
    content = {"kind": choice.kind.value, "pages": choice.pages, "stretch": choice.stretch}
    return json.dumps(content, ensure_ascii=False)


def choice_from_json(text: str) -> ReadingChoice:
    """Everything, if the choice cannot be understood."""
    try:
        content: Any = json.loads(text) if text else {}
        kind = ReadingKind(content.get("kind", ReadingKind.WHOLE.value))
        pages = tuple(map(str, content.get("pages", ())))
        choice = ReadingChoice(kind, pages, int(content.get("stretch", 1)))
        for index in range(len(choice.pages)):
            choice.range_of(index)
        least = 2 if kind is ReadingKind.STRETCHED else 1
        return choice if least <= choice.stretch <= MAX_STRETCH else EVERYTHING
    except (ValueError, TypeError, AttributeError, UsageError):
        return EVERYTHING
