"""Many questions about one document: each answered as if asked alone, with quotes checked and figures."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.cancel import CancelToken
from core.engine import Engine, open_model
from core.errors import CancelledError, ConversationFullError, DeviceError, UsageError
from core.events import (
    CacheOutcome,
    Finished,
    FinishReason,
    Progress,
    ReviewEvent,
    RowFailed,
    RowFinished,
    RowStarted,
    RowToken,
    TierUsage,
)
from core.kv.batch import BatchCache
from core.review.question import Question
from core.review.reviewer import Review
from core.review.width import MOST_AT_ONCE, width_of
from core.settings import EngineSettings, SamplingSettings
from tests.core.test_engine import DOCUMENT, last

SHORT = SamplingSettings(max_new_tokens=8)
QUESTIONS = [Question(f"row {i}", f"What is the rent on page {i}?" + " Why?" * i) for i in range(5)]


@pytest.fixture(scope="module")
def settings(tiny_folder: Path) -> EngineSettings:
    return EngineSettings(
        model=str(tiny_folder),
        kv_dtype="float32",
        hot_budget_bytes=1 << 16,
        prefill_chunk=128,
        max_seq_len=2048,
        review_width=3,
    )


@pytest.fixture
def engine(settings: EngineSettings) -> Iterator[Engine]:
    with open_model(settings) as engine:
        yield engine


def finished_rows(events: list[ReviewEvent]) -> dict[str, Finished]:
    return {event.row_id: event.finished for event in events if isinstance(event, RowFinished)}


def test_a_review_reads_once_and_answers_every_question(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    events = list(engine.review(session, QUESTIONS, SHORT, CancelToken()))
    progress = [event for event in events if isinstance(event, Progress)]
    assert progress[-1].done == session.num_prefix_tokens
    assert any(isinstance(event, TierUsage) for event in events)
    finished = finished_rows(events)
    for question in QUESTIONS:
        row = finished[question.row_id]
        conversation = engine.converse(session)
        asked_alone = last(conversation.ask(question.text, SHORT, CancelToken()))
        conversation.close()
        text = [e.text for e in events if isinstance(e, RowToken) and e.row_id == question.row_id]
        assert row.answer == asked_alone.answer == "".join(text).strip()
        assert replace(row, metrics=asked_alone.metrics, evidence=asked_alone.evidence) == asked_alone
        assert row.metrics.cache is CacheOutcome.HIT
        assert row.metrics.new_tokens == 8
        assert row.metrics.prompt_tokens == asked_alone.metrics.prompt_tokens
        assert row.metrics.host_to_device_bytes_per_token > 0
        assert row.metrics.host_to_device_bytes_per_token < asked_alone.metrics.host_to_device_bytes_per_token
    session.close()
    assert engine.parts.store.cold_bytes == 0


def test_rows_are_added_and_stopped_while_others_are_answered(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    questions = [replace(question, cancel=CancelToken()) for question in QUESTIONS]
    review = engine.review(session, questions, SHORT, CancelToken())
    with pytest.raises(UsageError, match="still running"):
        review.add(questions[0])
    events: list[ReviewEvent] = []
    for event in review:
        events.append(event)
        if event == RowStarted("row 1"):
            questions[1].cancel.cancel()
            questions[4].cancel.cancel()
        if isinstance(event, RowFinished) and event.row_id == "row 0" and len(finished_rows(events)) < 5:
            review.add(questions[0])
    finished = finished_rows(events)
    assert finished["row 1"].reason is FinishReason.CANCELLED
    assert (finished["row 4"].reason, finished["row 4"].answer) == (FinishReason.CANCELLED, "")
    again = [event for event in events if isinstance(event, RowFinished) and event.row_id == "row 0"]
    assert len(again) == 2
    assert again[0].finished.answer == again[1].finished.answer


def test_what_cannot_be_asked_fails_alone(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    asked = [Question("empty", "  "), QUESTIONS[0], Question("long", "What? " * 2000)]
    events = list(engine.review(session, asked, SHORT, CancelToken()))
    errors = {event.row_id: type(event.error) for event in events if isinstance(event, RowFailed)}
    assert errors == {"empty": UsageError, "long": ConversationFullError}
    assert list(finished_rows(events)) == ["row 0"]


def test_a_cancel_keeps_what_came_and_who_waits_is_answered_next_time(engine: Engine) -> None:
    session, cancel = engine.open_document([DOCUMENT]), CancelToken()
    review = Review(session, QUESTIONS, SHORT, cancel)
    events: list[ReviewEvent] = []
    for event in review:
        events.append(event)
        if isinstance(event, RowToken):
            cancel.cancel()
    stopped = finished_rows(events)
    assert {row.reason for row in stopped.values()} == {FinishReason.CANCELLED}
    assert len(stopped) == 3, "the width of this review"
    with pytest.raises(CancelledError):
        list(engine.review(engine.open_document([DOCUMENT]), QUESTIONS, SHORT, cancel))
    review.resume(CancelToken())
    assert list(finished_rows(list(review))) == ["row 3", "row 4"]


def test_sparse_mode_answers_exactly_and_does_not_say_otherwise(settings: EngineSettings) -> None:
    answers = []
    for mode in ("exact", "sparse"):
        with open_model(replace(settings, mode=mode, sparse_budget=16)) as engine:
            session = engine.open_document([DOCUMENT])
            finished = finished_rows(list(engine.review(session, QUESTIONS, SHORT, CancelToken())))
            assert {row.mode for row in finished.values()} == {"exact"}
            answers.append([row.answer for row in finished.values()])
            assert not any("sparse" in note for row in finished.values() for note in row.notes)
    assert answers[0] == answers[1]


def test_who_walks_away_leaves_nothing_behind(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    review = engine.review(session, QUESTIONS, SHORT, CancelToken())
    events = iter(review)
    while not isinstance(next(events), RowToken):
        pass
    events.close()  # type: ignore[attr-defined]  # a generator
    session.close()
    assert engine.parts.store.cold_bytes == 0


def test_a_device_that_fails_ends_the_review_and_frees_it(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    list(session.read(CancelToken()))

    def fail(*_: object) -> None:
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    hook = engine.parts.loaded.model.register_forward_pre_hook(fail)
    review = engine.review(session, QUESTIONS, SHORT, CancelToken())
    with pytest.raises(DeviceError):
        list(review)
    hook.remove()
    review.add(QUESTIONS[0])
    session.close()
    assert engine.parts.store.cold_bytes == 0


def test_memory_says_how_many_are_answered_at_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    session = engine.open_document([DOCUMENT])
    list(session.read(CancelToken()))
    batch = BatchCache(session.branch(), engine.parts.loaded.model.config)
    (branch_bytes,) = batch.branch_bytes(100).values()
    assert width_of(batch, 100, None) == MOST_AT_ONCE
    assert width_of(batch, 100, 5) == 5

    def free(_device: torch.device) -> int:
        return branch_bytes * 10

    monkeypatch.setattr("core.review.width._free_bytes", free)
    assert width_of(batch, 100, None) == 8
    assert width_of(batch, 10_000, None) == 1
    batch.close()
