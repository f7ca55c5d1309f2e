"""Arabic and Hebrew lines in the order in which they are read, whatever order they were drawn in."""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from core.documents.normalize import RIGHT_TO_LEFT

Characters = list[dict[str, Any]]

_ZERO_WIDTH = 0.01
_BETWEEN_DIGITS = ".,:/٫٬-"
_OPENING, _BRACKETS = "([{", "()[]{}"
_MIRRORED = str.maketrans("()[]{}", ")(][}{")
_CLOSE = ".,:;!?)،؛؟"
_SLACK = 1.0
_REACH = 24
_WIDE_GAP, _NARROW_GAP = 0.2, 0.08


def in_logical_order(pieces: list[Characters]) -> Characters:
    """The characters of a horizontal line, which comes in pieces that touch, as they are read.

    Ligatures (lam-alef) come from the library back to front with one box, numbers of some files and whole
    lines of others reversed; positions tell.
    """
    characters: Characters = []
    for piece in pieces:
        ordered = _with_ligatures_in_order(piece)
        characters += _reordered(ordered) if _is_drawn_order(ordered) else ordered
    if _has_runs_as_drawn(characters):
        characters = _reordered(characters)
    return _with_blanks(_with_brackets_facing(_with_numbers_in_order(characters)))


def _with_ligatures_in_order(characters: Characters) -> Characters:
    """Letters without a width of their own stand before the letter that has the ligature's box."""
    result: Characters = []
    waiting: Characters = []
    for character in characters:
        is_letter = _is_rtl(character["c"])
        if is_letter and _width(character) < _ZERO_WIDTH:
            waiting.append(character)
            continue
        result.append(character)
        if waiting and is_letter:
            box, origin = character["bbox"], character["origin"]
            result += [{**held, "bbox": box, "origin": origin} for held in reversed(waiting)]
        else:
            result[-1:-1] = waiting
        waiting = []
    return result + waiting


def _is_drawn_order(characters: Characters) -> bool:
    """Whether letters that are read from right to left come from left to right."""
    forth = back = 0
    for a, b in pairwise(characters):
        if _is_rtl(a["c"]) and _is_rtl(b["c"]):
            step = _middle(b) - _middle(a)
            forth += step > 0
            back += step < 0
    return forth > back


def _has_runs_as_drawn(characters: Characters) -> bool:
    """Whether words and numbers of a line in a script from right to left come in turn from left to right."""
    num_rtl = sum(_is_rtl(character["c"]) and _width(character) >= _ZERO_WIDTH for character in characters)
    if 2 * num_rtl <= sum(character["c"].isalpha() for character in characters):
        return False
    forth = back = 0
    for (_, _, end), (_, start, _) in pairwise(_spans(characters)):
        forth += start >= end - _SLACK
        back += start < end - _SLACK
    return forth > back


def _spans(characters: Characters) -> list[tuple[bool, float, float]]:
    """Runs of letters and digits of one direction: whether it is forward, and where the run stands."""
    spans: list[tuple[bool, float, float]] = []
    for character in characters:
        if not character["c"].isalnum():
            continue
        is_forward = not _is_rtl(character["c"])
        x0, _, x1, _ = character["bbox"]
        if spans and spans[-1][0] is is_forward:
            _, left, right = spans[-1]
            spans[-1] = is_forward, min(left, x0), max(right, x1)
        else:
            spans.append((is_forward, x0, x1))
    return spans


def _reordered(characters: Characters) -> Characters:
    """From left to right as drawn, then all of it reversed but for numbers and words of other scripts."""
    clusters = sorted(_clusters(characters), key=lambda cluster: _middle(cluster[0]))
    runs: list[tuple[bool, list[Characters]]] = []
    for cluster, is_forward in zip(clusters, _are_forward(clusters), strict=True):
        if not runs or runs[-1][0] != is_forward:
            runs.append((is_forward, []))
        runs[-1][1].append(cluster)
    result: Characters = []
    for is_forward, members in reversed(runs):
        for cluster in members if is_forward else reversed(members):
            result += cluster
    return result


