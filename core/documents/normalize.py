"""Characters as the model and the reader should see them: no ligatures, no odd blanks, no invisible marks."""

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum, auto

CJK = (
    "\u2e80-\u2fdf\u3000-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
RIGHT_TO_LEFT = re.compile(f"[{_RTL}]")
_JOINER_SCRIPTS = "\u0600-\u06ff\u0750-\u077f\u0900-\u0dff\u1780-\u17ff"

_BLANKS = "\t\n\v\f\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_INVISIBLE = "\xad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
_CONTROL = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_JOINERS = "\u200c\u200d"
_COMPATIBLE = "\ufb00-\ufb06\u2e80-\u2fdf\ufb50-\ufdff\ufe70-\ufefc"

SYMBOLS = {
    "\uf0b7": "•",
    "\uf0a7": "▪",
    "\uf0a8": "◆",
    "\uf06e": "■",
    "\uf06f": "□",
    "\uf071": "❑",
    "\uf076": "❖",
    "\uf0d8": "➢",
    "\uf0e0": "→",
    "\uf0fc": "✓",
    "\uf0fe": "☒",
    "\uf0a3": "□",
    "\uf001": "fi",
    "\uf002": "fl",
}
"""Ligatures, bullets and boxes of symbol fonts, which PDFs often name by their place in the font."""

_SYMBOL_TABLE = str.maketrans(SYMBOLS)
_LEADERS = ".…·•_=*~\\-\u2013\u2014"
_LEADER = re.compile(rf"([{_LEADERS}])(?: ?\1){{3}}|\ufffd ?\ufffd")
_MAY_LEAD = re.compile(f"[{_LEADERS}\ufffd] ?[{_LEADERS}\ufffd]")
_LEADER_RUN = re.compile(rf"([{_LEADERS}])\1{{3,}}")
_UNKNOWN_RUN = re.compile("\ufffd{2,}")
_PLAIN_RUN = re.compile("[\x20-\x7e]+")
_ODD = re.compile(f"[{''.join(SYMBOLS)}{_CONTROL}{_INVISIBLE}{_JOINERS}{_COMPATIBLE}{_BLANKS}\ud800-\udfff]")
_REMOVED = re.compile(f"[{_CONTROL}{_INVISIBLE}]")
_BLANK_RUN = re.compile(f"[{_BLANKS}]+")
_COMPATIBLE_RUN = re.compile(f"[{_COMPATIBLE}]+")
_STRAY_JOINER = re.compile(f"(?<![{_JOINER_SCRIPTS}])[{_JOINERS}]|[{_JOINERS}](?![{_JOINER_SCRIPTS}])")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_RUNS = re.compile(rf"\s+|([^\s{CJK}]+)|((?:(?!\u3000)[{CJK}])+)")
_NEEDS_CHARACTERS = re.compile(f"[{CJK}{_RTL}]")


def unusual(text: str) -> str:
    """The characters of `text` beside printable ASCII: mostly few to search where a page has thousands."""
    return _PLAIN_RUN.sub("", text)


def clean(text: str) -> str:
    """`text` without ligatures, exotic blanks, zero-width, control and soft-hyphen characters.

    Runs of blanks become one plain space; blanks at either end stay (as one). Canonically composed.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    if _ODD.search(text):
        text = _BLANK_RUN.sub(" ", text).translate(_SYMBOL_TABLE)
        text = _REMOVED.sub("", text)
        text = _STRAY_JOINER.sub("", text)
        text = _COMPATIBLE_RUN.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
        text = _BLANK_RUN.sub(" ", _SURROGATE.sub("\ufffd", text))
    return unicodedata.normalize("NFC", text)


def needs_cleaning(text: str) -> bool:
    """Whether `clean` would change any word of `text`, whose words are separated by single spaces."""
    if text.isascii():
        return not text.isprintable()
    odd = _ODD.search(unusual(text))
    return bool(odd) or not unicodedata.is_normalized("NFC", text)


def has_leaders(text: str) -> bool:
    """Whether `text` has a run of dots, rules or unreadable characters, whose length says nothing."""
    return bool(_MAY_LEAD.search(text)) and bool(_LEADER.search(text))


def without_leaders(word: str) -> str:
    """`word` with runs of dots or rules cut to three of them, and runs of unreadable characters to one."""
    return _UNKNOWN_RUN.sub("\ufffd", _LEADER_RUN.sub(r"\1\1\1", word))


def needs_characters(text: str) -> bool:
    """Whether words of `text` must be built from single characters: no blanks (CJK) or right to left."""
    return not text.isascii() and bool(_NEEDS_CHARACTERS.search(text))


def is_cjk(character: str) -> bool:
    """Whether `character` belongs to a script that is written without blanks between words."""
    return character >= "\u2e80" and bool(_CJK_CHARACTER.match(character))


class Run(Enum):
    """What a stretch of a line is: blanks, a word, or characters that are each a word of their own."""

    BLANK = auto()
    WORD = auto()
    CHARACTERS = auto()


def script_runs(text: str) -> Iterator[tuple[Run, int, int, str]]:
    """Splits a line into runs: kind, start, end and the characters `[start, end)` themselves."""
    for found in _RUNS.finditer(text):
        kind = (Run.BLANK, Run.WORD, Run.CHARACTERS)[found.lastindex or 0]
        yield kind, found.start(), found.end(), found[0]
