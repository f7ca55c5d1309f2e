"""Finds the sections that a question is about, in a full-text index that lives in memory.

A question and the passage that answers it share few words. So passages are short, rare words weigh most
(BM25), and a section is as good as its best passage. SQLite's FTS5 does the counting: words by their
beginnings, characters of CJK in threes.
"""

import math
import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from core.documents.folding import fold
from core.documents.layout import Document, Page
from core.documents.normalize import CJK
from core.documents.page_range import PageSelection
from core.documents.search_terms import SearchTerm
from core.documents.sections import CountTokens, PagePart, Section
from core.documents.sentences import sentence_spans

_PASSAGE_LENGTH = 420
_TITLE_WEIGHT = 0.5
_SECOND_PASSAGE = 0.25
_COVERAGE = 0.5
_PLACES_SHARE = 0.7
_TRIGRAM = 3
_SUMMARY = re.compile(
    r"^(?:please\s+|can you\s+|could you\s+)?(?:summari[sz]e|outline|condense)\b|"
    r"\b(?:a|the|brief|short|executive)\s+(?:summary|overview|synopsis)\s+of\s+(?:the|this|these)\s+"
    r"(?:\w+\s+)?(?:document|contract|agreement|report|book|paper|file|text|lease|manual)s?\b|"
    r"^(?:bitte\s+)?(?:fasse|fass)\b.*\bzusammen|\bzusammenfassung\b|^résume[rz]?\b|^resum[ae]\b|"
    r"总结|總結|概括|摘要|概述|要約|まとめ",
    re.IGNORECASE,
)
_SCHEMA = """
    CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE characters USING fts5(body, tokenize='trigram');
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that matches; `page_index` is where its best passage stands. Higher scores are better."""

    section: int
    page_index: int
    score: float


@dataclass(frozen=True)
class SectionChoice:
    """What will be read: `sections` in document order, and the pages on which they stand."""

    sections: tuple[Section, ...]
    pages: PageSelection
    num_tokens: int


class SectionIndex:
    """The passages of `sections`, searchable. It holds a database in memory: close it, or use it in a `with`.

    It belongs to the thread that made it.
    """

    def __init__(self, documents: Sequence[Document], sections: Sequence[Section]) -> None:
        self.sections = tuple(sections)
        self._places: list[tuple[int, int]] = []
        self._connection = sqlite3.connect(":memory:")
        self._connection.executescript(_SCHEMA)
        pages = [{page.page_index: page for page in document.pages} for document in documents]
        with self._connection:
            for number, section in enumerate(self.sections):
                title = fold(section.title)
                for part in section.parts:
                    for passage in _passages(pages[section.document_index][part.page_index], part):
                        self._add(number, part.page_index, title, passage)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def search(self, terms: Sequence[SearchTerm]) -> tuple[Hit, ...]:
        """The best passage of every page of a section that matches, best first.

        A passage is worth the sum of what its terms weigh, and more if it has many of them.
        """
        scores: dict[int, float] = defaultdict(float)
        matched: dict[int, float] = defaultdict(float)
        for term in terms:
            for row, score in self._matches(term):
                scores[row] += term.weight * score
                matched[row] += term.weight
        total = sum(term.weight for term in terms) or 1.0
        by_place: dict[tuple[int, int], list[float]] = defaultdict(list)
        for row, score in scores.items():
            by_place[self._places[row]].append(score * (1 - _COVERAGE + _COVERAGE * matched[row] / total))
        hits = []
        for (section, page_index), found in by_place.items():
            best, second = sorted([*found, 0.0], reverse=True)[:2]
            hits.append(Hit(section, page_index, best + _SECOND_PASSAGE * second))
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.section, hit.page_index)))

    def _add(self, section: int, page_index: int, title: str, passage: str) -> None:
        row = len(self._places)
        self._places.append((section, page_index))
        body = fold(passage)
        self._connection.execute("INSERT INTO words(rowid, title, body) VALUES (?, ?, ?)", (row, title, body))
        if any(character >= CJK[0] for character in body):
            text = f"{title} {body}"
            self._connection.execute("INSERT INTO characters(rowid, body) VALUES (?, ?)", (row, text))

    def _matches(self, term: SearchTerm) -> Iterator[tuple[int, float]]:
        """Rows that have the term and what it is worth in each."""
        if term.is_cjk:
            yield from self._character_matches(term.text)
            return
        wanted = f'"{term.text}"' + ("*" if term.is_prefix else "")
        found = self._connection.execute(
            f"SELECT rowid, -bm25(words, {_TITLE_WEIGHT}, 1.0) FROM words WHERE words MATCH ?",
            (wanted,),
        )
        with closing(found):
            yield from found

    def _character_matches(self, text: str) -> Iterator[tuple[int, float]]:
        """Two characters are less than the index knows; they are looked for in every passage."""
        is_indexed = len(text) >= _TRIGRAM
        where = "characters MATCH ?" if is_indexed else "instr(body, ?) > 0"
        rows = self._connection.execute(
            f"SELECT rowid FROM characters WHERE {where}",
            (f'"{text}"' if is_indexed else text,),
        ).fetchall()
        worth = math.log(1 + len(self._places) / max(1, len(rows)))
        for (row,) in rows:
            yield row, worth


