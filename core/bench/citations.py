"""Are quotes found where they stand, with errors too, and refused where nobody wrote them?"""

import random
import re
import string
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.alignment import MIN_SIMILARITY
from core.documents.citations import Citation, find_citations
from core.documents.folding import fold, numbers
from core.documents.layout import Document
from core.documents.quote_index import QuoteIndex
from core.documents.worker import DocumentWorker
from core.samples import all_samples

NUM_PASSAGES = 500
_MIN_WORDS, _MAX_WORDS = 8, 40
_CHANGED_SHARE = 0.05
SEEDS = (23, 1905, 777_001)
_NUM_RENDERED = 10
_ZOOM = 3.0
_MIN_CONTRAST = 96
_KINDS = ("verbatim", "5 % changed", "5 % changed, same numbers", "one word swapped", "invented")
_OTHER_NUMBER = "5 % changed, another number"
_QUOTE_MARKS = str.maketrans(dict.fromkeys('"“”„‟«»「」『』', "'"))
_NUMERALS = "〇零一二三四五六七八九十百千万亿億两兩"
_PUNCTUATION = ".,;:!?-/()"

_LEADER = re.compile(r"(?:\.\s?){4,}")


@dataclass(frozen=True)
class Passage:
    """Words of one page and the page that they were taken from."""

    words: tuple[str, ...]
    page_index: int

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass
class Rates:
    """How many passages were looked up, found on a page that holds them, and called verbatim; in how long.

    `on_page` counts those that are called verbatim there; one that is found may also be called not word
    for word, its page and a similarity beside it. `contradicted` counts those that are called verbatim
    where the highlighted words have other numbers.
    """

    num: int = 0
    found: int = 0
    accepted: int = 0
    on_page: int = 0
    contradicted: int = 0
    elapsed_s: float = 0.0

    def row(self, kind: str, seed: int) -> dict[str, Any]:
        num = max(1, self.num)
        return {
            "passages": kind,
            "seed": seed,
            "n": self.num,
            "accepted": self.accepted / num,
            "on_a_page_that_holds_it": self.on_page / num,
            "found": self.found / num,
            "contradicted": self.contradicted / num,
            "ms_per_quote": 1000 * self.elapsed_s / num,
        }


def measure(paths: Sequence[Path], cancel: CancelToken, num_passages: int = NUM_PASSAGES) -> BenchResult:
    """Passages of 8 to 40 words taken by chance from documents; `paths`, or the bundled samples without any.

    Any character is changed. A quote with another number says something else: it is to be found, and never
    to be called verbatim where that number is not printed (the next row of a table may have it). Times are
    those of the processor.
    """
    files = list(paths) or [sample.path for sample in all_samples()]
    with DocumentWorker() as worker:
        documents = [worker.read(path) for path in files]
        results = [measure_documents(documents, cancel, num_passages, seed) for seed in SEEDS]
        num_on_ink = num_boxes = 0
        for path, document in zip(files, documents, strict=True):
            cancel.raise_if_cancelled()
            found = highlights(worker, path, document, _NUM_RENDERED)
            num_on_ink, num_boxes = num_on_ink + found[0], num_boxes + found[1]
    on_ink = Target("highlights on printed words", num_on_ink / max(1, num_boxes), 1.0, at_least=True)
    row = {"passages": "highlighted lines", "n": num_boxes, "on_ink": on_ink.value}
    rows = tuple(row for result in results for row in result.rows)
    return BenchResult((*rows, row), (*_worst([result.targets for result in results]), on_ink))


def _worst(targets: Sequence[tuple[Target, ...]]) -> list[Target]:
    """Of each target the value that is farthest on the wrong side."""
    return [
        (min if same[0].at_least else max)(same, key=lambda target: target.value)
        for same in zip(*targets, strict=True)
    ]


def measure_documents(
    documents: Sequence[Document],
    cancel: CancelToken,
    num_passages: int = NUM_PASSAGES,
    seed: int = SEEDS[0],
) -> BenchResult:
    source = random.Random(seed)
    kinds = {kind: Rates() for kind in (*_KINDS, _OTHER_NUMBER)}
    indexes = [QuoteIndex([document]) for document in documents]
    everything = [word for document in documents for page in document.pages for word in page.text.split()]
    for number in range(num_passages):
        cancel.raise_if_cancelled()
        document, index = documents[number % len(documents)], indexes[number % len(documents)]
        passage = random_passage(document, source)
        holders = pages_with(passage, index)
        judge(kinds["verbatim"], passage.text, holders, index)
        changed = with_errors(passage.text, source)
        judge(kinds["5 % changed"], changed, holders, index)
        if _all_numbers(changed) != _all_numbers(passage.text):
            judge(kinds[_OTHER_NUMBER], changed, holders, index)
        else:
            judge(kinds["5 % changed, same numbers"], changed, holders, index)
        judge(kinds["one word swapped"], with_swapped_word(passage, everything, source), holders, index)
        judge(kinds["invented"], invented(passage, everything, source), frozenset(), index)
    rows = {kind: rates.row(kind, seed) for kind, rates in kinds.items()}
    slowest = max(row["ms_per_quote"] for row in rows.values())
    same_numbers = rows["5 % changed, same numbers"]["on_a_page_that_holds_it"]
    contradicted = rows[_OTHER_NUMBER]["contradicted"]
    return BenchResult(
        tuple(rows.values()),
        (
            Target("verbatim found", rows["verbatim"]["on_a_page_that_holds_it"], 0.995, at_least=True),
            Target("5 % changed found", rows["5 % changed"]["found"], 0.97, at_least=True),
            Target("5 % changed, same numbers, verified", same_numbers, 0.97, at_least=True),
            Target("verified against another number", contradicted, 0.0, at_least=False),
            Target("invented accepted", rows["invented"]["accepted"], 0.005, at_least=False),
            Target("ms a quote", slowest, 20.0, at_least=False),
        ),
    )


