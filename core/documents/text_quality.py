"""How far the text of a page can be trusted: what its fonts spoilt, measured on the characters alone."""

import re
from dataclasses import dataclass
from itertools import pairwise

from core.documents.normalize import CJK, SYMBOLS, unusual

_UNKNOWN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufffd]")
_PRIVATE = re.compile(f"[\ue000-\uf8ff\U000f0000-\U0010ffff](?<![{''.join(SYMBOLS)}])")
_ARABIC = re.compile("[\u0620-\u064a\u0671-\u06d3]")
_NO_LATIN = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
_CONSONANTS = b"BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz"
_WESTERN = re.compile("[\u00a1-\u00ff]")
_LOST_IN_WORD = re.compile("[^\\W\\d_][\x00-\x08\x0e-\x1b\ufffd]{1,2}(?=[^\\W\\d_])")
_COMMON = re.compile(
    r"\b(?:the|of|and|to|in|is|for|on|by|de|la|el|le|les|des|et|en|un|una|der|die|das|und|von|den|zu|il|di|e|o|"
    r"da|do|que|y|van|het|een|och|att|i|na|w|z|a|ve|bir)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_LETTER_RUN = re.compile(r"[^\W\d_]{40}")
_ASCII_RUN = re.compile("[\x00-\x7f]+")
_MAX_WORD = 40

_MIN_ODD = 5
_MAX_ODD_SHARE = 0.05
_MIN_LETTERS = 150
_MIN_VOWELS, _MAX_VOWELS = 0.2, 0.68
_FEW_VOWELS = 0.27
_MAX_WESTERN_SHARE = 0.4
_MAX_DOUBLED_SHARE = 0.045
_MAX_RUN_TOGETHER = 0.2


@dataclass(frozen=True, slots=True)
class TextQuality:
    """Shares are of the characters that are no blanks, 0 to 1.

    `unknown_share` counts characters without an agreed meaning. `is_garbled` tells that the text is not what
    is printed, `is_lossy` that this is so because letters within words are unknown; `is_run_together` that
    blanks are missing.
    """

    unknown_share: float = 0.0
    is_lossy: bool = False
    is_garbled: bool = False
    is_run_together: bool = False


def text_quality(text: str) -> TextQuality:
    """The quality of a page's text before it is normalised."""
    num_characters = len(text) - text.count(" ")
    if not num_characters:
        return TextQuality()
    letters = unusual(text)
    num_odd = 0
    if _UNKNOWN.search(letters) or _PRIVATE.search(letters):
        num_odd = len(_UNKNOWN.findall(text)) + len(_PRIVATE.findall(text))
    is_odd = num_odd >= _MIN_ODD and num_odd >= _MAX_ODD_SHARE * num_characters
    is_lossy = num_odd > 0 and bool(_LOST_IN_WORD.search(text))
    words = text.split()
    num_together = 0
    if max(map(len, words), default=0) >= _MAX_WORD:
        num_together = sum(len(word) for word in words if _LETTER_RUN.search(word))
    return TextQuality(
        num_odd / num_characters,
        is_lossy,
        is_odd or is_lossy or _has_wrong_letters(text, letters),
        num_together > _MAX_RUN_TOGETHER * num_characters and not _CJK_CHARACTER.search(text),
    )


def _has_wrong_letters(text: str, letters: str) -> bool:
    """Whether the text is that of another one, which a wrong map in a font makes of it."""
    latin = text.encode("ascii", "ignore").translate(None, _NO_LATIN)
    is_odd = _is_no_language(text, latin)
    if not is_odd and not _WESTERN.search(letters) and not _ARABIC.search(letters):
        return False
    foreign = _ASCII_RUN.sub("", text)
    num_letters = len(latin) + len(_LETTER.findall(foreign))
    num_western = len(_WESTERN.findall(foreign))
    if num_letters >= 20 and num_western > _MAX_WESTERN_SHARE * (num_letters + num_western) / 2:
        return num_western > len(latin)
    arabic = _ARABIC.findall(foreign)
    if len(arabic) >= _MIN_LETTERS:
        num_doubled = sum(a == b and bool(_ARABIC.match(a)) for a, b in pairwise(text))
        return num_doubled > _MAX_DOUBLED_SHARE * len(arabic)
    return is_odd and len(latin) > 0.8 * num_letters


def _is_no_language(text: str, latin: bytes) -> bool:
    """Latin letters with far too few or too many vowels, fewer still if they make no common word."""
    if len(latin) < _MIN_LETTERS:
        return False
    share = len(latin.translate(None, _CONSONANTS)) / len(latin)
    if not _MIN_VOWELS <= share <= _MAX_VOWELS:
        return True
    return share < _FEW_VOWELS and len(latin) >= 2 * _MIN_LETTERS and not _COMMON.search(text)
