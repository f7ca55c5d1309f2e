"""Whether a passage says what a quote says: the same words, numbers and negations, typing errors allowed."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from core.documents.folding import numbers, words

MIN_SIMILARITY = 0.85
_MAX_EXACT_WORDS = 3
_MIN_STEM = 4
_NOTE_MARK = re.compile(r"([^\W\d_]{3}[.,;:\"']{0,2})\d{1,3}(?=\s|$)")
_NEGATION_WORDS = """
    not no never nor neither none nothing without except unless cannot non
    nicht kein keine keinen keiner keinem nie niemals ohne weder
    ne pas jamais sans aucun aucune ni nunca sin ningún não sem
    не нет без ни никогда 不 没 無 无 非 未 莫 勿 否
"""
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
_EXACT_WORDS = """
    january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion
    first second third fourth fifth sixth seventh eighth ninth tenth
    〇 零 一 二 三 四 五 六 七 八 九 十 百 千 万 亿 億 两 兩
"""
_EXACT = frozenset(_EXACT_WORDS.split())
_FOREIGN_NEGATIONS = frozenset(("ne", "ni", "pas", "sin", "sem"))
_MIN_ROLE = 5
_GARBLED_SHARE = 0.4
_OPPOSING_PREFIXES = (
    "",
    "un",
    "in",
    "im",
    "il",
    "ir",
    "dis",
    "non",
    "mis",
    "de",
    "ex",
    "over",
    "under",
    "pre",
    "post",
)
_NEGATING_PREFIXES = frozenset(("un", "in", "im", "il", "ir"))
_NO_ROLES_TEXT = """
    after another customer either further however later matter member never number offer order other paper
    power quarter rather together under whether
