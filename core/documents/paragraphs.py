"""Printed lines gathered to paragraphs: cells of a row side by side, rows that run on joined."""

import re
from itertools import pairwise

from core.documents.normalize import RIGHT_TO_LEFT, is_cjk
from core.documents.raw_page import Box, RawLine, bounds, joined
from core.documents.reading_order import Group

Paragraph = list[RawLine]

_ENDS_SENTENCE = re.compile(r"[.!?:;。！？：；…][\"'”’»)\]）」』]*$")
_LEADS_TO_PAGE = re.compile(r"(?:\.{3}|…|···|___)$")
_CELL_GAP = 2.0
_MIN_FULL_LINES = 2


def paragraphs(groups: list[Group]) -> list[Paragraph]:
    """Paragraphs in reading order; every line of one is a whole printed row."""
    result: list[Paragraph] = []
    boxes = [line.bbox for group in groups for line in group]
    for group in groups:
        rows, cells = _rows(group)
        _append_block(result, rows[0], boxes)
        if len(rows) == 1:
            continue
        left, _, right, _ = bounds(rows)
        for above, row, num_cells in zip(rows, rows[1:], cells[1:], strict=False):
            if num_cells > 1 or _starts_paragraph(above, row, left, right):
                result.append([row])
            else:
                result[-1].append(row)
    return result


def _append_block(result: list[Paragraph], row: RawLine, boxes: list[Box]) -> None:
    """The first row of a new block: usually a new paragraph, unless the block cut one in two."""
    if not result:
        result.append([row])
        return
    last = result[-1][-1]
    if _share_baseline(last, row) and row.bbox[0] >= last.bbox[2] and len(result[-1]) == 1:
        result[-1][-1] = joined([last, row])
    elif _runs_on(last, row, boxes):
        result[-1].append(row)
    else:
        result.append([row])


def _rows(group: Group) -> tuple[list[RawLine], list[int]]:
    """The printed rows of a block and how many cells each has."""
    if group[0].is_vertical:
        return [_column(group)], [1]
    if len(group) == 1:
        return group, [1]
    rows: list[list[RawLine]] = []
    for line in group:
        if rows and _share_baseline(rows[-1][-1], line) and _are_apart(rows[-1][-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        if len(row) > 1 and not RIGHT_TO_LEFT.search("".join(["".join(line.texts) for line in row])):
            row.sort(key=lambda line: line.bbox[0])
    return [joined(row) for row in rows], [_num_cells(row) for row in rows]


def _num_cells(row: list[RawLine]) -> int:
    """Pieces of a row that wide gaps keep apart, as in a table."""
    if len(row) == 1:
        return 1
    gaps = [b.bbox[0] - a.bbox[2] for a, b in pairwise(row)]
    return 1 + sum(gap > _CELL_GAP * row[0].height for gap in gaps)


def _column(group: Group) -> RawLine:
    """A vertical column: its characters follow each other without blanks."""
    column = joined(group)
    column.blanks = (True, *[False] * (len(column.texts) - 1))
    return column


def _share_baseline(a: RawLine, b: RawLine) -> bool:
    if a.is_vertical or b.is_vertical:
        return False
    shared = min(a.bbox[3], b.bbox[3]) - max(a.bbox[1], b.bbox[1])
    return shared > 0.6 * min(a.height, b.height)


def _are_apart(a: RawLine, b: RawLine) -> bool:
    return a.bbox[2] <= b.bbox[0] + 1 or b.bbox[2] <= a.bbox[0] + 1


def _starts_paragraph(above: RawLine, row: RawLine, left: float, right: float) -> bool:
    """Whether `row` begins a paragraph within a block that reaches from `left` to `right`.

    A typesetter breaks a line when the next word does not fit; where it would have fitted, the author
    ended the paragraph.
    """
    last, first = above.texts[-1], row.texts[0]
    if last[-1] in "-\u2010\u00ad":
        return False
    if _is_contents_entry(above):
        return True
    ends_sentence = bool(_ENDS_SENTENCE.search(last))
    if ends_sentence and row.bbox[0] - above.bbox[0] > 0.8 * row.height:
        return True
    if first[0].islower() and not ends_sentence:
        return False
    room = right - above.bbox[2]
    width = (row.x1[0] - row.x0[0]) / (len(first) if is_cjk(first[0]) else 1)
    if room <= width + 0.6 * row.height:
        return False
    if ends_sentence:
        return True
    is_centred = abs((above.bbox[0] - left) - room) < 0.1 * (right - left)
    return not is_centred and room > 0.3 * (right - left)


def _is_contents_entry(row: RawLine) -> bool:
    """Whether a leader runs to the last piece of the row, a page number or an amount."""
    last = row.texts[-1]
    before = row.texts[-2] if len(row.texts) > 1 else ""
    head, _, _ = last.rpartition("...")
    return bool(_LEADS_TO_PAGE.search(before)) or (bool(head) and last[-1].isalnum())


def _runs_on(above: RawLine, row: RawLine, boxes: list[Box]) -> bool:
    """Whether a paragraph goes on from `above`, the last row of a block, to `row`, the first of the next."""
    last, first = above.texts[-1], row.texts[0]
    if above.is_vertical or row.is_vertical or _ENDS_SENTENCE.search(last) or _is_contents_entry(above):
        return False
    if not 0.85 < (above.height or 1.0) / (row.height or 1.0) < 1.18:
        return False
    gap = row.bbox[1] - above.bbox[3]
    if not -0.5 * row.height < gap < 1.5 * row.height:
        return False
    if min(above.bbox[2], row.bbox[2]) <= max(above.bbox[0], row.bbox[0]):
        return False
    if first[0].islower():
        return above.bbox[2] > row.bbox[2] - 0.15 * row.width
    return is_cjk(last[-1]) and is_cjk(first[0]) and _reaches_the_edge(above, boxes)


def _reaches_the_edge(above: RawLine, boxes: list[Box]) -> bool:
    """Whether `above` ends, within two characters, where the longest of the lines over and under it end.

    `boxes` are those of all lines of the page.
    """
    left, _, right, _ = above.bbox
    ends = [x1 for x0, _, x1, _ in boxes if x0 < right and x1 > left]
    edge = max(ends) - 2 * above.height
    return above.bbox[2] > edge and sum(end > edge for end in ends) >= _MIN_FULL_LINES
