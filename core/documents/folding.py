"""Text reduced to what matters when a quote is compared with a page, with the way back to its characters."""

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import cached_property

from core.documents.normalize import CJK

_REMOVED = "-\u2010\u2011\u00ad\u058a[]*_\u200b\u200c\u200d\ufeff"
_DASHES = "\u2012\u2013\u2014\u2015\u2212\ufe58\uff0d"
_DOUBLE_QUOTES = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\u301f\uff02'
_SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b\u2032\u2039\u203a\uff07`\u00b4"
_LOOSE = re.compile(f"(?<= ) | (?=[{CJK}])|(?<=[{CJK}]) |(?<=\\.\\.)\\.")
_DIGITS = re.compile(r"\d+")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_TERM = re.compile(rf"[{CJK}]+|[^\W_]+(?:'[^\W_]+)*")
_IS_CJK = re.compile(f"[{CJK}]")
WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])[^\W_])+(?:'(?:(?![{CJK}])[^\W_])+)*")


class _FoldTable(dict[int, str]):
    """What each character becomes; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        folded = _folded_character(chr(code))
        self[code] = folded
        return folded


def _folded_character(character: str) -> str:
    if character in _REMOVED:
        return ""
    if character in _DASHES or character.isspace():
        return " "
    if character in _DOUBLE_QUOTES:
        return '"'
    if character in _SINGLE_QUOTES:
        return "'"
    folded = unicodedata.normalize("NFKC", character).casefold()
    return " ".join(folded.split()) or " "


@dataclass(frozen=True)
class Folded:
    """`source` without case, hyphens, brackets and kinds of quotation marks; single blanks, none in CJK.

    A run of dots, as leads to a page number, is two dots.
    """

    source: str

    @cached_property
    def text(self) -> str:
        return _LOOSE.sub("", self._translated)

    @cached_property
    def _translated(self) -> str:
        return self.source.translate(_TABLE)

    @cached_property
    def offsets(self) -> "array[int]":
        """For each character of `text` the offset in `source` of the character it came from."""
        full = array("I")
        for offset, character in enumerate(self.source):
            full.extend([offset] * len(_TABLE[ord(character)]))
        removed = {found.start() for found in _LOOSE.finditer(self._translated)}
        if not removed:
            return full
        return array("I", [offset for i, offset in enumerate(full) if i not in removed])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The range of `source` that the characters `[start, end)` of `text` came from."""
        return self.offsets[start], self.offsets[end - 1] + 1


_TABLE = _FoldTable()


def fold(text: str) -> str:
    """The folded form of `text`, which is composed (NFC) first, blanks at the ends removed."""
    return Folded(unicodedata.normalize("NFC", text)).text.strip()


def terms(folded: str) -> list[str]:
    """Words of a folded text to look it up by; pairs of neighbours where words have no blanks between."""
    result: list[str] = []
    for term in _TERM.findall(folded):
        if _IS_CJK.match(term):
            result += [term[i : i + 2] for i in range(max(1, len(term) - 1))]
        else:
            result.append(term)
    return result


def words(folded: str) -> list[str]:
    """The words of a folded text in order; every CJK character is one."""
    return WORD.findall(folded)


def numbers(text: str) -> list[str]:
    """The groups of digits in `text` in order; 1,000 and 1000 are the same, 1.5 and 15 are not."""
    return _DIGITS.findall(_THOUSANDS.sub(lambda found: found[0].replace(",", ""), text))
