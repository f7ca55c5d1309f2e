"""Profiles in the settings: copied, changed with a live plan, renamed, deleted, and damaged ones told."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from app.preferences import Preferences
from app.scripted_backend import ScriptedBackend
from app.settings_dialog.settings_dialog import SettingsDialog
from app.startup import Program
from core.planning.profile_files import save_profile
from core.planning.profiles import load_profile, profile_names, user_profiles_dir
from tests.app.test_settings import LONG, TIMEOUT_MS, pick, planned

GIB = 1 << 30
ROW = 2


@pytest.fixture
def dialog(qtbot: QtBot, program: Program) -> SettingsDialog:
    """The profiles page on screen, a copy of a GPU's profile beside the built-in ones."""
    save_profile(replace(load_profile("rtx3060-12g"), name="mine", title="Mine"))
    program.window.settings_action.trigger()
    result = program.window.settings_dialog
    result.list.setCurrentRow(ROW)
    planned(qtbot, result)
    return result


def show(dialog: SettingsDialog, name: str) -> None:
    pick(dialog.profiles.box, name)
    dialog.profiles.box.activated.emit(dialog.profiles.box.currentIndex())


def give_name(qtbot: QtBot, dialog: SettingsDialog, name: str) -> None:
    field = dialog.profiles.name_dialog.field
    field.selectAll()
    qtbot.keyClicks(field, name)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_built_in_profiles_are_read_only(dialog: SettingsDialog) -> None:
    page = dialog.profiles
    for name in ("auto", "cpu", "rtx3060-12g"):
        show(dialog, name)
        assert "(built-in)" in page.box.currentText()
        fields = [*page.form.findChildren(QAbstractSpinBox), *page.form.findChildren(QComboBox)]
        assert not any(field.isEnabled() for field in fields if field.isVisibleTo(page.form))
        for button in (page.save_button, page.rename_button, page.delete_button):
            assert not button.isEnabled()
        assert page.copy_button.isEnabled()


def test_a_copy_is_saved_under_a_name_of_its_own(qtbot: QtBot, dialog: SettingsDialog) -> None:
    page = dialog.profiles
    show(dialog, "rtx4090x2")
    page.copy_button.click()
    assert page.name_dialog.isVisible()
    assert page.name_dialog.field.text() == "rtx4090x2-2"
    for name, words in (("cpu", "taken"), ("../x", "Not a name")):
        give_name(qtbot, dialog, name)
        assert page.name_dialog.isVisible()
        assert words in page.name_dialog.refusal.text()
    give_name(qtbot, dialog, "workshop")
    assert not page.name_dialog.isVisible()
    assert page.name == "workshop"
    assert page.form.choices["kv_sharding_strategy"].isEnabled()
    assert load_profile("workshop").engine == load_profile("rtx4090x2").engine
    assert dialog.model.profile_box.findData("workshop") >= 0


def test_every_value_is_written_to_the_file(dialog: SettingsDialog) -> None:
    show(dialog, "mine")
    page, form = dialog.profiles, dialog.profiles.form
    form.title_field.setText("My desk")
    form.title_field.textEdited.emit("My desk")
    form.numbers["kv_hot_budget"].setValue(512)
    form.numbers["kv_active_window"].setValue(256)
    form.numbers["kv_migration_interval"].set_number(None)
    form.numbers["threads"].setValue(7)
    form.numbers["recommended_context"].setValue(9000)
    form.chunk_box.setValue(640)
    form.model_field.setText("starter")
    form.gpus_field.setText("0, 1")
    for field, value in (
        ("kv_compression", "k8v4"),
        ("cpu_memory_strategy", "mmap_anonymous"),
        ("cpu_memory_policy", "numactl_bind"),
        ("kv_sharding_strategy", "layer_wise"),
        ("kv_cache_device", "multi_gpu"),
        ("kv_dtype", "float16"),
        ("quantization", "nf4"),
    ):
        pick(form.choices[field], value)
    machine = form.machine
    machine.sizes["ram_total_bytes"].setValue(48)
    machine.cores.setValue(12)
    machine.figures["pcie_gb_s"].setValue(0)
    machine.gpus[0].name.setText("Another GPU")
    machine.gpus[0].total.setValue(16)
    machine.gpus[0].lanes.setValue(8)
    assert page.status.text() == "Not saved yet."
    page.save_button.click()
    saved = load_profile("mine")
    engine = saved.engine
    assert (saved.title, saved.recommended_model, saved.recommended_context) == ("My desk", "starter", 9000)
    assert (engine.kv_hot_budget, engine.kv_active_window) == (512 << 20, 256)
    assert (engine.kv_migration_interval, engine.threads, engine.prefill_chunk) == (None, 7, 640)
    assert (engine.kv_compression, engine.kv_dtype, engine.quantization) == ("k8v4", "float16", "nf4")
    assert (engine.cpu_memory_strategy, engine.cpu_memory_policy) == ("mmap_anonymous", "numactl_bind")
    assert (engine.kv_sharding_strategy, engine.kv_cache_device) == ("layer_wise", "multi_gpu")
    assert engine.gpu_ids == (0, 1)
    assert saved.machine is not None
    assert (saved.machine.ram_total_bytes, saved.machine.num_cores) == (48 * GIB, 12)
    assert saved.machine.ram_available_bytes == 29 * GIB, "what was not touched stays"
    assert (saved.machine.figures.pcie_gb_s, saved.machine.figures.gpu_tflops) == (None, 18.0)
    gpu = saved.machine.gpus[0]
    assert (gpu.name, gpu.total_bytes, gpu.free_bytes) == ("Another GPU", 16 * GIB, 11 * GIB)
    assert gpu.pcie_max is not None
    assert gpu.pcie_max.width == 8


