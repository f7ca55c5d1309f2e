"""The parts that a document is made of: by its outline, else by its headings, else by its pages."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from core.documents.folding import fold
from core.documents.layout import Document, Page

CountTokens = Callable[[Page], int]
"""What a page costs the model, in tokens."""

DEFAULT_BUDGET_TOKENS = 8192
"""How much of a document section search reads where nothing else is asked for."""

_MIN_PAGES_PER_ENTRY = 12
_MAX_HEADING_LENGTH = 120
_MAX_HEADING_LINES = 2
_LARGE = 1.15
_SECTIONS_PER_BUDGET = 6
_MIN_CAPITALS = 5
_MAX_HEADINGS_PER_PAGE = 8
_NAMED = (
    r"(?:article|section|chapter|part|title|exhibit|schedule|annex|appendix|item|note|"
    r"artikel|abschnitt|kapitel|teil|anlage|anhang|chapitre|annexe|titre|capítulo|anexo|sección)"
    r"\s+(?:\d+[\w.]*|[ivxlc]+\b|[a-z]\b)"
)
_NUMBERED = r"(?:\d{1,2}(?:\.\d{1,3}){0,3}\.?|§\s*\d+\w?|[IVXLC]{1,6}\.)\s+[^\W\d_]"
_CJK_NAMED = r"第\s*[\d〇零一二三四五六七八九十百千]+\s*[编編章节節部分]"
_NUMBERING = re.compile(rf"\s*(?:(?i:{_NAMED})|{_NUMBERED}|{_CJK_NAMED})")
_CONTENTS_LINE = re.compile(r"(?:\.\s?){4,}|\s\d{1,4}\s*$")
_RUNS_ON = re.compile(r"[,;，；、]\s*$|[.。]\s*$")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class PagePart:
    """The characters `[start, end)` of the text of one page."""

    page_index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the document at `document_index`, in reading order; `parts` are on successive pages.

    `title` is empty where the document names none. The parts of all sections together are all text of all
    pages that have some, each character once.
    """

    document_index: int
    title: str
    parts: tuple[PagePart, ...]

    @property
    def page_indices(self) -> tuple[int, ...]:
        return tuple(part.page_index for part in self.parts)


@dataclass(frozen=True, slots=True)
class _Start:
    page: int
    offset: int
    title: str


