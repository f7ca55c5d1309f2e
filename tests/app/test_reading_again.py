"""Reading the files of a session again: with text recognition, or because they have changed."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.startup import Program

TIMEOUT_MS = 10_000
PASSWORD = "open sesame"


@pytest.fixture
def opened(qtbot: QtBot, program: Program, pdfs: Path) -> list[str]:
    """A session of two documents, one of which has a password; the second is on screen."""
    paths = [str(pdfs / "locked.pdf"), str(pdfs / "lease.pdf")]
    with qtbot.waitSignal(program.opener.password_wanted, timeout=TIMEOUT_MS):
        program.controller.open_files(paths)
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        program.opener.give_password(paths[0], PASSWORD)
    program.window.password_dialog.hide()
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    program.controller.show_document(1)
    return paths


def read_again(qtbot: QtBot, program: Program, signal: Any) -> None:
    with qtbot.waitSignal(program.opener.documents_opened, timeout=TIMEOUT_MS):
        signal.emit()
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)


def test_the_document_on_screen_is_recognised_and_the_others_are_only_read(
    qtbot: QtBot, program: Program, opened: list[str], service: QObject
) -> None:
    fake: Any = service
    asked: list[str] = []
    program.opener.password_wanted.connect(lambda path, _is_wrong: asked.append(path))
    fake.opened.append((opened[0], PASSWORD))
    read_again(qtbot, program, program.window.document_view.recognition_wanted)
    assert fake.recognised == [opened[1]]
    assert fake.opened[-2:] == [(opened[0], PASSWORD), (opened[1], None)]
    assert not asked
    read_again(qtbot, program, program.window.document_view.open_again_wanted)
    assert fake.recognised == [opened[1]] * 2, "a document that was recognised stays so"
    fake.recognised.clear()
    with qtbot.waitSignal(program.opener.documents_opened, timeout=TIMEOUT_MS):
        program.controller.open_files([opened[1]])
    read_again(qtbot, program, program.window.document_view.open_again_wanted)
    assert fake.recognised == [], "opened anew it is only read"


@pytest.mark.usefixtures("opened")
def test_a_conversation_is_closed_only_with_consent(qtbot: QtBot, program: Program, service: QObject) -> None:
    fake: Any = service
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask("What is it?")
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    num_opened = len(fake.opened)
    with qtbot.waitSignal(program.controller.consent_wanted, timeout=TIMEOUT_MS):
        program.window.document_view.recognition_wanted.emit()
    program.controller.give_consent(is_given=False)
    assert len(fake.opened) == num_opened
    assert program.store.state.has_conversation
