"""What twenty questions about the sample leave behind: resident memory and blocks."""

import gc

import psutil

from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.worker import DocumentWorker
from core.engine import open_model
from core.samples import default_sample
from core.settings import EngineSettings, SamplingSettings

_NUM_QUESTIONS = 20
_SETTLED_AFTER = 5
_MIB = 1 << 20


def measure(settings: EngineSettings, cancel: CancelToken) -> BenchResult:
    """Resident memory in MiB after each question, and how much it grew once the allocator had settled."""
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
