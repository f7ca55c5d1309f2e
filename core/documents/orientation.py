"""Pages whose text lies on its side or on its head: they are put in order as if turned upright."""

from array import array

from core.documents.layout import BBox, Block, FragmentTable, Line
from core.documents.normalize import RIGHT_TO_LEFT
from core.documents.raw_page import Box, Matrix, RawLine, turned_box

_UPWARDS: Matrix = (0.0, 1.0, -1.0, 0.0, 0.0, 0.0)
_DOWNWARDS: Matrix = (0.0, -1.0, 1.0, 0.0, 0.0, 0.0)
_BACKWARDS: Matrix = (-1.0, 0.0, 0.0, -1.0, 0.0, 0.0)
_INVERSE = {_UPWARDS: _DOWNWARDS, _DOWNWARDS: _UPWARDS, _BACKWARDS: _BACKWARDS}
_MIN_RATIO = 2.0


def uprighting(lines: list[RawLine]) -> Matrix | None:
    """The turn that makes most lines of a page run from left to right; None if they do."""
    telling = [line for line in lines if not line.is_vertical and len("".join(line.texts)) > 1]
    if not telling:
        return None
    if sum(line.height for line in telling) < _MIN_RATIO * sum(line.width for line in telling):
        return _BACKWARDS if _are_backwards(telling) else None
    num_upwards = sum(line.y0[0] > line.y0[-1] for line in telling)
    num_downwards = sum(line.y0[0] < line.y0[-1] for line in telling)
    return _UPWARDS if num_upwards >= num_downwards else _DOWNWARDS


def _are_backwards(lines: list[RawLine]) -> bool:
    """Whether most lines of several words, none of a script that does so, run from right to left."""
    backwards = [line for line in lines if line.x0[0] > line.x0[-1]]
    if not backwards:
        return False
    num_forwards = sum(line.x0[0] < line.x0[-1] for line in lines)
    num_backwards = sum(not RIGHT_TO_LEFT.search("".join(line.texts)) for line in backwards)
    return num_backwards > num_forwards and num_backwards > len(backwards) / 2


def turned_back(
    blocks: list[Block], fragments: FragmentTable, matrix: Matrix
) -> tuple[list[Block], FragmentTable]:
    """Blocks and fragments as they lie on the page, after the lines were turned by `matrix`."""
    inverse = _INVERSE[matrix]
    columns = zip(fragments.x0, fragments.y0, fragments.x1, fragments.y1, strict=True)
    boxes = [turned_box(box, inverse) for box in columns]
    x0, y0, x1, y1 = (array("f", column) for column in zip(*boxes, strict=True))
    table = FragmentTable(fragments.starts, fragments.ends, x0, y0, x1, y1)
    return [_block(block, inverse) for block in blocks], table


def _block(block: Block, matrix: Matrix) -> Block:
    lines = tuple(Line(line.start, line.end, _bbox(line.bbox, matrix)) for line in block.lines)
    return Block(lines, _bbox(block.bbox, matrix))


def _bbox(box: BBox, matrix: Matrix) -> BBox:
    flat: Box = (box.x0, box.y0, box.x1, box.y1)
    return BBox(*turned_box(flat, matrix))
