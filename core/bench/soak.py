"""What hundreds of questions leave behind: memory, open files, threads and rows of the tiers."""

import gc
import threading
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import psutil

from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.page_range import parse_page_range
from core.documents.worker import DocumentWorker
from core.engine import Engine, open_model
from core.events import Token
from core.samples import default_sample
from core.session import DocumentSession
from core.settings import EngineSettings, SamplingSettings

NUM_ASKS = 500
SETTLED_AFTER = 100
_EVERY = 10
_SHORT = SamplingSettings(max_new_tokens=4)
_MIB = 1 << 20


def measure(settings: EngineSettings, cancel: CancelToken) -> BenchResult:
    """Asks 500 short questions about the sample's first page and watches the process, every tenth time."""
    sample = default_sample()
    with DocumentWorker() as worker:
        document = worker.read(sample.path)
    questions = [question.text for question in sample.questions]
    with open_model(settings, cancel=cancel) as engine:
        session = engine.open_document([document], parse_page_range("1"))
        rows = tuple(soak(engine, session, questions, NUM_ASKS, cancel))
        session.close()
        left = engine.parts.store.cold_bytes + engine.parts.store.hot_bytes
    growth = growth_after(rows, SETTLED_AFTER)
    return BenchResult(
        rows,
        (
            Target("growth of memory over 400 questions, MiB", growth["rss_mib"], 8, at_least=False),
            Target("more open files", growth["open_files"], 0, at_least=False),
            Target("more threads", growth["threads"], 0, at_least=False),
            Target("more rows in the cold tier", growth["cold_rows"], 0, at_least=False),
            Target("bytes left in the tiers at the end", left, 0, at_least=False),
        ),
    )


def soak(
    engine: Engine, session: DocumentSession, questions: list[str], num_asks: int, cancel: CancelToken
) -> Iterator[dict[str, Any]]:
    """Each question in a new conversation; some are stopped, some answered again. Yields a row every tenth.

    Rows hold the count of questions, resident memory in MiB, open files, threads, and used rows of the tiers.
    """
    for number, question in zip(range(1, num_asks + 1), cycle(questions), strict=False):
        cancel.raise_if_cancelled()
        conversation, stop = engine.converse(session), CancelToken()
        for event in conversation.ask(question, _SHORT, stop):
            if number % 7 == 0 and isinstance(event, Token):
                stop.cancel()
        if number % 5 == 0 and conversation.turns:
            for _ in conversation.regenerate(_SHORT, CancelToken()):
                pass
        conversation.close()
        if number % _EVERY == 0:
            gc.collect()
            yield {"question": number, **_figures(engine)}


def growth_after(rows: tuple[dict[str, Any], ...], num_settled: int) -> dict[str, float]:
    """By how much each figure is larger in the last row than after `num_settled` questions."""
    settled = next(row for row in rows if row["question"] >= num_settled)
    return {name: float(rows[-1][name]) - float(settled[name]) for name in settled if name != "question"}


def _figures(engine: Engine) -> dict[str, float]:
    process, layers = psutil.Process(), engine.parts.store.layers
    count_files = getattr(process, "num_fds", None) or process.num_handles
    return {
        "rss_mib": process.memory_info().rss / _MIB,
        "open_files": count_files(),
        "threads": threading.active_count(),
        "cold_rows": sum(layer.cold.num_used for layer in layers),
        "hot_rows": sum(layer.hot.num_used for layer in layers),
    }
