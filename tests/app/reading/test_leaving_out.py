"""Two documents of which one is left out: it is chosen, told, weighed, never cited, and comes back so."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.chat_view.progress_row import figure_words
from app.reading_view.reading_dialog import ReadingDialog
from app.saved_conversation import SavedConversation
from app.scripted_backend import Script, ScriptedBackend
from app.scripted_figures import STEPS_A_PART, part_progress
from app.startup import Program
from core.documents.layout import Document
from core.documents.reading_choice import ReadingChoice, ReadingKind
from core.events import Progress
from core.library.records import StoredConversation, StoredDocument
from tests.app.reading.test_reading import TIMEOUT_MS, ask, choose, wait_idle

QUOTING = (
    'Both say something: "The term of this Agreement will commence on January 1, 1998" [page 1] and '
    '"The rent of the barge is 4 gulden a week." [page 1].'
)


@pytest.fixture
def script() -> Script:
    return Script([QUOTING], num_tokens=6000)


@pytest.fixture
def dialog(qtbot: QtBot, program: Program, sample_path: str, pdfs: Path) -> ReadingDialog:
    """Two documents are open, and the dialog about them."""
    program.controller.open_files([sample_path, str(pdfs / "lease.pdf")])
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)
    program.window.reading.action.trigger()
    return program.window.reading.dialog


def leave_out(qtbot: QtBot, program: Program, index: int) -> None:
    dialog = program.window.reading.dialog
    qtbot.keyClick(dialog.ranges.boxes[index], Qt.Key.Key_Space)
    choose(qtbot, program, ReadingKind.PAGES, dialog.ranges.fields[0].text())


def test_a_document_that_is_not_ticked_is_left_out_and_named(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, dialog: ReadingDialog
) -> None:
    assert dialog.options[ReadingKind.PAGES].text() == "Some documents or pages"
    assert [box.accessibleName() for box in dialog.ranges.boxes][1] == "Read lease.pdf"
    leave_out(qtbot, program, 1)
    assert backend.readings[-1] == ReadingChoice(ReadingKind.PAGES, ("", "none"))
    assert program.window.reading.strip.words.text() == "Left out and not read: lease.pdf."
    finished = ask(qtbot, program)
    assert finished.notes == ("Left out and not read: lease.pdf. What was not read may say more.",)
    turn = program.window.chat.last_turn
    assert turn is not None
    assert "lease.pdf" in turn.note.text()
    assert "lease.pdf" not in {page.document for page in finished.pages_read}


def test_quotes_never_lead_into_it(qtbot: QtBot, program: Program, dialog: ReadingDialog) -> None:
    dialog.reject()
    both = {found.document for found in ask(qtbot, program).citations if found.verified}
    assert len(both) == 2
    program.window.reading.action.trigger()
    leave_out(qtbot, program, 0)
    assert {found.document for found in ask(qtbot, program).citations if found.verified} == {"lease.pdf"}


def test_what_is_left_out_costs_nothing_and_something_must_be_read(
    qtbot: QtBot, dialog: ReadingDialog
) -> None:
    before = dialog.ranges.numbers.text()
    assert before == "Pages: 6. Fits: 6,128 of 8,192 tokens."
    qtbot.keyClick(dialog.ranges.boxes[0], Qt.Key.Key_Space)
    assert dialog.options[ReadingKind.PAGES].isChecked(), "whoever leaves one out means it"
    assert dialog.ranges.numbers.text() == "Pages: 3. Fits: 3,128 of 8,192 tokens."
    assert not dialog.ranges.fields[0].isEnabled()
    assert dialog.ranges.fields[0].placeholderText() == "Left out"
    qtbot.keyClick(dialog.ranges.boxes[1], Qt.Key.Key_Space)
    assert dialog.ranges.numbers.text() == "Tick the documents that are to be read."
    assert not dialog.read_button.isEnabled()
    qtbot.keyClick(dialog.ranges.boxes[0], Qt.Key.Key_Space)
    assert dialog.read_button.isEnabled()
    dialog.reject()


def test_tab_goes_down_the_dialog(qtbot: QtBot, program: Program, dialog: ReadingDialog) -> None:
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow, timeout=TIMEOUT_MS)
    first, second = dialog.ranges.boxes
    expected = [first, dialog.ranges.fields[0], second, dialog.ranges.fields[1], dialog.read_button]
    reached = []
    for _ in expected:
        qtbot.keyClick(dialog, Qt.Key.Key_Tab)
        reached.append(dialog.focusWidget())
    assert reached == expected
    qtbot.keyClick(second, Qt.Key.Key_Space)
    qtbot.keyClick(second, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: program.store.state.reading.pages == ("", "none"), timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)


def test_pages_of_one_and_nothing_of_the_other(qtbot: QtBot, program: Program, dialog: ReadingDialog) -> None:
    dialog.ranges.fields[0].setText("2")
    leave_out(qtbot, program, 1)
    name = program.store.state.documents[0].name
    assert program.window.reading.strip.words.text() == (
        f"Only these pages are read: {name}: 2 of 3. Left out and not read: lease.pdf."
    )
    program.window.reading.action.trigger()
    assert [box.isChecked() for box in dialog.ranges.boxes] == [True, False]
    assert [field.text() for field in dialog.ranges.fields] == ["2", ""]
    choose(qtbot, program, ReadingKind.WHOLE)
    assert not program.window.reading.strip.isVisible()


def test_all_of_both_is_everything(qtbot: QtBot, program: Program, dialog: ReadingDialog) -> None:
    dialog.ranges.fields[1].setText("1-3")
    choose(qtbot, program, ReadingKind.PAGES)
    assert not program.window.reading.strip.isVisible(), "nothing is left out that could be told"


@pytest.mark.usefixtures("dialog")
def test_its_pages_are_shown_as_not_read(qtbot: QtBot, program: Program) -> None:
    leave_out(qtbot, program, 1)
    view = program.window.document_view
    assert not view.toolbar.unread_badge.isVisible()
    assert view.pages.accessibleDescription() == ""
    program.controller.show_document(1)
    assert view.toolbar.unread_badge.isVisible()
    assert view.toolbar.unread_badge.text() == "Not read by the model"
    assert view.pages.accessibleDescription() == "Page 1 is not read by the model."
    view.go_to(2)
    assert view.pages.accessibleDescription() == "Page 3 is not read by the model."
    program.window.resize(program.window.minimumSizeHint())
    qtbot.waitUntil(lambda: not view.toolbar.unread_badge.isVisible(), timeout=TIMEOUT_MS)
    assert view.pages.accessibleDescription() == "Page 3 is not read by the model.", "words without room"
    program.window.resize(1440, 900)
    qtbot.waitUntil(view.toolbar.unread_badge.isVisible, timeout=TIMEOUT_MS)
    program.controller.show_document(0)
    assert not view.toolbar.unread_badge.isVisible()


@pytest.mark.usefixtures("dialog")
def test_a_review_leaves_it_out_too(qtbot: QtBot, program: Program, backend: ScriptedBackend) -> None:
    leave_out(qtbot, program, 1)
    name = program.store.state.documents[0].name
    program.review.start()
    qtbot.waitUntil(lambda: not program.review.is_running, timeout=TIMEOUT_MS)
    asked = [call for call in backend.calls if call.startswith("review ")]
    assert asked
    assert all(call.startswith(f"review {name}: ") for call in asked)


def test_a_conversation_comes_back_with_the_document_left_out(
    qtbot: QtBot,
    program: Program,
    backend: ScriptedBackend,
    dialog: ReadingDialog,
    known_documents: dict[str, Document],
    pdfs: Path,
) -> None:
    leave_out(qtbot, program, 1)
    ask(qtbot, program)
    assert program.library.settle(5.0)
    conversation_id = program.recorder.conversation_id
    assert conversation_id is not None
    program.controller._sessions.begin((known_documents[str(pdfs / "lease.pdf")],))
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)
    with qtbot.waitSignal(program.controller.conversation_restored, timeout=TIMEOUT_MS):
        program.history.open(conversation_id)
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)
    assert backend.readings[-1] == ReadingChoice(ReadingKind.PAGES, ("", "none"))
    assert program.window.reading.strip.words.text() == "Left out and not read: lease.pdf."
    program.window.reading.action.trigger()
    assert [box.isChecked() for box in dialog.ranges.boxes] == [True, False]
    dialog.reject()


def test_of_documents_that_are_gone_the_others_keep_their_pages(
    sample_path: str, pdfs: Path, known_documents: dict[str, Document]
) -> None:
    sample, lease = known_documents[sample_path], known_documents[str(pdfs / "lease.pdf")]
    now = datetime.now(UTC)
    kept = tuple(
        StoredDocument(number, one.sha256, one.path, one.name, one.num_pages, now)
        for number, one in enumerate((sample, lease))
    )
    reading = ReadingChoice(ReadingKind.PAGES, ("none", "2"))
    saved = SavedConversation(StoredConversation(1, "Rent", (0, 1), 0, now, now, reading), kept, ())
    assert saved.reading_of((sample, lease)) == reading
    assert saved.reading_of((lease,)).pages == ("2",)
    assert saved.reading_of((sample,)).pages == ("none",)
    assert saved.reading_of((replace(lease, sha256="0" * 64),)).pages == ("2",), "it is in the same place"


def test_a_summary_in_parts_moves_within_a_part(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    open_sample()
    program.window.reading.action.trigger()
    choose(qtbot, program, ReadingKind.SECTIONS)
    script.num_parts, script.chunk_s, script.hold_at_chunk = 3, 0.03, STEPS_A_PART + 2
    row, bar_values = program.window.chat.progress_row, list[int]()
    row.bar.valueChanged.connect(bar_values.append)
    program.controller.ask("Summarise the agreement.")
    qtbot.waitUntil(lambda: "part 2: 3,072 of 6,144 tokens read" in row.figures.text(), timeout=TIMEOUT_MS)
    assert row.figures.text().startswith("1 of 3 parts · part 2: ")
    assert "410 tokens/s" in row.figures.text()
    assert row.bar.value() == round(1000 * (1 + 2 / STEPS_A_PART) / 3)
    assert len([value for value in bar_values if 0 < value < 333]) > 1, "it moved within the first part"
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.stop()
    wait_idle(qtbot, program)
    assert not row.isVisible()
    turn = program.window.chat.last_turn
    assert turn is not None
    assert turn.note.text() == "Stopped before anything was written."


def test_the_writing_of_notes_is_told_too() -> None:
    progress = part_progress(STEPS_A_PART // 2 + 1, 3)
    assert isinstance(progress, Progress)
    assert figure_words(progress) == "0 of 3 parts · part 1: notes, 64 of up to 256 tokens written"
