"""The passage that best supports an answer which quotes nothing: a pointer for the reader, never a quote."""

from dataclasses import dataclass

from core.documents.quote_index import IndexedPage, PageRect, QuoteIndex
from core.documents.sentences import Sentence, SentenceTable, sentence_terms

_NUMBER_FACTOR = 3.0
_QUESTION_FACTOR = 0.35
_LENGTH_PENALTY = 0.3
_MIN_SUPPORT = 0.4
_MIN_SHARED = 2
_NEIGHBOUR_BONUS = 0.5


@dataclass(frozen=True, slots=True)
class ClosestPassage:
    """A sentence or two of one page. `score` is the share of the answer's telling terms in it."""

    document: str
    page_index: int
    page_label: str
    text: str
    score: float
    rects: tuple[PageRect, ...]


def closest_passage(question: str, answer: str, index: QuoteIndex) -> ClosestPassage | None:
    """The sentence, with a neighbour where it helps, that shares most of the answer's rare terms.

    Numbers and dates weigh most, then the answer's terms, then the question's. None if too little is shared
    to call it support.
    """
    table = index.sentences
    in_answer = {term: _factor(term) * table.weight(term) for term in sentence_terms(answer)}
    in_question = {term: _QUESTION_FACTOR * table.weight(term) for term in sentence_terms(question)}
    total = sum(in_answer.values())
    if not table.sentences or total <= 0:
        return None
    wanted = {term: max(in_answer.get(term, 0.0), weight) for term, weight in in_question.items()} | in_answer
    best = max(range(len(table.sentences)), key=lambda i: _score(table.sentences[i], wanted, table))
    chosen = _with_neighbour(best, table, wanted)
    shared = {term for sentence in chosen for term in sentence.terms if term in in_answer}
    support = sum(in_answer[term] for term in shared) / total
    if support < _MIN_SUPPORT or len(shared) < min(_MIN_SHARED, len(in_answer)):
        return None
    return _passage(index.pages[chosen[0].page], chosen[0].start, chosen[-1].end, support)


def _factor(term: str) -> float:
    return _NUMBER_FACTOR if term[0].isdigit() else 1.0


def _score(sentence: Sentence, wanted: dict[str, float], table: SentenceTable) -> float:
    """Shared weight; long sentences share much by chance and count less."""
    shared = sum(wanted[term] for term in sentence.terms if term in wanted)
    return shared / (1 - _LENGTH_PENALTY + _LENGTH_PENALTY * len(sentence.terms) / table.mean_terms)


def _with_neighbour(best: int, table: SentenceTable, wanted: dict[str, float]) -> list[Sentence]:
    """The best sentence alone, or with the one before or after it if that adds much of what it lacks."""
    own = table.sentences[best]
    base = sum(wanted[term] for term in own.terms if term in wanted)
    result, most = [own], _NEIGHBOUR_BONUS * base
    for position in (best - 1, best + 1):
        if not 0 <= position < len(table.sentences) or table.sentences[position].page != own.page:
            continue
        other = table.sentences[position]
        gain = sum(wanted[term] for term in other.terms - own.terms if term in wanted)
        if gain > most:
            result, most = ([other, own] if position < best else [own, other]), gain
    return result


def _passage(indexed: IndexedPage, start: int, end: int, support: float) -> ClosestPassage:
    page = indexed.page
    rects = tuple(PageRect(page.page_index, box) for box in page.boxes(start, end))
    text = " ".join(page.text[start:end].split())
    name = indexed.document.name
    return ClosestPassage(name, page.page_index, page.label, text, round(min(1.0, support), 4), rects)
