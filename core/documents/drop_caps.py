"""Large initials that reach over several lines: they belong to the word beside their top."""

from core.documents.raw_page import RawLine

_MIN_RATIO = 1.5
_MAX_GAP = 0.6


def with_drop_caps(lines: list[RawLine]) -> list[RawLine]:
    """The lines, each large initial set before the word that it begins."""
    initials = [line for line in lines if len(line.texts) == 1 and _is_capital(line.texts[0])]
    if not initials:
        return lines
    begun: dict[int, RawLine] = {}
    used: set[int] = set()
    for initial in initials:
        beside = [line for line in lines if _continues(initial, line)]
        if beside:
            first = min(beside, key=lambda line: line.bbox[1])
            if id(first) not in begun:
                begun[id(first)] = _begun(initial, first)
                used.add(id(initial))
    return [begun.get(id(line), line) for line in lines if id(line) not in used]


def _is_capital(text: str) -> bool:
    return len(text) == 1 and text.isupper()


def _continues(initial: RawLine, line: RawLine) -> bool:
    """Whether the line begins in mid-word right of a much larger initial, within its height."""
    if initial.height < _MIN_RATIO * line.height or not line.texts[0][0].islower():
        return False
    gap = line.bbox[0] - initial.bbox[2]
    is_beside = initial.bbox[1] - line.height < line.middle < initial.bbox[3]
    return is_beside and -0.2 * line.height < gap < _MAX_GAP * line.height


def _begun(initial: RawLine, line: RawLine) -> RawLine:
    rest = line.blanks[1:] if line.blanks is not None else (True,) * (len(line.texts) - 1)
    return RawLine(
        line.block,
        initial.texts + line.texts,
        initial.x0 + line.x0,
        (line.bbox[1], *line.y0),
        initial.x1 + line.x1,
        (line.bbox[3], *line.y1),
        (True, False, *rest),
        line.is_vertical,
    )
