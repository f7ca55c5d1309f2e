"""The order in which a reader reads the lines of a page.

The order of the content stream is kept unless the page itself contradicts it: where many wide lines
stand side by side with the same empty strip between them there are columns, and a line that stands above
another in the same place is read first.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from statistics import median

from core.documents.normalize import RIGHT_TO_LEFT, is_cjk
from core.documents.raw_page import COMPARISONS, Box, RawLine, are_stacked, bounds, by_block, most_compared
from core.documents.table_rows import row_borders, tables_across, with_numbers_in_rows

Group = list[RawLine]

_MIN_PAIRS = 3
_MIN_WIDTH_SHARE = 0.12
_MIN_WORDS = 2.5
_MIN_FILL = 0.55
_MIN_ROW_SHARE = 0.7
_MIN_PAIR_SHARE = 0.4
_MIN_GAP = 0.5
_MAX_DROP = 1.5
_MAX_GROUPS = 2_000
_SETTLED_COMPARISONS = 8 * COMPARISONS
"""Of a page with few groups, so that each meets all others: only a part of these happens."""


def in_reading_order(lines: list[RawLine]) -> list[Group]:
    """The groups of lines (what the PDF library took for one block) in reading order."""
    if any(line.is_vertical for line in lines):
        return _right_to_left(lines)
    if are_stacked(lines):
        return by_block(lines)
    gutter = _gutter(lines)
    if gutter is None:
        return _settled(by_block(with_numbers_in_rows(lines)))
    return _by_columns(lines, gutter)


def _right_to_left(lines: list[RawLine]) -> list[Group]:
    """Vertical writing: columns of a block downwards, blocks from the right."""
    upright = [line for line in lines if not line.is_vertical]
    columns = _columns([line for line in lines if line.is_vertical])
    columns.sort(key=lambda column: (-bounds(column)[2], bounds(column)[1]))
    return columns + _settled(by_block(upright))


def _columns(lines: list[RawLine]) -> list[Group]:
    """The blocks of vertical writing, those joined that stand close below each other."""
    columns: list[Group] = []
    for block in by_block(lines):
        box = bounds(block)
        for column in columns:
            over = bounds(column)
            is_under = -1 < box[1] - over[3] < _MAX_DROP * (box[2] - box[0])
            if is_under and abs(box[0] + box[2] - over[0] - over[2]) < box[2] - box[0]:
                column.extend(block)
                break
        else:
            columns.append(block)
    return columns


def _gutter(lines: list[RawLine]) -> tuple[float, float] | None:
    """The empty strip (x from, x to) between two columns of running text, if the page has one."""
    if len(lines) < 2 * _MIN_PAIRS:
        return None
    x0, _, x1, _ = bounds(lines)
    least = _MIN_WIDTH_SHARE * (x1 - x0)
    wide = [line for line in lines if line.width >= least]
    pairs = _neighbours(wide)
    if len(pairs) >= _MIN_PAIRS:
        pairs = [(a, b) for a, b in _neighbours(lines) if a.width >= least and b.width >= least]
    if len(pairs) < _MIN_PAIRS:
        return None
    low, high = _most_covered([(left.bbox[2], right.bbox[0]) for left, right in pairs])
    divided = [(a, b) for a, b in pairs if a.bbox[2] <= low and b.bbox[0] >= high]
    num_left = sum(line.bbox[2] <= high for line in wide)
    num_right = sum(line.bbox[0] >= low for line in wide)
    if len(divided) < max(_MIN_PAIRS, _MIN_PAIR_SHARE * min(num_left, num_right)):
        return None
    if not all(_is_running_text(list(column)) for column in zip(*divided, strict=True)):
        return None
    return low, high


def _neighbours(lines: list[RawLine]) -> list[tuple[RawLine, RawLine]]:
    """Each line with the nearest one to its right, where there is one and a gap between them."""
    ordered = sorted(lines, key=lambda line: line.bbox[1])
    tops = [line.bbox[1] for line in ordered]
    middles = [line.middle for line in ordered]
    pairs = []
    for i, line in enumerate(ordered):
        x1 = line.bbox[2]
        right = [ordered[j] for j in _beside(tops, middles, i) if ordered[j].bbox[0] > x1]
        if not right:
            continue
        nearest = min(right, key=lambda other: other.bbox[0])
        if nearest.bbox[0] - line.bbox[2] >= _MIN_GAP * line.height:
            pairs.append((line, nearest))
    return pairs


def _beside(tops: list[float], middles: list[float], i: int) -> list[int]:
    """The lines whose middle lies within line i, or the other way round; `tops` are in order."""
    top, middle = tops[i], middles[i]
    most = most_compared(len(tops))
    beside = list(range(i + 1, min(bisect_right(tops, middle, i + 1), i + 1 + most)))
    farthest = top - 4 * (middle - top)
    for j in range(i - 1, max(-1, i - 1 - most), -1):
        if tops[j] < farthest:
            break
        if middles[j] > top:
            beside.append(j)
    return beside


def _most_covered(strips: list[tuple[float, float]]) -> tuple[float, float]:
    """The x interval that most strips share."""
    edges = sorted([(low, 0) for low, _ in strips] + [(high, 1) for _, high in strips])
    best = (0.0, 0.0)
    depth = deepest = 0
    for i, (x, is_end) in enumerate(edges):
        depth += -1 if is_end else 1
        if depth > deepest:
            best, deepest = (x, edges[i + 1][0]), depth
    return best


def _is_running_text(lines: list[RawLine]) -> bool:
    """Lines that mostly fill their column with words, unlike the cells of a table."""
    if not lines:
        return False
    x0, _, x1, _ = bounds(lines)
    num_words = sum(_num_words(line) for line in lines) / len(lines)
    fill = median(line.width for line in lines) / max(1.0, x1 - x0)
    return num_words >= _MIN_WORDS and fill >= _MIN_FILL


def _num_words(line: RawLine) -> float:
    if line.blanks is not None:
        return max(sum(line.blanks), len(line.texts) / 2)
    return sum(len(text) / 2 if is_cjk(text[0]) else text[0].isalpha() for text in line.texts)


def _by_columns(lines: list[RawLine], gutter: tuple[float, float]) -> list[Group]:
    """Between lines that span the gutter: first all of one side, then all of the other."""
    middle = (gutter[0] + gutter[1]) / 2
    spanning = [line for line in lines if line.bbox[0] < middle < line.bbox[2]]
    borders = row_borders(_without(lines, spanning), middle)
    tables = [] if borders else tables_across(lines, middle)
    lines = _without(lines, [line for table in tables for line in table])
    left = [line for line in lines if line.bbox[2] <= middle]
    right = [line for line in lines if line.bbox[0] >= middle]
    spanning = [line for line in lines if line.bbox[0] < middle < line.bbox[2]]
    left_margins, right_margins = _margins(left), _margins(right)
    spanning += left_margins + right_margins
    left = _without(left, left_margins)
    right = _without(right, right_margins)
    units = [[line] for line in spanning] + tables
    cuts = [(_middle(unit), unit) for unit in units]
    cuts += [(y, []) for y in borders]
    cuts.sort(key=lambda cut: (round(cut[0]), cut[1][0].bbox[0] if cut[1] else 0.0))
    edges = [y for y, _ in cuts]

    sides = (right, left) if _is_right_to_left([*left, *right]) else (left, right)
    bands = [_by_band(side, edges) for side in sides]
    groups: list[Group] = []
    for band in range(len(cuts) + 1):
        for side in bands:
            if band in side:
                groups += in_reading_order(side[band])
        if band < len(cuts):
            _append_unit(groups, cuts[band][1], after_band=band > 0)
    return groups


def _by_band(lines: list[RawLine], edges: list[float]) -> dict[int, list[RawLine]]:
    """The lines by the number of edges above them."""
    bands: dict[int, list[RawLine]] = {}
    for line in lines:
        bands.setdefault(bisect_left(edges, line.middle), []).append(line)
    return bands


def _append_unit(groups: list[Group], unit: Group, after_band: bool) -> None:
    if len(unit) != 1:
        groups += [unit] if unit else []
        return
    [line] = unit
    previous = groups[-1][-1] if groups else None
    if after_band and previous is not None and previous.block == line.block and line.middle > previous.middle:
        groups[-1].append(line)
    else:
        groups.append(unit)


def _middle(unit: Group) -> float:
    _, y0, _, y1 = bounds(unit)
    return (y0 + y1) / 2


def _without(lines: list[RawLine], removed: list[RawLine]) -> list[RawLine]:
    names = {id(line) for line in removed}
    return [line for line in lines if id(line) not in names] if names else lines


def _margins(column: list[RawLine]) -> list[RawLine]:
    """Single lines far above or below the rest of their column: running heads and page numbers."""
    ordered = sorted(column, key=lambda line: line.middle)
    if len(ordered) < 4:
        return []
    margins = []
    if ordered[1].bbox[1] - ordered[0].bbox[3] > 1.2 * ordered[0].height:
        margins.append(ordered[0])
    if ordered[-1].bbox[1] - ordered[-2].bbox[3] > 1.2 * ordered[-1].height:
        margins.append(ordered[-1])
    return margins


def _settled(groups: list[Group]) -> list[Group]:
    """Groups as they come, but those that stand below a later one in the same place wait for it.

    `bottoms[i]` is the lowest edge of all that is settled up to place i.
    """
    is_heap = len(groups) > _MAX_GROUPS
    most = most_compared(len(groups), COMPARISONS if is_heap else _SETTLED_COMPARISONS)
    settled: list[_Placed] = []
    bottoms: list[float] = []
    for group in groups:
        box = bounds(group)
        first = max(bisect_right(bottoms, box[1]), len(settled) - most)
        low = settled[first:]
        waiting = _waiting(box, low) if low and not _is_right_to_left(group) else []
        if waiting:
            names = {id(placed) for placed in waiting}
            low = [placed for placed in low if id(placed) not in names]
        settled[first:] = [*low, _Placed(box, group), *waiting]
        lowest = bottoms[first - 1] if first else -inf
        edges = accumulate([placed.box[3] for placed in settled[first:]], max, initial=lowest)
        bottoms[first:] = list(edges)[1:]
    return [placed.group for placed in settled]


@dataclass(slots=True)
class _Placed:
    box: Box
    group: Group
    has_waited: bool = False


def _waiting(box: Box, settled: list[_Placed]) -> list[_Placed]:
    """What of `settled` is read after `box`, and after what is read after it, in order.

    A single line that has waited before, a page number perhaps, waits for everything above it.
    """
    earlier = [box]
    waiting = []
    top = box[1]
    for placed in settled:
        if placed.box[3] <= top:
            continue
        is_patient = placed.has_waited and len(placed.group) == 1 and placed.box[1] >= box[3]
        if is_patient or any(_is_above(a, placed.box) or _is_left(a, placed.box) for a in earlier):
            earlier.append(placed.box)
            top = min(top, placed.box[1])
            placed.has_waited = True
            waiting.append(placed)
    return waiting


def _is_above(a: Box, b: Box) -> bool:
    """Whether box a ends above the start of box b and they share a good part of their width."""
    if a[1] >= b[1] or a[3] > b[1] + 0.25 * min(a[3] - a[1], b[3] - b[1]):
        return False
    shared = min(a[2], b[2]) - max(a[0], b[0])
    return shared > 0.3 * min(a[2] - a[0], b[2] - b[0])


def _is_left(a: Box, b: Box) -> bool:
    """Whether box a stands left of b in the same row, as cells of a table do."""
    shared = min(a[3], b[3]) - max(a[1], b[1])
    return a[2] <= b[0] and shared > _MIN_ROW_SHARE * max(a[3] - a[1], b[3] - b[1])


def _is_right_to_left(group: Group) -> bool:
    text = "".join(["".join(line.texts) for line in group])
    return not text.isascii() and len(RIGHT_TO_LEFT.findall(text)) > len(text) / 3
