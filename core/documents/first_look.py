"""The first look at a page: whether text of it could be hidden at all."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto

from core.documents.colors import WHITE, Color
from core.documents.hidden import MIN_SIZE, TOLERANCE, is_close, overlaps
from core.documents.ink import Ink
from core.documents.paints import Paints
from core.documents.raw_page import Box, RawLine

Style = tuple[float, Color]
"""The size of a text in points, and its colour."""

_MAX_LATE = 6


class Look(Enum):
    """How closely a page must be looked at."""

    NONE = auto()
    PLACES = auto()
    COLORS = auto()


def look_needed(
    lines: Sequence[RawLine], styles: Iterable[Style], paints_in: Callable[[Box | None], Paints]
) -> Look:
    """Whether text of the page could be hidden. `styles` are the sizes and colours that its text has.

    `paints_in` takes the first look at a part of the page, or with None at all of it.
    """
    colors = {color for _, color in styles}
    if any(is_close(color, WHITE) for color in colors):
        return Look.COLORS
    paints = paints_in(None)
    over = _over_lines(paints.inks, lines)
    grounds = {ink.color for ink in over if ink.color is not None}
    if any(is_close(color, ground) for ground in grounds for color in colors):
        return Look.COLORS
    if paints.has_odd_text:
        return Look.COLORS
    is_tiny = any(size < MIN_SIZE for size, _ in styles)
    late = [ink for ink in over if ink.text_number > 0]
    if (
        is_tiny
        or paints.has_unpainted_text
        or paints.has_unheard
        or (late and paints.has_clips)
        or len(late) > _MAX_LATE
    ):
        return Look.PLACES
    return Look.PLACES if any(_is_on_text(ink, paints_in) for ink in late) else Look.NONE


def _is_on_text(ink: Ink, paints_in: Callable[[Box | None], Paints]) -> bool:
    """Whether text was painted before the ink where it lies, and not only elsewhere on the page."""
    x0, y0, x1, y1 = ink.box
    dx, dy = min(TOLERANCE, (x1 - x0) / 4), min(TOLERANCE, (y1 - y0) / 4)
    paints = paints_in((x0 + dx, y0 + dy, x1 - dx, y1 - dy))
    return any(other.text_number > 0 and other.box == ink.box for other in paints.inks)


def _over_lines(inks: Sequence[Ink], lines: Sequence[RawLine]) -> list[Ink]:
    """What is painted where a line stands."""
    if not inks:
        return []
    tops = sorted((line.bbox[1], line.bbox) for line in lines)
    tallest = max((line.height for line in lines), default=0.0)
    return [ink for ink in inks if _touches_any(ink.box, tops, tallest)]


def _touches_any(box: Box, tops: list[tuple[float, Box]], tallest: float) -> bool:
    for i in range(bisect_left(tops, (box[1] - tallest,)), len(tops)):
        top, line = tops[i]
        if top > box[3]:
            return False
        if overlaps(box, line):
            return True
    return False