"""
_NO_ROLES = frozenset(_NO_ROLES_TEXT.split())
_ROLE_ENDINGS = ("or", "er", "ee")
_FILLERS = frozenset(("the", "a", "an", "of", "that"))
_ENDINGS = frozenset(("", "s", "es", "ed", "d", "ing", "ly", "'s", "n", "en", "e", "er", "al"))


@dataclass(frozen=True, slots=True)
class Alignment:
    """The characters `[start, end)` of a folded passage that come closest to a quote; how close, 0 to 1."""

    start: int
    end: int
    similarity: float


def exact(quote: str, text: str) -> Alignment | None:
    """The first place where the folded quote stands in the folded text between word borders."""
    start = text.find(quote)
    while start >= 0:
        end = start + len(quote)
        if _is_border(text, start) and _is_border(text, end):
            return Alignment(start, end, 1.0)
        start = text.find(quote, start + 1)
    return None


def closest(quote: str, text: str, min_similarity: float = 0.6) -> Alignment | None:
    """The stretch of whole words of the folded text that differs least from the folded quote."""
    if not quote or not text:
        return None
    if len(quote) > len(text):
        found = Alignment(0, len(text), 0.0)
    else:
        rough = fuzz.partial_ratio_alignment(quote, text, score_cutoff=100 * min_similarity)
        if rough is None:
            return None
        found = Alignment(rough.dest_start, rough.dest_end, 0.0)
    return _fitted(quote, text, found)


def _fitted(quote: str, text: str, found: Alignment) -> Alignment | None:
    """`found` moved to the word borders nearby that fit the quote best."""
    reach = max(12, len(quote) // 8)
    start = _best(_borders(text, found.start, reach), lambda at: (at, found.end), quote, text)
    end = _best(_borders(text, found.end, reach), lambda at: (start, at), quote, text)
    start = _best(_borders(text, start, reach), lambda at: (at, end), quote, text)
    while start < end and text[start] == " ":
        start += 1
    while start < end and text[end - 1] == " ":
        end -= 1
    if start >= end:
        return None
    return Alignment(start, end, Levenshtein.normalized_similarity(quote, text[start:end]))


def _best(places: list[int], span: Callable[[int], tuple[int, int]], quote: str, text: str) -> int:
    def distance(at: int) -> int:
        start, end = span(at)
        return Levenshtein.distance(quote, text[start:end]) if start < end else len(quote)

    return min(places, key=distance)


def _borders(text: str, around: int, reach: int) -> list[int]:
    low, high = max(0, around - reach), min(len(text), around + reach)
    return [at for at in range(low, high + 1) if _is_border(text, at)] or [around]


def _is_border(text: str, at: int) -> bool:
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    return not (before.isalnum() and after.isalnum()) or before >= "\u2e80" or after >= "\u2e80"


def says_the_same(quote: str, passage: str, is_word: Callable[[str], bool]) -> bool:
    """Whether the folded passage has every number, negation and word of the folded quote, in order.

    Letters may differ as typing errors do: a word that is no word (by `is_word`) may stand for a similar
    one, and a word for another form of itself.
    """
    if quote == passage:
        return True
    if numbers(quote) != numbers(passage):
        passage = _NOTE_MARK.sub(r"\1", passage)
        if numbers(quote) != numbers(passage):
            return False
    quoted, printed = _spoken(quote), _spoken(passage)
    if len(quoted) <= _MAX_EXACT_WORDS and sum(map(len, quoted)) < 20:
        return quoted == printed
    num_fillers = 0
    for left, right in _differences(quoted, printed):
        if not left or not right:
            num_fillers += len(left) + len(right)
            if not all(map(_is_filler, left + right)):
                return False
        elif not _is_slip(left, right, is_word):
            return False
    return num_fillers <= max(1, len(quoted) // 12)


def _spoken(folded: str) -> list[str]:
    """The words of a folded text without the punctuation marks of Chinese and Japanese among them."""
    return [word for word in words(folded) if word[0].isalnum()]


def _differences(quoted: list[str], printed: list[str]) -> list[tuple[list[str], list[str]]]:
    """Maximal runs in which the two sequences of words differ."""
    runs: list[tuple[list[str], list[str]]] = []
    is_open = False
    for step in Levenshtein.opcodes(quoted, printed):
        if step.tag == "equal":
            is_open = False
            continue
        if not is_open:
            runs.append(([], []))
        runs[-1][0].extend(quoted[step.src_start : step.src_end])
        runs[-1][1].extend(printed[step.dest_start : step.dest_end])
        is_open = True
    return runs


def _is_filler(word: str) -> bool:
    return word in _FILLERS or (len(word) == 1 and word.isalpha() and word < "\u2e80")


def _is_slip(left: list[str], right: list[str], is_word: Callable[[str], bool]) -> bool:
    """Whether the quoted words `left` are the printed words `right` with typing errors or other endings."""
    if not _keeps_negations(left, right, is_word) or not _keeps_numerals(left, right):
        return False
    if len(left) == len(right) and all(
        _is_same_word(a, b, is_word) for a, b in zip(left, right, strict=True)
    ):
        return True
    if len(left) == len(right) == 1:
        return False
    foreign = [word for word in left if word not in right and len(word) > 2 and is_word(word)]
    if len(left) > len(right):  # a compound may have lost its hyphen
        foreign = [word for word in foreign if not any(word in whole for whole in right)]
    quoted, printed = "".join(left), "".join(right)
    allowed = 1 if foreign else max(2, len(printed) // 3)
    return Levenshtein.distance(quoted, printed) <= allowed


def _keeps_numerals(left: list[str], right: list[str]) -> bool:
    """Whether no number or date in words is new, and none of Chinese is lost."""
    has_new = any(word in _EXACT and word not in right for word in left)
    return not has_new and not any(word in _EXACT and word >= "\u2e80" and word not in left for word in right)


def _keeps_negations(left: list[str], right: list[str], is_word: Callable[[str], bool]) -> bool:
    quoted, printed = _negations(left), _negations(right)
    quoted -= Counter(word for word in left if word in _FOREIGN_NEGATIONS and not is_word(word))
    quoted, printed = _without_garbled(quoted - printed, printed - quoted)
    if quoted:
        return False
    misspelt = [word for word in left if not is_word(word)]
    return all(any(_is_misspelt(word, negation) for word in misspelt) for negation in printed)


def _without_garbled(quoted: Counter[str], printed: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """What remains when contractions that differ in one letter (dan't for can't) are taken for the same."""
    quoted, printed = quoted.copy(), printed.copy()
    for word in list(quoted.elements()):
        twin = next((p for p in printed.elements() if Levenshtein.distance(word, p) == 1), None)
        if word not in _NEGATIONS and twin is not None:
            quoted[word] -= 1
            printed[twin] -= 1
    return +quoted, +printed


def _is_misspelt(word: str, negation: str) -> bool:
    if Levenshtein.distance(word, negation) <= 1:
        return True
    return len(word) == len(negation) and any(a == b for a, b in zip(word, negation, strict=True))


def _is_same_word(quoted: str, printed: str, is_word: Callable[[str], bool]) -> bool:
    if quoted == printed:
        return True
    distance = Levenshtein.distance(quoted, printed)
    if quoted in _EXACT or (printed in _EXACT and printed >= "\u2e80") or _are_opposed(quoted, printed):
        return False
    if printed in _EXACT and distance > 1:
        return not is_word(quoted) and _can_only_be(quoted, printed, distance)
    if distance == 1:
        return quoted < "\u2e80" or not is_word(quoted)
    if is_word(quoted):
        return _is_inflection(quoted, printed)
    return distance <= max(2, round(0.45 * max(len(quoted), len(printed)))) or _is_garbled(quoted, printed)


def _is_garbled(quoted: str, printed: str) -> bool:
    """Whether two letters in five stand where they belong."""
    num_same = sum(a == b for a, b in zip(quoted, printed, strict=False))
    return len(quoted) == len(printed) and num_same >= _GARBLED_SHARE * len(printed)


def _can_only_be(garbled: str, printed: str, distance: int) -> bool:
    """Whether `garbled` is nearer to the number or name `printed` than to every other one."""
    if len(garbled) != len(printed) or distance > _GARBLED_SHARE * len(printed):
        return False
    return all(Levenshtein.distance(garbled, other) > distance for other in _EXACT if other != printed)


def _are_opposed(a: str, b: str) -> bool:
    """Whether two words are the two sides of one thing: lessor and lessee, lawful and unlawful."""
    can_be_roles = b not in _NO_ROLES and min(len(a), len(b)) >= _MIN_ROLE and a[:-2] == b[:-2]
    if can_be_roles and a[-2:] in _ROLE_ENDINGS and b[-2:] in _ROLE_ENDINGS:
        return True
    if a[:2] in _NEGATING_PREFIXES and b[:2] in _NEGATING_PREFIXES:
        return False
    stems_a = {a.removeprefix(prefix) for prefix in _OPPOSING_PREFIXES if len(a) - len(prefix) >= _MIN_STEM}
    stems_b = {b.removeprefix(prefix) for prefix in _OPPOSING_PREFIXES if len(b) - len(prefix) >= _MIN_STEM}
    return bool(stems_a & stems_b)


def _is_inflection(a: str, b: str) -> bool:
    length = 0
    while length < min(len(a), len(b)) and a[length] == b[length]:
        length += 1
    return length >= 4 and a[length:] in _ENDINGS and b[length:] in _ENDINGS


def _negations(found: list[str]) -> Counter[str]:
    return Counter(word for word in found if word in _NEGATIONS or word.endswith("n't"))
