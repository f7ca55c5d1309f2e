"""Documents in the window: dropped, opened together, locked, refused, remembered."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.scripted_backend import Script, ScriptedBackend
from app.startup import Program
from core.documents.layout import Document
from core.errors import DoesNotFitError, ModelError

TIMEOUT_MS = 10_000
PASSWORD = "open sesame"
COPY = Qt.DropAction.CopyAction


def drag(program: Program, paths: list[str]) -> QMimeData:
    """Moves files over the window; returns what is being dragged, which must outlive the drop."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    keys = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    event = QDragEnterEvent(QPoint(300, 300), COPY, data, keys[1], keys[0])
    QApplication.sendEvent(program.window, event)
    assert event.isAccepted() is bool(paths)
    return data


def drop(program: Program, paths: list[str]) -> None:
    data = drag(program, paths)
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(program.window, QDropEvent(QPointF(300, 300), COPY, data, buttons, keys))


def names(program: Program) -> list[str]:
    return [document.name for document in program.store.state.documents]


def test_an_empty_window_says_what_to_do(program: Program) -> None:
    page = program.window.start_page
    assert page.isVisibleTo(program.window)
    assert "Drop a document" in page.heading.text()
    assert page.open_button.hasFocus() or page.open_button.isVisibleTo(program.window)
    assert not program.window.chat.composer.send_button.isEnabled()


def test_a_dropped_file_is_opened_and_read(
    qtbot: QtBot, program: Program, sample_path: str, backend: ScriptedBackend
) -> None:
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        drop(program, [sample_path])
    assert names(program) == [Path(sample_path).name]
    assert program.window.splitter.isVisibleTo(program.window)
    assert program.window.document_view.current_page == 0
    assert backend.calls[:2] == ["open_model", "open_document"]
    assert program.recent.paths == [sample_path]


def test_while_files_are_dragged_the_window_says_so(program: Program, sample_path: str) -> None:
    drag(program, [sample_path])
    assert program.window.overlay.isVisibleTo(program.window)
    QApplication.sendEvent(program.window, QDragLeaveEvent())
    assert not program.window.overlay.isVisibleTo(program.window)


def test_what_is_no_file_is_not_taken(program: Program, service: Any) -> None:
    drag(program, [])
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/lease.pdf")])
    keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPointF(300, 300), COPY, data, *keys)
    event.ignore()
    QApplication.sendEvent(program.window, event)
    assert not event.isAccepted()
    assert service.opened == []


def test_no_other_widget_takes_drops(program: Program) -> None:
    takers = [child for child in program.window.findChildren(QWidget) if child.acceptDrops()]
    assert takers == []
    assert program.window.acceptDrops()


def test_several_files_become_one_session(
    qtbot: QtBot, program: Program, sample_path: str, pdfs: Path, backend: ScriptedBackend
) -> None:
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        drop(program, [sample_path, str(pdfs / "lease.pdf")])
    assert names(program) == [Path(sample_path).name, "lease.pdf"]
    assert backend.calls.count("open_document") == 1
    assert program.window.top_bar.tabs.count() == 2
    program.window.top_bar.tabs.setCurrentIndex(1)
    assert program.store.state.shown_document == 1
    qtbot.keyClick(program.window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert program.store.state.shown_document == 0


def test_a_citation_of_another_document_brings_it_on_screen(
    qtbot: QtBot, program: Program, script: Script, sample_path: str, pdfs: Path
) -> None:
    script.answers = ['It is "The rent of the barge is 5 gulden a week".']
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        program.controller.open_files([sample_path, str(pdfs / "lease.pdf")])
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask("How much is the rent?")
    turn = program.window.chat.last_turn
    assert turn is not None
    (chip,) = turn.chips.chips
    assert "lease.pdf" in chip.accessibleName()
    chip.click()
    assert program.store.state.shown_document == 1
    assert program.window.document_view.current_page == 1


def test_two_documents_of_one_name_are_told_apart(
    qtbot: QtBot, program: Program, service: Any, pdfs: Path, known_documents: dict[str, Document]
) -> None:
    lease = known_documents[str(pdfs / "lease.pdf")]
    service.known = {"/a/lease.pdf": lease, "/b/lease.pdf": lease}
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        program.controller.open_files(["/a/lease.pdf", "/b/lease.pdf"])
    assert names(program) == ["lease.pdf", "lease.pdf (2)"]


def test_a_locked_file_asks_for_its_password_until_it_is_right(
    qtbot: QtBot, program: Program, pdfs: Path, service: Any
) -> None:
    dialog = program.window.password_dialog
    program.controller.open_files([str(pdfs / "locked.pdf")])
    qtbot.waitUntil(dialog.isVisible, timeout=TIMEOUT_MS)
    assert "locked.pdf" in dialog.words.text()
    assert not dialog.complaint.isVisibleTo(dialog)
    qtbot.keyClicks(dialog.field, "wrong")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.isVisible() and dialog.complaint.isVisibleTo(dialog), timeout=TIMEOUT_MS)
    assert dialog.field.text() == ""
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        qtbot.keyClicks(dialog.field, PASSWORD)
        qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert names(program) == ["locked.pdf"]
    assert [password for _, password in service.opened] == [None, "wrong", PASSWORD]


