"""Tables among columns: what is read row by row, however it is drawn and whatever is around it."""

import re
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise
from math import inf
from statistics import median

from core.documents.raw_page import RawLine, bounds, by_block, most_compared

_MAX_ACROSS = 0.6
_MIN_CELLS = 3
_NUMBER = re.compile(r"(?:\d|[^\w\s]|_)*\d(?:\d|[^\w\s]|_)*|[-\u2013\u2014]")
_MIN_TALL = 2
_MIN_TALL_SHARE = 0.55
_MAX_PITCH = 1.8
_MAX_JUMPS = 2
_FAR_UP = 8
_MAX_ROW_GAP = 5
_MIN_ROWS = 3
_MIN_MATES = 0.8


def tables_across(lines: list[RawLine], middle: float) -> list[list[RawLine]]:
    """Tables drawn row by row on both sides of the gutter, where most of the text is drawn otherwise."""
    across = [block for block in by_block(lines) if _is_table_across(block, middle)]
    return across if sum(map(len, across)) < _MAX_ACROSS * len(lines) else []


def _is_table_across(block: list[RawLine], middle: float) -> bool:
    """Whether a block has lines on both sides, in rows of three or more or with numbers on the right."""
    right = [line for line in block if line.bbox[0] >= middle]
    if not right or all(line.bbox[2] > middle for line in block):
        return False
    num_rows = 1 + sum(below.bbox[1] > above.middle for above, below in pairwise(block))
    num_numbers = sum(bool(_NUMBER.fullmatch("".join(line.texts))) for line in right)
    return len(block) >= _MIN_CELLS * num_rows or num_numbers > len(right) / 2


def row_borders(lines: list[RawLine], middle: float) -> list[float]:
    """Heights between the rows of a table whose cells have several lines, drawn row by row; else none.

    The two sides come in turn, each time below all that came before; what the page has above or below the
    table may be drawn at any time. Rows far from each other are captions of pictures.
    """
    rows = _drawn_rows(lines, middle)
    full = [row for row in rows if row[0].bbox[0] < middle <= row[-1].bbox[0]]
    num_tall = sum(_is_tall(row, middle) for row in full)
    if num_tall < max(_MIN_TALL, _MIN_TALL_SHARE * len(full)):
        return []
    boxes = [bounds(row) for row in rows]
    num_jumps = sum(below[1] < above[1] for above, below in pairwise(boxes))
    if num_jumps > _MAX_JUMPS:
        return []
    height = median(line.height for line in lines)
    slack = 0.3 * height
    boxes.sort(key=lambda box: box[1])
    borders = []
    gaps = []
    bottom = boxes[0][3]
    for _, top, _, low in boxes[1:]:
        if top >= bottom - slack:
            borders.append((bottom + top) / 2)
            gaps.append(top - bottom)
        elif low > bottom + slack:
            return []
        bottom = max(bottom, low)
    has_pictures = bool(gaps) and median(gaps) > _MAX_ROW_GAP * height
    return [] if has_pictures else borders


def with_numbers_in_rows(lines: list[RawLine]) -> list[RawLine]:
    """The lines, columns of numbers that are drawn after the rows that they belong to moved into them."""
    numeric = [not line.texts[0][0].isalpha() and _is_number(line) for line in lines]
    if sum(numeric) < _MIN_ROWS:
        return lines
    columns = _columns_of_numbers(lines, numeric)
    behind: dict[int, list[RawLine]] = {}
    for is_long in (True, False):
        for first, end, num_numbers in columns:
            if (num_numbers >= _MIN_ROWS) is is_long:
                before = lines[max(0, first - most_compared(len(lines))) : first]
                mates = _mates(lines[first:end], before, None if is_long else behind)
                for mate, cells in mates.items():
                    behind.setdefault(mate, []).extend(cells)
        if not behind:
            return lines
    moved = {id(cell) for cells in behind.values() for cell in cells}
    behind = {mate: cells for mate, cells in behind.items() if mate not in moved}
    moved = {id(cell) for cells in behind.values() for cell in cells}
    result: list[RawLine] = []
    for line in lines:
        if id(line) not in moved:
            cells = sorted(behind.get(id(line), ()), key=lambda cell: cell.bbox[0])
            result += [line, *(replace(cell, block=line.block) for cell in cells)]
    return result