def test_the_plan_follows_each_value_of_the_profile(qtbot: QtBot, dialog: SettingsDialog) -> None:
    dialog.model.model_box.setCurrentText(LONG)
    show(dialog, "mine")
    planned(qtbot, dialog)
    assert dialog.fit_heading.text() == "On the machine of this profile"
    assert [place.caption.text() for place in dialog.fit.places][:2] == ["GPU memory", "Memory"]
    before = dialog.fit.places[1].bar.needed_bytes
    pick(dialog.profiles.form.choices["kv_compression"], "int4")
    planned(qtbot, dialog)
    assert dialog.fit.places[1].bar.needed_bytes < 0.7 * before
    assert dialog.fit.verdict.text() == "Fits this machine"
    dialog.profiles.form.machine.gpus[0].free.setValue(4)
    planned(qtbot, dialog)
    assert "GPU memory are missing" in dialog.fit.verdict.text()
    dialog.profiles.discard_button.click()
    planned(qtbot, dialog)
    assert dialog.fit.places[1].bar.needed_bytes == before
    show(dialog, "auto")
    planned(qtbot, dialog)
    assert dialog.fit_heading.text() == "On this machine"


def test_a_profile_in_use_reaches_the_engine_with_ok(
    qtbot: QtBot,
    program: Program,
    backend: ScriptedBackend,
    converse: Callable[[], None],
    dialog: SettingsDialog,
) -> None:
    dialog.model.choose_profile("mine")
    dialog.accept()
    converse()
    backend.calls.clear()
    program.window.settings_action.trigger()
    dialog.list.setCurrentRow(ROW)
    show(dialog, "mine")
    pick(dialog.profiles.form.choices["kv_compression"], "int4")
    assert dialog.note.text().startswith("The documents are read again")
    assert "int4" in dialog.memory.codec_box.itemText(0)
    dialog.accept()
    assert load_profile("mine").engine.kv_compression == "int4"
    assert program.controller.settings.kv_compression == "int4"
    qtbot.waitUntil(lambda: program.store.state.is_read, timeout=TIMEOUT_MS)
    assert backend.calls == ["change_settings", "open_document"]


def test_a_cancel_writes_nothing(dialog: SettingsDialog) -> None:
    show(dialog, "mine")
    pick(dialog.profiles.form.choices["kv_compression"], "int4")
    dialog.reject()
    assert load_profile("mine").engine.kv_compression == "int8"


def test_a_renamed_profile_stays_chosen_and_a_deleted_one_does_not(
    qtbot: QtBot, dialog: SettingsDialog
) -> None:
    page = dialog.profiles
    dialog.model.choose_profile("mine")
    show(dialog, "mine")
    page.rename_button.click()
    give_name(qtbot, dialog, "desk")
    assert dialog.draft().profile == page.name == "desk"
    assert "mine" not in profile_names()
    page.delete_button.click()
    assert dialog.draft().profile == page.name == "auto"
    assert "desk" not in profile_names()
    assert "deleted" in page.status.text()
    page.restore_button.click()
    assert load_profile("desk").title == "Mine"
    assert not page.restore_button.isVisibleTo(page)


def test_a_damaged_profile_is_told_and_the_others_are_there(program: Program, dialog: SettingsDialog) -> None:
    dialog.reject()
    (user_profiles_dir() / "broken.toml").write_text("[engine]\nthreads = 0", encoding="utf-8")
    program.window.settings_action.trigger()
    dialog.list.setCurrentRow(ROW)
    page = dialog.profiles
    show(dialog, "broken")
    assert page.box.currentText() == "broken (damaged)"
    assert "engine.threads" in page.status.text()
    assert not page.form.isVisibleTo(page)
    assert dialog.model.profile_box.findData("mine") >= 0
    page.delete_button.click()
    assert "broken" not in profile_names()
    assert page.form.isVisibleTo(page)


def test_a_damaged_profile_in_use_is_told_at_the_start(qtbot: QtBot, program: Program) -> None:
    user_profiles_dir().mkdir(parents=True)
    (user_profiles_dir() / "broken.toml").write_text("colour = 1", encoding="utf-8")
    program.preferences = Preferences(profile="broken")
    program.start([])
    qtbot.waitUntil(program.window.error_dialog.isVisible, timeout=TIMEOUT_MS)
    assert "colour" in program.window.error_dialog.message.text()


def test_a_folder_that_cannot_be_written_is_told(dialog: SettingsDialog) -> None:
    show(dialog, "mine")
    pick(dialog.profiles.form.choices["kv_compression"], "int4")
    for path in user_profiles_dir().iterdir():
        path.unlink()
    user_profiles_dir().rmdir()
    user_profiles_dir().write_text("a file in the way", encoding="utf-8")
    dialog.accept()
    assert dialog.isVisible()
    assert "cannot be saved" in dialog.profiles.status.text()
    user_profiles_dir().unlink()


def test_an_offer_of_the_plan_changes_the_profile(qtbot: QtBot, dialog: SettingsDialog) -> None:
    dialog.model.model_box.setCurrentText(LONG)
    show(dialog, "mine")
    pick(dialog.profiles.form.choices["kv_compression"], "none")
    planned(qtbot, dialog)
    assert dialog.fit.offers
    dialog.fit.offers[0].click()
    planned(qtbot, dialog)
    assert dialog.fit.verdict.text() == "Fits this machine"
    assert dialog.memory.memory.codec is None, "the profile chooses, not the memory page"


def test_everything_on_the_page_has_a_name(dialog: SettingsDialog) -> None:
    show(dialog, "mine")
    for kind in (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit):
        for widget in dialog.profiles.findChildren(kind):
            if not widget.objectName().startswith("qt_"):
                assert widget.accessibleName() or getattr(widget, "text", str)(), widget