def test_giving_up_a_password_leaves_the_others(
    qtbot: QtBot, program: Program, pdfs: Path, sample_path: str
) -> None:
    dialog = program.window.password_dialog
    program.controller.open_files([str(pdfs / "locked.pdf"), sample_path])
    qtbot.waitUntil(dialog.isVisible, timeout=TIMEOUT_MS)
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        dialog.reject()
    assert names(program) == [Path(sample_path).name]
    assert not program.window.error_dialog.isVisible()


def test_a_refused_file_is_explained_and_the_window_stays_usable(
    qtbot: QtBot, program: Program, pdfs: Path
) -> None:
    dialog = program.window.error_dialog
    with qtbot.waitSignal(dialog.error_shown, timeout=TIMEOUT_MS):
        drop(program, [str(pdfs / "notes.txt")])
    assert dialog.title.text() == "Not a PDF"
    assert dialog.message.textFormat() is Qt.TextFormat.PlainText
    dialog.accept()
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    assert program.window.start_page.isVisibleTo(program.window)


def test_what_does_not_fit_is_said_in_the_dialog(
    qtbot: QtBot, program: Program, script: Script, sample_path: str
) -> None:
    script.document_error = DoesNotFitError("The document is too long for this model", "It has 9 tokens.")
    with qtbot.waitSignal(program.window.error_dialog.error_shown, timeout=TIMEOUT_MS):
        program.controller.open_files([sample_path])
    assert program.window.error_dialog.message.text() == "It has 9 tokens."
    assert program.window.splitter.isVisibleTo(program.window), "it can still be read by eye"


def test_a_missing_model_is_said_once(
    qtbot: QtBot, program: Program, script: Script, sample_path: str
) -> None:
    script.model_error = ModelError("The starter model cannot be downloaded", "Go online and try again.")
    shown: list[object] = []
    program.window.error_dialog.error_shown.connect(shown.append)
    program.controller.open_files([sample_path])
    qtbot.waitUntil(lambda: program.store.state.activity == "idle" and bool(shown), timeout=TIMEOUT_MS)
    qtbot.wait(100)
    assert len(shown) == 1


def test_a_model_that_still_loads_is_said_when_the_pages_are_there(
    qtbot: QtBot, program: Program, script: Script, sample_path: str
) -> None:
    script.model_s = 60.0
    program.controller.open_files([sample_path])
    qtbot.waitUntil(lambda: bool(program.store.state.documents), timeout=TIMEOUT_MS)
    row = program.window.chat.progress_row
    qtbot.waitUntil(lambda: row.isVisibleTo(program.window), timeout=TIMEOUT_MS)
    assert row.words.text() == "Loading the model"
    assert row.bar.maximum() == 0, "it takes an unknown time"


def test_stop_while_opening_keeps_the_session_on_screen(
    qtbot: QtBot, program: Program, service: Any, open_sample: Callable[[], None], pdfs: Path
) -> None:
    open_sample()
    before = names(program)
    service.is_slow = True
    program.controller.open_files([str(pdfs / "lease.pdf")])
    assert program.store.state.activity == "opening"
    qtbot.keyClick(program.window, Qt.Key.Key_Escape)
    assert program.store.state.activity == "idle"
    service.answer()
    assert names(program) == before


def test_odd_names_are_shown_as_they_are(qtbot: QtBot, program: Program, pdfs: Path) -> None:
    path = str(pdfs / "R&D <b>lease.pdf")
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        program.controller.open_files([path])
    assert program.window.top_bar.tabs.tabText(0) == "R&&D <b>lease.pdf"
    assert "<b>" not in program.window.top_bar.tabs.tabToolTip(0)
    (action, *_) = program.window.top_bar.menu.actions()
    assert action.text() == "R&&D <b>lease.pdf"


def test_recent_files_can_be_opened_again_and_forgotten(
    program: Program, open_sample: Callable[[], None], service: Any, sample_path: str
) -> None:
    open_sample()
    bar = program.window.top_bar
    bar.menu.actions()[0].trigger()
    assert service.opened[-1] == (sample_path, None)
    bar.menu.actions()[-1].trigger()
    assert program.recent.paths == []
    assert not bar.recent_button.isEnabled()


@pytest.mark.parametrize("stage", ["opening", "loading", "reading", "answering"])
def test_closing_in_the_middle_ends_in_time(
    qtbot: QtBot, program: Program, script: Script, service: Any, sample_path: str, stage: str
) -> None:
    service.is_slow = stage == "opening"
    script.model_s = 60.0 if stage == "loading" else 0.0
    script.hold_at_chunk = 1 if stage == "reading" else None
    script.hold_at_token = 1 if stage == "answering" else None
    program.controller.open_files([sample_path])
    if stage == "answering":
        qtbot.waitUntil(lambda: bool(program.store.state.documents), timeout=TIMEOUT_MS)
        with qtbot.waitSignal(program.window.chat.text_shown, timeout=TIMEOUT_MS):
            program.controller.ask("What is it?")
    elif stage == "reading":
        qtbot.waitUntil(lambda: program.store.state.usage is None and program.engine.is_busy)
    with qtbot.waitSignal(program.window.closed, timeout=1000):
        program.window.close()
    assert program.shutdown(), "a thread was still at work"
    assert service.is_shut_down
