"""Asking, streaming, stopping and asking again, through the window with a scripted engine."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat_view.turn_view import TurnStatus, TurnView
from app.scripted_backend import Script, ScriptedBackend
from app.startup import Program
from core.documents.quote_index import PageRect
from core.errors import ConversationFullError, DoesNotFitError
from core.events import Finished

TIMEOUT_MS = 10_000
QUESTION = "What is the effective date?"
QUOTING = 'It begins then: "The term of this Agreement will commence on January 1, 1998" [page 1].'


def ask(qtbot: QtBot, program: Program, question: str = QUESTION) -> TurnView:
    """Types the question, sends it with Enter and waits until the answer is on screen."""
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        type_and_send(qtbot, program, question)
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    return last_turn(program)


def type_and_send(qtbot: QtBot, program: Program, question: str = QUESTION) -> None:
    field = program.window.chat.composer.field
    qtbot.keyClicks(field, question)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def last_turn(program: Program) -> TurnView:
    turn = program.window.chat.last_turn
    assert turn is not None
    return turn


def test_an_answer_streams_in_and_ends_with_its_figures(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers, script.token_s = ["One two three four five six seven eight nine ten."], 0.03
    open_sample()
    pieces: list[str] = []
    program.window.chat.text_shown.connect(pieces.append)
    turn = ask(qtbot, program)
    assert "".join(pieces) == script.answers[0]
    assert 3 <= len(pieces) <= 10, "tokens come in batches of about 40 ms"
    assert turn.status is TurnStatus.DONE
    assert turn.answer.source == script.answers[0]
    assert "10 tokens" in turn.facts.text()
    assert program.store.state.speed.tokens_per_s is not None
    assert program.window.gauges.rate.value.endswith("tokens/s")


def test_shift_enter_breaks_the_line_and_blank_questions_are_not_sent(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, open_sample: Callable[[], None]
) -> None:
    open_sample()
    field = program.window.chat.composer.field
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert field.toPlainText() == "\n"
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "ask" not in backend.calls
    assert not program.window.chat.composer.send_button.isEnabled()


def test_stop_keeps_what_came(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers, script.hold_at_token = ["First words and then no more of them."], 3
    open_sample()
    with qtbot.waitSignal(program.window.chat.text_shown, timeout=TIMEOUT_MS):
        type_and_send(qtbot, program)
    qtbot.waitUntil(lambda: last_turn(program).answer.source.startswith("First words and"))
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.window.chat.composer.stop_button.click()
    turn = last_turn(program)
    assert turn.status is TurnStatus.STOPPED
    assert turn.answer.source == "First words and"
    assert "Stopped" in turn.note.text()
    assert not program.window.error_dialog.isVisible()


def test_escape_stops_a_question_that_waits_for_the_reading(
    qtbot: QtBot, program: Program, script: Script, backend: ScriptedBackend, sample_path: str
) -> None:
    script.hold_at_chunk = 1
    program.controller.open_files([sample_path])
    qtbot.waitUntil(
        lambda: program.store.state.progress is not None and program.store.state.progress.done > 0
    )
    type_and_send(qtbot, program)
    assert last_turn(program).status is TurnStatus.WAITING
    assert program.window.chat.progress_row.isVisibleTo(program.window)
    assert "512 of 2,048 tokens" in program.window.chat.progress_row.figures.text()
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        qtbot.keyClick(program.window, Qt.Key.Key_Escape)
    assert last_turn(program).status is TurnStatus.STOPPED
    qtbot.waitUntil(lambda: program.store.state.activity == "idle")
    assert "ask" not in backend.calls
    script.go.set()
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        last_turn(program).regenerate_button.click()
    assert last_turn(program).status is TurnStatus.DONE
    assert backend.calls.count("open_document") == 1, "reading goes on where it was stopped"
    assert "regenerate" not in backend.calls, "the engine never heard the question before"


def test_regenerate_replaces_the_last_answer(
    qtbot: QtBot,
    program: Program,
    script: Script,
    backend: ScriptedBackend,
    open_sample: Callable[[], None],
) -> None:
    script.answers = ["The first answer.", "The second answer."]
    open_sample()
    ask(qtbot, program)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        last_turn(program).regenerate_button.click()
    assert len(program.window.chat.turns) == 1
    assert last_turn(program).answer.source == "The second answer."
    assert backend.calls[-1] == "regenerate"


def test_the_old_answer_stays_until_the_first_words_of_the_new_one(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers = [QUOTING, "The second answer."]
    open_sample()
    turn = ask(qtbot, program)
    script.hold_at_token = 0
    turn.regenerate_button.click()
    assert turn.status is TurnStatus.WAITING
    assert (turn.answer.source, len(turn.chips.chips)) == (QUOTING, 1)
    assert "Another answer" in turn.note.text()
    assert not turn.regenerate_button.isVisibleTo(program.window)
    with qtbot.waitSignal(program.window.chat.text_shown, timeout=TIMEOUT_MS):
        script.go.set()
    assert "It begins then" not in turn.answer.source
    assert turn.chips.chips == []


@pytest.mark.parametrize("is_queued", [False, True])
def test_a_stop_before_the_first_words_brings_the_old_answer_back(
    qtbot: QtBot,
    program: Program,
    script: Script,
    backend: ScriptedBackend,
    open_sample: Callable[[], None],
    is_queued: bool,
) -> None:
    script.answers = [QUOTING, "The second answer."]
    open_sample()
    turn = ask(qtbot, program)
    facts = turn.facts.text()
    script.hold_at_token = 0
    turn.regenerate_button.click()
    if not is_queued:
        qtbot.waitUntil(lambda: backend.calls[-1] == "regenerate", timeout=TIMEOUT_MS)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.stop()
    assert turn.status is TurnStatus.DONE
    assert (turn.answer.source, turn.facts.text(), len(turn.chips.chips)) == (QUOTING, facts, 1)
    assert "Stopped" not in turn.note.text()
    script.hold_at_token = None
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        turn.regenerate_button.click()
    assert turn.answer.source == "The second answer."
    assert backend.calls[-1] == "regenerate", "the model still knows the question"


def test_an_error_before_the_first_words_stands_under_the_old_answer(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    open_sample()
    turn = ask(qtbot, program)
    said = turn.answer.source
    script.answer_error = DoesNotFitError("Out of memory", "Close other programs.")
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        turn.regenerate_button.click()
    assert (turn.status, turn.answer.source) == (TurnStatus.FAILED, said)
    assert turn.error_frame.isVisibleTo(program.window)


def test_only_the_last_answer_can_be_regenerated(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None]
) -> None:
    open_sample()
    first = ask(qtbot, program)
    assert first.regenerate_button.isVisibleTo(program.window)
    second = ask(qtbot, program, "And when does it end?")
    assert not first.regenerate_button.isVisibleTo(program.window)
    assert second.regenerate_button.isVisibleTo(program.window)


def test_an_error_of_the_answer_stands_in_its_place(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answer_error = DoesNotFitError("No room for an answer", "Ask shorter, <b>please</b>.")
    script.tokens_before_error = 2
    open_sample()
    turn = ask(qtbot, program)
    assert turn.status is TurnStatus.FAILED
    assert turn.error_frame.isVisibleTo(program.window)
    assert turn.error_title.text() == "No room for an answer"
    assert turn.error_message.text() == "Ask shorter, <b>please</b>."
    assert turn.error_message.textFormat() is Qt.TextFormat.PlainText
    assert turn.answer.source == "The agreement ", "what came before the error stays"
    assert not program.window.error_dialog.isVisible()
    script.answer_error = None
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        turn.regenerate_button.click()
    assert last_turn(program).status is TurnStatus.DONE


@pytest.mark.parametrize("by_keyboard", [True, False])
def test_a_new_conversation_keeps_the_documents_read(
    qtbot: QtBot,
    program: Program,
    backend: ScriptedBackend,
    open_sample: Callable[[], None],
    by_keyboard: bool,
) -> None:
    open_sample()
    ask(qtbot, program)
    chat = program.window.chat
    num_calls, num_reads = len(backend.calls), backend.num_reads
    if by_keyboard:
        qtbot.keyClick(chat.composer.field, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    else:
        qtbot.mouseClick(chat.new_button, Qt.MouseButton.LeftButton)
    assert chat.turns == []
    assert chat.hint.isVisibleTo(program.window)
    assert program.store.state.usage is None
    assert program.store.state.is_read
    ask(qtbot, program, "And when does it end?")
    assert backend.calls[num_calls:] == ["start_conversation", "ask"]
    assert backend.num_reads == num_reads == 1


def test_a_new_conversation_needs_an_old_one_that_is_complete(
    qtbot: QtBot,
    program: Program,
    script: Script,
    backend: ScriptedBackend,
    open_sample: Callable[[], None],
) -> None:
    script.hold_at_token = 1
    button = program.window.chat.new_button
    assert not button.isEnabled()
    open_sample()
    assert not button.isEnabled()
    with qtbot.waitSignal(program.window.chat.text_shown, timeout=TIMEOUT_MS):
        type_and_send(qtbot, program)
    assert not button.isEnabled()
    qtbot.keyClick(program.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert len(program.window.chat.turns) == 1
    script.go.set()
    qtbot.waitUntil(button.isEnabled, timeout=TIMEOUT_MS)
    assert button.accessibleName() == "New conversation"
    button.click()
    assert not button.isEnabled()
    qtbot.waitUntil(lambda: backend.calls[-1] == "start_conversation", timeout=TIMEOUT_MS)


def test_a_full_conversation_makes_room_for_its_last_question(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    open_sample()
    ask(qtbot, program)
    script.answer_error = ConversationFullError("No room for an answer", "Start a new conversation.")
    turn = ask(qtbot, program, "And when does it end?")
    assert turn.new_button.isVisibleTo(program.window)
    script.answer_error = None
    turn.new_button.click()
    chat = program.window.chat
    assert chat.turns == []
    assert chat.composer.field.toPlainText() == "And when does it end?"
    with qtbot.waitSignal(chat.answer_shown, timeout=TIMEOUT_MS):
        qtbot.keyClick(chat.composer.field, Qt.Key.Key_Return)
    assert last_turn(program).status is TurnStatus.DONE


def test_a_first_question_without_room_is_not_sent_in_a_circle(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answer_error = ConversationFullError("No room for an answer", "Ask shorter.")
    open_sample()
    assert not ask(qtbot, program).new_button.isVisibleTo(program.window)


def test_an_answer_stopped_before_its_first_word_is_asked_anew(
    qtbot: QtBot,
    program: Program,
    script: Script,
    backend: ScriptedBackend,
    open_sample: Callable[[], None],
) -> None:
    script.hold_at_token = 0
    open_sample()
    type_and_send(qtbot, program)
    qtbot.waitUntil(lambda: backend.calls[-1] == "ask", timeout=TIMEOUT_MS)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.stop()
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    script.hold_at_token = None
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        last_turn(program).regenerate_button.click()
    assert backend.calls[-2:] == ["ask", "ask"], "the engine keeps no turn without an answer"


def test_an_unexpected_error_becomes_one_plain_sentence(
    qtbot: QtBot,
    program: Program,
    script: Script,
    open_sample: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    script.answer_error = ZeroDivisionError("internal detail")
    open_sample()
    turn = ask(qtbot, program)
    assert turn.error_title.text() == "Something went wrong in Lectern"
    assert "internal detail" not in turn.error_message.text()
    assert "ZeroDivisionError" in caplog.text
    assert "Traceback" in caplog.text


def test_copy_puts_the_answer_on_the_clipboard(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None]
) -> None:
    open_sample()
    turn = ask(qtbot, program)
    turn.copy_button.click()
    assert QGuiApplication.clipboard().text() == "The agreement says so."


def test_a_verified_quote_is_a_chip_that_marks_its_words(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers = [QUOTING]
    open_sample()
    turn = ask(qtbot, program)
    (chip,) = turn.chips.chips
    assert chip.kind == "verified"
    assert chip.text().startswith("p. 1 · “The term of this")
    marked: list[tuple[PageRect, ...]] = []
    program.controller.place_chosen.connect(lambda _page_index, rects: marked.append(rects))
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert marked
    assert {rect.page_index for rect in marked[0]} == {0}
    assert program.window.document_view.current_page == 0


def test_an_unverified_quote_is_muted_and_says_so(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers = ['It says "the tenant shall feed all the llamas of the landlord twice" somewhere.']
    open_sample()
    kinds = {chip.kind: chip for chip in ask(qtbot, program).chips.chips}
    assert "verified" not in kinds
    assert kinds["unverified"].text().startswith("Not found")
    assert "does not say this" in kinds["unverified"].toolTip()


def test_a_closest_passage_is_never_called_a_quote(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers = ["The effective date of the agreement is January 1, 1998."]
    open_sample()
    (chip,) = ask(qtbot, program).chips.chips
    assert chip.kind == "passage"
    assert chip.text() == "Closest passage · p. 1"
    assert "quote" not in chip.text().lower()


def test_a_printed_label_is_named_when_it_differs(qtbot: QtBot, program: Program, pdfs: object) -> None:
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        program.controller.open_files([f"{pdfs}/lease.pdf"])
    program.window.chat.add_turn("How much?")
    finished = _finished(program, 'It is "The rent of the barge is 5 gulden a week".')
    program.window.chat.finish_answer(finished)
    (chip,) = last_turn(program).chips.chips
    assert chip.text().startswith("p. 2 (printed ii)")


def test_the_gauges_follow_the_tiers(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    seen: list[str] = []
    script.token_s, script.answers = 0.05, ["a b c d e f g h"]
    open_sample()
    program.store.usage_changed.connect(lambda _usage: seen.append(program.window.gauges.hot_window.value))
    ask(qtbot, program)
    assert len(set(seen)) >= 3, "the figures move while the answer comes"
    assert seen[-1] == "1,024 hot · 1,032 cold · 2,056 tokens"
    assert program.window.gauges.traffic.value == "23.6 MB a token"


def test_the_sample_offers_questions_that_can_be_clicked(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None]
) -> None:
    open_sample()
    button = program.window.chat.findChildren(type(program.window.chat._suggestions[0]))[0]
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert last_turn(program).question.text() == button.words
    assert not button.isVisibleTo(program.window)


def test_a_language_change_reaches_what_is_on_screen(
    qtbot: QtBot, program: Program, themed: QApplication, open_sample: Callable[[], None]
) -> None:
    open_sample()
    ask(qtbot, program)
    themed.sendEvent(program.window, QEvent(QEvent.Type.LanguageChange))
    assert program.window.chat.heading.text() == "Conversation"


def _finished(program: Program, answer: str) -> Finished:
    backend = ScriptedBackend(Script(answers=[answer]))
    backend.open_document(program.store.state.documents)
    from core.cancel import CancelToken
    from core.settings import SamplingSettings

    events = list(backend.ask("How much?", SamplingSettings(), CancelToken()))
    assert isinstance(events[-1], Finished)
    return events[-1]
