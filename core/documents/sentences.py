"""Sentences of the pages with their telling terms: what an unquoted answer is compared with."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log

from core.documents.folding import fold, numbers, terms

_SENTENCE_END = re.compile(r"(?<=[.!?;])[\"'”’)\]]*\s+(?=[^a-z])|(?<=[。！？；])|\n")
_MAX_SENTENCE = 600
_PLURAL_LENGTH = 4


@dataclass(frozen=True, slots=True)
class Sentence:
    """The characters `[start, end)` of the text of the page at `page` (a position, not a page index)."""

    page: int
    start: int
    end: int
    terms: frozenset[str]


class SentenceTable:
    """All sentences of some pages and how rare each term is among them."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.sentences = tuple(
            Sentence(page, start, end, frozenset(sentence_terms(text[start:end])))
            for page, text in enumerate(texts)
            for start, end in sentence_spans(text)
        )
        self._counts = Counter(term for sentence in self.sentences for term in sentence.terms)
        self.mean_terms = sum(self._counts.values()) / max(1, len(self.sentences))

    def weight(self, term: str) -> float:
        """Inverse sentence frequency; a term of no sentence weighs as much as the rarest."""
        return log(1 + len(self.sentences) / max(1, self._counts[term]))


def sentence_terms(text: str) -> list[str]:
    """The words of a text without plural endings (pairs of characters in CJK), and its groups of digits."""
    folded = fold(text)
    found = [_singular(term) for term in terms(folded) if not term[0].isdigit()]
    return found + numbers(folded)


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end; very long ones are cut at a blank."""
    start = 0
    ends = [found.span() for found in _SENTENCE_END.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        while end - start > _MAX_SENTENCE:
            cut = text.rfind(" ", start, start + _MAX_SENTENCE)
            cut = cut if cut > start else start + _MAX_SENTENCE
            yield start, cut
            start = cut + 1 if text[cut] == " " else cut
        if text[start:end].strip():
            yield start, end
        start = following


def _singular(term: str) -> str:
    is_plural = len(term) >= _PLURAL_LENGTH and term.endswith("s") and not term.endswith("ss")
    return term[:-1].removesuffix("'") if is_plural else term
