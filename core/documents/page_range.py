"""Which pages a user wants: `1-40`, `3`, `1-5,9,12-`."""

import re
from dataclasses import dataclass

from core.errors import UsageError

_PART = re.compile(r"\s*(\d{1,9})?\s*(-)?\s*(\d{1,9})?\s*")


@dataclass(frozen=True)
class PageRange:
    """A set of pages by their ordinal number, 1-based as users write it; None as an end means the last."""

    parts: tuple[tuple[int, int | None], ...]

    def __contains__(self, page_index: int) -> bool:
        return any(
            first <= page_index + 1 and (last is None or page_index + 1 <= last) for first, last in self.parts
        )


def parse_page_range(text: str) -> PageRange:
    """The pages that `text` names. Raises `UsageError` for anything else than numbers and ranges."""
    return PageRange(tuple(_parse_part(part, text) for part in text.split(",")))


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
