"""A box for every character of scripts without blanks, cut out of the boxes of whole runs of them."""

import re
from array import array

from core.documents.layout import FragmentTable
from core.documents.normalize import CJK, Run, script_runs

_CJK_CHARACTER = re.compile(f"[{CJK}]")
_ALL_CJK = re.compile(f"[{CJK}]+")
_HALF = 0.5
_TALL = 1.5


def by_character(text: str, table: FragmentTable) -> FragmentTable:
    """The table with a fragment for each character that is a word of its own.

    Such characters are an em wide, others in the same run half of one.
    """
    if text.isascii() or not _CJK_CHARACTER.search(text):
        return table
    starts: list[int] = []
    ends: list[int] = []
    boxes: tuple[list[float], ...] = ([], [], [], [])
    x0, y0, x1, y1 = boxes
    columns = (table.starts, table.ends, table.x0, table.y0, table.x1, table.y1)
    for start, end, left, top, right, bottom in zip(*columns, strict=True):
        word = text[start:end]
        is_upright = end - start > 1 and bottom - top > _TALL * (right - left)
        low, high = (top, bottom) if is_upright else (left, right)
        if _ALL_CJK.fullmatch(word):
            unit = (high - low) / (end - start)
            edges = [low + unit * at for at in range(end - start + 1)]
            starts += range(start, end)
            ends += range(start + 1, end + 1)
            befores, afters = edges[:-1], edges[1:]
        else:
            places, ems = _pieces(word)
            unit = (high - low) / ems[-1]
            starts += [start + a for a, _ in places]
            ends += [start + b for _, b in places]
            befores = [low + unit * ems[a] for a, _ in places]
            afters = [low + unit * ems[b] for _, b in places]
        count = len(befores)
        x0 += [left] * count if is_upright else befores
        x1 += [right] * count if is_upright else afters
        y0 += befores if is_upright else [top] * count
        y1 += afters if is_upright else [bottom] * count
    return FragmentTable(array("I", starts), array("I", ends), *(array("f", box) for box in boxes))


def _pieces(word: str) -> tuple[list[tuple[int, int]], list[float]]:
    """Where the word is cut, and how far each of its characters lies from its start, in ems."""
    count = len(word)
    if word.isascii():
        return [(0, count)], [_HALF * i for i in range(count + 1)]
    edges = [0.0]
    places: list[tuple[int, int]] = []
    for kind, start, end, _ in script_runs(word):
        is_cjk = kind is Run.CHARACTERS
        places += [(at, at + 1) for at in range(start, end)] if is_cjk else [(start, end)]
        for _ in range(start, end):
            edges.append(edges[-1] + (1.0 if is_cjk else _HALF))
    return places, edges
