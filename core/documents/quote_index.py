"""The pages that were read, folded and indexed so that a quote finds its page in milliseconds."""

import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from core.documents.folding import WORD, Folded, terms
from core.documents.layout import BBox, Document, Page
from core.documents.running_lines import body_ranges
from core.documents.sentences import SentenceTable

_MAX_ANCHORS = 10
_MAX_SINGLES = 6
_RARE_SHARE = 20
_MAX_RARE = 20
_MAX_OCCURRENCES = 100
_CJK_ANCHOR = 4
_VOTE_WIDTH = 24
_HYPHENS = "-\u2010\u2011"


@dataclass(frozen=True, slots=True)
class PageRect:
    """A highlight on one page, in points as displayed."""

    page_index: int
    bbox: BBox


@dataclass(frozen=True)
class IndexedPage:
    """A page of one of the documents; `body` is its range of characters without running lines."""

    document: Document
    page: Page
    body: tuple[int, int]

    @cached_property
    def folded(self) -> Folded:
        return Folded(self.page.text)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text to search in: (part of) a page, or the end of one and the start of the next.

    `pieces` are (page, offset in the passage's source, offset in the page's text), in order.
    """

    folded: Folded
    pieces: tuple[tuple[IndexedPage, int, int], ...]

    def rects(self, start: int, end: int) -> tuple[PageRect, ...]:
        """The boxes of the characters `[start, end)` of the folded text."""
        first, last = self.folded.span(start, end)
        result: list[PageRect] = []
        for i, (indexed, at, page_offset) in enumerate(self.pieces):
            until = self.pieces[i + 1][1] if i + 1 < len(self.pieces) else len(self.folded.source)
            low, high = max(first, at), min(last, until)
            if low < high:
                boxes = indexed.page.boxes(low - at + page_offset, high - at + page_offset)
                result += [PageRect(indexed.page.page_index, box) for box in boxes]
        return tuple(result)

    def first_page(self, start: int) -> IndexedPage:
        """The page on which the character `start` of the folded text stands."""
        offset = self.folded.offsets[start]
        return [indexed for indexed, at, _ in self.pieces if at <= offset][-1]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A page (its position in `QuoteIndex.pages`) and where in its folded text a quote would begin."""

    number: int
    start: int | None


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A piece of a folded quote to look it up by, its offset there and how telling it is."""

    weight: float
    offset: int
    text: str


class QuoteIndex:
    """All pages that were read, searchable. Building it takes about 0.3 ms a page."""

    def __init__(
        self, documents: Sequence[Document], pages_read: Mapping[str, Collection[int]] | None = None
    ) -> None:
        """`pages_read` holds the 0-based page indices by document name; None means all of all documents."""
        self.pages: list[IndexedPage] = []
        for document in documents:
            read = None if pages_read is None else set(pages_read.get(document.name, ()))
            for page, body in zip(document.pages, body_ranges(document.pages), strict=True):
                if read is None or page.page_index in read:
                    self.pages.append(IndexedPage(document, page, body))
        self._postings: dict[str, array[int]] = defaultdict(lambda: array("I"))
        for number, indexed in enumerate(self.pages):
            for term in set(terms(indexed.folded.text)):
                self._postings[term].append(number)

    @cached_property
    def sentences(self) -> SentenceTable:
        """The sentences of `pages`; built at the first use."""
        return SentenceTable(indexed.page.text for indexed in self.pages)

    def knows(self, word: str) -> bool:
        """Whether `word` (folded) stands anywhere in the documents, as singular or plural."""
        return any(form in self._postings for form in (word, word + "s", word.removesuffix("s")))

    def weight(self, term: str) -> float:
        """How telling a term is: 0 if it is nowhere, small if it is on every page."""
        found = self._postings.get(term)
        return math.log(1 + len(self.pages) / len(found)) if found else 0.0

    def candidates(self, folded_quote: str, hints: Sequence[int] = ()) -> list[Candidate]:
        """Where the quote may stand, likeliest first: where most telling words agree on a place."""
        anchors = self._anchors(folded_quote)
        likely = self._likely_pages(anchors)
        places = sorted(
            (self._starts[page] + at - anchor.offset, number, page)
            for number, anchor in enumerate(anchors)
            for page, at in self._occurrences(anchor.text, likely)
        )
        best: dict[int, tuple[float, int]] = {}
        votes: dict[int, int] = {}
        total, first = 0.0, 0
        width = _VOTE_WIDTH + len(folded_quote) // 8
        for place, number, _ in places:
            votes[number] = votes.get(number, 0) + 1
            total += anchors[number].weight if votes[number] == 1 else 0.0
            while places[first][0] < place - width:
                gone = places[first][1]
                votes[gone] -= 1
                total -= anchors[gone].weight if votes[gone] == 0 else 0.0
                first += 1
            page = places[first][2]
            if total > best.get(page, (0.0, 0))[0]:
                best[page] = (total, places[first][0] - self._starts[page])
        ranked = sorted(best, key=lambda page: (-round(best[page][0], 6), page))
        found = [Candidate(page, max(0, best[page][1])) for page in ranked]
        return found + [Candidate(page, None) for page in hints if page not in best]

    def _anchors(self, folded_quote: str) -> list[_Anchor]:
        """The most telling pairs of neighbouring words (four characters of CJK) and rare single words."""
        spans = [found.span() for found in WORD.finditer(folded_quote)]
        pairs: list[_Anchor] = []
        singles: list[_Anchor] = []
        for i, (start, end) in enumerate(spans):
            is_cjk = folded_quote[start] >= "\u2e80"
            step = _CJK_ANCHOR - 1 if is_cjk else 1
            if i + step < len(spans):
                pairs += self._anchor(start, folded_quote[start : spans[i + step][1]])
            if not is_cjk and self._is_rare(folded_quote[start:end]):
                singles += self._anchor(start, folded_quote[start:end])
        pairs.sort(key=lambda anchor: -anchor.weight)
        singles.sort(key=lambda anchor: -anchor.weight)
        return pairs[:_MAX_ANCHORS] + singles[:_MAX_SINGLES]

    def _is_rare(self, word: str) -> bool:
        found = self._postings.get(word)
        return found is not None and len(found) <= max(3, len(self.pages) // _RARE_SHARE)

    def _anchor(self, offset: int, text: str) -> list[_Anchor]:
        """Nothing if a part of `text` is nowhere in the documents."""
        weights = [self.weight(term) for term in terms(text)]
        return [_Anchor(sum(weights), offset, text)] if weights and all(weights) else []

    def _likely_pages(self, anchors: Sequence[_Anchor]) -> list[int]:
        """The pages that hold the rarer words of the quote."""
        postings = (self._postings[term] for anchor in anchors for term in terms(anchor.text))
        return sorted({page for posting in postings if len(posting) <= _MAX_RARE for page in posting})

    def _occurrences(self, anchor: str, likely: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Pages and places in their folded texts; of common ones those on `likely` pages and a few more."""
        num_left = _MAX_OCCURRENCES
        rarest, *others = sorted((self._postings[term] for term in terms(anchor)), key=len)
        first = [page for page in likely if _holds(rarest, page)] if len(rarest) > _MAX_RARE else []
        for page in dict.fromkeys([*first, *rarest[:_MAX_OCCURRENCES]]):
            if not all(_holds(posting, page) for posting in others):
                continue
            text = self.pages[page].folded.text
            at = text.find(anchor)
            while at >= 0:
                yield page, at
                num_left -= 1
                if num_left == 0:
                    return
                at = text.find(anchor, at + 1)

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(p.folded.text) + 1 for p in self.pages[:-1]), initial=0))

    def hinted(self, labels: Sequence[str]) -> list[int]:
        """The pages that a reader could mean by `labels`: printed labels first, then ordinal numbers."""
        by_label = [
            n
            for label in labels
            for n, p in enumerate(self.pages)
            if p.page.label.casefold() == label.casefold()
        ]
        by_number = [
            n for label in labels for n, p in enumerate(self.pages) if str(p.page.page_index + 1) == label
        ]
        return list(dict.fromkeys(by_label + by_number))

    def page_passage(self, number: int) -> Passage:
        indexed = self.pages[number]
        return Passage(indexed.folded, ((indexed, 0, 0),))

    def window(self, candidate: Candidate, length: int, slack: int) -> Passage:
        """The part of a page where `length` folded characters from the candidate's start on may lie."""
        indexed = self.pages[candidate.number]
        if candidate.start is None:
            return self.page_passage(candidate.number)
        folded = indexed.folded
        start = min(max(0, candidate.start - slack), len(folded.text) - 1)
        end = min(len(folded.text), max(start + 1, candidate.start + length + slack))
        first, last = folded.span(start, end)
        return Passage(Folded(indexed.page.text[first:last]), ((indexed, 0, first),))

    def bridge(self, number: int, reach: int) -> Passage | None:
        """The last `reach` characters of a page and the first of the next, running lines left out."""
        if number < 0 or number + 1 >= len(self.pages):
            return None
        first, second = self.pages[number], self.pages[number + 1]
        follows = second.page.page_index == first.page.page_index + 1
        if first.document is not second.document or not follows:
            return None
        start = max(first.body[0], first.body[1] - reach)
        tail = first.page.text[start : first.body[1]].rstrip()
        joint = "" if tail.endswith(tuple(_HYPHENS)) else " "
        head = first_part(second.page.text, second.body, reach)
        source = tail + joint + head
        offset = len(tail) + len(joint)
        pieces = ((first, 0, start), (second, offset, second.body[0]))
        return Passage(Folded(source), pieces)


def _holds(posting: "array[int]", page: int) -> bool:
    place = bisect_left(posting, page)
    return place < len(posting) and posting[place] == page


def first_part(text: str, body: tuple[int, int], reach: int) -> str:
    return text[body[0] : min(body[1], body[0] + reach)]
