"""Text that is drawn more than once at nearly the same place, to look bold or to cast a shadow."""

import re
from collections import defaultdict
from itertools import groupby

from core.documents.raw_page import Box, RawLine, are_stacked

_MAX_SHIFT = 0.35
_MIN_OVERLAP = 0.5
_MIN_STUTTER = 6
_LETTERS = re.compile(r"[^\W\d_]")


def without_duplicates(lines: list[RawLine]) -> list[RawLine]:
    """The lines without words that an earlier one at the same place has, and without stuttered letters."""
    lines = [_without_stutter(line) for line in lines]
    overlapping = _overlapping(lines)
    if not overlapping:
        return lines
    seen: dict[str, list[Box]] = defaultdict(list)
    result = []
    for line in lines:
        if id(line) not in overlapping:
            result.append(line)
            continue
        kept = []
        for i, (text, box) in enumerate(zip(line.texts, line.boxes, strict=True)):
            if not any(_is_same_place(box, other) for other in seen[text]):
                kept.append(i)
                seen[text].append(box)
        left = line if len(kept) == len(line.texts) else line.with_pieces(kept)
        if left is not None:
            result.append(left)
    return result


def _overlapping(lines: list[RawLine]) -> set[int]:
    """The ids of lines of which a good part lies on another one."""
    found: set[int] = set()
    if are_stacked(lines):
        return found
    ordered = sorted(lines, key=lambda line: line.bbox[1])
    for i, line in enumerate(ordered):
        x0, y0, x1, y1 = line.bbox
        lowest = y0 + _MAX_SHIFT * (y1 - y0)
        for j in range(i + 1, len(ordered)):
            other = ordered[j]
            if other.bbox[1] > lowest:
                break
            width = min(x1, other.bbox[2]) - max(x0, other.bbox[0])
            if width > _MIN_OVERLAP * min(line.width, other.width):
                found.update((id(line), id(other)))
    return found


def _is_same_place(a: Box, b: Box) -> bool:
    limit = _MAX_SHIFT * max(1.0, min(a[3] - a[1], a[2] - a[0] + a[3] - a[1]))
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
