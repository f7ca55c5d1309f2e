"""A conversation is not lost by accident: what would close it asks first."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.startup import Program

TIMEOUT_MS = 10_000


def name_of_document(program: Program) -> str:
    return program.store.state.documents[0].name


def press(qtbot: QtBot, program: Program, key: Qt.Key) -> None:
    dialog = program.window.closing_dialog
    assert dialog.isVisible()
    qtbot.keyClick(dialog, key)
    assert not dialog.isVisible()


def test_without_a_conversation_nothing_is_asked(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None], pdfs: Path
) -> None:
    open_sample()
    program.controller.open_files([str(pdfs / "lease.pdf")])
    assert not program.window.closing_dialog.isVisible()
    qtbot.waitUntil(lambda: name_of_document(program) == "lease.pdf", timeout=TIMEOUT_MS)


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
def test_another_document_waits_and_the_conversation_is_kept(
    qtbot: QtBot, program: Program, converse: Callable[[], None], pdfs: Path, key: Qt.Key
) -> None:
    converse()
    before = name_of_document(program)
    program.controller.open_files([str(pdfs / "lease.pdf")])
    dialog = program.window.closing_dialog
    assert dialog.heading.text() == "Close this conversation?"
    assert "stays in the history" in dialog.words.text()
    assert dialog.yes_button.text() == "Open the document"
    press(qtbot, program, key)
    assert program.store.state.activity == "idle"
    assert name_of_document(program) == before
    assert len(program.window.chat.turns) == 1


def test_another_document_takes_the_place_of_the_conversation_if_agreed(
    qtbot: QtBot, program: Program, converse: Callable[[], None], pdfs: Path
) -> None:
    converse()
    program.controller.open_files([str(pdfs / "lease.pdf")])
    with qtbot.waitSignal(program.controller.conversation_cleared, timeout=TIMEOUT_MS):
        qtbot.mouseClick(program.window.closing_dialog.yes_button, Qt.MouseButton.LeftButton)
    assert name_of_document(program) == "lease.pdf"
    assert program.window.chat.turns == []
    program.controller.open_files([str(pdfs / "R&D <b>lease.pdf")])
    assert not program.window.closing_dialog.isVisible(), "there is no conversation any more"


def test_a_document_that_cannot_be_read_leaves_the_conversation(
    qtbot: QtBot, program: Program, converse: Callable[[], None], pdfs: Path
) -> None:
    converse()
    program.controller.open_files([str(pdfs / "notes.txt")])
    with qtbot.waitSignal(program.window.error_dialog.error_shown, timeout=TIMEOUT_MS):
        program.window.closing_dialog.accept()
    program.window.error_dialog.accept()
    assert len(program.window.chat.turns) == 1


def test_closing_the_window_does_not_ask(
    qtbot: QtBot, program: Program, converse: Callable[[], None]
) -> None:
    converse()
    with qtbot.waitSignal(program.window.closed, timeout=TIMEOUT_MS):
        program.window.close()
    assert not program.window.closing_dialog.isVisible()
