"""What comes out of the PDF library for one page, before it is put in order."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from math import inf

from core.documents.layout import Comment, HiddenText
from core.documents.text_quality import TextQuality

Box = tuple[float, float, float, float]
Matrix = tuple[float, float, float, float, float, float]

COMPARISONS = 400_000
_LEAST_COMPARED = 24


@dataclass(slots=True)
class RawLine:
    """The pieces of one printed line, left to right in logical order.

    `texts[i]` stands in the box `(x0[i], y0[i], x1[i], y1[i])`, in points as displayed. `blanks[i]` tells
    whether a blank stands before piece i; None means one stands before every piece.
    """

    block: int
    texts: tuple[str, ...]
    x0: tuple[float, ...]
    y0: tuple[float, ...]
    x1: tuple[float, ...]
    y1: tuple[float, ...]
    blanks: tuple[bool, ...] | None = None
    is_vertical: bool = False
    bbox: Box = field(init=False)

    def __post_init__(self) -> None:
        self.bbox = (min(self.x0), min(self.y0), max(self.x1), max(self.y1))

    @property
    def width(self) -> float:
        return self.bbox[2] - self.bbox[0]

    @property
    def height(self) -> float:
        return self.bbox[3] - self.bbox[1]

    @property
    def middle(self) -> float:
        return (self.bbox[1] + self.bbox[3]) / 2

    @property
    def boxes(self) -> list[Box]:
        return list(zip(self.x0, self.y0, self.x1, self.y1, strict=True))

    def with_pieces(self, kept: list[int]) -> "RawLine | None":
        """The line with the pieces at these places only; None without any.

        A blank stands before a kept piece if one stood anywhere since the kept piece before it.
        """
        if not kept:
            return None
        blanks = self.blanks
        starts = [-1, *kept]
        return RawLine(
            self.block,
            tuple(self.texts[i] for i in kept),
            tuple(self.x0[i] for i in kept),
            tuple(self.y0[i] for i in kept),
            tuple(self.x1[i] for i in kept),
            tuple(self.y1[i] for i in kept),
            None if blanks is None else tuple(any(blanks[starts[n] + 1 : i + 1]) for n, i in enumerate(kept)),
            self.is_vertical,
        )

    def split(self, belongs: Callable[[Box], bool]) -> "tuple[RawLine | None, RawLine | None]":
        """The pieces whose boxes belong, and the others."""
        answers = [belongs(box) for box in self.boxes]
        if all(answers):
            return self, None
        inner = [i for i, answer in enumerate(answers) if answer]
        outer = [i for i, answer in enumerate(answers) if not answer]
        return self.with_pieces(inner), self.with_pieces(outer)


@dataclass(frozen=True, slots=True)
class RawPage:
    """`lines` in the order of the content stream.

    `needs_characters` tells whether the page had to be read character by character. `hidden` is what readers
    do not see and `lines` lack; `is_checked` is False if that could not be found out. `is_ocr` tells that the
    lines come from text recognition. `fields` are values of forms that the lines lack.
    """

    width: float
    height: float
    lines: list[RawLine]
    needs_characters: bool = False
    hidden: list[HiddenText] = field(default_factory=list)
    is_ocr: bool = False
    is_checked: bool = True
    fields: list[RawLine] = field(default_factory=list)
    comments: tuple[Comment, ...] = ()
    quality: TextQuality = field(default_factory=TextQuality)


def joined(lines: list[RawLine]) -> RawLine:
    """Lines that share a baseline as one line, a blank between them."""
    if len(lines) == 1:
        return lines[0]
    blanks: tuple[bool, ...] | None = None
    if any(line.blanks is not None for line in lines):
        blanks = tuple(
            blank
            for line in lines
            for blank in (True, *(line.blanks[1:] if line.blanks else [True] * (len(line.texts) - 1)))
        )
    return RawLine(
        lines[0].block,
        tuple(text for line in lines for text in line.texts),
        tuple(x for line in lines for x in line.x0),
        tuple(y for line in lines for y in line.y0),
        tuple(x for line in lines for x in line.x1),
        tuple(y for line in lines for y in line.y1),
        blanks,
        lines[0].is_vertical,
    )


def by_block(lines: Iterable[RawLine]) -> list[list[RawLine]]:
    """The lines of each block that the PDF library found, in order."""
    return [list(group) for _, group in groupby(lines, key=lambda line: line.block)]


def bounds(lines: list[RawLine]) -> Box:
    """The box around all lines, of which there is at least one."""
    if len(lines) == 1:
        return lines[0].bbox
    x0, y0, x1, y1 = zip(*[line.bbox for line in lines], strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def most_compared(num_items: int, comparisons: int = COMPARISONS) -> int:
    """With how many others each of so many pieces of a page is compared: all, unless it is a heap of text.

    Lines stand beside few others; only where thousands lie on top of each other is any left out.
    """
    return max(_LEAST_COMPARED, comparisons // max(1, num_items))


def are_stacked(lines: list[RawLine]) -> bool:
    """Whether every line begins below the middles of all before it, so that none stands beside another."""
    lowest = -inf
    for line in lines:
        _, y0, _, y1 = line.bbox
        if y0 <= lowest:
            return False
        lowest = max(lowest, (y0 + y1) / 2)
    return True


def turned_box(box: Box, matrix: Matrix) -> Box:
    """The box after the affine `matrix` (a, b, c, d, e, f): x' = ax + cy + e, y' = bx + dy + f."""
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = box
    xs = (a * x0 + c * y0 + e, a * x1 + c * y1 + e)
    ys = (b * x0 + d * y0 + f, b * x1 + d * y1 + f)
    return min(xs), min(ys), max(xs), max(ys)


def turned(line: RawLine, matrix: Matrix) -> RawLine:
    """The line with all its boxes moved by `matrix`, a multiple of a quarter turn."""
    boxes = [turned_box(box, matrix) for box in zip(line.x0, line.y0, line.x1, line.y1, strict=True)]
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return RawLine(line.block, line.texts, x0, y0, x1, y1, line.blanks, line.is_vertical)


def quarter_turn(degrees: int, upright: Box) -> Matrix | None:
    """From the page in the box `upright` to the page as displayed; None without a rotation.

    PyMuPDF's own matrix forgets UserUnit.
    """
    _, _, width, height = upright
    turns: dict[int, Matrix] = {
        90: (0.0, 1.0, -1.0, 0.0, height, 0.0),
        180: (-1.0, 0.0, 0.0, -1.0, width, height),
        270: (0.0, -1.0, 1.0, 0.0, 0.0, width),
    }
    return turns.get(degrees)
