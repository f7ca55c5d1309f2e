"""What the PDF library lists, words or characters, as lines of pieces with boxes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Any

from core.documents.normalize import CJK, RIGHT_TO_LEFT, Run, is_cjk, needs_characters, script_runs, unusual
from core.documents.raw_page import Box, RawLine
from core.documents.right_to_left import in_logical_order

Characters = list[dict[str, Any]]
IsHidden = Callable[[str, float, float], bool]

_MIN_GAPPED = 3
_MIN_GAPPED_SHARE = 0.25
_PITCH_TOLERANCE = 0.08
_MIN_EVEN = 0.7
_MIN_TRACKING = 0.1
_MIN_WORD_GAP = 0.06
_MIN_SQUEEZED_GAP = 0.035
_MAX_WORD = 40
_MIN_UPRIGHT = 4
_MIN_UPRIGHT_SHARE = 0.7
_MIN_LETTERS = 24
_MEAN_WORD = 12
_LONG_RUN = re.compile(rf"\S{{{_MAX_WORD},}}")
_IS_NAME = re.compile(r"[/\\_@=|#~]|\w\.\w+\.\w")
_LETTER = re.compile(rf"(?![{CJK}])[^\W\d_]")


def word_lines(words: list[Any]) -> list[RawLine]:
    """Lines of words as `TextPage.extractWORDS` lists them, which numbers the words of each line from 0."""
    if not words:
        return []
    x0, y0, x1, y1, texts, blocks, _, numbers = zip(*words, strict=True)
    starts = [i for i, number in enumerate(numbers) if number == 0]
    return [
        RawLine(blocks[a], texts[a:b], x0[a:b], y0[a:b], x1[a:b], y1[a:b])
        for a, b in zip(starts, [*starts[1:], len(words)], strict=True)
    ]


def needs_exact_boxes(lines: Sequence[RawLine]) -> bool:
    """Whether words must be built from characters: right to left, upright columns, wide gaps."""
    for line in lines:
        lengths = list(map(len, line.texts))
        if lengths.count(1) >= _MIN_GAPPED and _is_gapped(line.texts):
            return True
        if max(lengths) >= _MAX_WORD and any(map(_is_run_together, line.texts)):
            return True
    letters = unusual("".join(["".join(line.texts) for line in lines]))
    return needs_characters(letters) and (bool(RIGHT_TO_LEFT.search(letters)) or _are_upright(lines))


def _are_upright(lines: Sequence[RawLine]) -> bool:
    """Whether many lines of scripts without blanks are columns."""
    num_cjk = num_upright = 0
    for line in lines:
        text = "".join(line.texts)
        if needs_characters(text):
            num_cjk += 1
            num_upright += len(text) == 1 or line.height > 1.5 * line.width
    return num_upright > 0.2 * num_cjk


def _is_run_together(text: str) -> bool:
    """Whether something too long for a word looks like words: no leading dots, numbers, addresses."""
    return any(
        len(_LETTER.findall(run)) >= _MIN_LETTERS and not _IS_NAME.search(run)
        for run in _LONG_RUN.findall(text)
    )


def _is_gapped(texts: Sequence[str]) -> bool:
    """Whether blanks stand between the letters of words, as in `C O N T R A C T`."""
    num_letters = sum(1 for text in texts if len(text) == 1 and text.isalpha() and not is_cjk(text))
    return num_letters >= _MIN_GAPPED and num_letters >= _MIN_GAPPED_SHARE * len(texts)


def character_lines(blocks: list[dict[str, Any]], is_hidden: IsHidden | None = None) -> Iterator[RawLine]:
    """Lines as `TextPage.extractRAWDICT` lists them, without characters that are hidden."""
    for number, block in enumerate(blocks):
        for pieces, is_vertical in _drawn_lines(block):
            seen = pieces
            if is_hidden is not None:
                seen = [[c for c in piece if not is_hidden(c["c"], *c["origin"])] for piece in pieces]
            built = _character_line(number, seen, is_vertical)
            if built is not None:
                yield built


def _drawn_lines(block: dict[str, Any]) -> Iterator[tuple[list[Characters], bool]]:
    """The characters of each line in pieces, and whether it is vertical.

    Lines from right to left come as several, as the pen jumps back and forth; those that touch are one.
    """
    pieces: list[Characters] = []
    box: Box = (0.0, 0.0, 0.0, 0.0)
    was_rtl = False
    for line in block.get("lines", ()):
        characters = [character for span in line["spans"] for character in span["chars"]]
        if line["wmode"] == 1:
            if pieces:
                yield pieces, False
            pieces = []
            yield [characters], True
            continue
        is_rtl = _is_rtl(characters)
        if pieces and (is_rtl or was_rtl) and _touch(box, line["bbox"]):
            pieces.append(characters)
            box = _union((box, line["bbox"]))
            was_rtl = True
            continue
        if pieces:
            yield pieces, False
        pieces, box, was_rtl = [characters], line["bbox"], is_rtl
    if pieces:
        yield pieces, False


def _is_rtl(characters: Characters) -> bool:
    text = "".join([character["c"] for character in characters])
    return not text.isascii() and bool(RIGHT_TO_LEFT.search(text))


def _touch(a: Box, b: Box) -> bool:
    """Whether two boxes stand side by side in a row with less than a letter between them."""
    height = min(a[3] - a[1], b[3] - b[1])
    shared = min(a[3], b[3]) - max(a[1], b[1])
    return shared > 0.6 * height and max(a[0] - b[2], b[0] - a[2]) < 0.5 * height


def with_upright_columns(lines: list[RawLine]) -> list[RawLine]:
    """Characters that stand one below the other, as vertical writing is often drawn, marked as such."""
    single = {id(line) for line in lines if len(line.texts) == 1 and is_cjk(line.texts[0][0])}
    if len(single) < _MIN_UPRIGHT or len(single) < _MIN_UPRIGHT_SHARE * len(lines):
        return lines
    return [replace(line, is_vertical=True) if id(line) in single else line for line in lines]


def _character_line(block: int, pieces: list[Characters], is_vertical: bool) -> RawLine | None:
    """Words of scripts with blanks, single characters of those without."""
    characters = [character for piece in pieces for character in piece]
    text = "".join([character["c"] for character in characters])
    if RIGHT_TO_LEFT.search(text) and not is_vertical:
        characters = in_logical_order(pieces)
        text = "".join([character["c"] for character in characters])
    elif _is_gapped(text.split()) or _is_run_together(text):
        characters = _respaced(characters) if _is_gapped(text.split()) else _parted(characters)
        text = "".join([character["c"] for character in characters])
    boxes: list[Box] = [character["bbox"] for character in characters]
    texts: list[str] = []
    places: list[Box] = []
    blanks: list[bool] = []
    is_blank = True
    for kind, start, end, run in script_runs(text):
        if kind is Run.CHARACTERS:
            texts += run
            places += boxes[start:end]
            blanks += [is_blank] + [False] * (end - start - 1)
        elif kind is Run.WORD:
            texts.append(run)
            places.append(_union(boxes[start:end]))
            blanks.append(is_blank)
        is_blank = kind is Run.BLANK
    if not texts:
        return None
    x0, y0, x1, y1 = zip(*places, strict=True)
    return RawLine(block, tuple(texts), x0, y0, x1, y1, tuple(blanks), is_vertical)


def _respaced(characters: Characters) -> Characters:
    """The characters with blanks only where a gap is wider than the even ones between letters."""
    letters = [character for character in characters if not character["c"].isspace()]
    starts = [character["origin"][0] for character in letters]
    steps = [b - a for a, b in pairwise(starts)]
    gaps = [b["bbox"][0] - a["bbox"][2] for a, b in pairwise(letters)]
    step, gap = median(steps), median(gaps)
    height = letters[0]["bbox"][3] - letters[0]["bbox"][1]
    is_even = sum(abs(s - step) <= _PITCH_TOLERANCE * step for s in steps) >= _MIN_EVEN * len(steps)
    if is_even:
        is_wide = [s > 1.5 * step for s in steps]
    elif gap >= _MIN_TRACKING * height:
        is_wide = [g > 1.8 * gap for g in gaps]
    else:
        is_wide = [g > max(_MIN_WORD_GAP * height, 4 * abs(gap)) for g in gaps]
        if not any(is_wide) or len(letters) < len(characters) - _MIN_GAPPED:
            return characters
    result = letters[:1]
    for letter, wide in zip(letters[1:], is_wide, strict=True):
        if wide:
            result.append({"c": " ", "bbox": letter["bbox"]})
        result.append(letter)
    return result


def _parted(characters: Characters) -> Characters:
    """The characters with blanks in what runs together, where gaps are wider than those in words."""
    result: Characters = []
    text = "".join([character["c"] for character in characters])
    at = 0
    for found in _LONG_RUN.finditer(text):
        result += characters[at : found.start()]
        run = characters[found.start() : found.end()]
        gaps = [b["bbox"][0] - a["bbox"][2] for a, b in pairwise(run)]
        height = run[0]["bbox"][3] - run[0]["bbox"][1]
        least = max(_MIN_SQUEEZED_GAP * height, 4 * median(gaps))
        is_wide = [gap > least for gap in gaps]
        is_parted = sum(is_wide) >= len(run) / _MEAN_WORD and _is_run_together(found[0])
        for character, wide in zip(run, [False, *is_wide], strict=True):
            if wide and is_parted:
                result.append({"c": " ", "bbox": character["bbox"]})
            result.append(character)
        at = found.end()
    return result + characters[at:]


def _union(boxes: Iterable[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
