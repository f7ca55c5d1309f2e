"""Everything asked and answered is in the library, and comes back from there."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat_view.turn_view import TurnStatus, TurnView
from app.library_view.history_panel import HistoryPanel
from app.scripted_backend import Script, ScriptedBackend
from app.startup import Program
from core.documents.layout import Document
from core.errors import DoesNotFitError
from core.library.library import Library, library_path
from core.library.records import StoredConversation, StoredTurn

TIMEOUT_MS = 10_000
QUOTING = 'It begins then: "The term of this Agreement will commence on January 1, 1998" [page 1].'


Stored = Callable[[], list[tuple[StoredConversation, tuple[StoredTurn, ...]]]]


@pytest.fixture
def stored() -> Stored:
    """Reads the file as another process would: conversations, newest first, with their turns."""

    def read() -> list[tuple[StoredConversation, tuple[StoredTurn, ...]]]:
        with Library.open() as library:
            return [
                (one, library.conversations.turns(one.conversation_id)) for one in library.conversations.all()
            ]

    return read


def ask(qtbot: QtBot, program: Program, question: str) -> TurnView:
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask(question)
    settle(qtbot, program)
    return last_turn(program)


def settle(qtbot: QtBot, program: Program) -> None:
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    assert program.library.settle(10)


def last_turn(program: Program) -> TurnView:
    turn = program.window.chat.last_turn
    assert turn is not None
    return turn


def panel_of(qtbot: QtBot, program: Program) -> HistoryPanel:
    """The history, opened by the keyboard, with what the library has."""
    panel = program.window.history_panel
    program.window.activateWindow()
    qtbot.waitUntil(program.window.isActiveWindow, timeout=TIMEOUT_MS)
    qtbot.keyClick(program.window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    assert panel.isVisibleTo(program.window)
    assert panel.field.hasFocus()
    assert program.library.settle(10)
    QApplication.processEvents()
    return panel


def titles(panel: HistoryPanel) -> list[str]:
    return [row.title for row in panel.model.rows]


def wait_for_titles(qtbot: QtBot, panel: HistoryPanel, expected: list[str]) -> None:
    """Conversations in their order, without the documents over them."""
    qtbot.waitUntil(
        lambda: [row.title for row in panel.model.rows if not row.is_heading] == expected, timeout=TIMEOUT_MS
    )


def select(panel: HistoryPanel, title: str) -> None:
    panel.list.setCurrentIndex(panel.model.index(titles(panel).index(title), 0))


def open_by_enter(qtbot: QtBot, program: Program, panel: HistoryPanel, title: str) -> None:
    select(panel, title)
    with qtbot.waitSignal(program.controller.conversation_restored, timeout=TIMEOUT_MS):
        qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    settle(qtbot, program)


def test_question_and_answer_are_on_the_disk_before_they_are_on_screen(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None], stored: Stored
) -> None:
    script.answers, script.hold_at_token = [QUOTING], 0
    open_sample()
    program.library.open()
    program.library.settle(10)
    seen: list[tuple[str, str | None]] = []

    def look() -> None:
        turn = stored()[0][1][0]
        seen.append((turn.question, turn.answer.text if turn.answer else None))

    program.controller.question_asked.connect(look)
    program.controller.answer_finished.connect(look)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask("When does it begin?")
        script.go.set()
    assert seen == [("When does it begin?", None), ("When does it begin?", QUOTING)]
    ((conversation, (turn,)),) = stored()
    assert (conversation.title, len(conversation.document_ids)) == ("When does it begin?", 1)
    assert turn.answer is not None
    assert turn.answer.reason == "stop"
    assert turn.answer.mode == "exact"
    assert turn.answer.model == "starter"
    assert turn.answer.metrics is not None
    assert [citation.verified for citation in turn.answer.citations] == [True]


def test_a_stopped_answer_keeps_its_words_and_a_failed_one_its_question(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None], stored: Stored
) -> None:
    script.answers, script.hold_at_token = ["First words and then no more of them."], 3
    open_sample()
    program.controller.ask("Why?")
    qtbot.waitUntil(lambda: last_turn(program).answer.source.startswith("First words and"))
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.stop()
    script.answer_error, script.tokens_before_error = DoesNotFitError("Out of memory", "Close others."), 2
    script.hold_at_token = None
    settle(qtbot, program)
    ask(qtbot, program, "And then?")
    ((_, (first, second)),) = stored()
    assert first.answer is not None
    assert (first.answer.text, first.answer.reason) == ("First words and", "cancelled")
    assert second.question == "And then?"
    assert second.answer is not None
    assert second.answer.text == "First words"


def test_an_answer_that_grows_is_written_while_it_does(
    qtbot: QtBot,
    program: Program,
    script: Script,
    open_sample: Callable[[], None],
    stored: Stored,
) -> None:
    program.recorder._timer.setInterval(60)
    script.answers, script.hold_at_token, script.token_s = ["one two three four five six"], 4, 0.03
    open_sample()
    program.controller.ask("Count!")

    def kept() -> str | None:
        answer = stored()[0][1][0].answer
        return answer.text if answer else None

    qtbot.waitUntil(lambda: kept() == "one two three four", timeout=TIMEOUT_MS)
    program.window.close()
    assert program.library.settle(10)
    assert kept() == "one two three four", "closing the window loses nothing either"


def test_a_new_conversation_and_other_documents_are_kept_apart(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None], stored: Stored, pdfs: Path
) -> None:
    open_sample()
    ask(qtbot, program, "First?")
    program.controller.start_conversation()
    ask(qtbot, program, "Second?")
    program.controller.open_files([str(pdfs / "lease.pdf")])
    dialog = program.window.closing_dialog
    assert "history" in dialog.words.text()
    with qtbot.waitSignal(program.controller.conversation_cleared, timeout=TIMEOUT_MS):
        dialog.yes_button.click()
    settle(qtbot, program)
    ask(qtbot, program, "Third?")
    assert [one.title for one, _ in stored()] == ["Third?", "Second?", "First?"]
    panel = panel_of(qtbot, program)
    sample_name = Path(program.recent.paths[1]).name
    assert titles(panel) == ["lease.pdf", "Third?", sample_name, "Second?", "First?"]
    assert panel.painter.current_id == panel.model.rows[1].conversation_id


def test_a_conversation_comes_back_with_its_documents_and_goes_on(
    qtbot: QtBot,
    program: Program,
    script: Script,
    backend: ScriptedBackend,
    open_sample: Callable[[], None],
    stored: Stored,
    pdfs: Path,
) -> None:
    script.answers = [QUOTING, "Then it ends.", "More."]
    open_sample()
    facts = ask(qtbot, program, "When does it begin?").facts.text()
    ask(qtbot, program, "And end?")
    sample_name = program.store.state.documents[0].name
    program.controller.open_files([str(pdfs / "lease.pdf")])
    with qtbot.waitSignal(program.controller.conversation_cleared, timeout=TIMEOUT_MS):
        program.window.closing_dialog.yes_button.click()
    settle(qtbot, program)
    panel = panel_of(qtbot, program)
    open_by_enter(qtbot, program, panel, "When does it begin?")
    chat = program.window.chat
    assert [document.name for document in program.store.state.documents] == [sample_name]
    assert [turn.question.text() for turn in chat.turns] == ["When does it begin?", "And end?"]
    assert [turn.answer.source for turn in chat.turns] == script.answers[:2]
    assert chat.turns[0].facts.text() == facts
    assert not chat.differences.isVisibleTo(program.window)
    assert [(turn.question, turn.answer) for turn in backend.history] == [
        ("When does it begin?", QUOTING),
        ("And end?", "Then it ends."),
    ]
    with qtbot.waitSignal(program.controller.place_chosen, timeout=TIMEOUT_MS):
        qtbot.mouseClick(chat.turns[0].chips.chips[0], Qt.MouseButton.LeftButton)
    ask(qtbot, program, "And now?")
    ((conversation, turns),) = stored()
    assert [turn.question for turn in turns] == ["When does it begin?", "And end?", "And now?"]
    assert conversation.title == "When does it begin?"


def test_with_the_same_documents_nothing_is_read_again(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, open_sample: Callable[[], None]
) -> None:
    open_sample()
    ask(qtbot, program, "First?")
    program.controller.start_conversation()
    ask(qtbot, program, "Second?")
    panel = panel_of(qtbot, program)
    open_by_enter(qtbot, program, panel, "First?")
    assert backend.calls.count("open_document") == 1
    assert [turn.question for turn in backend.history] == ["First?"]
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        last_turn(program).regenerate_button.click()
    assert backend.calls[-1] == "regenerate", "the model knows the question"


def test_a_document_that_is_gone_or_changed_is_said_and_the_rest_can_be_read(
    qtbot: QtBot, program: Program, service: Any, pdfs: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "moving.pdf"
    copy.write_bytes((pdfs / "lease.pdf").read_bytes())
    document = service.known[str(pdfs / "lease.pdf")]
    service.known[str(copy)] = Document(str(copy), copy.name, "a1" * 32, document.pages)
    program.controller.open_files([str(copy)])
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    ask(qtbot, program, "How much?")
    program.controller.start_conversation()
    with qtbot.waitSignal(program.store.documents_changed, timeout=TIMEOUT_MS):
        program.controller.open_files([str(pdfs / "lease.pdf")])
    settle(qtbot, program)
    service.known[str(copy)] = Document(str(copy), copy.name, "b2" * 32, document.pages)
    panel, chat = panel_of(qtbot, program), program.window.chat
    open_by_enter(qtbot, program, panel, "How much?")
    assert "Changed since" in chat.differences.text()
    assert copy.name in chat.differences.text()
    assert last_turn(program).regenerate_button.isVisibleTo(program.window)
    program.controller.start_conversation()
    copy.unlink()
    open_by_enter(qtbot, program, panel, "How much?")
    assert "moved, deleted" in chat.differences.text()
    assert chat.isVisibleTo(program.window)
    assert last_turn(program).answer.source == "The agreement says so."
    assert not chat.composer.send_button.isEnabled()
    assert not last_turn(program).regenerate_button.isVisibleTo(program.window)
    assert not program.window.error_dialog.isVisible()
    del service.known[str(copy)]


def test_a_document_that_was_moved_is_found_once_it_was_opened_again(
    qtbot: QtBot, program: Program, service: Any, pdfs: Path, tmp_path: Path
) -> None:
    old, new = tmp_path / "old.pdf", tmp_path / "new.pdf"
    old.write_bytes((pdfs / "lease.pdf").read_bytes())
    document = service.known[str(pdfs / "lease.pdf")]
    for path in (old, new):
        service.known[str(path)] = Document(str(path), path.name, "c3" * 32, document.pages)
    program.controller.open_files([str(old)])
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    ask(qtbot, program, "How much?")
    program.controller.start_conversation()
    old.rename(new)
    for path in (new, pdfs / "lease.pdf"):
        with qtbot.waitSignal(program.store.documents_changed, timeout=TIMEOUT_MS):
            program.controller.open_files([str(path)])
        settle(qtbot, program)
    open_by_enter(qtbot, program, panel_of(qtbot, program), "How much?")
    assert program.store.state.documents[0].path == str(new)
    assert program.window.chat.differences.text() == ""
    del service.known[str(old)], service.known[str(new)]


def test_a_search_finds_as_one_types_and_marks_the_words(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers = ["The llama is fed twice a day.", "Rent is due in May."]
    open_sample()
    ask(qtbot, program, "Who feeds it?")
    ask(qtbot, program, "When is it due?")
    panel = panel_of(qtbot, program)
    with qtbot.waitSignal(program.history.found, timeout=TIMEOUT_MS):
        qtbot.keyClicks(panel.field, "llam")
    (row,) = panel.model.rows
    assert [row.detail[start:end] for start, end in row.matches] == ["llam"]
    qtbot.keyClick(panel.field, Qt.Key.Key_Down)
    with qtbot.waitSignal(program.controller.turn_wanted, timeout=TIMEOUT_MS) as wanted:
        qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert wanted.args == [0]
    with qtbot.waitSignal(program.history.found, timeout=TIMEOUT_MS):
        qtbot.keyClicks(panel.field, "x")
    assert panel.model.rows == ()
    assert "Nothing found" in panel.empty.text()
    panel.field.clear()
    assert titles(panel)[1:] == ["Who feeds it?"]


def test_rename_and_delete_by_keyboard(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, open_sample: Callable[[], None], stored: Stored
) -> None:
    open_sample()
    ask(qtbot, program, "Is the unicorn insured?")
    panel = panel_of(qtbot, program)
    select(panel, "Is the unicorn insured?")
    qtbot.keyClick(panel.list, Qt.Key.Key_F2)
    panel.rename_dialog.field.setText("Insurance")
    qtbot.keyClick(panel.rename_dialog, Qt.Key.Key_Return)
    wait_for_titles(qtbot, panel, ["Insurance"])
    select(panel, "Insurance")
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    assert "“Insurance”" in panel.delete_dialog.words.text()
    qtbot.keyClick(panel.delete_dialog, Qt.Key.Key_Return)
    assert program.library.settle(10)
    assert len(stored()) == 1, "Enter keeps it"
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    panel.delete_dialog.yes_button.click()
    wait_for_titles(qtbot, panel, [])
    assert program.window.chat.turns == [], "what is on screen goes too"
    settle(qtbot, program)
    assert backend.calls[-1] == "start_conversation"
    ask(qtbot, program, "Anything else?")
    ((conversation, _),) = stored()
    assert conversation.title == "Anything else?"
    files = library_path().parent.glob("library.db*")
    assert not any(b"unicorn" in path.read_bytes() for path in files)


def test_the_start_page_offers_recent_conversations(
    qtbot: QtBot, program: Program, service: Any, pdfs: Path
) -> None:
    with Library.open() as library:
        document = service.known[str(pdfs / "lease.pdf")]
        ids = [library.documents.add(document.sha256, document.path, document.name, 3).document_id]
        library.conversations.add_turn(library.conversations.create("Rent", ids).conversation_id, "Rent?")
    with qtbot.waitSignal(program.history.listed, timeout=TIMEOUT_MS):
        program.start([])
    (button,) = program.window.start_page.conversation_buttons
    qtbot.waitUntil(lambda: button.isVisibleTo(program.window), timeout=TIMEOUT_MS)
    with qtbot.waitSignal(program.controller.conversation_restored, timeout=TIMEOUT_MS):
        button.click()
    assert last_turn(program).status is TurnStatus.UNANSWERED
    settle(qtbot, program)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        last_turn(program).regenerate_button.click()
    assert last_turn(program).status is TurnStatus.DONE


def test_two_windows_share_a_library(qtbot: QtBot, program: Program, open_sample: Callable[[], None]) -> None:
    open_sample()
    ask(qtbot, program, "Mine?")
    with Library.open() as other:
        (mine,) = other.conversations.all()
        other.conversations.create("Theirs", mine.document_ids)
        panel = panel_of(qtbot, program)
        wait_for_titles(qtbot, panel, ["Theirs", "Mine?"])
        other.conversations.delete(mine.conversation_id)
        ask(qtbot, program, "Still there?")
        assert other.conversations.all()[0].title == "Still there?"
    assert not program.window.error_dialog.isVisible()


def test_a_damaged_library_is_told_once_and_replaced(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None], stored: Stored
) -> None:
    library_path().parent.mkdir(parents=True, exist_ok=True)
    library_path().write_bytes(b"no database at all" * 500)
    with qtbot.waitSignal(program.window.error_dialog.error_shown, timeout=TIMEOUT_MS):
        program.start([])
    assert "built anew" in program.window.error_dialog.message.text()
    program.window.error_dialog.accept()
    open_sample()
    ask(qtbot, program, "Kept?")
    assert [one.title for one, _ in stored()] == ["Kept?"]
    assert not program.window.error_dialog.isVisible()


def test_without_a_library_the_program_goes_on_and_says_so_once(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None], pdfs: Path
) -> None:
    library_path().mkdir(parents=True)
    with qtbot.waitSignal(program.window.error_dialog.error_shown, timeout=TIMEOUT_MS):
        program.start([])
    program.window.error_dialog.accept()
    open_sample()
    assert ask(qtbot, program, "Kept?").status is TurnStatus.DONE
    assert not program.window.error_dialog.isVisible()
    program.controller.open_files([str(pdfs / "lease.pdf")])
    assert "not kept" in program.window.closing_dialog.words.text()
    program.window.closing_dialog.reject()


def test_a_full_disk_is_said_once_and_what_comes_later_is_kept(
    qtbot: QtBot,
    program: Program,
    open_sample: Callable[[], None],
    stored: Stored,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_sample()
    program.library.open()
    assert program.library.settle(10)

    def fail(*_arguments: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patched, qtbot.waitSignal(program.library.failed, timeout=TIMEOUT_MS):
        patched.setattr("core.library.database.Database._in_transaction", fail)
        ask(qtbot, program, "Lost?")
    program.window.error_dialog.accept()
    ask(qtbot, program, "Kept?")
    QApplication.processEvents()
    assert not program.window.error_dialog.isVisible()
    assert [turn.question for turn in stored()[0][1]] == ["Kept?"]
