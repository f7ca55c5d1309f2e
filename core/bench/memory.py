"""The memory that reading takes beyond the weights, and what twenty questions leave behind."""

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from core.bench.result import BenchResult, Target
from core.bench.sample import contract_tokens
from core.cancel import CancelToken
from core.documents.worker import DocumentWorker
from core.engine import open_model
from core.generation.prefill import prefill
from core.kv.cache import TieredCache
from core.planning.own_memory import own_ram_bytes
from core.samples import default_sample
from core.session import EngineParts
from core.settings import EngineSettings, SamplingSettings

_NUM_QUESTIONS = 20
_SETTLED_AFTER = 5
_MIB = 1 << 20
_NUM_TOKENS = 16_384
_WATCH_SECONDS = 0.005
_WEIGHTS_SUFFIX = ".safetensors"


def measure(settings: EngineSettings, context: int | None, cancel: CancelToken) -> BenchResult:
    """Memory in MiB: its peak while `context` tokens are read, then after each of 20 questions."""
    reading = _reading(settings, context or _NUM_TOKENS, cancel)
    questions = _questions(settings, cancel)
    return BenchResult((*reading.rows, *questions.rows), (*reading.targets, *questions.targets))


def _reading(settings: EngineSettings, num_tokens: int, cancel: CancelToken) -> BenchResult:
    """The peak beyond what the program holds once it has answered something short, beside the encoded KV."""
    with open_model(settings, cancel=cancel) as engine:
        parts = engine.parts
        token_ids = contract_tokens(parts.loaded, num_tokens)
        read_and_forget(parts, token_ids[: 2 * parts.settings.prefill_chunk], cancel)
        gc.collect()
        before = own_ram_bytes()
        with peak_of_own_memory() as peak:
            kv_bytes = read_and_forget(parts, token_ids, cancel)
    beyond = peak.num_bytes - before
    row = {
        "tokens": num_tokens,
        "codec": settings.kv_compression,
        "encoded_kv_mib": kv_bytes / _MIB,
        "peak_beyond_weights_mib": beyond / _MIB,
    }
    name = f"peak memory of reading {num_tokens:,} tokens, times the encoded KV"
    return BenchResult((row,), (Target(name, beyond / kv_bytes, 1.15, at_least=False),))


def read_and_forget(parts: EngineParts, token_ids: list[int], cancel: CancelToken) -> int:
    """Read and forget; the bytes that the sealed KV had."""
    cache = TieredCache(parts.loaded.model.config, parts.store)
    parts.store.expect(len(token_ids))
    chunk = parts.settings.prefill_chunk
    for _ in prefill(parts.runner, cache, token_ids, chunk_tokens=chunk, cancel=cancel):
        pass
    kv_bytes = parts.store.cold_bytes
    cache.close()
    return kv_bytes


def mapped_weights_bytes() -> int:
    """Resident pages of mapped weight files; 0 where `own_ram_bytes` counts them already."""
    if not sys.platform.startswith("linux"):
        return 0
    maps = psutil.Process().memory_maps()
    return sum(mapped.rss for mapped in maps if mapped.path.endswith(_WEIGHTS_SUFFIX))


@dataclass
class Peak:
    num_bytes: int = 0


@contextmanager
def peak_of_own_memory() -> Iterator[Peak]:
    """Look at `own_ram_bytes` every few milliseconds while the body runs: how much of its libraries a
    program maps is the kernel's choice."""
    peak, is_over = Peak(), threading.Event()

    def watch() -> None:
        while not is_over.wait(_WATCH_SECONDS):
            peak.num_bytes = max(peak.num_bytes, own_ram_bytes())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        is_over.set()
        watcher.join()


def _questions(settings: EngineSettings, cancel: CancelToken) -> BenchResult:
    sample = default_sample()
    with DocumentWorker() as worker:
        document = worker.read(sample.path)
    rows = []
    with open_model(settings, cancel=cancel) as engine:
        session = engine.open_document([document])
        for number in range(1, _NUM_QUESTIONS + 1):
            conversation = engine.converse(session)
            question = sample.questions[number % len(sample.questions)].text
            for _ in conversation.ask(question, SamplingSettings(max_new_tokens=16), cancel):
                pass
            conversation.close()
            gc.collect()
            rss_mib = psutil.Process().memory_info().rss / _MIB
            rows.append(
                {"question": number, "rss_mib": rss_mib, "cold_mib": engine.parts.store.cold_bytes / _MIB}
            )
        session.close()
        left = engine.parts.store.cold_bytes + engine.parts.store.hot_bytes
    growth = float(rows[-1]["rss_mib"]) - float(rows[_SETTLED_AFTER - 1]["rss_mib"])
    return BenchResult(
        tuple(rows),
        (
            Target("growth of memory over 15 questions, MiB", growth, 16, at_least=False),
            Target("bytes left in the tiers", left, 0, at_least=False),
        ),
    )
