"""What to look for when somebody asks a question: its telling words, by their stems."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.documents.folding import fold
from core.documents.normalize import CJK

_STOP_WORDS_TEXT = """
    a about above after again all also am an and any are as at be because been before being below between
    both but by can could did do does doing done down during each either else ever every few for from
    further get give given had has have having he her here hers him his how i if in into is it its itself
    just kind let long made make many may me might more most much must my no nor not now of off on once one
    only or other our out over own please same say says shall she should so some state such tell than that
    the their them then there these they this those through to too under until up upon us use used very was
    we were what when where whether which while who whom whose why will with within without would yes you
    your document documents page pages text file section sections according mention mentioned mentions
    describe explain list find question answer aber alle als am an auch auf aus bei bin bis da das dass dem
    den der des die dies diese dieser dieses du durch ein eine einem einen einer eines er es für hat haben
    hier ich ihr im in ist ja kann kein keine man mit muss nach nein nicht noch nur ob oder sein seine sich
    sie sind so soll über um und uns von vor wann war warum was wegen welche welcher welches wenn wer werden
    wie wird wo wurde zu zum zur au aux avec ce ces cette comme dans de des du elle elles en est et être il
    ils je la le les leur lui mais ne nous ont ou où par pas pour quand que quel quelle quels quelles qui sa
    sans se ses son sont sur un une vous al como con cual cuales cuando cuánto de del donde el ella en entre
    era es esta este la las lo los más no o para pero por qué quién se según ser si sin sobre son su sus un
    una y
"""
_STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
_CJK_STOP = re.compile(
    "什么|什麼|哪些|哪个|哪個|哪里|哪裡|多少|如何|怎么|怎麼|怎样|为什么|為什麼|是否|以及|或者|请问|請問|根据|根據|规定|"
    "文件|文档|本文|"
    "[的了是在和与與及或吗嗎呢吧之其这這那些个個被把对對从從由为為有谁誰几幾何请請什麼么]|[?？。，、：；！]"
)
_WORD = re.compile(rf"(?:(?![{CJK}])[^\W_])+")
_CJK_RUN = re.compile(f"(?:(?![\uff00-\uffef\u3000-\u303f])[{CJK}])+")
_ENDINGS_TEXT = """
    izations ization ations ation ments ment ances ance ences ence ities ness ings ing ions ion ers ors ies
    ied able ible ally al ic ive ed er or es ly ity s e y
"""
_ENDINGS = tuple(_ENDINGS_TEXT.split())
_MIN_STEM = 4
_MIN_LETTERS = 2
_MAX_TERMS = 32
_CJK_LENGTHS = (2, 3)


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """`text` is folded. A prefix stands for all words that begin with it, CJK for any place in a text."""

    text: str
    is_prefix: bool
    is_cjk: bool
    weight: float = 1.0


def search_terms(text: str, weight: float = 1.0) -> tuple[SearchTerm, ...]:
    """The words of `text` that are no stop words, as stems, in order; two and three characters for CJK."""
    folded = fold(text)
    words = [_word_term(word, weight) for word in _WORD.findall(folded) if _is_telling(word)]
    characters = [SearchTerm(term, False, True, weight) for term in _cjk_terms(folded)]
    return tuple(dict.fromkeys([*words, *characters]))[:_MAX_TERMS]


def related_terms(text: str, known: tuple[SearchTerm, ...], weight: float) -> tuple[SearchTerm, ...]:
    """The terms of a text of related words that are not among the `known` ones already."""
    taken = {term.text for term in known}
    return tuple(term for term in search_terms(text, weight) if term.text not in taken)


def _is_telling(word: str) -> bool:
    return word not in _STOP_WORDS and (len(word) >= _MIN_LETTERS or word.isdigit())


def _word_term(word: str, weight: float) -> SearchTerm:
    if any(character.isdigit() for character in word):
        return SearchTerm(word, False, False, weight)
    stem = _stem(word)
    return SearchTerm(stem, len(stem) >= _MIN_STEM, False, weight)


def _stem(word: str) -> str:
    """`word` without its ending; inexact on purpose, because it is looked up as a beginning."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
            return word[: -len(ending)]
    return word


def _cjk_terms(folded: str) -> Iterator[str]:
    """Neighbouring characters in twos, as most words are, and in threes, which are rarer and tell more."""
    pieces = [piece for run in _CJK_RUN.findall(folded) for piece in _CJK_STOP.split(run)]
    for length in _CJK_LENGTHS:
        for piece in pieces:
            for start in range(len(piece) - length + 1):
                yield piece[start : start + length]
