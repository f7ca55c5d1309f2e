"""Which text of a page its readers cannot see: unpainted, in the colour of its ground, covered, tiny."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from core.documents.colors import WHITE, Color
from core.documents.ink import Glyph, Ink, InkKind, cut
from core.documents.layout import BBox, HiddenReason, HiddenText
from core.documents.raw_page import Box

MIN_SIZE = 1.25
TOLERANCE = 1.5
_MIN_CONTRAST = 0.12
_MIN_SCAN_SHARE = 0.5
_MIN_UNPAINTED_SHARE = 0.8
_WORD_GAP = 0.25
_MAX_LINE_HEIGHT = 18.0
_ROW_HEIGHT = 24.0
_FARTHEST = 5_000.0

TEXT_KINDS = (InkKind.TEXT, InkKind.UNPAINTED_TEXT)

IsBlank = Callable[[Box], bool]
IsTraced = Callable[[Box], bool]


def overlaps(a: Box, b: Box) -> bool:
    """Whether two boxes share more than their edges."""
    return (
        a[0] < b[2] - TOLERANCE
        and b[0] < a[2] - TOLERANCE
        and a[1] < b[3] - TOLERANCE
        and b[1] < a[3] - TOLERANCE
    )


def is_close(a: Color, b: Color) -> bool:
    """Whether a reader can hardly tell the two colours apart."""
    return (
        abs(a[0] - b[0]) < _MIN_CONTRAST
        and abs(a[1] - b[1]) < _MIN_CONTRAST
        and abs(a[2] - b[2]) < _MIN_CONTRAST
    )


def is_text_over_scan(inks: Sequence[Ink], page: Box) -> bool:
    """Whether the text of the page is what text recognition found in a picture of the page."""
    area = max(1.0, (page[2] - page[0]) * (page[3] - page[1]))
    scans = [
        ink
        for ink in inks
        if ink.kind is InkKind.IMAGE and _area(cut(ink.box, page)) >= _MIN_SCAN_SHARE * area
    ]
    if not scans:
        return False
    last = max(scan.text_number for scan in scans)
    unseen = seen = 0.0
    for ink in inks:
        if ink.kind is InkKind.UNPAINTED_TEXT or (ink.kind is InkKind.TEXT and ink.text_number < last):
            unseen += _area(ink.box)
        elif ink.kind is InkKind.TEXT:
            seen += _area(ink.box)
    return unseen > 0 and unseen >= _MIN_UNPAINTED_SHARE * (unseen + seen)


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


class _Rows:
    """Paint by the strips of the page that it touches, so that few have to be looked at."""

    def __init__(self, paint: Iterable[Ink]) -> None:
        self._rows: dict[int, dict[int, Ink]] = {}
        for order, ink in enumerate(paint):
            for row in range(_row(ink.box[1]), max(_row(ink.box[1]), _row(ink.box[3])) + 1):
                self._rows.setdefault(row, {})[order] = ink

    def near(self, box: Box) -> Iterable[Ink]:
        """What could touch the box, in the order of painting."""
        first, last = _row(box[1]), _row(box[3])
        if last <= first:
            return self._rows.get(first, {}).values()
        found: dict[int, Ink] = {}
        for row in range(first, last + 1):
            found.update(self._rows.get(row, {}))
        return [found[order] for order in sorted(found)]


def _row(y: float) -> int:
    return int(max(-_FARTHEST, min(_FARTHEST, y)) // _ROW_HEIGHT)


class Ground:
    """All that a page paints, asked word by word. `is_blank` tells whether a part shows one colour only.

    `traces_of` draws the page with some text operations and no other text, and without any: what it answers
    tells whether they change what a part of the page shows.
    """

    def __init__(
        self,
        inks: Sequence[Ink],
        is_blank: IsBlank,
        traces_of: Callable[[set[int]], IsTraced],
        has_tiny_text: bool = False,
    ) -> None:
        self.texts = {ink.text_number: ink for ink in inks if ink.kind in TEXT_KINDS}
        self._paint = _Rows(ink for ink in inks if ink.kind not in TEXT_KINDS)
        self._is_blank = is_blank
        self._traces_of = traces_of
        self._has_tiny_text = has_tiny_text
        self.suspects = {number for number, ink in self.texts.items() if self._is_suspect(ink)}

    @cached_property
    def _is_traced(self) -> IsTraced:
        return self._traces_of(self.suspects)

    def _is_suspect(self, text: Ink) -> bool:
        if text.kind is InkKind.UNPAINTED_TEXT or _is_cut(text):
            return True
        x0, y0, x1, y1 = text.box
        if self._has_tiny_text and min(x1 - x0, y1 - y0) < 2 * MIN_SIZE:
            return True
        is_one_line = y1 - y0 < _MAX_LINE_HEIGHT
        over = [ink for ink in self._paint.near(text.box) if overlaps(ink.box, text.box)]
        if text.is_odd:
            return bool(over) or not is_one_line or self._is_blank(text.box)
        doubts = [ink for ink in over if ink.text_number > text.text_number]
        if text.color is not None:
            under = [ink for ink in over if ink.text_number <= text.text_number]
            ground = under[-1] if under else None
            if ground is not None and ground.is_sure and ground.color and _holds(ground.box, text.box):
                under = [ground]
            elif is_close(text.color, WHITE):
                return True
            doubts += [ink for ink in under if ink.color is not None and is_close(ink.color, text.color)]
        if not doubts:
            return False
        is_plain = not any(ink.is_sure or ink.is_odd for ink in doubts)
        return not is_plain or not is_one_line or self._is_blank(text.box)

    def beside(self, words: Sequence[list[Glyph]]) -> set[int]:
        """The text operations, none of them suspect, that paint where one of the words stands."""
        boxes = [_word_box(word) for word in words]
        return {
            number
            for number, ink in self.texts.items()
            if number not in self.suspects and any(overlaps(ink.box, box) for box in boxes)
        }

    def word_reason(self, word: Sequence[Glyph]) -> HiddenReason | None:
        """Why none of the word can be seen; None if a part of it can."""
        if word[0].text_number not in self.suspects:
            return None
        first: HiddenReason | None = None
        for glyph in word:
            reason = self._reason(glyph)
            if reason is None:
                return None
            first = first or reason
        return first

    def _reason(self, glyph: Glyph) -> HiddenReason | None:
        """Why the glyph cannot be seen; None if it can."""
        text = self.texts[glyph.text_number]
        if text.kind is InkKind.UNPAINTED_TEXT and not text.is_odd:
            return HiddenReason.INVISIBLE
        if glyph.size < MIN_SIZE:
            return HiddenReason.TINY
        x, y = glyph.x + 0.25 * glyph.size, glyph.y - 0.3 * glyph.size
        if not _contains(text.clip, x, y):
            return HiddenReason.COVERED
        over = [ink for ink in self._paint.near((x, y, x, y)) if _contains(ink.box, x, y)]
        later = [ink for ink in over if ink.text_number > glyph.text_number]
        if any(ink.is_sure for ink in later):
            return HiddenReason.COVERED
        if text.is_odd or any(ink.is_odd for ink in later):
            if glyph.text.isspace() or self._is_traced(_around(glyph)):
                return None
            return HiddenReason.COVERED if later else HiddenReason.INVISIBLE
        if later and self._is_blank(_around(glyph)):
            return HiddenReason.COVERED
        return self._color_reason(glyph, text.color, over)

    def _color_reason(self, glyph: Glyph, color: Color | None, over: Sequence[Ink]) -> HiddenReason | None:
        """Whether the glyph has the colour of what lies under it."""
        if color is None:
            return None
        under = [ink for ink in over if ink.text_number <= glyph.text_number]
        ground = under[-1] if under else None
        if ground is None:
            return HiddenReason.SAME_COLOUR if is_close(color, WHITE) else None
        if ground.is_sure and ground.color is not None:
            return HiddenReason.SAME_COLOUR if is_close(color, ground.color) else None
        return HiddenReason.SAME_COLOUR if self._is_blank(_around(glyph)) else None


def _word_box(word: list[Glyph]) -> Box:
    first, last = _around(word[0]), _around(word[-1])
    return min(first[0], last[0]), min(first[1], last[1]), max(first[2], last[2]), max(first[3], last[3])


def words_of(glyphs: Iterable[Glyph]) -> Iterator[list[Glyph]]:
    """Glyphs of one operation that follow each other without a blank or a wide gap; blanks by themselves."""
    word: list[Glyph] = []
    for glyph in glyphs:
        if word and not _belong_together(word[-1], glyph):
            yield word
            word = []
        word.append(glyph)
    if word:
        yield word


def _belong_together(a: Glyph, b: Glyph) -> bool:
    if a.text_number != b.text_number or a.text.isspace() or b.text.isspace():
        return False
    return abs(b.y - a.y) <= 0.5 * a.size and abs(b.x - a.x) <= 1.5 * a.size


def _is_cut(text: Ink) -> bool:
    a, b = text.box, text.clip
    return (
        a[0] < b[0] - TOLERANCE
        or a[1] < b[1] - TOLERANCE
        or a[2] > b[2] + TOLERANCE
        or a[3] > b[3] + TOLERANCE
    )


def _holds(outer: Box, inner: Box) -> bool:
    left, top, right, bottom = cut(outer, inner)
    return max(left - inner[0], top - inner[1], inner[2] - right, inner[3] - bottom) <= 1


def _contains(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _around(glyph: Glyph) -> Box:
    return glyph.x, glyph.y - 0.8 * glyph.size, glyph.x + 0.6 * glyph.size, glyph.y + 0.2 * glyph.size


def hidden_runs(hidden: Iterable[tuple[Glyph, HiddenReason]]) -> list[HiddenText]:
    """Glyphs gathered to texts; a gap between two of them is a blank."""
    runs: list[tuple[HiddenReason, list[Glyph], list[str]]] = []
    for glyph, reason in hidden:
        if runs and runs[-1][0] is reason:
            _, glyphs, texts = runs[-1]
            last = glyphs[-1]
            is_apart = abs(glyph.y - last.y) > 0.5 * last.size
            if is_apart or glyph.x - last.x > (_WORD_GAP + 0.8) * last.size:
                texts.append(" ")
            glyphs.append(glyph)
            texts.append(glyph.text)
        else:
            runs.append((reason, [glyph], [glyph.text]))
    result = []
    for reason, glyphs, texts in runs:
        text = " ".join("".join(texts).split())
        if text:
            result.append(HiddenText(text, reason, _bounds(glyphs)))
    return result


def _bounds(glyphs: list[Glyph]) -> BBox:
    boxes = [_around(glyph) for glyph in glyphs]
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return BBox(min(x0), min(y0), max(x1), max(y1))
