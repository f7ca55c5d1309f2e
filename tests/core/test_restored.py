"""A conversation of an earlier time goes on as if it had never been away."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.cancel import CancelToken
from core.conversation import Conversation
from core.engine import Engine, open_model
from core.errors import CancelledError, ConversationFullError
from core.events import CacheOutcome, Finished, Progress
from core.past_turn import PastTurn
from core.settings import EngineSettings, SamplingSettings
from tests.core.test_engine import make_document

SHORT = SamplingSettings(max_new_tokens=8)
DOCUMENT = make_document(*[f"Page {i} says that the rent is {i * 100} dollars a month." for i in range(1, 5)])
QUESTIONS = ("What is the rent?", "  And on page 3? <|im_end|>", "Since when?")


@pytest.fixture(scope="module")
def settings(tiny_folder: Path) -> EngineSettings:
    return EngineSettings(model=str(tiny_folder), kv_dtype="float32", prefill_chunk=128, max_seq_len=2048)


@pytest.fixture
def engine(settings: EngineSettings) -> Iterator[Engine]:
    with open_model(settings) as engine:
        yield engine


def ask(conversation: Conversation, question: str) -> Finished:
    *_, finished = conversation.ask(question, SHORT, CancelToken())
    assert isinstance(finished, Finished)
    return finished


def conversed(engine: Engine, questions: tuple[str, ...]) -> tuple[Conversation, list[PastTurn]]:
    """A conversation, and what a library would keep of it."""
    conversation = engine.converse(engine.open_document([DOCUMENT]))
    past = []
    for question in questions:
        finished = ask(conversation, question)
        past.append(PastTurn(question, finished.answer, finished.token_ids))
    return conversation, past


def test_the_sequence_is_the_same_and_so_is_what_follows(engine: Engine) -> None:
    conversation, past = conversed(engine, QUESTIONS[:2])
    restored = engine.converse(engine.open_document([DOCUMENT]))
    restored.restore(past)
    assert [turn.token_ids for turn in restored.turns] == [turn.token_ids for turn in conversation.turns]
    expected, answer = ask(conversation, QUESTIONS[2]), ask(restored, QUESTIONS[2])
    assert answer.token_ids == expected.token_ids
    assert answer.metrics.prompt_tokens == expected.metrics.prompt_tokens
    assert restored.turns[2].token_ids == conversation.turns[2].token_ids


def test_history_is_read_ahead_once_and_with_progress(engine: Engine) -> None:
    _, past = conversed(engine, QUESTIONS[:2])
    session = engine.open_document([DOCUMENT])
    restored = engine.converse(session)
    restored.restore(past)
    progress = list(restored.read(CancelToken()))
    assert all(isinstance(event, Progress) for event in progress)
    behind = [event for event in progress if event.done > session.num_prefix_tokens]
    assert behind[-1].done == behind[-1].total == len(restored.turns[-1].token_ids) - 1
    assert [event.done for event in behind] == sorted(event.done for event in behind)
    assert list(restored.read(CancelToken())) == []
    before = engine.parts.runner.num_computed_tokens
    assert ask(restored, QUESTIONS[2]).metrics.cache is CacheOutcome.HIT
    assert engine.parts.runner.num_computed_tokens - before < 100, "the question and the answer, no history"


def test_a_stop_keeps_what_was_read_of_the_history(engine: Engine) -> None:
    conversation, past = conversed(engine, ("Why? " * 60, QUESTIONS[1]))
    session = engine.open_document([DOCUMENT])
    restored, cancel = engine.converse(session), CancelToken()
    list(session.read(CancelToken()))
    restored.restore(past)
    reading = restored.read(cancel)
    first = next(reading)
    cancel.cancel()
    with pytest.raises(CancelledError):
        next(reading)
    before = engine.parts.runner.num_computed_tokens
    list(restored.read(CancelToken()))
    computed = engine.parts.runner.num_computed_tokens - before
    assert computed == len(restored.turns[-1].token_ids) - 1 - first.done
    assert ask(restored, QUESTIONS[2]).token_ids == ask(conversation, QUESTIONS[2]).token_ids


@pytest.mark.parametrize("token_ids", [(), (5, 6, 7)], ids=["not kept", "of another tokenizer"])
def test_answers_whose_tokens_do_not_fit_are_encoded_anew(engine: Engine, token_ids: tuple[int, ...]) -> None:
    restored = engine.converse(engine.open_document([DOCUMENT]))
    restored.restore([PastTurn("Rent?", "100 dollars <|im_end|>", token_ids), PastTurn("Not answered?", "")])
    (turn,) = restored.turns
    tokenizer = engine.parts.loaded.tokenizer
    answer_ids = tokenizer.encode_data("100 dollars <|im_end|>")
    assert turn.token_ids[-len(answer_ids) :] == answer_ids
    assert ask(restored, QUESTIONS[2]).metrics.new_tokens == 8


def test_the_last_restored_turn_can_be_forgotten_answered_anew_and_replaced(engine: Engine) -> None:
    conversation, past = conversed(engine, QUESTIONS[:2])
    restored = engine.converse(engine.open_document([DOCUMENT]))
    restored.restore(past)
    *_, again = restored.regenerate(SHORT, CancelToken())
    assert isinstance(again, Finished)
    assert again.token_ids == past[1].token_ids
    for each in (conversation, restored):
        list(each.regenerate(SHORT, CancelToken(), "And on page 2?"))
    assert restored.turns[1].question == "And on page 2?"
    assert restored.turns[1].token_ids == conversation.turns[1].token_ids
    restored.undo()
    restored.undo()
    assert restored.turns == ()


def test_a_history_that_is_too_long_says_so_before_it_is_read(settings: EngineSettings) -> None:
    with open_model(replace(settings, max_seq_len=1024)) as engine:
        session = engine.open_document([DOCUMENT])
        restored = engine.converse(session)
        restored.restore([PastTurn("Rent?", "100 dollars. "), PastTurn("More?", "word " * 200)])
        list(restored.read(CancelToken()))
        assert engine.parts.runner.num_computed_tokens < 1024
        with pytest.raises(ConversationFullError):
            next(restored.ask("Why?", SHORT, CancelToken()))
        restored.close()
        session.close()
        engine.parts.store.check_integrity()
