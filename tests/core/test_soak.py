"""A miniature of `bench soak`: many short questions leave memory, files, threads and pools as they were."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.bench.runner import BENCHES
from core.bench.soak import growth_after, soak
from core.cancel import CancelToken
from core.engine import Engine, open_model
from core.errors import CancelledError
from core.settings import EngineSettings
from tests.core.test_engine import DOCUMENT, SHORT

NUM_ASKS, NUM_SETTLED = 120, 60
QUESTIONS = ["What is the rent?", "Who pays it? " * 3, "When?"]


@pytest.fixture
def engine(tiny_folder: Path) -> Iterator[Engine]:
    settings = EngineSettings(
        model=str(tiny_folder), hot_budget_bytes=1 << 16, block_tokens=16, prefill_chunk=128
    )
    with open_model(settings) as engine:
        yield engine


def test_many_questions_leave_nothing_behind(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    rows = tuple(soak(engine, session, QUESTIONS, NUM_ASKS, CancelToken()))
    assert [row["question"] for row in rows] == list(range(10, NUM_ASKS + 1, 10))
    growth = growth_after(rows, NUM_SETTLED)
    print(f"growth after {NUM_SETTLED} of {NUM_ASKS} questions: {growth}")
    assert growth["rss_mib"] < 8
    assert growth["open_files"] == 0
    assert growth["threads"] == 0
    assert {row["cold_rows"] for row in rows} == {rows[0]["cold_rows"]}
    assert growth["hot_rows"] == 0
    session.close()
    assert (engine.parts.store.cold_bytes, engine.parts.store.hot_bytes) == (0, 0)


def test_a_leak_would_show(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    rows, kept = [], []
    for row in soak(engine, session, QUESTIONS, 30, CancelToken()):
        rows.append(row)
        conversation = engine.converse(session)
        list(conversation.ask("What is the rent? " * 3, SHORT, CancelToken()))
        kept.append((conversation, Path(__file__).open()))  # noqa: SIM115 — it is left open to be noticed
    growth = growth_after(tuple(rows), 10)
    assert growth["cold_rows"] > 0
    assert growth["open_files"] == 2
    for conversation, file in kept:
        conversation.close()
        file.close()
    session.close()


def test_a_soak_can_be_stopped(engine: Engine) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        list(soak(engine, engine.open_document([DOCUMENT]), QUESTIONS, 30, cancel))
    assert "soak" in BENCHES