def highlights(worker: DocumentWorker, path: Path, document: Document, num_passages: int) -> tuple[int, int]:
    """How many highlighted lines of verbatim quotes lie on something printed, and how many there are.

    Each line is rendered by itself, as the page is displayed: rotated pages too.
    """
    source, index = random.Random(SEEDS[0]), QuoteIndex([document])
    num_on_ink, num_boxes = 0, 0
    for _ in range(num_passages):
        citation = judge(Rates(), random_passage(document, source).text, frozenset(), index)
        for rect in citation.rects if citation is not None else ():
            box = rect.bbox
            image = worker.render(path, rect.page_index, _ZOOM, (box.x0, box.y0, box.x1, box.y1))
            num_boxes += 1
            num_on_ink += max(image.rgb) - min(image.rgb) >= _MIN_CONTRAST
    return num_on_ink, num_boxes


def judge(rates: Rates, quote: str, holders: frozenset[int], index: QuoteIndex) -> Citation | None:
    """Look `quote` up and count what became of it."""
    started = time.process_time()
    citations = find_citations(f"“{quote.translate(_QUOTE_MARKS)}”", index)
    rates.elapsed_s += time.process_time() - started
    citation = citations[0] if citations else None
    rates.num += 1
    if citation is not None:
        is_near = citation.page_index in holders and citation.score >= MIN_SIMILARITY
        rates.found += is_near
        rates.accepted += citation.verified
        rates.on_page += is_near and citation.verified
        rates.contradicted += citation.verified and _all_numbers(quote) != _all_numbers(
            highlighted_text(citation, index)
        )
    return citation


def highlighted_text(citation: Citation, index: QuoteIndex) -> str:
    """The words whose middle lies in one of the citation's rectangles, in the order of the page's text."""
    text: list[str] = []
    for indexed in index.pages:
        boxes = [rect.bbox for rect in citation.rects if rect.page_index == indexed.page.page_index]
        for fragment in indexed.page.fragments if boxes else ():
            x = (fragment.bbox.x0 + fragment.bbox.x1) / 2
            y = (fragment.bbox.y0 + fragment.bbox.y1) / 2
            if any(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for box in boxes):
                text.append(indexed.page.text[fragment.start : fragment.end])
    return " ".join(text)


def random_passage(document: Document, source: random.Random) -> Passage:
    """Successive words of one page, at least eight of them words or numbers (and not dots or lines)."""
    texts = [(page.page_index, page.text.split()) for page in document.pages]
    texts = [(page_index, words) for page_index, words in texts if _num_real(words) > _MIN_WORDS]
    while True:
        page_index, words = source.choice(texts)
        length = source.randint(_MIN_WORDS, min(_MAX_WORDS, len(words) - 1))
        start = source.randrange(len(words) - length)
        chosen = words[start : start + length]
        if _num_real(chosen) >= _MIN_WORDS:
            return Passage(tuple(chosen), page_index)


def _num_real(words: Sequence[str]) -> int:
    return sum(any(map(str.isalnum, word)) for word in words)


def pages_with(passage: Passage, index: QuoteIndex) -> frozenset[int]:
    """The page that it was taken from, and all others that say the same word for word."""
    folded = fold(passage.text).replace('"', "'")
    holders = (e.page.page_index for e in index.pages if folded in e.folded.text.replace('"', "'"))
    return frozenset([passage.page_index, *holders])


def with_errors(text: str, source: random.Random) -> str:
    """`text` with one in twenty characters changed: letters to others, digits to others, marks to others.

    Every second mark is dropped instead. Leading dots are neither changed nor counted.
    """
    leaders = {place for found in _LEADER.finditer(text) for place in range(*found.span())}
    places = [place for place, letter in enumerate(text) if letter != " " and place not in leaders]
    num_changed = max(1, round(_CHANGED_SHARE * (len(text) - len(leaders))))
    changed = set(source.sample(places, min(len(places), num_changed)))
    letters = (_other(letter, source) if place in changed else letter for place, letter in enumerate(text))
    return "".join(letters)


def with_swapped_word(passage: Passage, everything: Sequence[str], source: random.Random) -> str:
    """One word of five letters or more replaced by another one from somewhere in the documents."""
    places = [place for place, word in enumerate(passage.words) if len(word) > 4 and word.isalpha()]
    place = source.choice(places or range(len(passage.words)))
    word = source.choice(everything)
    while len(word) < 5 or fold(word) == fold(passage.words[place]):
        word = source.choice(everything)
    return " ".join([*passage.words[:place], word, *passage.words[place + 1 :]])


def invented(passage: Passage, everything: Sequence[str], source: random.Random) -> str:
    """As many words from anywhere, in no order."""
    return " ".join(source.choice(everything) for _ in passage.words)


def _all_numbers(text: str) -> tuple[list[str], list[str]]:
    """What a text counts: digits, and the numerals of Chinese."""
    return numbers(fold(text)), [letter for letter in text if letter in _NUMERALS]


def _other(letter: str, source: random.Random) -> str:
    if letter.isdigit():
        return source.choice([other for other in string.digits if other != letter])
    if not letter.isalpha():
        return "" if source.random() < 0.5 else source.choice(_PUNCTUATION.replace(letter, ""))
    if letter >= "\u2e80":
        return chr(0x4E00 + source.randrange(2000))
    return source.choice([other for other in string.ascii_lowercase if other != letter.lower()])
