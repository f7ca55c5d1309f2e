"""Lines that come again on page after page: running heads, footers and page numbers."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.documents.layout import Line, Page

_NUM_EDGE_LINES = 3
_MIN_PAGES = 3
_MIN_SHARE = 0.1
_MARGIN = 0.1
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)


def mark_running(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with their running lines, and those of them that say nothing new, marked."""
    running = _running_keys(pages)
    seen: set[str] = set()
    return tuple(_marked(page, running, seen) for page in pages) if running else tuple(pages)


def _marked(page: Page, running: set[str], seen: set[str]) -> Page:
    start, end = _body(page, running)
    lines = [line for line in _head(page) if line.end <= start]
    lines += [line for line in _foot(page) if line.start >= end and line not in lines]
    repeated = []
    for line in lines:
        text = page.text[line.start : line.end]
        if text in seen and _is_in_margin(page, line):
            repeated.append((line.start, line.end))
        seen.add(text)
    if not lines:
        return page
    return replace(page, running=tuple((line.start, line.end) for line in lines), repeated=tuple(repeated))


def _is_in_margin(page: Page, line: Line) -> bool:
    """Whether the line is too near an edge to be the head of a table that goes on."""
    margin = _MARGIN * page.height
    return line.bbox.y1 <= margin or line.bbox.y0 >= page.height - margin


def body_ranges(pages: Sequence[Page]) -> tuple[tuple[int, int], ...]:
    """For each page the characters `[start, end)` of its text that are left without running lines."""
    running = _running_keys(pages)
    return tuple(_body(page, running) for page in pages)


def _running_keys(pages: Sequence[Page]) -> set[str]:
    """What comes again on three pages or more; of two pages only what stands in the margin of both."""
    counts: Counter[str] = Counter()
    are_few = len(pages) < _MIN_PAGES
    for page in pages:
        lines = _head(page) + _foot(page)
        counts.update({_key(page, line) for line in lines if not are_few or _is_in_margin(page, line)})
    num_needed = max(2 if are_few else _MIN_PAGES, round(_MIN_SHARE * len(pages)))
    return {key for key, count in counts.items() if count >= num_needed}


def _body(page: Page, running: set[str]) -> tuple[int, int]:
    start, end = 0, len(page.text)
    for line in _head(page):
        if _key(page, line) not in running:
            break
        start = line.end
    for line in reversed(_foot(page)):
        if _key(page, line) not in running or line.start < start:
            break
        end = line.start
    return (start, end) if start < end else (0, len(page.text))


def _key(page: Page, line: Line) -> str:
    return _DIGITS.sub("#", page.text[line.start : line.end].casefold()).strip()


def _head(page: Page) -> list[Line]:
    lines: list[Line] = []
    for block in page.blocks:
        lines += block.lines[: _NUM_EDGE_LINES - len(lines)]
        if len(lines) == _NUM_EDGE_LINES:
            break
    return lines


def _foot(page: Page) -> list[Line]:
    lines: list[Line] = []
    for block in reversed(page.blocks):
        room = _NUM_EDGE_LINES - len(lines)
        lines = [*block.lines[-room:], *lines]
        if len(lines) == _NUM_EDGE_LINES:
            break
    return lines
