"""One page put together: its lines in order, its normalised text, and where each word is printed."""

import re
from array import array
from dataclasses import replace
from itertools import accumulate, chain
from operator import add, sub

from core.documents.character_boxes import by_character
from core.documents.drop_caps import with_drop_caps
from core.documents.duplicates import without_duplicates
from core.documents.layout import BBox, Block, DocumentWarning, FragmentTable, Line, Page
from core.documents.line_numbers import without_line_numbers
from core.documents.messages import PageRead
from core.documents.normalize import clean, has_leaders, is_cjk, needs_cleaning, without_leaders
from core.documents.orientation import turned_back, uprighting
from core.documents.paragraphs import Paragraph, paragraphs
from core.documents.raw_page import RawLine, RawPage, bounds, turned
from core.documents.reading_order import in_reading_order

HYPHENS = "-\u2010\u2011\u058a"
SOFT_HYPHEN = "\u00ad"
_LINE_END_HYPHEN = re.compile(rf"[^\W_][{HYPHENS}]$")


def build_page(
    raw: RawPage, page_index: int, label: str, warnings: tuple[DocumentWarning, ...] = ()
) -> PageRead:
    """The page in reading order; its line-end hyphens are still there and listed."""
    lines = with_drop_caps(without_line_numbers(without_duplicates(cleaned(raw.lines))))
    matrix = uprighting(lines) if lines else None
    if matrix is not None:
        lines = [turned(line, matrix) for line in lines]
    builder = _Builder()
    for paragraph in paragraphs(in_reading_order(lines)) if lines else ():
        builder.add(paragraph)
    for line in raw.fields:
        builder.add([line if matrix is None else turned(line, matrix)])
    blocks, fragments = builder.blocks, builder.finish()
    if matrix is not None:
        blocks, fragments = turned_back(blocks, fragments, matrix)
    text = "".join(builder.parts)
    page = Page(
        page_index,
        label,
        raw.width,
        raw.height,
        text,
        tuple(blocks),
        fragments,
        warnings,
        tuple(raw.hidden),
        raw.comments,
    )
    return PageRead(page, tuple(builder.hyphens))


def cleaned(lines: list[RawLine]) -> list[RawLine]:
    """Lines with normalised words, dot leaders cut short; what has nothing left is dropped."""
    text = " ".join([" ".join(line.texts) for line in lines])
    may_be_odd, may_lead = needs_cleaning(text), has_leaders(text)
    if not may_be_odd and not may_lead:
        return lines
    result = []
    for line in lines:
        kept: RawLine | None = line
        line_text = " ".join(line.texts)
        if may_be_odd and needs_cleaning(line_text):
            kept = _cleaned_line(line)
        if may_lead and kept is not None and has_leaders(line_text):
            kept = _without_leaders(kept)
        if kept is not None:
            result.append(kept)
    return result


def _cleaned_line(line: RawLine) -> RawLine | None:
    texts = [clean(text).strip(" ") for text in line.texts]
    if line.texts[-1].endswith(SOFT_HYPHEN) and texts[-1]:
        texts[-1] += SOFT_HYPHEN
    kept = [i for i, text in enumerate(texts) if text]
    return replace(line, texts=tuple(texts)).with_pieces(kept)


def _without_leaders(line: RawLine) -> RawLine | None:
    """Dots that stand apart are pieces of their own: the first stands for all."""
    texts = [without_leaders(text) for text in line.texts]
    kept: list[int] = []
    for i, text in enumerate(texts):
        is_rule = len(set(text)) == 1 and has_leaders(text * 4)
        if is_rule and kept and texts[kept[-1]][:1] == text[0] and len(set(texts[kept[-1]])) == 1:
            texts[kept[-1]] = without_leaders(text[0] * 3)
        else:
            kept.append(i)
    return replace(line, texts=tuple(texts)).with_pieces(kept)


class _Builder:
    """Grows the text of a page paragraph by paragraph."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.blocks: list[Block] = []
        self.hyphens: list[int] = []
        self._rows: list[RawLine] = []
        self._gaps: list[int] = []
        self._length = 0
        self._last = ""

    def add(self, paragraph: Paragraph) -> None:
        lines = []
        for i, row in enumerate(paragraph):
            gap = self._separate("\n" if i == 0 else " ", row.texts[0])
            start = self._length
            self._append_row(row, gap)
            lines.append(Line(start, self._length, BBox(*row.bbox)))
        self.blocks.append(Block(tuple(lines), BBox(*bounds(paragraph))))

    def finish(self) -> FragmentTable:
        """The map of all pieces; the page is complete."""
        if self._last.endswith(SOFT_HYPHEN):
            self.hyphens.append(self._length - 1)
        lengths = list(map(len, chain.from_iterable([row.texts for row in self._rows])))
        ends = list(accumulate(map(add, lengths, self._gaps)))
        table = FragmentTable(
            array("I", list(map(sub, ends, lengths))),
            array("I", ends),
            array("f", list(chain.from_iterable([row.x0 for row in self._rows]))),
            array("f", list(chain.from_iterable([row.y0 for row in self._rows]))),
            array("f", list(chain.from_iterable([row.x1 for row in self._rows]))),
            array("f", list(chain.from_iterable([row.y1 for row in self._rows]))),
        )
        return by_character("".join(self.parts), table)

    def _separate(self, separator: str, following: str) -> int:
        """Put what stands between the last row and one that begins with `following`; returns its length."""
        if not self.parts:
            return 0
        last = self._last[-1]
        if last == SOFT_HYPHEN:
            self.hyphens.append(self._length - 1)
        elif last in HYPHENS and _LINE_END_HYPHEN.search(self._last) and following[0].isalnum():
            if separator == " " or following[0].islower():
                self.hyphens.append(self._length - 1)
        elif separator == " " and is_cjk(last) and is_cjk(following[0]):
            return 0
        self.parts.append(separator)
        self._length += 1
        return 1

    def _append_row(self, row: RawLine, gap: int) -> None:
        if row.blanks is None:
            text = " ".join(row.texts)
            gaps = [1] * len(row.texts)
        else:
            blanks = (False, *row.blanks[1:])
            text = "".join([f" {t}" if b else t for t, b in zip(row.texts, blanks, strict=True)])
            gaps = list(map(int, row.blanks))
        gaps[0] = gap
        self._gaps += gaps
        self._rows.append(row)
        self.parts.append(text)
        self._length += len(text)
        self._last = row.texts[-1]