def choose_sections(
    hits: Sequence[Hit],
    sections: Sequence[Section],
    documents: Sequence[Document],
    count_tokens: CountTokens,
    budget_tokens: int,
) -> SectionChoice:
    """The sections to read within `budget_tokens`: first the places that match best, then what is around.

    Pages are read whole. A page that is too long for what is left of the budget is left out, the next one is
    tried. If nothing matches, the beginnings of the documents are read. Empty if no page fits.
    """
    pages = {(n, page.page_index): page for n, document in enumerate(documents) for page in document.pages}
    chosen: dict[tuple[int, int], int] = {}
    touched: dict[int, None] = {}

    def take(section: int, page_index: int, limit: float) -> None:
        place = (sections[section].document_index, page_index)
        cost = count_tokens(pages[place])
        if place in chosen or sum(chosen.values()) + cost <= limit:
            chosen.setdefault(place, cost)
            touched.setdefault(section)

    ranked = hits or [Hit(number, part.page_index, 0.0) for number, part in _beginnings(sections)]
    for hit in ranked:
        take(hit.section, hit.page_index, _PLACES_SHARE * budget_tokens)
    for section in list(touched):
        for page_index in sections[section].page_indices:
            take(section, page_index, budget_tokens)
    for hit in ranked:
        take(hit.section, hit.page_index, budget_tokens)
    return SectionChoice(
        tuple(sections[number] for number in sorted(touched)),
        PageSelection.of({document.name: _chosen_of(n, chosen) for n, document in enumerate(documents)}),
        sum(chosen.values()),
    )


def pack_pages(
    sections: Sequence[Section],
    documents: Sequence[Document],
    count_tokens: CountTokens,
    budget_tokens: int,
) -> list[PageSelection] | None:
    """All pages of all sections, each once, in groups of whole sections that fit `budget_tokens`.

    None if a page is longer than that.
    """
    pages = {(n, page.page_index): page for n, document in enumerate(documents) for page in document.pages}
    groups: list[list[tuple[int, int]]] = [[]]
    size, seen = 0, set[tuple[int, int]]()
    for section in sections:
        places = [(section.document_index, index) for index in section.page_indices]
        places = [place for place in places if place not in seen]
        cost = sum(count_tokens(pages[place]) for place in places)
        if cost > budget_tokens:
            return None
        if size + cost > budget_tokens:
            groups.append([])
            size = 0
        groups[-1] += places
        seen.update(places)
        size += cost
    return [
        PageSelection.of({document.name: _chosen_of(n, group) for n, document in enumerate(documents)})
        for group in groups
    ]


def is_about_everything(question: str) -> bool:
    """Whether a question asks for a summary, which no choice of sections can give."""
    return bool(_SUMMARY.search(question.strip()))


def _beginnings(sections: Sequence[Section]) -> Iterator[tuple[int, PagePart]]:
    for number, section in enumerate(sections):
        for part in section.parts:
            yield number, part


def _chosen_of(document_index: int, chosen: Collection[tuple[int, int]]) -> list[int]:
    return [page_index for number, page_index in chosen if number == document_index]


def _passages(page: Page, part: PagePart) -> Iterator[str]:
    """Some sentences at a time, so that what belongs together is in one of them."""
    text = page.text[part.start : part.end]
    start = end = 0
    for first, last in sentence_spans(text):
        if end > start and last - start > _PASSAGE_LENGTH:
            yield text[start:end]
            start = first
        end = last
    if text[start:end].strip():
        yield text[start:end]
