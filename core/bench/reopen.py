"""What a document that was read before costs: time to the first token, bytes on the disk, and memory."""

import gc
import math
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import torch

from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.document_caches.shelf import CacheShelf
from core.documents.layout import Document, Page
from core.documents.token_map import map_tokens, render_for_model
from core.documents.worker import DocumentWorker
from core.engine import Engine, open_model
from core.events import Token
from core.models.loader import LoadedModel
from core.paths import document_caches_dir
from core.samples import all_samples
from core.session import DocumentSession
from core.settings import EngineSettings, RopeScaling, SamplingSettings

_CONTEXTS = (8192, 16_384, 32_768)
_ROOM_TOKENS = 512
_QUOTA_BYTES = 1 << 40
_MIB = 1 << 20
_NUM_SPARSE_STEPS = 8
_QUESTION = "When does the agreement end?"


@dataclass(frozen=True)
class _Case:
    """One context: the engine's settings, what is read, and where it is kept."""

    settings: EngineSettings
    samples: tuple[Document, ...]
    num_tokens: int
    folder: Path
    cancel: CancelToken


def measure(
    settings: EngineSettings,
    context: int | None,
    cancel: CancelToken,
    samples: tuple[Document, ...] | None = None,
) -> BenchResult:
    """Read once, then open the document again with the model loaded anew: in exact mode, then in sparse mode.

    Where the context is beyond the model's own, positions are scaled as far as that takes. The targets for
    time and memory are those of the longest context: what a question costs by itself weighs less there.
    """
    samples = samples or _bundled_samples()
    rows = []
    for num_tokens in (context,) if context is not None else _CONTEXTS:
        with _folder_beside_caches(settings) as folder:
            rows.append(_row(_Case(settings, samples, num_tokens, folder, cancel)))
    last = rows[-1]
    what = f"{last['tokens']:,} tokens"
    kv_share = last["rss_sparse_open_mib"] / last["kv_mib"]
    steps_share = last["rss_sparse_steps_mib"] / last["kv_mib"]
    written = max(row["written_per_kv"] for row in rows)
    return BenchResult(
        tuple(rows),
        (
            Target(
                f"reopening {what} to first token, share of prefill", last["share"], 0.015, at_least=False
            ),
            Target("bytes written, times the KV", written, 1.05, at_least=False),
            Target(
                f"memory of reopening {what} in sparse mode, share of the KV", kv_share, 0.15, at_least=False
            ),
            Target(
                f"memory of {_NUM_SPARSE_STEPS} tokens after that, share of the KV",
                steps_share,
                0.3,
                at_least=False,
            ),
        ),
    )


def _row(case: _Case) -> dict[str, Any]:
    row = _read(case)
    row |= _ask_again(case)
    for _ in range(2):  # digests are made and kept the first time
        row |= _decode_sparsely(case)
    return row | {"share": row["first_token_s"] / row["prefill_s"]}


def _read(case: _Case) -> dict[str, Any]:
    with _open(case, case.settings) as engine:
        session = _session(engine, case)
        started = time.perf_counter()
        for _ in session.read(case.cancel):
            pass
        prefill_s = time.perf_counter() - started
        session.finish_writing()
        kv_bytes = engine.parts.store.cold_bytes
        row = {
            "tokens": session.num_prefix_tokens,
            "prefill_s": prefill_s,
            "kv_mib": kv_bytes / _MIB,
            "written_per_kv": session.disk_bytes_written / kv_bytes,
        }
        session.close()
    return row


def _ask_again(case: _Case) -> dict[str, Any]:
    with _open(case, case.settings) as engine:
        before = _rss()
        started = time.perf_counter()
        session = _session(engine, case)
        opened_s = time.perf_counter() - started
        conversation = engine.converse(session)
        asking = conversation.ask(_QUESTION, SamplingSettings(max_new_tokens=1), case.cancel)
        while not isinstance(next(asking), Token):
            pass
        row = {
            "open_s": opened_s,
            "first_token_s": time.perf_counter() - started,
            "rss_exact_mib": (_rss() - before) / _MIB,
        }
        asking.close()
        conversation.close()
        session.close()
    return row