def max_section_tokens(budget_tokens: int) -> int:
    """How large a section may be where `budget_tokens` can be read: several have to have room."""
    return max(1, budget_tokens // _SECTIONS_PER_BUDGET)


def find_sections(
    documents: Sequence[Document], count_tokens: CountTokens, max_tokens: int
) -> tuple[Section, ...]:
    """The sections of all documents, none larger than `max_tokens` unless a single page is.

    Longer ones are cut where a page ends. A page that two sections share counts in full for both.
    """
    sections: list[Section] = []
    for number, document in enumerate(documents):
        pages = [page for page in document.pages if page.has_text]
        costs = {page.page_index: count_tokens(page) for page in pages}
        starts = _outline_starts(document, pages) or _heading_starts(pages)
        for title, parts in _spans(pages, starts):
            sections += [Section(number, title, cut) for cut in _cut(parts, costs, max_tokens)]
    return tuple(sections)


def _outline_starts(document: Document, pages: Sequence[Page]) -> list[_Start]:
    """Where the entries of the outline begin; none if it is too coarse to tell parts from each other."""
    positions = {page.page_index: number for number, page in enumerate(pages)}
    entries = [entry for entry in document.outline if entry.page_index in positions]
    if len({entry.page_index for entry in entries}) * _MIN_PAGES_PER_ENTRY < len(pages):
        return []
    starts = []
    for entry in entries:
        assert entry.page_index is not None
        number = positions[entry.page_index]
        starts.append(_Start(number, _offset_of(entry.title, pages[number]), entry.title))
    return _in_order(starts)


def _offset_of(title: str, page: Page) -> int:
    """Where the block begins that begins with `title`; the start of the page if there is none."""
    wanted = fold(title)
    for block in page.blocks:
        if wanted and fold(page.text[block.start : block.end])[: 2 * len(wanted) + 20].find(wanted) >= 0:
            return block.start
    return 0


def _heading_starts(pages: Sequence[Page]) -> list[_Start]:
    heights = [line.bbox.y1 - line.bbox.y0 for page in pages for block in page.blocks for line in block.lines]
    usual = median(heights) if heights else 0.0
    repeated = _repeated_lines(pages)
    starts: list[_Start] = []
    for number, page in enumerate(pages):
        found = [
            _Start(number, block_start, title)
            for block_start, title in _headings(page, usual)
            if fold(title) not in repeated
        ]
        if len(found) <= _MAX_HEADINGS_PER_PAGE:
            starts += found
    return _in_order(starts)


def _headings(page: Page, usual_height: float) -> Iterator[tuple[int, str]]:
    """Short blocks with a number or name of a section, or in larger letters; lines of a contents list not."""
    for block in page.blocks:
        text = page.text[block.start : block.end]
        title = " ".join(text.split())
        if len(block.lines) > _MAX_HEADING_LINES or not 2 <= len(title) <= _MAX_HEADING_LENGTH:
            continue
        if _CONTENTS_LINE.search(title) or not _LETTER.search(title):
            continue
        height = max(line.bbox.y1 - line.bbox.y0 for line in block.lines)
        is_large = usual_height > 0 and height > _LARGE * usual_height and not _RUNS_ON.search(title)
        is_capital = title.isupper() and _is_wordy(title) and not _RUNS_ON.search(title)
        if is_large or is_capital or _NUMBERING.match(title):
            yield block.start, title


def _is_wordy(title: str) -> bool:
    return len(_LETTER.findall(title)) > max(_MIN_CAPITALS, len(title) // 2)


def _repeated_lines(pages: Sequence[Page]) -> set[str]:
    """Folded blocks that stand on many pages: running heads and feet are no headings."""
    counts: dict[str, int] = {}
    for page in pages:
        texts = {fold(page.text[block.start : block.end]) for block in page.blocks if len(block.lines) == 1}
        for text in texts:
            counts[text] = counts.get(text, 0) + 1
    return {text for text, count in counts.items() if count > max(3, len(pages) // 10)}


def _in_order(starts: Sequence[_Start]) -> list[_Start]:
    """By place, the first of those that share one."""
    seen: dict[tuple[int, int], _Start] = {}
    for start in sorted(starts, key=lambda start: (start.page, start.offset)):
        seen.setdefault((start.page, start.offset), start)
    return list(seen.values())


def _spans(pages: Sequence[Page], starts: Sequence[_Start]) -> Iterator[tuple[str, list[PagePart]]]:
    """What lies between one start and the next; without any start each page is a section."""
    if not pages:
        return
    if not starts:
        starts = [_Start(number, 0, "") for number in range(len(pages))]
    if (starts[0].page, starts[0].offset) != (0, 0):
        starts = [_Start(0, 0, ""), *starts]
    for start, following in pairwise([*starts, _Start(len(pages), 0, "")]):
        parts = []
        for number in range(start.page, min(following.page + 1, len(pages))):
            page = pages[number]
            first = start.offset if number == start.page else 0
            last = following.offset if number == following.page else len(page.text)
            if page.text[first:last].strip():
                parts.append(PagePart(page.page_index, first, last))
        if parts:
            yield start.title, parts


def _cut(parts: Sequence[PagePart], costs: dict[int, int], max_tokens: int) -> Iterator[tuple[PagePart, ...]]:
    held: list[PagePart] = []
    size = 0
    for part in parts:
        cost = costs[part.page_index]
        if held and size + cost > max_tokens:
            yield tuple(held)
            held, size = [], 0
        held.append(part)
        size += cost
    if held:
        yield tuple(held)
