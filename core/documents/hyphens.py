"""Which hyphens at line ends belong to the word and which only broke it: the document's own words decide."""

import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from core.documents.layout import Block, FragmentTable, Line, Page
from core.documents.messages import PageRead
from core.documents.page_text import HYPHENS, SOFT_HYPHEN

_WORD = re.compile(rf"[^\W_]++(?:[{HYPHENS}'’][^\W_]++)*+")
_LEFT_PART = re.compile(rf"[^\W_]+(?:[{HYPHENS}'’][^\W_]+)*$")
_RIGHT_PART = _WORD
_SUSPENDED_BEFORE = frozenset(
    ("and", "or", "to", "und", "oder", "bzw", "bis", "et", "ou", "y", "och", "eller")
)
_FREE_PREFIXES = frozenset(("non", "self"))
_AFFIX_WORDS = """
    a ab ad any be com con de dis en every ex for in inter mis no off on out over pre pro re some sub super
    trans un under up with able age al ance ed en ence er ers est ful fully ing ion ions ish ist ive less
    ly man men ment ness or ous ship some tion ward wise
"""
_COMPOUND_ENDS = """
    backed based bearing causing coded controlled dependent determining driven earning effective efficient
    enhancing equity exempt faith financed footed free friendly funded generating governmental handed income
    increasing independent intensive interest known lasting level linked managed minded neutral only
    oriented owned paid party paying performing pressure priced producing profit proprietary reaching
    reducing related relevant resistant risk saving scale secured sensitive service setting shaped sharing
    specific sponsored standing supported term tested trained weighted yielding
    client dilution facie fide fixing lien liens parte president presidents rata thirds
    vous nous même mêmes dessus dessous
"""
_COMPOUND_STARTS = """
    attorney bona cost cross drag dual fifth first force forward fourth high joint long price prima quasi
    second short third three two vice
"""
_SUFFIXES = """
    able age ages ary arily coming comings en ened ening est evity fall falls itude light lights lighted way
    ways
"""
_LINKS = frozenset(("a", "and", "as", "at", "by", "de", "for", "in", "of", "on", "or", "the", "to"))
_PARTICLES = frozenset(("off", "up"))
_PAIRS = frozenset((("so", "called"), ("ex", "parte"), ("pro", "rata"), ("in", "kind"), ("know", "how")))
_SHORT = 3
_COMMON = 5
_AFFIXES = frozenset(_AFFIX_WORDS.split())
_ENDS_COMPOUND = frozenset(_COMPOUND_ENDS.split())
_STARTS_COMPOUND = frozenset(_COMPOUND_STARTS.split())
_NO_WORDS = _AFFIXES | frozenset(_SUFFIXES.split())


class Verdict(Enum):
    """What becomes of a hyphen that ended a line."""

    JOIN = auto()
    KEEP = auto()
    SUSPEND = auto()


@dataclass(frozen=True, slots=True)
class _Break:
    """A word broken at a line end; `hyphen` is the offset of its hyphen."""

    hyphen: int
    left: str
    right: str
    end: int

    @property
    def start(self) -> int:
        return self.hyphen - len(self.left)


