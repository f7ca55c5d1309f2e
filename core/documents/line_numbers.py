"""Numbers that count the lines of a page in its margin, as in court transcripts; no part of the text."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from core.documents.raw_page import RawLine

_MIN_RUN = 8
_MIN_LONG_RUN = 20
_MIN_SPARSE_RUN = 4
_STEPS = (2, 5, 10)
_MAX_SHIFT = 3.0
_MIN_FLOWING, _MIN_FLOWING_LONG = 0.25, 0.1
_MAX_CELLS = 1.5
_MAX_FILLED = 0.75
_MAX_DIGITS = 4
_MIN_PITCH, _MAX_PITCH = 0.7, 4.0


def without_line_numbers(lines: list[RawLine]) -> list[RawLine]:
    """The lines without a column of numbers that count them, each line or every fifth.

    A number may be a line of its own or the first word of the line that it counts. What the numbers stand
    beside must run on from line to line, unlike the rows of a table or a list.
    """
    numbered = [line for line in lines if line.texts[0].isdecimal() and len(line.texts[0]) <= _MAX_DIGITS]
    if len(numbered) < _MIN_SPARSE_RUN:
        return lines
    removed: set[int] = set()
    for column in _columns(numbered):
        for run in _runs(column):
            if len(run) >= _MIN_RUN and _counts_text(run, lines):
                removed.update(map(id, run))
        single = [line for line in column if len(line.texts) == 1 and id(line) not in removed]
        if _is_sparse(single) and _counts_some_lines(single, lines):
            removed.update(map(id, single))
    return _without(lines, removed) if removed else lines


def _without(lines: list[RawLine], removed: set[int]) -> list[RawLine]:
    kept = []
    for line in lines:
        left = line.with_pieces(list(range(1, len(line.texts)))) if id(line) in removed else line
        if left is not None:
            kept.append(left)
    return kept


def _columns(numbered: list[RawLine]) -> list[list[RawLine]]:
    """Numbers that stand one below the other, in the order in which they are drawn."""
    columns: list[list[RawLine]] = []
    for line in numbered:
        for column in columns:
            last = column[-1]
            if min(abs(line.x0[0] - last.x0[0]), abs(line.x1[0] - last.x1[0])) < _MAX_SHIFT:
                column.append(line)
                break
        else:
            columns.append([line])
    return columns


def _runs(column: list[RawLine]) -> Iterator[list[RawLine]]:
    """Numbers of a column that grow by one downwards."""
    run = column[:1]
    for line in column[1:]:
        if not _follows(run[-1], line):
            yield run
            run = []
        run.append(line)
    yield run


def _follows(above: RawLine, line: RawLine) -> bool:
    is_next = int(line.texts[0]) == int(above.texts[0]) + 1
    return is_next and line.y0[0] > above.y0[0] + 0.5 * above.height


def _counts_text(run: list[RawLine], lines: list[RawLine]) -> bool:
    """Whether text runs on beside the numbers: one line to each, many of which begin in mid-sentence.

    Numbers with nothing beside them count lines too.
    """
    names = {id(line) for line in run}
    others = sorted((line for line in lines if id(line) not in names), key=lambda line: line.middle)
    middles = [line.middle for line in others]
    firsts: list[str] = []
    num_cells = 0
    for number in run:
        beside = others[bisect_left(middles, number.y0[0]) : bisect_left(middles, number.y1[0])]
        num_cells += len(beside) + (len(number.texts) > 1)
        if len(number.texts) > 1:
            firsts.append(number.texts[1])
        elif beside:
            firsts.append(min(beside, key=lambda line: line.bbox[0]).texts[0])
    if not firsts or num_cells > _MAX_CELLS * len(firsts):
        return False
    if len(firsts) < _MAX_FILLED * len(run):
        return True
    share = sum(_begins_small(text) for text in firsts) / len(firsts)
    return share >= (_MIN_FLOWING_LONG if len(run) >= _MIN_LONG_RUN else _MIN_FLOWING)


def _begins_small(text: str) -> bool:
    """Whether the first letter is a small one; scripts without such, amounts and marks do not tell."""
    return next((letter for letter in text if letter.isalnum()), "").islower()


def _is_sparse(column: list[RawLine]) -> bool:
    """Whether each number of a column stands for several lines: 5, 10, 15."""
    if len(column) < _MIN_SPARSE_RUN:
        return False
    column.sort(key=lambda line: line.bbox[1])
    values = [int(line.texts[0]) for line in column]
    step = values[1] - values[0]
    return step in _STEPS and values[0] % step == 0 and all(b - a == step for a, b in pairwise(values))


def _counts_some_lines(run: list[RawLine], lines: list[RawLine]) -> bool:
    """Whether lines stand between the numbers as many as they count, on one side of them at least."""
    step = int(run[1].texts[0]) - int(run[0].texts[0])
    pitches = [(b.middle - a.middle) / step for a, b in pairwise(run)]
    if not _MIN_PITCH < median(pitches) / run[0].height < _MAX_PITCH:
        return False
    middles = sorted({round(line.middle) for line in lines})
    num_between = [
        bisect_left(middles, below.bbox[1] - 1) - bisect_left(middles, above.bbox[3] + 1)
        for above, below in pairwise(run)
    ]
    return median(num_between) >= step / 2
