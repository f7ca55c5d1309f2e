"""Text that is drawn more than once at nearly the same place, to look bold or to cast a shadow."""

import re
from collections import defaultdict
from itertools import groupby

from core.documents.raw_page import Box, RawLine, are_stacked, most_compared

_MAX_SHIFT = 0.35
_MIN_OVERLAP = 0.5
_MIN_STUTTER = 6
_CELL = 16.0
_FARTHEST, _FARTHEST_SHIFT = 100_000.0, 160.0
_LETTERS = re.compile(r"[^\W\d_]")


def without_duplicates(lines: list[RawLine]) -> list[RawLine]:
    """The lines without words that an earlier one at the same place has, and without stuttered letters."""
    lines = [_without_stutter(line) for line in lines]
    overlapping = _overlapping(lines)
    if not overlapping:
        return lines
    seen = _Places()
    result = []
    for line in lines:
        if id(line) not in overlapping:
            result.append(line)
            continue
        kept = []
        for i, (text, box) in enumerate(zip(line.texts, line.boxes, strict=True)):
            if not seen.holds(text, box):
                kept.append(i)
                seen.add(text, box)
        left = line if len(kept) == len(line.texts) else line.with_pieces(kept)
        if left is not None:
            result.append(left)
    return result


class _Places:
    """Where words stand, by the cells of a grid, so that one of thousands is found fast."""

    def __init__(self) -> None:
        self._cells: dict[tuple[str, int, int], list[Box]] = defaultdict(list)

    def add(self, text: str, box: Box) -> None:
        self._cells[text, _cell(box[0]), _cell(box[1])].append(box)

    def holds(self, text: str, box: Box) -> bool:
        """Whether the same word stands at the same place."""
        shift = min(_FARTHEST_SHIFT, _most_shift(box))
        columns = range(_cell(box[0] - shift), _cell(box[0] + shift) + 1)
        rows = range(_cell(box[1] - shift), _cell(box[1] + shift) + 1)
        return any(
            _is_same_place(box, other)
            for column in columns
            for row in rows
            for other in self._cells.get((text, column, row), ())
        )


def _cell(at: float) -> int:
    return int(max(-_FARTHEST, min(_FARTHEST, at)) // _CELL)


def _most_shift(box: Box) -> float:
    """How far from `box` another one may stand to be at the same place."""
    return _MAX_SHIFT * max(1.0, min(box[3] - box[1], box[2] - box[0] + box[3] - box[1]))


def _overlapping(lines: list[RawLine]) -> set[int]:
    """The ids of lines of which a good part lies on another one."""
    found: set[int] = set()
    if are_stacked(lines):
        return found
    ordered = sorted(lines, key=lambda line: line.bbox[1])
    most = most_compared(len(ordered))
    for i, line in enumerate(ordered):
        x0, y0, x1, y1 = line.bbox
        lowest, own_width = y0 + _MAX_SHIFT * (y1 - y0), x1 - x0
        for j in range(i + 1, min(len(ordered), i + 1 + most)):
            other = ordered[j]
            left, top, right, _ = other.bbox
            if top > lowest:
                break
            width = min(x1, right) - max(x0, left)
            if width > _MIN_OVERLAP * min(own_width, right - left):
                found.update((id(line), id(other)))
    return found


def _is_same_place(a: Box, b: Box) -> bool:
    limit = _most_shift(a)
    return abs(a[0] - b[0]) <= limit and abs(a[1] - b[1]) <= limit


def _without_stutter(line: RawLine) -> RawLine:
    """`hheelllloo` is `hello`: every letter of a whole line comes twice or more often."""
    text = "".join(line.texts)
    if len(text) < _MIN_STUTTER or text[0] != text[1] or not _LETTERS.search(text):
        return line
    runs = [[(letter, len(list(run))) for letter, run in groupby(word)] for word in line.texts]
    lengths = [length for word in runs for _, length in word]
    times = min(lengths)
    if times < 2 or len({letter for word in runs for letter, _ in word}) < 3:
        return line
    texts = ["".join(letter * max(1, round(length / times)) for letter, length in word) for word in runs]
    return RawLine(
        line.block, tuple(texts), line.x0, line.y0, line.x1, line.y1, line.blanks, line.is_vertical
    )
