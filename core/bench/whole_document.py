"""A whole document: planned, read, asked, opened again and asked again, every page accounted for."""

import gc
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.bench.memory import mapped_weights_bytes, peak_of_own_memory
from core.bench.parrot import make_parrot, quotable, teach
from core.bench.planned import planned_bytes, warm_up
from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.layout import Document
from core.documents.worker import DocumentWorker
from core.engine import Engine, open_model
from core.events import CacheOutcome, Finished, Token
from core.models.quiet import silence_transformers
from core.paths import document_caches_dir, models_dir
from core.planning.own_memory import own_ram_bytes
from core.samples import all_samples
from core.session import DocumentSession
from core.settings import EngineSettings, SamplingSettings

_MIB = 1 << 20
_QUESTION = "What does the agreement say?"


@dataclass(frozen=True)
class _Opening:
    """What one opening of the document and its questions came to."""

    row: dict[str, Any]
    finished: tuple[Finished, ...]
    wanted: tuple[int, ...]
    first_token_s: float
    read_s: float


def measure(settings: EngineSettings, files: Sequence[Path], cancel: CancelToken) -> BenchResult:
    """The files one after the other, or the bundled samples.

    The model is one of two layers with a context of 256K whose answers quote three pages that are known
    beforehand: near the beginning, the middle and the end.
    """
    silence_transformers()
    with _folder(settings) as folder:
        make_parrot(folder / "parrot", models_dir(settings.cache_root), cancel)
        settings = replace(
            settings,
            model=str(folder / "parrot"),
            cache_root=folder,
            document_caches=True,
            cache_quota_bytes=1 << 40,
            sampling=SamplingSettings(max_new_tokens=64),
        )
        warm_up(cancel)
        document = _read(files or [sample.path for sample in all_samples()])
        first = _opened(settings, document, cancel)
        again = _opened(settings, document, cancel)
    return BenchResult((first.row, again.row), _targets(first, again))


def _targets(first: _Opening, again: _Opening) -> tuple[Target, ...]:
    answers = (*first.finished, *again.finished)
    cited = [{found.page_index for found in answer.citations if found.verified} for answer in answers]
    right = sum(page in pages for page, pages in zip((*first.wanted, *again.wanted), cited, strict=True))
    unread = sum(len(answer.pages_unread) for answer in answers)
    is_hit = again.finished[0].metrics.cache is CacheOutcome.HIT
    return (
        Target(
            "pages with text that were not read", unread - first.row["blank_pages"] * len(answers), 0, False
        ),
        Target("answers that cite their page", right, len(answers), at_least=True),
        Target("memory, times the plan", first.row["measured_to_planned"], 1.05, at_least=False),
        Target("opened again without reading", int(is_hit), 1, at_least=True),
        Target(
            "reopening to first token, share of reading", again.first_token_s / first.read_s, 0.015, False
        ),
    )


def _opened(settings: EngineSettings, document: Document, cancel: CancelToken) -> _Opening:
    gc.collect()
    before = own_ram_bytes()
    with open_model(settings, cancel=cancel) as engine:
        session = engine.open_document([document])
        started = time.perf_counter()
        with peak_of_own_memory() as peak:
            for _ in session.read(cancel):
                pass
        read_s = time.perf_counter() - started
        session.finish_writing()
        finished, wanted, first_token_s = _ask(engine, session, document, cancel)
        planned = planned_bytes(settings, session.num_prefix_tokens)
        measured = peak.num_bytes - before + mapped_weights_bytes()
        row = {
            "tokens": session.num_prefix_tokens,
            "pages": document.num_pages,
            "blank_pages": sum(not page.text.strip() for page in document.pages),
            "read_s": read_s,
            "first_token_s": first_token_s,
            "planned_mib": planned / _MIB,
            "measured_mib": measured / _MIB,
            "measured_to_planned": measured / planned,
        }
        session.close()
    return _Opening(row, tuple(finished), tuple(wanted), first_token_s, read_s)


def _ask(
    engine: Engine, session: DocumentSession, document: Document, cancel: CancelToken
) -> tuple[list[Finished], list[int], float]:
    """Answers, the pages they must cite, and the time to the first token of the first one."""
    loaded, first_token_s = engine.parts.loaded, 0.0
    finished, wanted = [], []
    for depth in (0.05, 0.5, 0.95):
        page_index, chain = _from_depth(engine, document, depth)
        teach(loaded.model, chain)
        conversation = engine.converse(session)
        started = time.perf_counter()
        for event in conversation.ask(_QUESTION, engine.parts.settings.sampling, cancel):
            if isinstance(event, Token) and not first_token_s:
                first_token_s = time.perf_counter() - started
            if isinstance(event, Finished):
                finished.append(event)
                wanted.append(page_index)
        conversation.close()
    return finished, wanted, first_token_s


def _from_depth(engine: Engine, document: Document, depth: float) -> tuple[int, list[int]]:
    """The first page from there on that has words which no other page has."""
    texts = [" ".join(page.text.split()) for page in document.pages]
    for page in document.pages[int(depth * document.num_pages) :]:
        for words, chain in quotable(page, engine.parts.loaded.tokenizer):
            if sum(words in text for text in texts) == 1:
                return page.page_index, chain
    raise AssertionError("a document has words of its own on some page")


def _read(paths: Sequence[Path]) -> Document:
    """The files' pages one after the other."""
    with DocumentWorker() as worker:
        documents = [worker.read(path) for path in paths]
    pages = [page for document in documents for page in document.pages]
    numbered = (replace(page, page_index=index, label=str(index + 1)) for index, page in enumerate(pages))
    return replace(documents[0], pages=tuple(numbered))


@contextmanager
def _folder(settings: EngineSettings) -> Iterator[Path]:
    parent = document_caches_dir(settings.cache_root).parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=parent) as folder:
        yield Path(folder)
