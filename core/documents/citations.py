"""Verified quotes: what an answer puts in quotation marks is looked up word by word on the pages."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from core.documents.alignment import MIN_SIMILARITY, Alignment, closest, exact, says_the_same
from core.documents.folding import fold, words
from core.documents.layout import Document
from core.documents.quote_index import Candidate, IndexedPage, PageRect, Passage, QuoteIndex
from core.documents.quotes import Quote, find_quotes

_NUM_CANDIDATES = 5
_NUM_BRIDGED = 2
_HINT_BONUS = 0.02
_MAX_QUOTE_LENGTH = 6_000
_MAX_SHORT_WORDS = 3
_ELLIPSIS = re.compile(r"\s*[\[(]?\s*(?:(?<!\.)(?<!\.\s)\.\s?\.\s?\.(?:\s?\.)?(?!\s?\.)|…)\s*[\])]?\s*")
_EDGES = " .,;:!?\"'。，；：、！？"


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote of an answer and the place that it was found at.

    `start` and `end` are offsets of the quote in the answer, without its quotation marks. `score` is the
    similarity to the closest passage, 0 to 1. Of an unverified quote `rects` is empty and the page is the
    one that came closest.
    """

    document: str
    page_index: int
    page_label: str
    quote: str
    verified: bool
    score: float
    rects: tuple[PageRect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Match:
    """The best place for a quote or a part of one; `number` is its page's position in the index."""

    number: int
    indexed: IndexedPage
    is_verified: bool
    score: float
    rects: tuple[PageRect, ...]


def cite(
    answer: str,
    documents: Sequence[Document],
    pages_read: Mapping[str, Collection[int]] | None = None,
) -> tuple[Citation, ...]:
    """The quotes of one answer; `pages_read` as for `QuoteIndex`, which pays off for several answers."""
    return find_citations(answer, QuoteIndex(documents, pages_read))


def find_citations(answer: str, index: QuoteIndex) -> tuple[Citation, ...]:
    """Every quote of the answer in order, verified or not. Empty if no pages were read."""
    if not index.pages:
        return ()
    return tuple(_citation(quote, index) for quote in find_quotes(answer))


def _citation(quote: Quote, index: QuoteIndex) -> Citation:
    hints = index.hinted(quote.page_hints)
    parts = [part for part in map(_folded_part, _ELLIPSIS.split(quote.text)) if words(part)]
    match = _locate_parts(parts, hints, index)
    return Citation(
        match.indexed.document.name,
        match.indexed.page.page_index,
        match.indexed.page.label,
        quote.text,
        match.is_verified,
        round(match.score, 4),
        match.rects if match.is_verified else (),
        quote.start,
        quote.end,
    )


def _folded_part(text: str) -> str:
    return fold(text[:_MAX_QUOTE_LENGTH]).strip(_EDGES)


def _locate_parts(parts: list[str], hints: list[int], index: QuoteIndex) -> _Match:
    """A quote with omissions is verified if all its parts are, in order, on one page or two neighbours."""
    if not parts:
        number = hints[0] if hints else 0
        return _Match(number, index.pages[number], False, 0.0, ())
    longest = max(parts, key=len)
    anchor = _locate(longest, hints, index)
    if len(parts) == 1:
        return anchor
    near = [anchor.number, anchor.number + 1, anchor.number - 1]
    near = [number for number in near if 0 <= number < len(index.pages)]
    matches = [anchor if part is longest else _locate(part, near, index) for part in parts]
    numbers = [match.number for match in matches]
    in_order = numbers == sorted(numbers) and numbers[-1] - numbers[0] <= 1
    return _Match(
        numbers[0],
        matches[0].indexed,
        in_order and all(match.is_verified for match in matches),
        min(match.score for match in matches),
        tuple(rect for match in matches for rect in match.rects),
    )


def _locate(quote: str, hints: list[int], index: QuoteIndex) -> _Match:
    """The best place for a folded quote: word for word on a hinted page, then anywhere, then nearly."""
    found = _locate_exactly(quote, hints, index)
    if found is not None:
        return found
    ranked = index.candidates(quote, hints)
    is_short = len(words(quote)) <= _MAX_SHORT_WORDS
    best: _Match | None = None
    for number, passage in _passages(quote, ranked, index):
        if best is not None and best.is_verified and len(passage.pieces) > 1:
            break
        alignment = exact(quote, passage.folded.text)
        if alignment is None and not is_short:
            alignment = closest(quote, passage.folded.text)
        if alignment is None:
            continue
        match = _judged(quote, number, passage, alignment, index)
        if best is None or _rank(match, hints) > _rank(best, hints):
            best = match
    if best is not None:
        return best
    number = next(iter([*hints, *(candidate.number for candidate in ranked)]), 0)
    return _Match(number, index.pages[number], False, 0.0, ())


def _rank(match: _Match, hints: list[int]) -> tuple[bool, float]:
    return match.is_verified, match.score + (_HINT_BONUS if match.number in hints else 0.0)


def _locate_exactly(quote: str, hints: list[int], index: QuoteIndex) -> _Match | None:
    for number in [*hints, *range(len(index.pages))]:
        text = index.pages[number].folded.text
        if quote in text:
            alignment = exact(quote, text)
            if alignment is not None:
                return _judged(quote, number, index.page_passage(number), alignment, index)
    return None


def _passages(quote: str, ranked: list[Candidate], index: QuoteIndex) -> list[tuple[int, Passage]]:
    """Where to look closely: parts of pages, then page breaks that the quote may run over."""
    slack = len(quote) // 4 + 80
    found = [
        (candidate.number, index.window(candidate, len(quote), slack))
        for candidate in ranked[:_NUM_CANDIDATES]
    ]
    numbers = [n for candidate in ranked[:_NUM_BRIDGED] for n in (candidate.number - 1, candidate.number)]
    for number in dict.fromkeys(numbers):
        passage = index.bridge(number, len(quote) + slack)
        if passage is not None:
            found.append((number, passage))
    return found


def _judged(quote: str, number: int, passage: Passage, alignment: Alignment, index: QuoteIndex) -> _Match:
    start, end = alignment.start, alignment.end
    is_verified = alignment.similarity >= MIN_SIMILARITY and says_the_same(
        quote, passage.folded.text[start:end], index.knows
    )
    indexed = passage.first_page(start)
    rects = passage.rects(start, end) if is_verified else ()
    if indexed is not passage.pieces[0][0]:
        number += 1
    return _Match(number, indexed, is_verified, alignment.similarity, rects)
