"""Fonts whose letters a PDF draws itself (Type 3): whether letters of them could show nothing."""

import re
from typing import Any

_MAX_LETTERS = 64
_INLINE = re.compile(r"/CharProcs ?<<([^<>]*)>>")
_ELSEWHERE = re.compile(r"/CharProcs (\d+) 0 R")
_REFERENCE = re.compile(r"(\d+) 0 R")
_PAINTS = re.compile(rb"(?<![\w.])(?:f|F|f\*|B|B\*|b|b\*|S|s|Do|BI|sh)(?![\w.])")
_IN_WHITE = re.compile(rb"(?<![\w.])(?:1(?:\.0*)? g|(?:1(?:\.0*)? ){3}rg|(?:0(?:\.0*)? ){4}k|gs)(?![\w.])")
_EMPTY_BOX = re.compile(rb"(?<![\w.])0(?:\.0*)? re\b|[ \n]0(?:\.0*)? -?[\d.]+ re\b")
_MAX_EMPTY_SHARE = 0.3


def may_show_nothing(pdf: Any, source: str) -> bool:
    """Whether letters of the Type 3 font in `source`, its dictionary, draw nothing or in white."""
    numbers = _letter_numbers(pdf, source)[:_MAX_LETTERS]
    drawings = [_drawing(pdf, number) for number in numbers]
    num_empty = sum(
        not _PAINTS.search(drawing) or bool(_IN_WHITE.search(drawing)) or bool(_EMPTY_BOX.search(drawing))
        for drawing in drawings
    )
    return num_empty > _MAX_EMPTY_SHARE * len(numbers)


def _letter_numbers(pdf: Any, source: str) -> list[int]:
    inline, elsewhere = _INLINE.search(source), _ELSEWHERE.search(source)
    drawings = inline[1] if inline is not None else ""
    if inline is None and elsewhere is not None:
        try:
            drawings = str(pdf.xref_object(int(elsewhere[1]), compressed=True))
        except Exception:  # noqa: BLE001 - a reference to nothing can raise anything; such a font has no letters
            return []
    return sorted({int(number) for number in _REFERENCE.findall(drawings)})


def _drawing(pdf: Any, number: int) -> bytes:
    try:
        return bytes(pdf.xref_stream(number) or b"")
    except Exception:  # noqa: BLE001 - a broken drawing can raise anything, and shows nothing
        return b""
