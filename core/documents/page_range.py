"""Which pages a user wants: `1-40`, `3`, `1-5,9,12-`, `all` or `none`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from core.errors import UsageError

ALL_PAGES, NO_PAGES = "all", "none"
"""The words for every page of a document and for none of it; both are kept with conversations."""

_PART = re.compile(r"\s*(\d{1,9})?\s*(?:(-)\s*(\d{1,9})?)?\s*")


_AS_TYPED = str.maketrans(dict.fromkeys("–—‐‑－～~", "-") | dict.fromkeys("，、;；", ","))
"""Dashes and commas of other keyboards, and those that text programs put in their place."""


@dataclass(frozen=True)
class PageRange:
    """A set of pages by their ordinal number, 1-based as users write it; None as an end means the last.

    Without parts it leaves the whole document out.
    """

    parts: tuple[tuple[int, int | None], ...]

    def __contains__(self, page_index: int) -> bool:
        return any(
            first <= page_index + 1 and (last is None or page_index + 1 <= last) for first, last in self.parts
        )

    def of_document(self, _name: str) -> "PageRange":
        """The pages of one of the documents: a range means the same pages in each."""
        return self


@dataclass(frozen=True)
class PageSelection(PageRange):
    """Other pages of each document, told apart by their names; none of a document that is not named."""

    by_document: tuple[tuple[str, PageRange], ...] = ()

    @classmethod
    def of(cls, page_indices: Mapping[str, Iterable[int]]) -> Self:
        """From 0-based page indices by document name."""
        by_document = tuple(
            (name, PageRange(tuple((index + 1, index + 1) for index in sorted(indices))))
            for name, indices in page_indices.items()
        )
        return cls(tuple(part for _, pages in by_document for part in pages.parts), by_document)

    def of_document(self, name: str) -> PageRange:
        return next((pages for document, pages in self.by_document if document == name), PageRange(()))


def parse_page_range(text: str) -> PageRange:
    """The pages that `text` names. Raises `UsageError` for anything but numbers, ranges, all and none."""
    word = text.strip().lower()
    if word in (ALL_PAGES, NO_PAGES):
        return PageRange(((1, None),) if word == ALL_PAGES else ())
    parts = text.translate(_AS_TYPED).split(",")
    return PageRange(tuple(_parse_part(part, text) for part in parts))


def _parse_part(part: str, text: str) -> tuple[int, int | None]:
    match = _PART.fullmatch(part)
    first, dash, last = match.groups() if match else (None, None, None)
    if first is None and last is None:
        raise UsageError("Not a page range", f"{text[:40]!r}: write for example 1-40 or 3,7-9.")
    start = int(first or 1)
    end = (int(last) if last else None) if dash else start
    if start < 1 or (end is not None and end < start):
        raise UsageError("Not a page range", f"{part.strip()!r}: pages start at 1 and ranges go upwards.")
    return start, end
