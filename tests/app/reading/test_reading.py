"""Documents beyond the model's window: what is read is chosen with numbers, shown, and kept."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from app.engine_desk import EngineDesk
from app.preferences import load_preferences, preferences_path
from app.scripted_backend import Script, ScriptedBackend
from app.startup import Program
from app.state import AppState, StateStore
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.events import Finished
from core.settings import EngineSettings, RopeScaling

TIMEOUT_MS = 10_000
FIRST_PAGE = ReadingChoice(ReadingKind.PAGES, ("1",))
SECTIONS = ReadingChoice(ReadingKind.SECTIONS)


def wait_idle(qtbot: QtBot, program: Program) -> None:
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)


@pytest.fixture
def open_too_long(qtbot: QtBot, program: Program, script: Script, sample_path: str) -> Callable[[], None]:
    """Opens the sample for a model that reads a third of it, and waits for the dialog."""

    def run() -> None:
        script.num_tokens = 15_000
        program.controller.open_files([sample_path])
        qtbot.waitUntil(program.window.reading.dialog.isVisible, timeout=TIMEOUT_MS)
        wait_idle(qtbot, program)

    return run


def choose(qtbot: QtBot, program: Program, kind: ReadingKind, pages: str = "") -> None:
    """In the dialog, which is open."""
    dialog = program.window.reading.dialog
    if kind is ReadingKind.PAGES:
        dialog.ranges.fields[0].setText(pages)
    dialog.options[kind].setChecked(True)
    qtbot.mouseClick(dialog.read_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)


def ask(qtbot: QtBot, program: Program, question: str = "What is it?") -> Finished:
    spy = QSignalSpy(program.controller.answer_finished)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask(question)
    wait_idle(qtbot, program)
    finished: Finished = spy.at(0)[0]
    return finished


def test_what_does_not_fit_is_said_with_numbers_and_nothing_is_cut(
    program: Program, open_too_long: Callable[[], None]
) -> None:
    open_too_long()
    dialog, strip = program.window.reading.dialog, program.window.reading.strip
    assert "15,000 tokens" in dialog.words.text()
    assert "8,192" in dialog.words.text()
    assert dialog.captions[ReadingKind.WHOLE].text() == "Does not fit: 15,128 of 8,192 tokens."
    assert dialog.ranges.fields[0].text() == "1"
    assert dialog.ranges.numbers.text() == "Pages: 1. Fits: 5,128 of 8,192 tokens."
    assert dialog.captions[ReadingKind.STRETCHED].text().startswith("Fits: 15,128 of 16,384 tokens.")
    assert not program.window.error_dialog.isVisible()
    dialog.cancel_button.click()
    assert strip.words.text() == (
        "15,128 tokens are needed and starter reads 8,192 at most: nothing was read."
    )
    assert strip.isVisible()


def test_a_range_is_weighed_while_it_is_written(
    qtbot: QtBot, program: Program, open_too_long: Callable[[], None]
) -> None:
    open_too_long()
    dialog = program.window.reading.dialog
    assert dialog.options[ReadingKind.SECTIONS].isChecked()
    qtbot.mouseClick(dialog.ranges.fields[0], Qt.MouseButton.LeftButton)
    assert dialog.options[ReadingKind.PAGES].isChecked(), "whoever clicks there means to write a range"
    dialog.ranges.fields[0].setText("1-2")
    assert dialog.options[ReadingKind.PAGES].isChecked()
    assert "Does not fit: 10,128 of 8,192" in dialog.ranges.numbers.text()
    assert not dialog.read_button.isEnabled()
    for nonsense in ("2-", "7-1", "x", "9"):
        dialog.ranges.fields[0].setText(nonsense)
        assert not dialog.read_button.isEnabled(), nonsense
    dialog.ranges.fields[0].setText("3")
    assert dialog.read_button.isEnabled()


def test_pages_without_text_are_not_called_too_long(
    program: Program, service: Any, open_too_long: Callable[[], None], sample_path: str
) -> None:
    whole = service.known[sample_path]
    blank = replace(whole.pages[1], text="", blocks=(), fragments=())
    service.known = {**service.known, sample_path: replace(whole, pages=(whole.pages[0], blank))}
    open_too_long()
    dialog = program.window.reading.dialog
    dialog.ranges.fields[0].setText("2")
    assert dialog.ranges.numbers.text() == "Pages: 1. None of these pages has text."
    assert not dialog.read_button.isEnabled()


def test_only_the_pages_chosen_are_read_and_the_answer_says_so(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, open_too_long: Callable[[], None]
) -> None:
    open_too_long()
    choose(qtbot, program, ReadingKind.PAGES, "1")
    assert backend.readings[-1] == FIRST_PAGE
    window = program.window
    assert window.reading.strip.words.text() == "Of 3 pages, only these are read: 1."
    model = window.document_view.thumbnails.model()
    spoken = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert spoken == ["Page 1", "Page 2, not read", "Page 3, not read"]
    finished = ask(qtbot, program)
    assert [page.page_index for page in finished.pages_read] == [0]
    assert finished.notes == ("Only these pages were read: page 1 of 3. Other pages may say more.",)


def test_sections_are_chosen_for_each_question_and_can_be_stopped(
    qtbot: QtBot,
    program: Program,
    script: Script,
    backend: ScriptedBackend,
    open_too_long: Callable[[], None],
) -> None:
    open_too_long()
    choose(qtbot, program, ReadingKind.SECTIONS)
    assert "each question" in program.window.reading.strip.words.text()
    stages: list[str] = []
    program.store.progress_changed.connect(lambda progress: progress and stages.append(progress.stage.value))
    ask(qtbot, program)
    assert "reading_tokens" in stages, "of all progress in a row only the last is told"
    script.chunk_s = 0.2
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask("And then?")
        qtbot.wait(50)
        program.controller.stop()
    wait_idle(qtbot, program)
    assert program.window.chat.turns[-1].status.value == "stopped"
    assert backend.calls.count("open_document") == 2


def test_stretching_loads_the_model_again_and_is_undone_with_other_documents(
    qtbot: QtBot,
    program: Program,
    script: Script,
    backend: ScriptedBackend,
    open_too_long: Callable[[], None],
    sample_path: str,
) -> None:
    open_too_long()
    choose(qtbot, program, ReadingKind.STRETCHED)
    assert backend.calls[-3:] == ["close", "open_model", "open_document"]
    assert program.store.state.model is not None
    assert program.store.state.model.context_length == 16_384
    assert "stretched 2 times" in program.window.reading.strip.words.text()
    assert program.controller.settings.rope_scaling is None, "the choice is about these documents alone"
    script.num_tokens = 100
    program.controller.open_files([sample_path])
    qtbot.waitUntil(lambda: program.store.state.reading == EVERYTHING, timeout=TIMEOUT_MS)
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert program.store.state.model.context_length == 8192
    assert not program.window.reading.strip.isVisible()


def test_a_stretched_model_leaves_the_limit_of_the_other_choices(
    qtbot: QtBot, program: Program, open_too_long: Callable[[], None]
) -> None:
    open_too_long()
    choose(qtbot, program, ReadingKind.STRETCHED)
    program.window.reading.action.trigger()
    dialog = program.window.reading.dialog
    assert dialog.captions[ReadingKind.WHOLE].text() == "Does not fit: 15,128 of 8,192 tokens."
    assert dialog.captions[ReadingKind.STRETCHED].text().startswith("Fits: 15,128 of 16,384 tokens.")
    dialog.options[ReadingKind.WHOLE].setChecked(True)
    assert not dialog.read_button.isEnabled()


def test_a_stretch_stays_chosen_while_the_model_loads_for_it(
    qtbot: QtBot, program: Program, script: Script, open_too_long: Callable[[], None]
) -> None:
    open_too_long()
    dialog = program.window.reading.dialog
    script.model_s = 0.5
    dialog.options[ReadingKind.STRETCHED].setChecked(True)
    dialog.read_button.click()
    program.window.reading.action.trigger()
    qtbot.waitUntil(dialog.isVisible, timeout=TIMEOUT_MS)
    assert program.store.state.sizes is None
    assert dialog.options[ReadingKind.STRETCHED].isVisible()
    assert dialog.choice == ReadingChoice(ReadingKind.STRETCHED, stretch=2)
    dialog.read_button.click()
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)


def test_enter_in_a_range_reads_it_and_changes_no_setting(
    qtbot: QtBot, program: Program, open_too_long: Callable[[], None]
) -> None:
    open_too_long()
    dialog = program.window.reading.dialog
    assert dialog.others.model_button.isVisible()
    dialog.ranges.fields[0].setText("2")
    qtbot.keyClick(dialog.ranges.fields[0], Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert program.store.state.reading == ReadingChoice(ReadingKind.PAGES, ("2",))
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)


def test_other_documents_close_the_dialog_about_those_before(
    qtbot: QtBot, program: Program, service: Any, open_sample: Callable[[], None], pdfs: Path
) -> None:
    open_sample()
    service.is_slow = True
    program.controller.open_files([str(pdfs / "lease.pdf")])
    program.window.reading.action.trigger()
    dialog = program.window.reading.dialog
    qtbot.waitUntil(dialog.isVisible, timeout=TIMEOUT_MS)
    service.answer()
    qtbot.waitUntil(lambda: program.store.state.documents[0].name == "lease.pdf", timeout=TIMEOUT_MS)
    assert not dialog.isVisible()
    wait_idle(qtbot, program)


def test_a_file_that_lost_the_chosen_pages_is_read_whole(
    qtbot: QtBot, program: Program, service: Any, open_sample: Callable[[], None], sample_path: str
) -> None:
    open_sample()
    program.window.reading.action.trigger()
    choose(qtbot, program, ReadingKind.PAGES, "3")
    before = service.known[sample_path]
    shorter = replace(before, pages=before.pages[:1], sha256="0" * 64)
    service.known = {**service.known, sample_path: shorter}
    program.controller.open_again()
    qtbot.waitUntil(lambda: program.store.state.documents == (shorter,), timeout=TIMEOUT_MS)
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert program.store.state.reading == EVERYTHING
    wait_idle(qtbot, program)


def test_missing_memory_offers_a_stronger_codec(
    qtbot: QtBot, program: Program, script: Script, sample_path: str
) -> None:
    script.num_tokens, script.memory_bytes = 4000, 60 << 20
    program.controller.open_files([sample_path])
    dialog = program.window.reading.dialog
    qtbot.waitUntil(dialog.isVisible, timeout=TIMEOUT_MS)
    assert "but not the memory: 90.7 MiB would be kept" in dialog.captions[ReadingKind.WHOLE].text()
    button = dialog.others.codec_button
    assert button.words == "Store the cache in int8 (8 bits): 48.2 MiB in place of 90.7 MiB"
    script.memory_bytes = 1 << 30
    button.click()
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert load_preferences(preferences_path()).memory.codec == "int8"


def test_it_can_be_chosen_freely_by_keyboard_and_changed_back(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, converse: Callable[[], None]
) -> None:
    converse()
    qtbot.keyClick(
        program.window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    program.window.reading.action.trigger()
    dialog = program.window.reading.dialog
    qtbot.waitUntil(dialog.isVisible, timeout=TIMEOUT_MS)
    assert dialog.options[ReadingKind.WHOLE].isChecked()
    assert not dialog.others.isVisible(), "everything fits"
    spy = QSignalSpy(program.controller.conversation_restarted)
    choose(qtbot, program, ReadingKind.PAGES, "2")
    assert spy.count() == 1, "the answers stay on screen and the model knows nothing of them"
    assert len(program.window.chat.turns) == 1
    qtbot.mouseClick(program.window.reading.strip.change_button, Qt.MouseButton.LeftButton)
    assert dialog.ranges.fields[0].text() == "2"
    choose(qtbot, program, ReadingKind.WHOLE)
    assert not program.window.reading.strip.isVisible()
    assert [reading.kind.value for reading in backend.readings] == ["whole", "pages", "whole"]


def test_several_documents_have_a_field_each(
    qtbot: QtBot, program: Program, sample_path: str, pdfs: Path, backend: ScriptedBackend
) -> None:
    program.controller.open_files([sample_path, str(pdfs / "lease.pdf")])
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)
    program.window.reading.action.trigger()
    dialog = program.window.reading.dialog
    assert len(dialog.ranges.fields) == 2
    assert all(field.accessibleName().startswith("Pages of ") for field in dialog.ranges.fields)
    dialog.ranges.fields[0].setText("1")
    choose(qtbot, program, ReadingKind.PAGES, "2")
    assert backend.readings[-1].pages == ("2", "")
    assert "2 of 3" in program.window.reading.strip.words.text()


@pytest.mark.parametrize(("kind", "pages"), [(ReadingKind.PAGES, "1"), (ReadingKind.SECTIONS, "")])
def test_a_conversation_comes_back_with_its_choice(
    qtbot: QtBot,
    program: Program,
    backend: ScriptedBackend,
    open_too_long: Callable[[], None],
    known_documents: dict[str, Any],
    pdfs: Path,
    kind: ReadingKind,
    pages: str,
) -> None:
    open_too_long()
    choose(qtbot, program, kind, pages)
    ask(qtbot, program)
    program.library.settle(5.0)
    conversation_id = program.recorder.conversation_id
    assert conversation_id is not None
    backend.script.num_tokens = 900
    program.controller._sessions.begin((known_documents[str(pdfs / "lease.pdf")],))
    assert program.store.state.reading == EVERYTHING
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    wait_idle(qtbot, program)
    with qtbot.waitSignal(program.controller.conversation_restored, timeout=TIMEOUT_MS):
        program.history.open(conversation_id)
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert program.store.state.reading.kind is kind
    assert backend.readings[-1] == program.store.state.reading
    assert program.window.reading.strip.isVisible()


def test_the_settings_of_a_stretched_reading_are_those_of_the_engine(themed: object) -> None:
    assert themed
    store = StateStore(AppState(reading=ReadingChoice(ReadingKind.STRETCHED, stretch=4)))
    no_engine: Any = None
    used = EngineDesk(no_engine, store, EngineSettings(max_seq_len=4096))._for_reading()
    assert (used.rope_scaling, used.max_seq_len) == (RopeScaling("yarn", 4), None)
