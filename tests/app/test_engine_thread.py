"""The thread around the engine: batches, order, threads, stopping and ending."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, QThread, Slot
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine_thread import BATCH_MS, EngineThread
from app.jobs import JobEnded, JobKind, SessionOpened, Text, merge
from app.scripted_backend import Script, ScriptedBackend
from core.documents.layout import Document
from core.errors import CancelledError, UsageError
from core.events import Progress, RowStarted, RowToken, Stage, TierUsage, Token
from core.settings import EngineSettings

TIMEOUT_MS = 10_000
SETTINGS = EngineSettings()


class Listener(QObject):
    """Remembers the news and the thread it came in."""

    def __init__(self, engine: EngineThread) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.times: list[float] = []
        self.ended: list[JobEnded] = []
        self.threads: set[QThread] = set()
        engine.tokens_arrived.connect(self._on_tokens_arrived)
        engine.job_ended.connect(self._on_job_ended)

    @Slot(str, int)
    def _on_tokens_arrived(self, text: str, _num_tokens: int) -> None:
        self.threads.add(QThread.currentThread())
        self.texts.append(text)
        self.times.append(time.monotonic())

    @Slot(object)
    def _on_job_ended(self, ended: JobEnded) -> None:
        self.threads.add(QThread.currentThread())
        self.ended.append(ended)


@pytest.fixture
def engine(qapp: QApplication, backend: ScriptedBackend) -> Iterator[EngineThread]:
    result = EngineThread(lambda: backend)
    assert result.thread() is qapp.thread()
    yield result
    backend.script.go.set()
    assert result.shutdown(5.0)


@pytest.fixture
def document(known_documents: dict[str, Document], sample_path: str) -> Document:
    return known_documents[sample_path]


def ask(engine: EngineThread, document: Document, question: str = "What is it?") -> None:
    engine.ask(SETTINGS, [document], question, SETTINGS.sampling)


def test_tokens_come_in_batches_in_the_windows_thread(
    qtbot: QtBot, engine: EngineThread, script: Script, document: Document
) -> None:
    script.token_s, script.answers = 0.004, ["w " * 120]
    heard = Listener(engine)
    with qtbot.waitSignal(engine.job_ended, timeout=TIMEOUT_MS):
        ask(engine, document)
    assert "".join(heard.texts) == "w " * 120
    assert heard.threads == {QThread.currentThread()}
    gaps_ms = [1000 * (b - a) for a, b in zip(heard.times, heard.times[1:], strict=False)]
    assert min(gaps_ms) > BATCH_MS / 4
    assert len(heard.texts) < 40


def test_a_question_prepares_what_it_needs(
    qtbot: QtBot, engine: EngineThread, backend: ScriptedBackend, document: Document
) -> None:
    with qtbot.waitSignal(engine.job_ended, timeout=TIMEOUT_MS):
        ask(engine, document)
    with qtbot.waitSignal(engine.job_ended, timeout=TIMEOUT_MS):
        ask(engine, document, "And then?")
    assert backend.calls == ["open_model", "open_document", "ask", "ask"]


def test_other_settings_load_the_model_again(
    qtbot: QtBot, engine: EngineThread, backend: ScriptedBackend, document: Document
) -> None:
    for settings in (SETTINGS, replace(SETTINGS, quantization="nf4")):
        with qtbot.waitSignal(engine.job_ended, timeout=TIMEOUT_MS):
            engine.prepare(settings, [document])
    opened = ["open_model", "open_document"]
    assert backend.calls == [*opened, "close", *opened]


def test_settings_that_the_model_can_take_load_nothing(
    qtbot: QtBot, engine: EngineThread, backend: ScriptedBackend, document: Document
) -> None:
    calls = ["open_model", "open_document"]
    sparse = replace(SETTINGS, mode="sparse")
    for settings, new_calls in (
        (SETTINGS, []),
        (sparse, ["change_settings"]),
        (replace(sparse, kv_compression="int8"), ["change_settings", "open_document"]),
    ):
        with qtbot.waitSignal(engine.job_ended, timeout=TIMEOUT_MS):
            engine.prepare(settings, [document])
        calls += new_calls
        assert backend.calls == calls
    assert backend.num_reads == 2


def test_settings_that_are_refused_are_tried_again_with_the_next_job(
    qtbot: QtBot, engine: EngineThread, backend: ScriptedBackend, document: Document
) -> None:
    heard = Listener(engine)
    with qtbot.waitSignal(engine.job_ended, timeout=TIMEOUT_MS):
        engine.prepare(SETTINGS, [document])
    backend.script.change_error = UsageError("No", "They contradict each other.")
    for settings in (replace(SETTINGS, kv_compression="int8"), SETTINGS):
        with qtbot.waitSignal(engine.job_ended, timeout=TIMEOUT_MS):
            engine.prepare(settings, [document])
    assert [type(ended.error) for ended in heard.ended] == [type(None), UsageError, type(None)]
    assert backend.calls == ["open_model", "open_document", "change_settings", "open_document"]


def test_stop_reaches_a_running_answer_at_once(
    qtbot: QtBot, engine: EngineThread, script: Script, document: Document
) -> None:
    script.hold_at_token = 1
    with qtbot.waitSignal(engine.tokens_arrived, timeout=TIMEOUT_MS):
        ask(engine, document)
    started = time.monotonic()
    with qtbot.waitSignal(engine.answered, timeout=TIMEOUT_MS) as answered:
        engine.stop()
    assert time.monotonic() - started < 0.5
    assert answered.args[0].reason == "cancelled"


def test_stop_ends_jobs_that_have_not_begun(
    qtbot: QtBot, engine: EngineThread, script: Script, backend: ScriptedBackend, document: Document
) -> None:
    script.hold_at_chunk = 0
    heard = Listener(engine)
    engine.prepare(SETTINGS, [document])
    ask(engine, document)
    engine.stop()
    qtbot.waitUntil(lambda: len(heard.ended) == 2, timeout=TIMEOUT_MS)
    assert [ended.job.kind for ended in heard.ended] == [JobKind.PREPARE, JobKind.ASK]
    assert all(isinstance(ended.error, CancelledError) for ended in heard.ended)
    assert "ask" not in backend.calls


def test_an_abandoned_job_is_heard_no_more(
    qtbot: QtBot, engine: EngineThread, script: Script, document: Document
) -> None:
    script.hold_at_token = 0
    heard = Listener(engine)
    ask(engine, document)
    qtbot.wait(3 * BATCH_MS)
    engine.abandon()
    assert not engine.is_busy
    script.hold_at_token = None
    with qtbot.waitSignal(engine.job_ended, timeout=TIMEOUT_MS):
        ask(engine, document)
    assert len(heard.ended) == 1
    assert "".join(heard.texts) == script.answers[0]


def test_the_thread_ends_in_the_middle_of_an_answer(
    qtbot: QtBot, engine: EngineThread, script: Script, backend: ScriptedBackend, document: Document
) -> None:
    script.hold_at_token = 1
    with qtbot.waitSignal(engine.tokens_arrived, timeout=TIMEOUT_MS):
        ask(engine, document)
    assert engine.shutdown(2.0)
    assert backend.calls[-1] == "close"
    assert not any(thread.name == "lectern-engine" for thread in threading.enumerate())


def test_a_thread_that_hangs_is_reported(qtbot: QtBot, script: Script, document: Document) -> None:
    class Stubborn(ScriptedBackend):
        def open_document(self, documents: object, reading: object = None) -> int:
            script.go.wait(5.0)
            return 0

    engine = EngineThread(lambda: Stubborn(script))
    ask(engine, document)
    qtbot.wait(50)
    assert not engine.shutdown(0.1)
    script.go.set()
    assert engine.shutdown(5.0)


def test_merging_keeps_order_and_all_text() -> None:
    usage = [TierUsage(n, n, 0, 0, 0, 0) for n in range(3)]
    progress = [Progress(Stage.READING_TOKENS, n, 9, "tokens") for n in range(3)]
    opened = SessionOpened(9)
    batch = [
        *((1, item) for item in progress),
        (1, opened),
        (1, Token(5, "a")),
        (1, usage[0]),
        (1, Token(6, "b")),
        (1, usage[2]),
    ]
    assert list(merge(batch)) == [(1, progress[2]), (1, opened), (1, Text("ab", 2)), (1, usage[2])]


def test_merging_does_not_mix_two_jobs() -> None:
    batch = [(1, Token(5, "a")), (2, Token(6, "b"))]
    assert list(merge(batch)) == [(1, Text("a", 1)), (2, Text("b", 1))]


def test_rows_that_grow_side_by_side_are_one_message_each() -> None:
    """One that starts again begins anew after what came before."""
    tokens = [RowToken(row, text) for row, text in (("x", "a"), ("y", "b"), ("x", "c"), ("y", "d"))]
    batch = [(1, token) for token in tokens] + [(1, RowStarted("x")), (1, RowToken("x", "e"))]
    assert list(merge(batch)) == [
        (1, RowToken("x", "ac")),
        (1, RowToken("y", "bd")),
        (1, RowStarted("x")),
        (1, RowToken("x", "e")),
    ]
