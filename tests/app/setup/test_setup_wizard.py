"""The first steps: shown once, left at any page, taken again, and stored only when they are done."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QScrollArea
from pytestqt.qtbot import QtBot

from app.downloads.downloader import DownloadStatus
from app.preferences import Preferences, load_preferences, preferences_path, save_preferences
from app.setup_wizard.setup_wizard import SetupWizard
from app.startup import Program
from core.catalogue.bundled import CatalogueEntry
from core.planning.machine import Machine
from tests.hub_server import HubServer

TIMEOUT_MS = 10_000


@pytest.fixture
def program(start: Callable[[], Program]) -> Program:
    """The first start on this computer."""
    return start()


@pytest.fixture
def wizard(qtbot: QtBot, program: Program) -> SetupWizard:
    result = program.window.setup_wizard
    planned(qtbot, result)
    return result


def planned(qtbot: QtBot, wizard: SetupWizard) -> None:
    qtbot.waitUntil(lambda: bool(wizard.model.models.rows), timeout=TIMEOUT_MS)


def on_last_page(wizard: SetupWizard) -> None:
    while wizard.stack.currentWidget() is not wizard.ready:
        wizard.next_button.click()


def test_the_first_start_shows_it_over_the_window(
    wizard: SetupWizard, program: Program, gpu_machine: Any
) -> None:
    assert program.window.isVisible()
    assert wizard.isVisible()
    assert wizard.stack.currentWidget() is wizard.machine
    assert not preferences_path().exists(), "nothing is stored before it is done"
    assert all(name.startswith("lectern-background") for name in gpu_machine.threads)


def test_whoever_has_chosen_before_is_not_asked(start: Callable[[], Program]) -> None:
    save_preferences(preferences_path(), Preferences(language="en"))
    assert not start().window.setup_wizard.isVisible()


def test_it_can_be_skipped_at_every_page_and_does_not_come_again(
    qtbot: QtBot, wizard: SetupWizard, program: Program, start: Callable[[], Program]
) -> None:
    for num_pages in range(len(wizard.pages)):
        for skip in (wizard.skip_button.click, lambda: qtbot.keyClick(wizard, Qt.Key.Key_Escape)):
            preferences_path().unlink(missing_ok=True)
            wizard.begin(Preferences(needs_setup=True))
            for _ in range(num_pages):
                wizard.next_button.click()
            skip()
            assert not wizard.isVisible()
            assert load_preferences(preferences_path()) == Preferences()
    assert program.preferences == Preferences()
    assert not start().window.setup_wizard.isVisible()


@pytest.mark.parametrize("ending", ["close the dialog", "close the program"])
def test_an_end_in_the_middle_stores_nothing_and_it_is_shown_again(
    wizard: SetupWizard, program: Program, start: Callable[[], Program], ending: str
) -> None:
    wizard.profile.buttons["cpu"].click()
    wizard.next_button.click()
    if ending == "close the dialog":
        wizard.close()
    else:
        program.window.close()
        assert program.shutdown()
    assert not wizard.isVisible()
    assert not preferences_path().exists()
    again = start().window.setup_wizard
    assert again.isVisible()
    assert again.profile.profile == "auto"


@pytest.mark.usefixtures("server")
def test_what_is_chosen_reaches_preferences_and_engine(
    qtbot: QtBot, wizard: SetupWizard, program: Program, entry: CatalogueEntry
) -> None:
    wizard.next_button.click()
    before = wizard.profile.plan.text()
    wizard.profile.buttons["rtx3060-12g"].click()
    qtbot.waitUntil(lambda: wizard.profile.plan.text() != before, timeout=TIMEOUT_MS)
    assert wizard.profile.plan_heading.text().startswith("With it, Qwen3 4B")
    assert wizard.profile.plan.text().startswith("Fits with all 262,144 tokens")
    wizard.next_button.click()
    row = wizard.model.models.row(entry.name)
    row.button.click()
    qtbot.waitUntil(lambda: row.button.text() == "Choose", timeout=TIMEOUT_MS)
    row.button.click()
    wizard.next_button.click()
    assert "RTX 3060" in wizard.ready.summary.text()
    assert "Qwen3 4B" in wizard.ready.summary.text()
    assert program.preferences.profile == "auto", "nothing is taken before the end"
    assert not preferences_path().exists(), "a crash now would lose nothing but the choice"
    wizard.next_button.click()
    assert not wizard.isVisible()
    kept = load_preferences(preferences_path())
    assert kept == Preferences(profile="rtx3060-12g", model=entry.name)
    assert program.controller.settings.model == entry.name
    assert program.controller.settings.kv_compression == "int8"


def test_it_can_be_finished_while_a_better_model_comes(
    qtbot: QtBot, wizard: SetupWizard, program: Program, server: HubServer, entry: CatalogueEntry
) -> None:
    server.hangs = True
    wizard.next_button.click()
    wizard.next_button.click()
    assert wizard.model.first_control is wizard.model.models.row(entry.name).button
    wizard.model.models.row(entry.name).button.click()
    on_last_page(wizard)
    assert wizard.strip.isVisibleTo(wizard)
    wizard.next_button.click()
    assert load_preferences(preferences_path()) == Preferences()
    server.hangs = False
    strip = program.window.download_strip
    qtbot.waitUntil(lambda: strip.button.text() == "Use it", timeout=TIMEOUT_MS)
    assert program.preferences.model == "starter"
    strip.button.click()
    assert load_preferences(preferences_path()).model == entry.name


@pytest.mark.usefixtures("server")
def test_a_model_that_comes_meanwhile_is_offered_on_the_last_page(
    qtbot: QtBot, wizard: SetupWizard, program: Program, entry: CatalogueEntry
) -> None:
    program.downloader.start(entry)
    on_last_page(wizard)
    qtbot.waitUntil(lambda: wizard.strip.button.text() == "Use it", timeout=TIMEOUT_MS)
    wizard.strip.button.click()
    assert "Qwen3 4B" in wizard.ready.summary.text()
    assert wizard.taken().model == entry.name


def test_a_download_that_fails_leaves_the_starter(
    qtbot: QtBot, wizard: SetupWizard, program: Program, server: HubServer, entry: CatalogueEntry
) -> None:
    server.gated.add(entry.hub_id)
    row = wizard.model.models.row(entry.name)
    row.button.click()
    qtbot.waitUntil(lambda: "asked first" in row.error.text(), timeout=TIMEOUT_MS)
    on_last_page(wizard)
    wizard.next_button.click()
    assert load_preferences(preferences_path()).model == "starter"
    assert program.downloader.download is not None
    assert program.downloader.download.status is DownloadStatus.FAILED


def test_keys_lead_through_it_and_everything_has_a_name(qtbot: QtBot, wizard: SetupWizard) -> None:
    for kind in (QAbstractButton, QScrollArea):
        for widget in wizard.findChildren(kind):
            if not widget.objectName().startswith("qt_"):
                assert widget.accessibleName() or getattr(widget, "text", str)(), widget
    wizard.activateWindow()
    qtbot.waitUntil(wizard.isActiveWindow, timeout=TIMEOUT_MS)
    page = wizard.stack.currentIndex
    qtbot.keyClick(wizard, Qt.Key.Key_Return)
    assert page() == 1
    assert wizard.focusWidget() is wizard.profile.buttons["auto"]
    qtbot.keyClick(wizard.profile.buttons["auto"], Qt.Key.Key_Down)
    assert wizard.profile.profile != "auto"
    qtbot.keyClick(wizard, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert page() == 0
    assert not wizard.back_button.isEnabled()
    for _ in range(5):
        qtbot.keyClick(wizard, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert page() == 3
    assert wizard.next_button.text() == "Finish"
    assert wizard.steps.accessibleName() == "Step 4 of 4: Ready"


def test_the_first_page_says_what_this_machine_is_and_what_to_mend(
    qtbot: QtBot, wizard: SetupWizard, program: Program, gpu_machine: Any
) -> None:
    said = wizard.machine.facts.text()
    assert "Memory: 32.0 GiB" in said
    assert "NVIDIA GeForce RTX 3060: 12.0 GiB" in said
    assert "Processor cores: 4" in said
    assert "Free disk space: 100.0 GiB" in said
    wizard.close()
    gpu_machine.changes = {"overcommit_mode": 2, "commit_room_bytes": 1}
    program.window.setup_action.trigger()
    qtbot.waitUntil(lambda: not wizard.is_looking, timeout=TIMEOUT_MS)
    assert wizard.machine.rows
    row = wizard.machine.rows[0]
    assert row.title.text() == "Promised memory"
    row.copy_button.click()
    assert QGuiApplication.clipboard().text() == "sudo sysctl -w vm.overcommit_memory=0"
    assert "Qwen3 4B" in wizard.machine.summary.text()


def test_a_small_machine_is_told_to_stay_with_the_starter(
    qtbot: QtBot, wizard: SetupWizard, program: Program, gpu_machine: Any
) -> None:
    wizard.close()
    gpu_machine.machine = Machine("tiny", 4 << 30, 3 << 30, num_cores=2)
    program.window.setup_action.trigger()
    qtbot.waitUntil(lambda: "Starter" in wizard.machine.summary.text(), timeout=TIMEOUT_MS)
    assert "No GPU" in wizard.machine.facts.text()
    qtbot.waitUntil(lambda: "Starter" in wizard.profile.plan_heading.text(), timeout=TIMEOUT_MS)
    assert not any(row.badge.text() == "Recommended" for row in wizard.model.models.rows)
    assert wizard.model.first_control is None


def test_it_can_be_taken_again_with_what_is_chosen_now(wizard: SetupWizard, program: Program) -> None:
    wizard.profile.buttons["cpu"].click()
    on_last_page(wizard)
    wizard.next_button.click()
    assert program.preferences.profile == "cpu"
    program.window.start_page.setup_button.click()
    assert wizard.isVisible()
    assert wizard.stack.currentIndex() == 0
    assert wizard.profile.profile == "cpu"
    wizard.skip_button.click()
    assert load_preferences(preferences_path()).profile == "cpu"
    program.window.settings_action.trigger()
    program.window.settings_dialog.model.setup_button.click()
    assert not program.window.settings_dialog.isVisible()
    assert wizard.isVisible()


def test_the_last_page_opens_the_sample(
    qtbot: QtBot, wizard: SetupWizard, program: Program, sample_path: str
) -> None:
    on_last_page(wizard)
    wizard.ready.sample_button.click()
    assert not wizard.isVisible()
    qtbot.waitUntil(lambda: bool(program.store.state.documents), timeout=TIMEOUT_MS)
    assert program.store.state.documents[0].path == sample_path
    assert not load_preferences(preferences_path()).needs_setup


def test_the_last_page_opens_a_document(wizard: SetupWizard, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def choose(*_arguments: object) -> tuple[list[str], str]:
        asked.append(wizard.isVisible())
        return [], ""

    monkeypatch.setattr("app.main_window.QFileDialog.getOpenFileNames", choose)
    on_last_page(wizard)
    wizard.ready.open_button.click()
    assert asked == [False]


def test_a_damaged_file_is_no_first_start(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    assert load_preferences(path) == Preferences(needs_setup=True)
    path.write_text("{", encoding="utf-8")
    assert load_preferences(path) == Preferences()
    save_preferences(path, Preferences(needs_setup=True))
    assert load_preferences(path).needs_setup