def _are_forward(clusters: list[Characters]) -> list[bool]:
    """Which clusters, from left to right, belong to numbers or to words that are read that way.

    So do signs within a number, and what stands between two such words.
    """
    letters = [cluster[0]["c"] for cluster in clusters]
    answers = [letter.isalnum() and not _is_rtl(letter) for letter in letters]
    at = 0
    while at < len(letters):
        end = at
        while end < len(letters) and not letters[end].isalnum():
            end += 1
        if 0 < at < end < len(letters) and answers[at - 1] and answers[end]:
            is_in_number = end == at + 1 and letters[at] in _BETWEEN_DIGITS + "/"
            is_in_phrase = letters[at - 1].isalpha() and letters[end].isalpha()
            answers[at:end] = [is_in_number or is_in_phrase] * (end - at)
        at = max(end, at + 1)
    return answers


def _clusters(characters: Characters) -> Iterator[Characters]:
    """Letters with the marks that belong to them."""
    cluster: Characters = []
    for character in characters:
        if cluster and not unicodedata.combining(character["c"]):
            yield cluster
            cluster = []
        cluster.append(character)
    if cluster:
        yield cluster


def _with_numbers_in_order(characters: Characters) -> Characters:
    result: Characters = []
    at = 0
    while at < len(characters):
        end = at
        while end < len(characters) and _is_in_number(characters, at, end):
            end += 1
        number = characters[at:end]
        if len(number) > 1 and _middle(number[0]) > _middle(number[-1]):
            number.reverse()
        result += number or [characters[at]]
        at = max(end, at + 1)
    return result


def _with_brackets_facing(characters: Characters) -> Characters:
    """Brackets whose map names the shape that is drawn, which faces the other way, turned round."""
    brackets = "".join(character["c"] for character in characters if character["c"] in _BRACKETS)
    if not brackets or _num_unmatched(brackets.translate(_MIRRORED)) >= _num_unmatched(brackets):
        return characters
    return [{**character, "c": character["c"].translate(_MIRRORED)} for character in characters]


def _num_unmatched(brackets: str) -> int:
    waiting = unmatched = 0
    for bracket in brackets:
        if bracket in _OPENING:
            waiting += 1
        elif waiting:
            waiting -= 1
        else:
            unmatched += 1
    return unmatched + waiting


def _with_blanks(characters: Characters) -> Characters:
    """Blanks where words stand apart, none before a full stop that stands close to its word."""
    result: Characters = []
    printed: Characters = []
    for run in _runs(characters):
        letter = run[0]["c"]
        if letter.isspace():
            result += run
            continue
        if result:
            gap = _gap(printed[-_REACH:], run)
            height = run[0]["bbox"][3] - run[0]["bbox"][1]
            is_apart = result[-1]["c"].isspace()
            if not is_apart and gap > _WIDE_GAP * height:
                result.append({"c": " ", "bbox": run[0]["bbox"], "origin": run[0]["bbox"][:2]})
            elif is_apart and letter in _CLOSE and gap < _NARROW_GAP * height:
                result.pop()
        result += run
        printed += run
    return result


def _runs(characters: Characters) -> Iterator[Characters]:
    """Numbers and words of other scripts whole, all other characters one by one."""
    run: Characters = []
    for at, character in enumerate(characters):
        letter = character["c"]
        is_inside = 0 < at < len(characters) - 1 and all(
            near["c"].isalnum() and not _is_rtl(near["c"])
            for near in (characters[at - 1], characters[at + 1])
        )
        if (letter.isalnum() and not _is_rtl(letter)) or (run and is_inside):
            run.append(character)
            continue
        if run:
            yield run
            run = []
        yield [character]
    if run:
        yield run


def _gap(before: Characters, run: Characters) -> float:
    """How far the nearest of the characters `before` stands from the run."""
    x0 = min(character["bbox"][0] for character in run)
    x1 = max(character["bbox"][2] for character in run)
    return min((max(c["bbox"][0] - x1, x0 - c["bbox"][2], 0.0) for c in before), default=0.0)


def _is_in_number(characters: Characters, start: int, at: int) -> bool:
    letter = characters[at]["c"]
    if letter.isdigit():
        return True
    following = characters[at + 1]["c"] if at + 1 < len(characters) else ""
    return at > start and letter in _BETWEEN_DIGITS and following.isdigit()


def _is_rtl(letter: str) -> bool:
    return bool(RIGHT_TO_LEFT.match(letter)) and unicodedata.category(letter).startswith("Lo")


def _width(character: dict[str, Any]) -> float:
    return float(character["bbox"][2] - character["bbox"][0])


def _middle(character: dict[str, Any]) -> float:
    return float(character["bbox"][0] + character["bbox"][2]) / 2
