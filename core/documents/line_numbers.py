"""Numbers that count the lines of a page in its margin, as in court transcripts; no part of the text."""

from core.documents.raw_page import RawLine

_MIN_RUN = 8
_MAX_SHIFT = 3.0


def without_line_numbers(lines: list[RawLine]) -> list[RawLine]:
    """The lines without a column of consecutive numbers that stand one below the other."""
    run: list[RawLine] = []
    removed: set[int] = set()
    for line in lines:
        if not line.texts[0].isdecimal() or len(line.texts) > 1:
            continue
        if not (run and _follows(run[-1], line)):
            _remove(run, removed)
            run = []
        run.append(line)
    _remove(run, removed)
    return [line for line in lines if id(line) not in removed] if removed else lines


def _follows(above: RawLine, line: RawLine) -> bool:
    is_next = int(line.texts[0]) == int(above.texts[0]) + 1
    is_below = line.bbox[1] > above.bbox[1] + 0.5 * above.height
    shift = min(abs(line.bbox[0] - above.bbox[0]), abs(line.bbox[2] - above.bbox[2]))
    return is_next and is_below and shift < _MAX_SHIFT


def _remove(run: list[RawLine], removed: set[int]) -> None:
    if len(run) >= _MIN_RUN:
        removed.update(id(line) for line in run)
