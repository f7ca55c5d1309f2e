"""The last question changed, and the last answer made anew: on screen, in the model and in the library."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.chat_view.turn_view import TurnStatus, TurnView
from app.scripted_backend import Script, ScriptedBackend
from app.startup import Program
from core.errors import DoesNotFitError
from core.library.library import Library

TIMEOUT_MS = 10_000


def kept() -> list[tuple[str, str | None]]:
    with Library.open() as library:
        (conversation,) = library.conversations.all()
        turns = library.conversations.turns(conversation.conversation_id)
    return [(turn.question, turn.answer.text if turn.answer else None) for turn in turns]


def last_turn(program: Program) -> TurnView:
    turn = program.window.chat.last_turn
    assert turn is not None
    return turn


def edit(qtbot: QtBot, program: Program, question: str) -> None:
    turn = last_turn(program)
    qtbot.mouseClick(turn.edit_button, Qt.MouseButton.LeftButton)
    assert turn.editor.field.hasFocus() or turn.editor.isVisibleTo(program.window)
    turn.editor.field.setPlainText(question)
    qtbot.keyClick(turn.editor.field, Qt.Key.Key_Return)


def settle(qtbot: QtBot, program: Program) -> None:
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    assert program.library.settle(10)


def test_an_edited_question_takes_the_place_of_the_last_one(
    qtbot: QtBot, program: Program, script: Script, backend: ScriptedBackend, converse: Callable[[], None]
) -> None:
    script.answers = ["The first.", "The second."]
    converse()
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        edit(qtbot, program, "What else?")
    settle(qtbot, program)
    (turn,) = program.window.chat.turns
    assert (turn.question.text(), turn.answer.source) == ("What else?", "The second.")
    assert backend.calls[-1] == "regenerate"
    assert backend._question == "What else?"
    assert kept() == [("What else?", "The second.")]


def test_escape_leaves_the_question_and_stops_nothing(
    qtbot: QtBot, program: Program, converse: Callable[[], None]
) -> None:
    converse()
    turn = last_turn(program)
    turn.edit_button.click()
    qtbot.keyClicks(turn.editor.field, " Really?")
    qtbot.keyClick(turn.editor.field, Qt.Key.Key_Escape)
    assert not turn.editor.isVisibleTo(program.window)
    assert turn.question.text() == "What is it?"
    assert turn.status is TurnStatus.DONE


@pytest.mark.parametrize("ends_by", ["stop", "error"])
def test_an_edit_without_an_answer_brings_the_old_question_back_and_keeps_the_words(
    qtbot: QtBot, program: Program, script: Script, converse: Callable[[], None], ends_by: str
) -> None:
    converse()
    if ends_by == "stop":
        script.hold_at_token = 0
    else:
        script.answer_error = DoesNotFitError("Out of memory", "Close other programs.")
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        edit(qtbot, program, "What else?")
        if ends_by == "stop":
            assert program.library.settle(10)
            assert kept() == [("What is it?", "The agreement says so."), ("What else?", None)]
            program.controller.stop()
    settle(qtbot, program)
    turn = last_turn(program)
    assert (turn.question.text(), turn.answer.source) == ("What is it?", "The agreement says so.")
    assert turn.editor.field.toPlainText() == "What else?"
    assert turn.editor.isVisibleTo(program.window)
    assert turn.error_frame.isVisibleTo(program.window) is (ends_by == "error")
    assert kept() == [("What is it?", "The agreement says so.")]
    script.answer_error = script.hold_at_token = None
    script.answers = ["Another one."]
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        turn.regenerate_button.click()
    settle(qtbot, program)
    assert kept() == [("What is it?", "Another one.")]


def test_another_answer_replaces_the_one_that_is_kept(
    qtbot: QtBot, program: Program, script: Script, converse: Callable[[], None]
) -> None:
    script.answers = ["The first.", "The second one comes."]
    converse()
    script.hold_at_token = 2
    last_turn(program).regenerate_button.click()
    qtbot.waitUntil(lambda: last_turn(program).answer.source.startswith("The second"), timeout=TIMEOUT_MS)
    script.go.set()
    settle(qtbot, program)
    assert kept() == [("What is it?", "The second one comes.")]