def _columns_of_numbers(lines: list[RawLine], numeric: list[bool]) -> list[tuple[int, int, int]]:
    """Places `[first, end)` of numbers one below the other, perhaps with a head, and how many they are."""
    columns = []
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and numeric[at] and numeric[end] and _is_below(lines[end - 1], lines[end]):
            end += 1
        if numeric[at]:
            has_head = at > 0 and not numeric[at - 1] and _is_below(lines[at - 1], lines[at])
            columns.append((at - has_head, end, end - at))
        at = end
    return columns


def _is_number(line: RawLine) -> bool:
    return len(line.texts) <= _MIN_CELLS and bool(_NUMBER.fullmatch("".join(line.texts)))


def _is_below(above: RawLine, line: RawLine) -> bool:
    is_in_column = line.bbox[0] < above.bbox[2] and line.bbox[2] > above.bbox[0]
    return is_in_column and line.bbox[1] > above.middle


def _mates(
    column: list[RawLine], before: list[RawLine], rows_of_table: Collection[int] | None
) -> dict[int, list[RawLine]]:
    """By the id of a line drawn before: the cells of the column that stand in its row; empty if few do.

    Few of the rows between the first and the last may lack a number, or it is no column of theirs. Of a
    table whose rows are known it may be any.
    """
    top, bottom = column[0].middle, column[-1].middle
    left = min(line.bbox[0] for line in column)
    rows = [line for line in before if line.bbox[2] < left and top - 1 < line.middle < bottom + 1]
    if rows_of_table is None:
        first_x = min((line.bbox[0] for line in rows), default=0.0)
        rows = [line for line in rows if line.bbox[0] < first_x + line.height]
    else:
        rows = [line for line in rows if id(line) in rows_of_table]
    found: dict[int, list[RawLine]] = {}
    for cell in column:
        for line in rows:
            if line.bbox[1] < cell.middle < line.bbox[3]:
                found.setdefault(id(line), []).append(cell)
                break
    if sum(map(len, found.values())) < _MIN_MATES * len(column):
        return {}
    is_table = rows_of_table is not None or len(found) >= max(_MIN_ROWS, len(rows) / 2)
    return found if is_table else {}


def _drawn_rows(lines: list[RawLine], middle: float) -> list[list[RawLine]]:
    """Lines in the order of drawing, a new row where it goes back to the left or far up on the left."""
    rows: list[list[RawLine]] = []
    is_right = True
    top = inf
    for line in lines:
        is_left = line.bbox[0] < middle
        if is_left and (is_right or line.bbox[3] < top - _FAR_UP * line.height):
            rows.append([])
            top = inf
        is_right = not is_left
        if not rows:
            rows.append([])
        rows[-1].append(line)
        top = min(top, line.bbox[1])
    return rows


def _is_tall(row: list[RawLine], middle: float) -> bool:
    """Whether a row has several lines, and one of its sides stands beside the other.

    What stands far above the rest on the left belongs to no row.
    """
    left = [line for line in row if line.bbox[0] < middle]
    right = bounds([line for line in row if line.bbox[0] >= middle])
    left.sort(key=lambda line: -line.bbox[1])
    low, high = left[0].bbox[3], left[0].bbox[1]
    for line in left:
        if high - line.bbox[3] > _MAX_PITCH * line.height:
            break
        high = min(high, line.bbox[1])
    slack = 0.5 * left[0].height
    is_tall = max(low - high, right[3] - right[1]) > _MAX_PITCH * left[0].height
    is_inside = right[1] >= high - slack and right[3] <= low + slack
    return is_tall and (is_inside or (high >= right[1] - slack and low <= right[3] + slack))
