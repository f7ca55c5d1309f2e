"""Before a model is loaded the planner is asked; a stop says numbers, and the user has the last word."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.preferences import load_preferences, preferences_path
from app.scripted_backend import ScriptedBackend
from app.startup import Program
from core.planning.machine import Machine

CONFIGS = Path(__file__).parents[1] / "data" / "model_configs"
TIMEOUT_MS = 10_000


@pytest.fixture
def large_model(tmp_path: Path) -> str:
    """A folder that looks complete; its weights would take 16 GiB of memory."""
    folder = tmp_path / "large"
    folder.mkdir()
    (folder / "config.json").write_bytes((CONFIGS / "qwen3-4b-instruct-2507.json").read_bytes())
    (folder / "model.safetensors").write_bytes(b"")
    return str(folder)


def shrink(machine: Any, gib: int) -> None:
    machine.machine = Machine("small", gib << 30, gib << 30, num_cores=2)


def choose_model(program: Program, model: str) -> None:
    program.window.settings_action.trigger()
    program.window.settings_dialog.model.model_box.setCurrentText(model)
    program.window.settings_dialog.accept()


def stop(qtbot: QtBot, program: Program, machine: Any, model: str) -> None:
    """Choose a model that has no room."""
    shrink(machine, 16)
    choose_model(program, model)
    qtbot.waitUntil(program.window.fit_dialog.isVisible, timeout=TIMEOUT_MS)
    qtbot.waitUntil(lambda: program.window.fit_dialog.fit.answer is not None, timeout=TIMEOUT_MS)


def test_the_starter_is_loaded_without_a_word(
    program: Program, machine: Any, backend: ScriptedBackend, open_sample: Callable[[], None]
) -> None:
    shrink(machine, 4)
    open_sample()
    assert "open_model" in backend.calls
    assert not program.window.fit_dialog.isVisible()
    assert machine.threads == {"lectern-engine"} or all("Dummy" in name for name in machine.threads)


def test_a_model_without_room_is_stopped_with_numbers(
    qtbot: QtBot,
    program: Program,
    machine: Any,
    backend: ScriptedBackend,
    open_sample: Callable[[], None],
    large_model: str,
) -> None:
    open_sample()
    backend.calls.clear()
    stop(qtbot, program, machine, large_model)
    dialog = program.window.fit_dialog
    assert backend.calls == ["close"], "the model before makes room for the next one"
    assert "large" in dialog.heading.text()
    assert "GiB of memory are missing" in dialog.fit.verdict.text()
    assert any(text.startswith("Weights 15.0 GiB") for text in dialog.fit.places[-1].legend_texts)
    assert dialog.anyway_button.text() == "Load anyway"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert backend.calls == ["close"]


def test_less_can_be_read_instead(
    qtbot: QtBot, program: Program, machine: Any, open_sample: Callable[[], None], large_model: str
) -> None:
    open_sample()
    stop(qtbot, program, machine, large_model)
    qtbot.mouseClick(program.window.fit_dialog.reading_button, Qt.MouseButton.LeftButton)
    dialog = program.window.reading.dialog
    qtbot.waitUntil(dialog.isVisible, timeout=TIMEOUT_MS)
    assert dialog.words.text() == "The model has not counted the documents yet."
    dialog.ranges.fields[0].setText("1")
    dialog.read_button.click()
    assert program.store.state.reading.pages == ("1",)


def test_loading_anyway_is_remembered_for_the_model(
    qtbot: QtBot,
    program: Program,
    machine: Any,
    backend: ScriptedBackend,
    open_sample: Callable[[], None],
    large_model: str,
) -> None:
    open_sample()
    stop(qtbot, program, machine, large_model)
    qtbot.mouseClick(program.window.fit_dialog.anyway_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert backend.calls[-2:] == ["open_model", "open_document"]
    assert load_preferences(preferences_path()).loaded_anyway == (large_model,)
    choose_model(program, "starter")
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    choose_model(program, large_model)
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert not program.window.fit_dialog.isVisible()


def test_the_override_can_be_taken_back(
    qtbot: QtBot, program: Program, machine: Any, open_sample: Callable[[], None], large_model: str
) -> None:
    open_sample()
    stop(qtbot, program, machine, large_model)
    program.window.fit_dialog.anyway_button.click()
    program.window.settings_action.trigger()
    box = program.window.settings_dialog.model.anyway_box
    assert box.isVisibleTo(program.window.settings_dialog)
    assert box.isChecked()
    box.click()
    program.window.settings_dialog.accept()
    assert load_preferences(preferences_path()).loaded_anyway == ()
    assert program.gate.allowed == frozenset()


def test_a_question_says_why_it_is_not_answered(
    qtbot: QtBot, program: Program, machine: Any, open_sample: Callable[[], None], large_model: str
) -> None:
    open_sample()
    stop(qtbot, program, machine, large_model)
    program.window.fit_dialog.reject()
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask("What is it?")
    turn = program.window.chat.last_turn
    assert turn is not None
    assert "of memory" in turn.error_message.text()
    assert program.window.fit_dialog.isVisible()


def test_an_offer_makes_it_fit_and_is_kept(
    qtbot: QtBot,
    program: Program,
    machine: Any,
    open_sample: Callable[[], None],
    large_model: str,
) -> None:
    open_sample()
    stop(qtbot, program, machine, large_model)
    dialog = program.window.fit_dialog
    assert not dialog.use_button.isEnabled()
    shrink(machine, 32)
    dialog.planner.look_again()
    dialog.fit.context.slider.setValue(dialog.fit.context.slider.maximum())
    qtbot.waitUntil(lambda: bool(dialog.fit.offers), timeout=TIMEOUT_MS)
    assert "int" in dialog.fit.offers[0].text()
    dialog.fit.offers[0].click()
    qtbot.waitUntil(dialog.use_button.isEnabled, timeout=TIMEOUT_MS)
    assert dialog.fit.verdict.text() == "Fits this machine"
    dialog.use_button.click()
    codec = load_preferences(preferences_path()).memory.codec
    assert codec is not None
    assert program.controller.settings.kv_compression == codec
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)


def test_an_architecture_that_is_not_known_is_loaded_with_a_warning(
    qtbot: QtBot, program: Program, machine: Any, open_sample: Callable[[], None], large_model: str
) -> None:
    config = Path(large_model) / "config.json"
    config.write_text(config.read_text(encoding="utf-8").replace('"qwen3"', '"brand_new"'), encoding="utf-8")
    open_sample()
    shrink(machine, 8)
    choose_model(program, large_model)
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert not program.window.fit_dialog.isVisible()
    dialog = program.window.error_dialog
    assert dialog.isVisible()
    assert dialog.title.text() == "The model may not fit this machine"
    assert "GiB" in dialog.message.text()


def test_what_cannot_be_planned_is_the_engines_to_judge(program: Program, tmp_path: Path) -> None:
    settings = program.controller.settings
    for model in ("/nowhere/at/all", str(tmp_path)):
        program.gate.check(replace(settings, model=model), [])
