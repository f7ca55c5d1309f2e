"""What each choice in the settings changes, its plan while it is made, and what applying it costs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QSlider, QSpinBox
from pytestqt.qtbot import QtBot

from app.preferences import load_preferences, preferences_path
from app.scripted_backend import ScriptedBackend
from app.settings_dialog.settings_dialog import SettingsDialog
from app.startup import Program
from core.planning.machine import Gpu
from core.planning.profiles import load_profile

TIMEOUT_MS = 10_000
LONG = "qwen3-4b-instruct-2507"
GIB = 1 << 30


@pytest.fixture
def dialog(qtbot: QtBot, program: Program) -> SettingsDialog:
    """The settings on screen with a plan."""
    program.window.settings_action.trigger()
    result = program.window.settings_dialog
    planned(qtbot, result)
    return result


def planned(qtbot: QtBot, dialog: SettingsDialog) -> None:
    """Waits for the plan of what is chosen now."""

    def is_shown() -> bool:
        answer = dialog.fit.answer
        return answer is not None and answer.question == dialog.fit.question

    qtbot.waitUntil(is_shown, timeout=TIMEOUT_MS)


def pick(box: QComboBox, data: object) -> None:
    box.setCurrentIndex(box.findData(data))


def test_every_choice_reaches_the_engine(program: Program, dialog: SettingsDialog) -> None:
    memory = dialog.memory
    memory.budget_box.setValue(512)
    memory.window_box.setValue(256)
    memory.interval_box.setValue(128)
    memory.chunk_box.setValue(96)
    memory.threads_box.setValue(2)
    memory.context_box.setValue(4000)
    pick(memory.codec_box, "int8")
    pick(memory.mode_box, "sparse")
    pick(memory.strategy_box, "mmap_anonymous")
    pick(memory.policy_box, "numactl_bind")
    dialog.generation.temperature_box.setValue(0.25)
    dialog.generation.length_box.setValue(99)
    dialog.generation.seed_box.setValue(5)
    dialog.accept()
    settings = program.controller.settings
    assert (settings.hot_budget_bytes, settings.active_window) == (512 << 20, 256)
    assert (settings.kv_compression, settings.mode) == ("int8", "sparse")
    assert (settings.cpu_memory_strategy, settings.cpu_memory_policy) == ("mmap_anonymous", "numactl_bind")
    assert (settings.sampling.temperature, settings.sampling.max_new_tokens) == (0.25, 99)
    assert settings.sampling.seed == 5
    assert (settings.prefill_chunk, settings.threads, settings.max_seq_len) == (96, 2, 4000)
    kept = load_preferences(preferences_path())
    assert kept == program.preferences
    assert kept.memory.migration_interval == 128


def test_choices_come_back_when_the_settings_are_opened_again(
    program: Program, dialog: SettingsDialog
) -> None:
    pick(dialog.memory.codec_box, "k8v4")
    dialog.memory.budget_box.setValue(0)
    dialog.generation.seed_box.setValue(0)
    dialog.accept()
    chosen = program.preferences
    assert (chosen.memory.hot_budget_bytes, chosen.seed) == (0, 0)
    program.window.settings_action.trigger()
    assert dialog.draft() == chosen


def test_a_cancel_changes_nothing(program: Program, dialog: SettingsDialog) -> None:
    before = program.preferences
    pick(dialog.memory.codec_box, "int4")
    dialog.reject()
    assert program.preferences == before
    assert program.controller.settings.kv_compression == "none"


def test_a_profile_sets_what_is_left_open(program: Program, dialog: SettingsDialog) -> None:
    box = dialog.model.profile_box
    pick(box, "rtx3060-12g")
    box.activated.emit(box.currentIndex())
    assert "int8" in dialog.model.profile_hint.text()
    assert "int8" in dialog.memory.codec_box.itemText(0)
    assert "2.0 GiB" in dialog.memory.budget_box.text()
    dialog.accept()
    assert program.controller.settings.kv_compression == "int8"
    assert program.controller.settings.gpu_ids is None, "there is no GPU here"
    assert program.preferences.profile == "rtx3060-12g"


def test_the_plan_follows_each_choice(qtbot: QtBot, dialog: SettingsDialog) -> None:
    dialog.model.model_box.setCurrentText(LONG)
    planned(qtbot, dialog)
    assert dialog.fit.verdict.text().startswith("Does not fit")
    assert "4.02 billion" in dialog.model.facts.text()
    before = dialog.fit.places[0].bar.needed_bytes
    assert dialog.fit.answer is not None
    assert dialog.fit.answer.plan is not None
    assert before == sum(dialog.fit.answer.plan.places["ram"].values())
    pick(dialog.memory.codec_box, "int4")
    planned(qtbot, dialog)
    assert dialog.fit.places[0].bar.needed_bytes < before - 20 * GIB
    dialog.fit.context.slider.setValue(0)
    qtbot.waitUntil(lambda: dialog.fit.verdict.text() == "Fits this machine", timeout=TIMEOUT_MS)
    assert dialog.fit.context.figure.text() == "1,024 tokens"


def test_the_slider_stays_where_it_is_put(qtbot: QtBot, dialog: SettingsDialog) -> None:
    context = dialog.fit.context
    assert context.figure.text() == "8,192 tokens"
    assert context.num_tokens is None, "the end is the longest there is"
    for step in range(context.slider.maximum()):
        context.slider.setValue(step)
        planned(qtbot, dialog)
        assert context.slider.value() == step
        assert dialog.fit.answer is not None
        assert dialog.fit.answer.plan is not None
        assert dialog.fit.answer.plan.request.context == context.num_tokens


@pytest.mark.usefixtures("dialog")
def test_plans_are_made_away_from_the_windows_thread(machine: Any) -> None:
    assert machine.num_looks == 1
    assert all(name.startswith("lectern-background") for name in machine.threads)


def test_a_gpu_has_a_bar_of_its_own(qtbot: QtBot, program: Program, machine: Any) -> None:
    gpus = tuple(Gpu(f"GPU {number}", 24 * GIB, 23 * GIB) for number in range(2))
    machine.machine = replace(machine.machine, gpus=gpus)
    program.window.settings_action.trigger()
    dialog = program.window.settings_dialog
    planned(qtbot, dialog)
    assert [place.caption.text() for place in dialog.fit.places] == ["GPU memory", "Memory"]
    pick(dialog.model.profile_box, "rtx4090x2")
    dialog.model.profile_box.activated.emit(dialog.model.profile_box.currentIndex())
    planned(qtbot, dialog)
    qtbot.waitUntil(lambda: len(dialog.fit.places) == 3, timeout=TIMEOUT_MS)
    assert [place.caption.text() for place in dialog.fit.places] == ["GPU 0", "GPU 1", "Memory"]


def test_a_model_that_is_not_there_is_said_in_place_of_a_plan(qtbot: QtBot, dialog: SettingsDialog) -> None:
    dialog.model.model_box.setCurrentText("/nowhere/at/all")
    planned(qtbot, dialog)
    assert dialog.fit.verdict.text() == "Model not found"
    assert not any(place.isVisibleTo(dialog) for place in dialog.fit.places)


def test_an_offer_is_taken_over_by_the_memory_page(
    qtbot: QtBot, machine: Any, dialog: SettingsDialog
) -> None:
    machine.machine = replace(machine.machine, ram_total_bytes=48 * GIB, ram_available_bytes=40 * GIB)
    dialog.planner.look_again()
    dialog.model.model_box.setCurrentText(LONG)
    planned(qtbot, dialog)
    assert dialog.fit.offers
    dialog.fit.offers[0].click()
    assert dialog.memory.memory.codec == "k8v4"
    planned(qtbot, dialog)
    assert dialog.fit.offers == []
    assert dialog.fit.verdict.text() == "Fits this machine"


def test_a_warning_stands_where_host_memory_is_chosen(qtbot: QtBot, dialog: SettingsDialog) -> None:
    assert dialog.memory.rows == []
    pick(dialog.memory.strategy_box, "hugetlb")
    planned(qtbot, dialog)
    (row,) = dialog.memory.rows
    assert "vm.nr_hugepages" in row.what.text()
    row.copy_button.click()
    assert QGuiApplication.clipboard().text().startswith("sudo sysctl -w vm.nr_hugepages=")
    pick(dialog.memory.strategy_box, "auto")
    planned(qtbot, dialog)
    assert dialog.memory.rows == []


def test_on_windows_the_fallback_is_told(qtbot: QtBot, program: Program, machine: Any) -> None:
    machine.changes = {"platform": "win32", "huge_pages": None, "thp_mode": None}
    program.window.settings_action.trigger()
    dialog = program.window.settings_dialog
    pick(dialog.memory.strategy_box, "madvise_hugepage")
    planned(qtbot, dialog)
    qtbot.waitUntil(lambda: len(dialog.memory.rows) == 1, timeout=TIMEOUT_MS)
    assert "does not exist on Windows" in dialog.memory.rows[0].what.text()


def test_a_mode_is_explained(dialog: SettingsDialog) -> None:
    said = set()
    for mode in ("exact", "sparse", "window"):
        pick(dialog.memory.mode_box, mode)
        said.add(dialog.memory.mode_hint.text())
    assert len(said) == 3
    assert all(text.endswith(".") for text in said)


def test_a_reload_is_announced_and_only_a_reload(dialog: SettingsDialog) -> None:
    assert dialog.note.text() == ""
    dialog.generation.temperature_box.setValue(1.0)
    dialog.refresh()
    assert dialog.note.text() == ""
    pick(dialog.memory.codec_box, "int8")
    assert dialog.note.text().startswith("The documents are read again; the model stays loaded.")
    assert "conversation stays" in dialog.note.text()
    dialog.model.model_box.setCurrentText(LONG)
    assert dialog.note.text().startswith("The model is loaded again")
    assert "conversation stays" in dialog.note.text()
    dialog.model.model_box.setCurrentText("starter")
    pick(dialog.memory.codec_box, None)
    assert dialog.note.text() == ""
    pick(dialog.memory.mode_box, "sparse")
    assert dialog.note.text().startswith("This takes effect at once")


def test_each_change_says_what_it_costs(dialog: SettingsDialog) -> None:
    memory = dialog.memory
    dialog.list.setCurrentRow(1)
    assert not any(label.isVisibleTo(memory) for label in memory.effects.values())
    pick(memory.mode_box, "sparse")
    pick(memory.codec_box, "int8")
    memory.threads_box.setValue(3)
    shown = {box: label.text() for box, label in memory.effects.items() if label.isVisibleTo(memory)}
    assert shown == {
        memory.mode_box: "Takes effect at once.",
        memory.codec_box: "The documents are read again.",
        memory.threads_box: "Takes effect at once.",
    }
    memory.reset_button.click()
    assert [box for box, label in memory.effects.items() if label.isVisibleTo(memory)] == [memory.mode_box]


def test_the_mode_changes_and_nothing_is_read_again(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, converse: Callable[[], None]
) -> None:
    converse()
    backend.calls.clear()
    program.window.settings_action.trigger()
    pick(program.window.settings_dialog.memory.mode_box, "sparse")
    program.window.settings_dialog.accept()
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    assert "sparse" in program.window.chat.badge.text()
    (turn,) = program.window.chat.turns
    assert not turn.ending.isVisibleTo(turn), "the model still knows what was said"
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.regenerate()
    assert backend.calls == ["change_settings", "regenerate"]
    assert backend.num_reads == 1


def test_a_change_at_once_lets_reading_go_on_where_it_is(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, sample_path: str
) -> None:
    backend.script.hold_at_chunk = 2
    program.controller.open_files([sample_path])
    qtbot.waitUntil(
        lambda: program.store.state.progress is not None and program.store.state.progress.done == 1024,
        timeout=TIMEOUT_MS,
    )
    program.controller.use_settings(replace(program.controller.settings, prefill_chunk=64))
    backend.script.go.set()
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert backend.calls == ["open_model", "open_document", "change_settings"]


def test_an_answer_ends_with_the_settings_that_it_began_with(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, open_sample: Callable[[], None]
) -> None:
    open_sample()
    backend.script.hold_at_token = 2
    with qtbot.waitSignal(program.window.chat.text_shown, timeout=TIMEOUT_MS):
        program.controller.ask("What is it?")
    program.controller.use_settings(replace(program.controller.settings, mode="sparse"))
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        backend.script.go.set()
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    (turn,) = program.window.chat.turns
    assert turn.status == "done"
    assert backend.calls[-2:] == ["ask", "change_settings"]


def test_the_context_slider_is_kept_used_and_reset(
    qtbot: QtBot, program: Program, dialog: SettingsDialog
) -> None:
    dialog.fit.context.slider.setValue(4)
    assert dialog.memory.context_box.number == 2048
    planned(qtbot, dialog)
    assert dialog.fit.context.figure.text() == "2,048 tokens"
    assert dialog.note.text().startswith("This takes effect at once")
    dialog.memory.context_box.setValue(4096)
    planned(qtbot, dialog)
    assert dialog.fit.context.slider.value() == 8
    dialog.accept()
    assert program.controller.settings.max_seq_len == 4096
    assert load_preferences(preferences_path()).memory.max_seq_len == 4096
    program.window.settings_action.trigger()
    planned(qtbot, dialog)
    assert dialog.fit.context.slider.value() == 8
    dialog.fit.context.slider.setValue(dialog.fit.context.slider.maximum())
    dialog.accept()
    assert program.controller.settings.max_seq_len is None


def test_another_model_reads_all_that_it_can(qtbot: QtBot, dialog: SettingsDialog) -> None:
    dialog.memory.context_box.setValue(2048)
    dialog.model.model_box.setCurrentText(LONG)
    assert dialog.memory.context_box.number is None
    planned(qtbot, dialog)
    assert dialog.fit.context.figure.text() == "262,144 tokens"


def test_a_reload_keeps_the_conversation(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, converse: Callable[[], None]
) -> None:
    converse()
    said = program.window.chat.turns[0].answer.source
    backend.calls.clear()
    program.window.settings_action.trigger()
    pick(program.window.settings_dialog.memory.codec_box, "int8")
    program.window.settings_dialog.accept()
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert backend.calls == ["change_settings", "open_document"], "the weights stay"
    (turn,) = program.window.chat.turns
    assert turn.answer.source == said
    assert turn.ending.isVisibleTo(turn)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask("And now?")
    assert len(program.window.chat.turns) == 2
    assert backend.calls[-1] == "ask"


def test_after_a_reload_the_last_question_is_asked_anew(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, converse: Callable[[], None]
) -> None:
    converse()
    program.controller.use_settings(replace(program.controller.settings, kv_compression="int8"))
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.regenerate()
    assert backend.calls[-1] == "ask", "the model that would answer again is gone"


def test_a_reload_in_the_middle_of_an_answer_stops_it(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, open_sample: Callable[[], None]
) -> None:
    open_sample()
    backend.script.hold_at_token = 2
    with qtbot.waitSignal(program.window.chat.text_shown, timeout=TIMEOUT_MS):
        program.controller.ask("What is it?")
    program.controller.use_settings(replace(program.controller.settings, kv_compression="int8"))
    backend.script.hold_at_token = None
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)
    (turn,) = program.window.chat.turns
    assert turn.status == "stopped"
    assert turn.answer.source.startswith("The agreement")


def test_how_answers_are_chosen_loads_nothing(
    qtbot: QtBot, program: Program, backend: ScriptedBackend, converse: Callable[[], None]
) -> None:
    converse()
    backend.calls.clear()
    program.window.settings_action.trigger()
    program.window.settings_dialog.generation.temperature_box.setValue(0.75)
    program.window.settings_dialog.accept()
    assert program.controller.settings.sampling.temperature == 0.75
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
        program.controller.ask("And now?")
    assert backend.calls == ["ask"]


def test_choices_are_saved_as_a_profile(program: Program, dialog: SettingsDialog) -> None:
    dialog.memory.budget_box.setValue(256)
    pick(dialog.memory.codec_box, "int4")
    dialog.memory.name_field.setText("mine")
    dialog.memory.save_button.click()
    assert "mine" in dialog.note.text()
    engine = load_profile("mine").engine
    assert (engine.kv_hot_budget, engine.kv_compression) == (256 << 20, "int4")
    assert dialog.draft().profile == "mine"
    assert dialog.draft().memory.codec is None
    dialog.accept()
    assert program.controller.settings.kv_compression == "int4"


def test_a_name_that_is_none_is_refused_with_words(dialog: SettingsDialog) -> None:
    assert not dialog.memory.save_button.isEnabled()
    dialog.memory.name_field.setText("../mine")
    dialog.memory.save_button.click()
    assert "Not a name for a profile" in dialog.note.text()


def test_all_is_left_to_the_profile_again(dialog: SettingsDialog) -> None:
    pick(dialog.memory.codec_box, "int4")
    pick(dialog.memory.mode_box, "sparse")
    dialog.memory.window_box.setValue(64)
    dialog.memory.reset_button.click()
    assert dialog.draft().memory == replace(dialog.draft().memory, codec=None, active_window=None)
    assert dialog.draft().memory.mode == "sparse", "no profile chooses the mode"


def test_the_storage_page_opens_folders(
    qtbot: QtBot, dialog: SettingsDialog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    qtbot.waitUntil(lambda: "All together" in dialog.storage.sizes.text(), timeout=TIMEOUT_MS)
    dialog.storage.open_buttons[3].click()
    assert Path(opened[0].toLocalFile()) == tmp_path / "data"


def test_how_much_of_the_disk_read_documents_may_take_is_chosen(dialog: SettingsDialog) -> None:
    assert dialog.draft().keeps_read
    assert dialog.draft().cache_quota_bytes is None, "a quarter of what is free"
    dialog.storage.quota_box.set_number(20)
    assert dialog.draft().cache_quota_bytes == 20 << 30
    dialog.storage.keep_box.setChecked(False)
    assert not dialog.draft().keeps_read
    assert not dialog.storage.quota_box.isEnabled()


def test_an_open_number_begins_at_a_sensible_one(dialog: SettingsDialog) -> None:
    box = dialog.memory.budget_box
    assert box.number is None
    box.stepUp()
    assert box.number == 1024
    box.setValue(0)
    box.stepDown()
    assert box.number is None


def test_everything_in_the_settings_has_a_name_and_a_label(dialog: SettingsDialog) -> None:
    for kind in (QAbstractButton, QComboBox, QSpinBox, QSlider):
        for widget in dialog.findChildren(kind):
            if not widget.objectName().startswith("qt_"):
                assert widget.accessibleName() or getattr(widget, "text", str)(), widget
    buddies = {label.buddy() for label in dialog.findChildren(QLabel) if label.buddy() is not None}
    for page in (dialog.memory, dialog.generation, dialog.appearance):
        assert set(page.findChildren(QComboBox)) <= buddies
