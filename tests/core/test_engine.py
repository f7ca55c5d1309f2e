"""The engine from the outside: documents, questions, conversations, and what they leave behind."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from core.cancel import CancelToken
from core.documents.layout import (
    BBox,
    Block,
    Document,
    DocumentWarning,
    Fragment,
    Line,
    Page,
    WarningKind,
)
from core.documents.page_range import parse_page_range
from core.engine import Engine, open_model
from core.errors import CancelledError, DocumentError, DoesNotFitError, UsageError
from core.events import CacheOutcome, Event, Finished, FinishReason, Progress, Token
from core.settings import EngineSettings, SamplingSettings

SHORT = SamplingSettings(max_new_tokens=8)


def make_page(page_index: int, text: str) -> Page:
    """A page that is one line, each word in a box of its own."""
    fragments, start = [], 0
    for number, word in enumerate(text.split(" ")):
        fragments.append(Fragment(start, start + len(word), BBox(40.0 * number, 10, 40.0 * number + 35, 20)))
        start += len(word) + 1
    box = BBox(0, 10, 600, 20)
    blocks = (Block((Line(0, len(text), box),), box),) if text else ()
    return Page(page_index, str(page_index + 1), 600, 800, text, blocks, tuple(fragments) if text else ())


def make_document(*texts: str, name: str = "lease.pdf") -> Document:
    pages = tuple(make_page(index, text) for index, text in enumerate(texts))
    return Document(f"/documents/{name}", name, "0" * 64, pages)


DOCUMENT = make_document(*[f"Page {i} says that the rent is {i * 100} dollars a month." for i in range(1, 9)])


@pytest.fixture(scope="module")
def settings(tiny_folder: Path) -> EngineSettings:
    return EngineSettings(
        model=str(tiny_folder),
        kv_dtype="float32",
        hot_budget_bytes=1 << 16,
        prefill_chunk=128,
        max_seq_len=2048,
        sampling=SHORT,
    )


@pytest.fixture
def engine(settings: EngineSettings) -> Iterator[Engine]:
    with open_model(settings) as engine:
        yield engine


def last(events: Iterator[Event]) -> Finished:
    *_, finished = events
    assert isinstance(finished, Finished)
    return finished


def test_a_question_streams_and_finishes(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    events = list(conversation.ask("What is the rent?", SHORT, CancelToken()))
    progress = [event for event in events if isinstance(event, Progress)]
    assert progress[-1].done == progress[-1].total == session.num_prefix_tokens
    finished = events[-1]
    assert isinstance(finished, Finished)
    text = "".join(event.text for event in events if isinstance(event, Token))
    assert finished.answer == text.strip()
    assert finished.metrics.new_tokens == 8
    assert finished.metrics.cache is CacheOutcome.MISS
    assert finished.metrics.cold_bytes > finished.metrics.hot_bytes_peak > 0
    assert [page.page_index for page in finished.pages_read] == list(range(8))
    assert finished.pages_unread == ()


def test_asking_again_computes_no_document_token(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    runner = engine.parts.runner
    conversation = engine.converse(session)
    first = last(conversation.ask("What is the rent?", SHORT, CancelToken()))
    for again in (conversation, engine.converse(session)):
        before = runner.num_computed_tokens
        finished = last(again.ask("What is the rent?", SHORT, CancelToken()))
        assert runner.num_computed_tokens - before < 100, "the question and the answer, no document"
        assert finished.metrics.cache is CacheOutcome.HIT
        assert finished.metrics.prefill_tokens == 0
    assert finished.answer == first.answer, "a fresh conversation gives the same greedy answer"


def test_a_follow_up_continues_the_sequence(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    last(conversation.ask("What is the rent?", SHORT, CancelToken()))
    last(conversation.ask("And on page 3?", SHORT, CancelToken()))
    first, second = conversation.turns
    assert second.token_ids[: len(first.token_ids)] == first.token_ids
    decoded = engine.parts.loaded.tokenizer.decode(second.token_ids)
    assert decoded.index("What is the rent?") < decoded.index("And on page 3?")


def test_regenerate_answers_from_the_state_before(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    first = last(conversation.ask("What is the rent?", SHORT, CancelToken()))
    hot = replace(SHORT, temperature=5.0, seed=1)
    other = last(conversation.regenerate(hot, CancelToken()))
    back = last(conversation.regenerate(SHORT, CancelToken()))
    assert other.answer != first.answer
    assert back.answer == first.answer
    assert len(conversation.turns) == 1
    with pytest.raises(UsageError):
        next(engine.converse(session).regenerate(SHORT, CancelToken()))


def test_a_cancel_while_reading_keeps_what_was_read(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    conversation, cancel = engine.converse(session), CancelToken()
    asking = conversation.ask("What is the rent?", SHORT, cancel)
    next(asking)
    cancel.cancel()
    with pytest.raises(CancelledError):
        next(asking)
    assert session.num_cached_tokens == 128
    finished = last(conversation.ask("What is the rent?", SHORT, CancelToken()))
    assert finished.metrics.cache is CacheOutcome.RESUMED
    fresh = engine.converse(engine.open_document([DOCUMENT]))
    assert last(fresh.ask("What is the rent?", SHORT, CancelToken())).answer == finished.answer


def test_a_cancel_while_answering_keeps_the_partial_answer(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    conversation, cancel = engine.converse(session), CancelToken()
    finished, num_tokens = None, 0
    for event in conversation.ask("What is the rent?", SHORT, cancel):
        num_tokens += isinstance(event, Token)
        if num_tokens == 3:
            cancel.cancel()
        finished = event
    assert isinstance(finished, Finished)
    assert finished.reason is FinishReason.CANCELLED
    assert finished.metrics.new_tokens == 3
    last(conversation.ask("Go on.", SHORT, CancelToken()))
    assert len(conversation.turns) == 2


def test_an_abandoned_answer_frees_its_blocks(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    list(session.read(CancelToken()))
    before = engine.parts.store.cold_bytes
    asking = engine.converse(session).ask("Why? " * 40, SHORT, CancelToken())
    next(asking)
    asking.close()
    assert engine.parts.store.cold_bytes == before
    engine.parts.store.check_integrity()


def test_what_does_not_fit_is_said_with_numbers(engine: Engine) -> None:
    long_document = make_document(*["word " * 60] * 20)
    with pytest.raises(DoesNotFitError) as caught:
        engine.open_document([long_document])
    assert "2,048" in caught.value.message
    assert "20 pages" in caught.value.message
    fitting = int(caught.value.message.split("--pages 1-")[1].split()[0])
    engine.open_document([long_document], parse_page_range(f"1-{fitting}"))
    with pytest.raises(DoesNotFitError):
        engine.open_document([long_document], parse_page_range(f"1-{fitting + 1}"))


def test_a_page_range_narrows_and_says_so(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT], parse_page_range("2-3,8"))
    finished = last(engine.converse(session).ask("Rent?", SHORT, CancelToken()))
    assert [page.page_index for page in finished.pages_read] == [1, 2, 7]
    assert [page.page_index for page in finished.pages_unread] == [0, 3, 4, 5, 6]
    with pytest.raises(DocumentError, match="No such pages"):
        engine.open_document([DOCUMENT], parse_page_range("99"))


def test_a_scan_is_never_passed_on_as_empty(engine: Engine) -> None:
    picture = replace(
        make_page(0, ""), warnings=(DocumentWarning(WarningKind.SCAN, "A picture without text.", 0),)
    )
    with pytest.raises(DocumentError, match="scan"):
        engine.open_document([replace(DOCUMENT, pages=(picture,))])
    with pytest.raises(DocumentError, match="blank"):
        engine.open_document([make_document("", "")])


def test_documents_of_one_name_are_told_apart(engine: Engine) -> None:
    session = engine.open_document([make_document("one"), make_document("two")])
    assert [page.document for page in session.page_refs(read=True)] == ["lease.pdf", "lease.pdf (2)"]


def test_no_room_for_an_answer_is_said(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    with pytest.raises(DoesNotFitError, match="No room"):
        last(conversation.ask("why " * 500, SHORT, CancelToken()))
    with pytest.raises(UsageError):
        last(conversation.ask("  ", SHORT, CancelToken()))
    last(conversation.ask("What is the rent?", SHORT, CancelToken()))


def test_twenty_questions_leave_nothing_behind(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    store, process = engine.parts.store, psutil.Process()
    list(session.read(CancelToken()))
    cold_bytes, rss = store.cold_bytes, 0
    for number in range(20):
        conversation = engine.converse(session)
        last(conversation.ask(f"Question {number}: what is the rent? " * 4, SHORT, CancelToken()))
        conversation.close()
        assert store.cold_bytes == cold_bytes
        store.check_integrity()
        if number == 4:
            gc.collect()
            rss = process.memory_info().rss
    gc.collect()
    assert process.memory_info().rss - rss < 24 << 20
    session.close()
    assert (store.cold_bytes, store.hot_bytes) == (0, 0)


def test_a_failing_device_keeps_the_document(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    answer = last(conversation.ask("What is the rent?", SHORT, CancelToken())).answer
    step = engine.parts.runner.step

    def fail(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(engine.parts.runner, "step", fail)
    with pytest.raises(DoesNotFitError, match="Out of memory"):
        last(conversation.ask("What is the rent?", SHORT, CancelToken()))
    monkeypatch.setattr(engine.parts.runner, "step", step)
    again = last(engine.converse(session).ask("What is the rent?", SHORT, CancelToken()))
    assert again.answer == answer
    assert again.metrics.cache is CacheOutcome.HIT
    engine.parts.store.check_integrity()


def test_a_window_larger_than_the_budget_is_refused(settings: EngineSettings) -> None:
    with pytest.raises(UsageError, match="1,000 tokens"):
        open_model(replace(settings, active_window=1000, hot_budget_bytes=1 << 16))


def test_a_sequence_beyond_the_context_is_refused(settings: EngineSettings) -> None:
    with pytest.raises(UsageError, match="8,192"):
        open_model(replace(settings, max_seq_len=8193))


def test_a_cancel_before_the_first_token_leaves_no_turn(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    list(session.read(CancelToken()))
    conversation, cancel = engine.converse(session), CancelToken()
    asking = conversation.ask("What is the rent?", SHORT, cancel)
    cancel.cancel()
    assert last(asking).reason is FinishReason.CANCELLED
    assert conversation.turns == ()
    engine.parts.store.check_integrity()


def test_sparse_answers_say_so(settings: EngineSettings) -> None:
    with open_model(replace(settings, mode="sparse", sparse_budget=64, block_tokens=32)) as engine:
        session = engine.open_document([DOCUMENT])
        finished = last(engine.converse(session).ask("What is the rent?", SHORT, CancelToken()))
        assert finished.mode == "sparse"
        assert any("sparse mode" in warning for warning in finished.warnings)
        again = last(engine.converse(session).ask("What is the rent?", SHORT, CancelToken()))
        assert again.answer == finished.answer
        session.close()


def test_window_answers_say_what_was_not_looked_at(settings: EngineSettings) -> None:
    narrow = replace(settings, mode="window", active_window=64, block_tokens=32)
    with open_model(narrow) as engine:
        session = engine.open_document([DOCUMENT])
        conversation = engine.converse(session)
        finished = last(conversation.ask("What is the rent?", SHORT, CancelToken()))
        assert finished.mode == "window"
        (note,) = [note for note in finished.notes if "window mode" in note]
        assert "newest 64 tokens" in note
        assert note in finished.warnings
        bytes_per_token = engine.parts.loaded.reach.kv_values_per_token * 4
        read = finished.metrics.host_to_device_bytes_per_token
        assert read <= (64 + 64) * bytes_per_token < session.num_prefix_tokens * bytes_per_token
        conversation.close()
        session.close()


def test_a_question_without_room_is_refused_before_anything_is_read(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    with pytest.raises(DoesNotFitError, match="No room"):
        next(engine.converse(session).ask("why " * 500, SHORT, CancelToken()))
    assert session.num_cached_tokens == 0


def test_a_hot_budget_beyond_the_context_is_of_no_use_and_not_taken(settings: EngineSettings) -> None:
    with open_model(replace(settings, hot_budget_bytes=1 << 50)) as engine:
        budget = engine.parts.store.settings.hot_budget_bytes
        assert budget <= 2048 * engine.parts.loaded.reach.kv_values_per_token * 4


def test_an_answer_that_fails_holds_nothing(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    session = engine.open_document([DOCUMENT])
    list(session.read(CancelToken()))
    before = engine.parts.store.cold_bytes
    step, num_steps = engine.parts.runner.step, 0

    def fail_late(*arguments: object) -> object:
        nonlocal num_steps
        num_steps += 1
        if num_steps > 4:
            raise KeyError("a defect of ours")
        return step(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.parts.runner, "step", fail_late)
    with pytest.raises(KeyError):
        last(engine.converse(session).ask("Why? " * 60, SHORT, CancelToken()))
    assert engine.parts.store.cold_bytes == before
    engine.parts.store.check_integrity()
