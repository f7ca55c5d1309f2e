"""Page numbers as readers write them. Pages are 0-based inside and counted from 1 on screen."""

from collections.abc import Iterable, Sequence

_MAX_RANGES = 6


def page_ranges(page_indices: Iterable[int]) -> list[str]:
    """`2–5`, `34`, … for sorted page indices."""
    ranges: list[list[int]] = []
    for page_index in page_indices:
        if ranges and page_index == ranges[-1][1] + 1:
            ranges[-1][1] = page_index
        else:
            ranges.append([page_index, page_index])
    return [str(a + 1) if a == b else f"{a + 1}–{b + 1}" for a, b in ranges]


def short_list(parts: Sequence[str]) -> str:
    """The first few, and an ellipsis for the rest."""
    shown = ", ".join(parts[:_MAX_RANGES])
    return shown if len(parts) <= _MAX_RANGES else f"{shown}, …"


def find_page(text: str, labels: Sequence[str]) -> int | None:
    """The page that a reader means: its ordinal number, else the number printed on it."""
    wanted = text.strip()
    if wanted.isdecimal() and 1 <= int(wanted) <= len(labels):
        return int(wanted) - 1
    folded = wanted.casefold()
    matches = (index for index, label in enumerate(labels) if label.casefold() == folded)
    return next(matches, None) if folded else None