def _decode_sparsely(case: _Case) -> dict[str, Any]:
    """A few tokens straight after the documents: a question would be read against all of them.

    Memory counts what stays mapped of the files: of layers that choose what they read, nothing.
    """
    budget = max(64, case.num_tokens // 16 // 64 * 64)
    with _open(case, replace(case.settings, mode="sparse", sparse_budget=budget)) as engine:
        before = _rss()
        session = _session(engine, case)
        for _ in session.read(case.cancel):
            pass
        opened = _rss() - before
        branch = session.branch()
        for _ in range(_NUM_SPARSE_STEPS):
            engine.parts.runner.step(torch.tensor(session.prefix_ids[:1]), branch)
        growth = _rss() - before
        branch.close()
        session.finish_writing()
        session.close()
    return {"rss_sparse_open_mib": opened / _MIB, "rss_sparse_steps_mib": growth / _MIB}


@contextmanager
def _open(case: _Case, settings: EngineSettings) -> Iterator[Engine]:
    settings = replace(settings, max_seq_len=None)
    engine = open_model(settings, cancel=case.cancel)
    needed = case.num_tokens + _ROOM_TOKENS
    if engine.parts.loaded.context_length < needed and settings.rope_scaling is None:
        factor = math.ceil(needed / engine.parts.loaded.context_length)
        engine.close()
        del engine
        gc.collect()
        scaled = replace(settings, rope_scaling=RopeScaling("yarn", factor))
        engine = open_model(scaled, cancel=case.cancel)
    shelf = CacheShelf(case.folder, _QUOTA_BYTES)
    with Engine(replace(engine.parts, shelf=shelf)) as kept:
        _warm_up(kept, case)
        yield kept
    del engine, kept
    gc.collect()


def _warm_up(engine: Engine, case: _Case) -> None:
    """What a program takes at its first answer is not what reopening takes."""
    first = replace(case.samples[0], pages=case.samples[0].pages[:1])
    session = DocumentSession(replace(engine.parts, shelf=None), [first], None)
    conversation = engine.converse(session)
    for _ in conversation.ask(_QUESTION, SamplingSettings(max_new_tokens=2), CancelToken()):
        pass
    conversation.close()
    session.close()


def _session(engine: Engine, case: _Case) -> DocumentSession:
    return engine.open_document([_long_document(engine.parts.loaded, case)])


def _bundled_samples() -> tuple[Document, ...]:
    with DocumentWorker() as worker:
        return tuple(worker.read(sample.path) for sample in all_samples())


def _rss() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


@contextmanager
def _folder_beside_caches(settings: EngineSettings) -> Iterator[Path]:
    """An empty folder on the disk where document caches are; it is gone afterwards."""
    parent = document_caches_dir(settings.cache_root).parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=parent) as folder:
        yield Path(folder)


def _long_document(loaded: LoadedModel, case: _Case) -> Document:
    """The pages of the samples, again and again, as far as they stay within the context."""
    pages: list[Page] = []
    sizes: list[tuple[Page, int]] = []
    num_tokens = 0
    for sample in case.samples:
        _, token_map = map_tokens(render_for_model([sample]), loaded.tokenizer.encode_data)
        starts = (*token_map.token_starts, token_map.num_tokens)
        spans = token_map.page_spans
        sizes += [
            (sample.pages[span.page_index], end - start)
            for span, start, end in zip(spans, starts, starts[1:], strict=False)
        ]
    while True:
        for page, size in sizes:
            num_tokens += size
            if num_tokens > case.num_tokens - _ROOM_TOKENS and pages:
                return Document("/bench/long.pdf", "long.pdf", "0" * 64, tuple(pages))
            pages.append(replace(page, page_index=len(pages), label=str(len(pages) + 1)))
