"""Does section search read the page that holds the answer? Planted facts are asked for in other words."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.bench.planted_facts import CHINESE, ENGLISH
from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.layout import Block, Document, Page
from core.documents.normalize import is_cjk
from core.documents.search_terms import SearchTerm, search_terms
from core.documents.section_search import SectionIndex, choose_sections
from core.documents.sections import DEFAULT_BUDGET_TOKENS, find_sections, max_section_tokens
from core.documents.sentences import sentence_spans
from core.documents.worker import DocumentWorker
from core.samples import all_samples

_WANTED = 0.9
_CHARACTERS_PER_TOKEN = 3.5
_SEED = 7

Expand = Callable[[str, tuple[SearchTerm, ...]], tuple[SearchTerm, ...]]


def measure(
    paths: Sequence[Path],
    budget_tokens: int | None,
    cancel: CancelToken,
    expand: Expand | None = None,
) -> BenchResult:
    """The share of questions whose fact stands on one of the pages read.

    Each fact is planted alone, between two sentences of a page chosen by chance. Without `paths` the bundled
    samples are taken. Tokens are estimated from characters, rather too many than too few. `expand` gives
    related terms, as the model does when a question is asked.
    """
    with DocumentWorker() as worker:
        documents = [worker.read(path) for path in paths or [sample.path for sample in all_samples()]]
    rows = [
        measure_document(document, budget_tokens or DEFAULT_BUDGET_TOKENS, cancel, expand)
        for document in documents
    ]
    found, asked = sum(row["found"] for row in rows), sum(row["of"] for row in rows)
    return BenchResult(tuple(rows), (Target("fact's page read", found / asked, _WANTED, at_least=True),))


def measure_document(
    document: Document, budget_tokens: int, cancel: CancelToken, expand: Expand | None = None
) -> dict[str, Any]:
    """One row: how many facts were found in `document`, and what a search took."""
    source = random.Random(f"{_SEED}{document.name}")
    pages = [number for number, page in enumerate(document.pages) if page.has_text]
    facts = CHINESE if _is_chinese(document) else ENGLISH
    found, num_read, elapsed_s = 0, 0, 0.0
    for fact, question in facts:
        cancel.raise_if_cancelled()
        number = source.choice(pages)
        planted = plant(document, number, fact, source)
        started = time.perf_counter()
        read = pages_read(planted, question, budget_tokens, expand)
        elapsed_s += time.perf_counter() - started
        found += document.pages[number].page_index in read
        num_read += len(read)
    return {
        "document": document.name[:40],
        "pages": len(pages),
        "budget": budget_tokens,
        "found": found,
        "of": len(facts),
        "pages_read": num_read / len(facts),
        "ms_per_search": 1000 * elapsed_s / len(facts),
    }


def pages_read(
    document: Document, question: str, budget_tokens: int, expand: Expand | None = None
) -> list[int]:
    """The 0-based indices of the pages that section search would read for `question`."""
    sections = find_sections([document], estimated_tokens, max_section_tokens(budget_tokens))
    terms = search_terms(question)
    if expand is not None:
        terms = (*terms, *expand(question, terms))
    with SectionIndex([document], sections) as index:
        hits = index.search(terms)
    choice = choose_sections(hits, sections, [document], estimated_tokens, budget_tokens)
    wanted = choice.pages.of_document(document.name)
    return [page.page_index for page in document.pages if page.page_index in wanted]


def plant(document: Document, number: int, fact: str, source: random.Random) -> Document:
    """`document` with `fact` between two sentences of its page at position `number`."""
    page = document.pages[number]
    ends = [end for _, end in sentence_spans(page.text)]
    at = source.choice(ends)
    inserted = f" {fact}"
    planted = replace(
        page,
        text=page.text[:at] + inserted + page.text[at:],
        blocks=tuple(_moved(block, at, len(inserted)) for block in page.blocks),
        fragments=(),
    )
    return replace(document, pages=(*document.pages[:number], planted, *document.pages[number + 1 :]))


def estimated_tokens(page: Page) -> int:
    """What a page may cost, guessed from its characters."""
    num_cjk = sum(map(is_cjk, page.text))
    return round((len(page.text) - num_cjk) / _CHARACTERS_PER_TOKEN) + num_cjk + 8


def _moved(block: Block, at: int, length: int) -> Block:
    lines = tuple(
        replace(
            line,
            start=line.start + (length if line.start >= at else 0),
            end=line.end + (length if line.end >= at else 0),
        )
        for line in block.lines
    )
    return replace(block, lines=lines)


def _is_chinese(document: Document) -> bool:
    sample = "".join(page.text[:200] for page in document.pages[:40])
    return sum(map(is_cjk, sample)) > len(sample) / 3