class Vocabulary:
    """How often each word stands unbroken in a document; compared without case."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        for text in texts:
            self._counts.update(_WORD.findall(_plain(text)))
        self._first_parts = Counter(word.split("-", 1)[0] for word in self._counts if "-" in word)

    def count(self, word: str) -> int:
        return self._counts[word]

    def is_first_part(self, word: str) -> bool:
        """Whether `word` begins a hyphenated compound somewhere."""
        return word in self._first_parts


def resolve_hyphens(reads: Sequence[PageRead]) -> tuple[Page, ...]:
    """The pages with every line-end hyphen either joined or kept."""
    if not any(read.hyphens for read in reads):
        return tuple(read.page for read in reads)
    breaks = [_breaks(read) for read in reads]
    vocabulary = Vocabulary(
        _without_breaks(read.page.text, found) for read, found in zip(reads, breaks, strict=True)
    )
    return tuple(
        _edited(read.page, _removals(read.page.text, found, vocabulary)) if found else read.page
        for read, found in zip(reads, breaks, strict=True)
    )


def verdict(left: str, right: str, vocabulary: Vocabulary) -> Verdict:
    """What to do with `left-` at a line end and `right` at the start of the next line.

    Either may have hyphens of its own: `state-of-the-` and `art`, `interpreter-` and `to-trace`.
    """
    low_left, low_right = _plain(left), _plain(right)
    last, first = low_left.rsplit("-", 1)[-1], low_right.split("-", 1)[0]
    num_hyphenated = vocabulary.count(f"{low_left}-{low_right}") + vocabulary.count(f"{last}-{first}")
    num_joined = vocabulary.count(low_left + low_right) + vocabulary.count(last + first)
    if num_hyphenated or num_joined:
        return Verdict.KEEP if num_hyphenated >= num_joined else Verdict.JOIN
    if low_right in _SUSPENDED_BEFORE:
        return Verdict.SUSPEND
    if left[-1].isdigit() or right[0].isdigit():
        return Verdict.KEEP
    if right[0].isupper() and not (left.isupper() and right.isupper()):
        return Verdict.KEEP
    if _is_compound(low_left, low_right, vocabulary):
        return Verdict.KEEP
    return Verdict.JOIN


def _is_compound(left: str, right: str, vocabulary: Vocabulary) -> bool:
    """Whether two parts that never stand joined are words that a hyphen combines."""
    last, first = left.rsplit("-", 1)[-1], right.split("-", 1)[0]
    num_left, num_right = vocabulary.count(last), vocabulary.count(first)
    if "-" in right:
        return num_left > 0 or num_right >= _COMMON or len(first) < _SHORT
    if (
        last in _FREE_PREFIXES
        or first in _PARTICLES
        or last.endswith(("'s", "’s"))
        or (last, first) in _PAIRS
    ):
        return True
    if (last in _LINKS and "-" in left) or (last in _STARTS_COMPOUND and first not in _NO_WORDS):
        return True
    if last in _AFFIXES or first in _AFFIXES:
        return False
    if first in _ENDS_COMPOUND and len(last) >= _SHORT and last != "notwith":
        return True
    if num_left >= 2 and num_right >= 2:
        return True
    return num_right > 0 and ("-" in left or vocabulary.is_first_part(last))


def _plain(text: str) -> str:
    text = text.casefold()
    for hyphen in HYPHENS[1:]:
        text = text.replace(hyphen, "-")
    return text


def _breaks(read: PageRead) -> list[_Break]:
    text = read.page.text
    found = []
    for hyphen in read.hyphens:
        window = text[max(0, hyphen - 60) : hyphen]
        left = _LEFT_PART.search(window)
        right = _RIGHT_PART.match(text, hyphen + 2)
        word = right[0] if right else ""
        found.append(_Break(hyphen, left[0] if left else "", word, hyphen + 2 + len(word)))
    return found


def _without_breaks(text: str, breaks: list[_Break]) -> str:
    pieces = []
    position = 0
    for found in breaks:
        pieces.append(text[position : max(position, found.start)])
        position = found.end
    pieces.append(text[position:])
    return " ".join(pieces)


def _removals(text: str, breaks: list[_Break], vocabulary: Vocabulary) -> list[int]:
    """Offsets of the characters that go, in order."""
    removed = []
    for found in breaks:
        if text[found.hyphen] == SOFT_HYPHEN:
            removed.append(found.hyphen)
            if text[found.hyphen + 1 : found.hyphen + 2] == " ":
                removed.append(found.hyphen + 1)
            continue
        decision = verdict(found.left, found.right, vocabulary) if found.left and found.right else None
        if decision is Verdict.JOIN:
            removed.append(found.hyphen)
        if decision in (Verdict.JOIN, Verdict.KEEP):
            removed.append(found.hyphen + 1)
    return removed


def _edited(page: Page, removed: list[int]) -> Page:
    """The page without the characters at the offsets `removed`; the map to boxes follows."""
    if not removed:
        return page
    pieces = [
        page.text[start:end]
        for start, end in zip([0, *(r + 1 for r in removed)], [*removed, len(page.text)], strict=True)
    ]

    def moved(offset: int) -> int:
        return offset - bisect_right(removed, offset - 1)

    blocks = tuple(
        Block(tuple(Line(moved(n.start), moved(n.end), n.bbox) for n in block.lines), block.bbox)
        for block in page.blocks
    )
    old = page.fragments
    assert isinstance(old, FragmentTable)
    fragments = replace(
        old,
        starts=_shifted(old.starts, removed),
        ends=_shifted(old.ends, removed),
    )
    return replace(page, text="".join(pieces), blocks=blocks, fragments=fragments)


def _shifted(offsets: "array[int]", removed: list[int]) -> "array[int]":
    """Offsets, which grow, after the characters at `removed` are gone."""
    places = [bisect_right(offsets, offset) for offset in removed]
    result = offsets[: places[0]]
    for count, (start, end) in enumerate(pairwise([*places, len(offsets)]), start=1):
        result.extend([offset - count for offset in offsets[start:end]])
    return result
