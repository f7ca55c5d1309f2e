"""Pages whose text lies on its side, as wide tables often do: they are put in order as if turned upright."""

from array import array

from core.documents.layout import BBox, Block, FragmentTable, Line
from core.documents.raw_page import Box, Matrix, RawLine, turned_box

_UPWARDS: Matrix = (0.0, 1.0, -1.0, 0.0, 0.0, 0.0)
_DOWNWARDS: Matrix = (0.0, -1.0, 1.0, 0.0, 0.0, 0.0)
_MIN_RATIO = 2.0


def uprighting(lines: list[RawLine]) -> Matrix | None:
    """The quarter turn that makes most lines of a page run from left to right; None if they do."""
    telling = [line for line in lines if not line.is_vertical and len("".join(line.texts)) > 1]
    if not telling or sum(line.height for line in telling) < _MIN_RATIO * sum(line.width for line in telling):
        return None
    num_upwards = sum(line.y0[0] > line.y0[-1] for line in telling)
    num_downwards = sum(line.y0[0] < line.y0[-1] for line in telling)
    return _UPWARDS if num_upwards >= num_downwards else _DOWNWARDS


def turned_back(
    blocks: list[Block], fragments: FragmentTable, matrix: Matrix
) -> tuple[list[Block], FragmentTable]:
    """Blocks and fragments as they lie on the page, after the lines were turned by `matrix`."""
    inverse = _DOWNWARDS if matrix == _UPWARDS else _UPWARDS
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
