"""Page numbers found on the pages themselves, for files whose PDF tells none.

A number counts if it stands first or last on its page and grows by one from page to page. Where that is
not plain for most of the pages, none is given: a wrong number is worse than none.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.documents.layout import Line, Page

_MARGIN = 0.15
_NUM_EDGE_LINES = 3
_MAX_NUMBER = 9_999
_MAX_ALONE = 40
_MIN_EVIDENCE = 4
_MIN_SHORT_EVIDENCE = 3
_MAX_GAP = 4
_MIN_DENSITY = 0.6
_MIN_SHARE = 0.5
_EDGES = " \t-–—|·•.,:;()[]{}/_~*"
_WORDS = re.compile(
    r"^(?:pages?|pag\.?|p\.|seite|s\.|página|стр\.?|第)\s*|\s*(?:页|頁|ページ)$", re.IGNORECASE
)
_OF_TOTAL = re.compile(r"\s*(?:/|of|von|de|sur|из)\s*\d{1,4}$", re.IGNORECASE)
_ARABIC = re.compile(r"\d{1,4}")
_APPENDIX = re.compile(r"([A-Z]{1,2}-)(\d{1,3})")
_ROMAN = re.compile(r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}


@dataclass(frozen=True, slots=True)
class _Number:
    """What may be the number of a page; `style` is how it is written, `""` for digits alone."""

    style: str
    value: int
    label: str


@dataclass(frozen=True, slots=True)
class _Run:
    """Pages `[first, last]`, whose numbers differ from their index by the same `offset`."""

    style: str
    offset: int
    first: int
    last: int
    found: dict[int, str]

    def label(self, page_index: int) -> str | None:
        """What is printed on the page, or would be between its neighbours; None outside and if unknown."""
        if page_index in self.found:
            return self.found[page_index]
        is_inside = self.first <= page_index <= self.last
        return str(page_index + self.offset) if is_inside and not self.style else None


def with_printed_numbers(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with the numbers printed on them as labels, if most of them have one that fits the rest.

    Pages that have labels of their own already, and files of few pages, stay as they are.
    """
    if any(page.label != str(page.page_index + 1) for page in pages):
        return tuple(pages)
    runs = _runs(pages)
    numbered = {index for run in runs for index in run.found}
    if not numbered or len(numbered) < _MIN_SHARE * sum(page.has_text for page in pages):
        return tuple(pages)
    return tuple(_labelled(page, runs) for page in pages)


def _labelled(page: Page, runs: Sequence[_Run]) -> Page:
    label = next((text for text in (run.label(page.page_index) for run in runs) if text is not None), None)
    return page if label is None else replace(page, label=label)


def _runs(pages: Sequence[Page]) -> list[_Run]:
    """Runs of numbers that grow with the pages; of two for the same pages the one that more pages have."""
    found: dict[tuple[str, int], dict[int, str]] = defaultdict(dict)
    for page in pages:
        for number in _numbers(page):
            key = number.style, number.value - page.page_index
            found[key].setdefault(page.page_index, number.label)
    runs = [
        _Run(style, offset, part[0], part[-1], {index: labels[index] for index in part})
        for (style, offset), labels in found.items()
        for part in _parts(sorted(labels))
        if _is_telling(part, style)
    ]
    kept: list[_Run] = []
    for run in sorted(runs, key=lambda run: (-len(run.found), run.first)):
        if all(run.last < other.first or run.first > other.last for other in kept):
            kept.append(run)
    return kept


def _parts(indices: list[int]) -> Iterator[list[int]]:
    """Indices without a wide gap between them."""
    part: list[int] = []
    for index in indices:
        if part and index - part[-1] > _MAX_GAP:
            yield part
            part = []
        part.append(index)
    if part:
        yield part


def _is_telling(part: list[int], style: str) -> bool:
    num_needed = _MIN_SHORT_EVIDENCE if style else _MIN_EVIDENCE
    return len(part) >= num_needed and len(part) >= _MIN_DENSITY * (part[-1] - part[0] + 1)


def _numbers(page: Page) -> Iterator[_Number]:
    """The numbers that stand alone on one of the first or last lines, or at an end of one in the margin."""
    lines = sorted((line for block in page.blocks for line in block.lines), key=lambda line: line.bbox.y0)
    margin = _MARGIN * page.height
    for line in [*lines[:_NUM_EDGE_LINES], *lines[max(_NUM_EDGE_LINES, len(lines) - _NUM_EDGE_LINES) :]]:
        is_in_margin = line.bbox.y1 <= margin or line.bbox.y0 >= page.height - margin
        yield from _numbers_of(page, line, is_in_margin)


def _numbers_of(page: Page, line: Line, is_in_margin: bool) -> Iterator[_Number]:
    text = page.text[line.start : line.end].strip(_EDGES)
    if text[-1:].isdigit():
        text = _OF_TOTAL.sub("", text)
    number = _number(_WORDS.sub("", text).strip(_EDGES)) if len(text) <= _MAX_ALONE else None
    if number is not None:
        yield number
    if number is not None or not is_in_margin:
        return
    words = text.split()
    for word in dict.fromkeys((words[0], words[-1])) if words else ():
        number = _number(word.strip(_EDGES))
        if number is not None:
            yield number


def _number(text: str) -> _Number | None:
    if _ARABIC.fullmatch(text) and text.isascii() and 0 < int(text) <= _MAX_NUMBER and text[0] != "0":
        return _Number("", int(text), text)
    if text and _ROMAN.fullmatch(text):
        return _Number("roman", _roman_value(text), text)
    appendix = _APPENDIX.fullmatch(text)
    if appendix is not None:
        return _Number(appendix[1], int(appendix[2]), text)
    return None


def _roman_value(text: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
