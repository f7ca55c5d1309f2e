"""Arabic and Hebrew lines in the order in which they are read, whatever order they were drawn in."""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from core.documents.normalize import RIGHT_TO_LEFT

Characters = list[dict[str, Any]]

_ZERO_WIDTH = 0.01
_BETWEEN_DIGITS = ".,:/٫٬-"


def in_logical_order(characters: Characters) -> Characters:
    """The characters of a horizontal line as they are read.

    Ligatures (lam-alef) come from the library back to front with one box, numbers of some files and whole
    lines of others reversed; positions tell.
    """
    characters = _with_ligatures_in_order(characters)
    if _is_drawn_order(characters):
        characters = _reordered(characters)
    return _with_numbers_in_order(characters)


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


def _reordered(characters: Characters) -> Characters:
    """From left to right as drawn, then all of it reversed but for numbers and words of other scripts."""
    clusters = sorted(_clusters(characters), key=lambda cluster: _middle(cluster[0]))
    runs: list[tuple[bool, list[Characters]]] = []
    for cluster in clusters:
        is_forward = cluster[0]["c"].isalnum() and not _is_rtl(cluster[0]["c"])
        if not runs or runs[-1][0] != is_forward:
            runs.append((is_forward, []))
        runs[-1][1].append(cluster)
    result: Characters = []
    for is_forward, members in reversed(runs):
        for cluster in members if is_forward else reversed(members):
            result += cluster
    return result


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
