"""What form fields show, read where readers see it: beside the label. Files draw it after all the rest."""

from collections import defaultdict
from dataclasses import dataclass, replace

from core.documents.raw_page import COMPARISONS, Box, RawLine

_SLACK = 2.0


@dataclass(frozen=True, slots=True)
class Field:
    """Where a field stands, and whether it is a box or a circle to be ticked."""

    box: Box
    is_button: bool


def beside_labels(lines: list[RawLine], fields: list[Field]) -> list[RawLine]:
    """The lines, those within a field moved behind its label; the tick of a button is left out.

    The label is what ends nearest to the left of the field in its row, else what stands nearest above it.
    A page with absurdly many fields stays as it is drawn.
    """
    if len(lines) * len(fields) > COMPARISONS:
        return lines
    values: dict[int, list[RawLine]] = defaultdict(list)
    others = []
    for line in lines:
        number = _field_number(line, fields)
        if number is None:
            others.append(line)
        elif not fields[number].is_button or len("".join(line.texts)) > 1:
            values[number].append(line)
    if len(others) == len(lines):
        return lines
    behind: dict[int, list[RawLine]] = defaultdict(list)
    unlabelled = []
    for number in sorted(values, key=lambda number: fields[number].box[0]):
        label = _label(values[number][0], fields[number].box, others)
        if label is None:
            unlabelled += values[number]
        else:
            behind[id(label)] += [replace(line, block=label.block) for line in values[number]]
    placed = [moved for line in others for moved in (line, *behind[id(line)])]
    return placed + unlabelled


def _field_number(line: RawLine, fields: list[Field]) -> int | None:
    x, y = (line.bbox[0] + line.bbox[2]) / 2, line.middle
    for number, field in enumerate(fields):
        x0, y0, x1, y1 = field.box
        if x0 <= x <= x1 and y0 <= y <= y1 and line.bbox[0] >= x0 - _SLACK and line.bbox[2] <= x1 + _SLACK:
            return number
    return None


def _label(value: RawLine, box: Box, lines: list[RawLine]) -> RawLine | None:
    beside = [line for line in lines if line.bbox[2] <= box[0] + _SLACK and _is_in_row(line, value)]
    if beside:
        return max(beside, key=lambda line: line.bbox[2])
    above = [
        line
        for line in lines
        if line.bbox[3] <= value.middle and line.bbox[0] < box[2] and line.bbox[2] > box[0]
    ]
    if not above:
        return None
    nearest = max(above, key=lambda line: line.bbox[3])
    return next((line for line in reversed(lines) if _is_in_row(line, nearest)), nearest)


def _is_in_row(line: RawLine, value: RawLine) -> bool:
    return line.bbox[1] < value.middle < line.bbox[3] or value.bbox[1] < line.middle < value.bbox[3]
