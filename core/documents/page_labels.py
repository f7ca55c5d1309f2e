"""The page numbers that are printed on the pages, from the PDF's own rules for them."""

import re
from collections.abc import Iterable

from core.documents.pdf_strings import LITERAL, string_bytes

_MAX_LABEL_LENGTH = 24
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_PREFIX = re.compile(rf"/P\s*({LITERAL})", re.DOTALL)
_STYLE = re.compile(r"/S\s*/([DRrAa])\b")
_FIRST_NUMBER = re.compile(r"/St\s+(-?\d+)")


def page_labels(rules: Iterable[tuple[int, str]], num_pages: int) -> tuple[str, ...]:
    """One label a page. A rule is the page it starts at (0-based) and its dictionary as PDF source.

    Where no rule applies or a rule is broken the label is the ordinal number of the page, from 1.
    """
    labels = [str(index + 1) for index in range(num_pages)]
    ordered = sorted((start, source) for start, source in rules if 0 <= start < num_pages)
    for position, (start, source) in enumerate(ordered):
        end = ordered[position + 1][0] if position + 1 < len(ordered) else num_pages
        for index in range(start, end):
            labels[index] = _label(source, index - start) or labels[index]
    return tuple(labels)


def _label(source: str, offset: int) -> str | None:
    style = _STYLE.search(source)
    first = _FIRST_NUMBER.search(source)
    number = (int(first[1]) if first else 1) + offset
    prefix = _prefix(source)
    if prefix is None or number < 1:
        return None
    label = prefix + (_numeral(number, style[1]) if style else "")
    is_sound = label.isprintable() and "\ufffd" not in label and len(label) <= _MAX_LABEL_LENGTH
    return label.strip() if is_sound else None


def _prefix(source: str) -> str | None:
    """The decoded prefix; None if it is broken."""
    found = _PREFIX.search(source)
    if found is None:
        return ""
    data = string_bytes(found[1])
    if not data.startswith(b"\xfe\xff"):
        return data.decode("latin-1")
    text = data[2:].decode("utf-16-be", "replace")
    # A plain letter wrapped in UTF-16 comes from damaged label tables more often than from real ones.
    return None if text.isascii() and len(text) == 1 else text


def _numeral(number: int, style: str) -> str:
    if style == "D":
        return str(number)
    numeral = _roman(number) if style in "Rr" else _letters(number)
    return numeral.upper() if style in "RA" else numeral


def _roman(number: int) -> str:
    if number > 4999:
        return str(number)
    numeral = ""
    for value, digits in _ROMAN:
        count, number = divmod(number, value)
        numeral += digits * count
    return numeral


def _letters(number: int) -> str:
    repeats, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (repeats + 1)
