"""Models are downloaded while the window goes on: shown, stopped, taken up again, and told when they fail."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.downloads.downloader import DownloadStatus
from app.model_list.model_row import ModelRow
from app.preferences import load_preferences, preferences_path
from app.settings_dialog.settings_dialog import SettingsDialog
from app.startup import Program
from core.catalogue.bundled import CatalogueEntry, read_entry
from core.catalogue.downloaded import download_folder, is_downloaded
from core.paths import RESOURCES_DIR
from tests.hub_server import HubServer

TIMEOUT_MS = 10_000
WEIGHTS = "model.safetensors"
WEIGHT_BYTES = 1 << 19
SLOWLY = 0.05


@pytest.fixture
def folder(cache: Path, entry: CatalogueEntry) -> Path:
    return download_folder(entry.hub_id, cache / "models")


@pytest.fixture
def dialog(qtbot: QtBot, gpu_machine: Any, server: HubServer, program: Program) -> SettingsDialog:
    """The settings with the list of models."""
    assert gpu_machine.machine.gpus
    assert server.seen == []
    program.window.settings_action.trigger()
    result = program.window.settings_dialog
    qtbot.waitUntil(lambda: bool(result.model.models.rows), timeout=TIMEOUT_MS)
    return result


@pytest.fixture
def row(dialog: SettingsDialog, entry: CatalogueEntry) -> ModelRow:
    return dialog.model.models.row(entry.name)


def status(program: Program) -> DownloadStatus | None:
    download = program.downloader.download
    return download.status if download is not None else None


def wait_for(qtbot: QtBot, program: Program, wanted: DownloadStatus) -> None:
    qtbot.waitUntil(lambda: status(program) is wanted, timeout=TIMEOUT_MS)


def has_come(program: Program, num_bytes: int) -> bool:
    download = program.downloader.download
    return download is not None and download.progress is not None and download.progress.done > num_bytes


def test_the_list_tells_what_each_model_does_here_with_the_profile(
    qtbot: QtBot, dialog: SettingsDialog, row: ModelRow
) -> None:
    names = [each.item.name for each in dialog.model.models.rows]
    assert names[:2] == ["starter", row.item.name]
    assert len(names) == len(list((RESOURCES_DIR / "models").glob("*.json")))
    assert row.badge.text() == "Recommended"
    assert "Apache-2.0 · 7.5 GiB · reads up to 262,144 tokens" in row.facts.text()
    assert row.plan.text().startswith("Fits with up to 1")
    assert "to read" in row.plan.text()
    assert "tokens/s exact" in row.plan.text()
    large = dialog.model.models.row("llama-3.1-8b")
    assert "of GPU memory are missing" in large.plan.text()
    assert "wants to be asked first" in large.facts.text()
    assert large.button.text() == "Download", "it may be meant for another machine"
    spoken = [each.button.accessibleName() for each in dialog.model.models.rows]
    assert "Download: Qwen3 4B Instruct 2507" in spoken
    assert len(set(spoken)) == len(spoken)
    box = dialog.model.profile_box
    box.setCurrentIndex(box.findData("rtx3060-12g"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: row.plan.text().startswith("Fits with all 262,144 tokens"), timeout=TIMEOUT_MS)


def test_a_download_shows_its_progress_and_ends_in_a_model_that_can_be_chosen(
    qtbot: QtBot, program: Program, dialog: SettingsDialog, row: ModelRow, server: HubServer, folder: Path
) -> None:
    server.delay_s = SLOWLY
    row.button.click()
    qtbot.waitUntil(lambda: has_come(program, 50_000), timeout=TIMEOUT_MS)
    assert row.button.text() == "Stop"
    assert row.progress.isVisibleTo(dialog)
    assert "KiB/s" in row.progress.figures.text()
    assert "left" in row.progress.figures.text()
    server.delay_s = 0.0
    wait_for(qtbot, program, DownloadStatus.DONE)
    assert is_downloaded(folder)
    assert not row.progress.isVisibleTo(dialog)
    assert row.button.text() == "Choose"
    row.button.click()
    assert dialog.draft().model == row.item.name
    assert row.badge.text() == "Chosen"
    dialog.accept()
    assert load_preferences(preferences_path()).model == row.item.name
    assert program.controller.settings.model == row.item.name
    assert "in use" in program.window.download_strip.words.text()


def test_reading_and_asking_go_on_meanwhile(
    program: Program, entry: CatalogueEntry, server: HubServer, converse: Callable[[], None]
) -> None:
    server.hangs = True
    program.downloader.start(entry)
    began = time.monotonic()
    converse()
    assert time.monotonic() - began < 5.0
    assert program.downloader.is_busy
    assert program.window.chat.turns[0].answer.source


def test_after_a_stop_only_the_rest_is_downloaded(
    qtbot: QtBot, program: Program, row: ModelRow, server: HubServer, folder: Path
) -> None:
    server.delay_s = SLOWLY
    row.button.click()
    qtbot.waitUntil(lambda: has_come(program, 100_000), timeout=TIMEOUT_MS)
    began = time.monotonic()
    row.button.click()
    assert not row.button.isEnabled(), "it is being stopped"
    wait_for(qtbot, program, DownloadStatus.STOPPED)
    assert time.monotonic() - began < 1.0
    (part,) = (path for path in folder.glob("*.part") if path.name.startswith(WEIGHTS))
    num_kept = part.stat().st_size
    assert num_kept > 0
    assert row.button.text() == "Go on"
    assert "kept" in program.window.download_strip.words.text()
    time.sleep(0.2)  # the server notices that nobody listens
    server.sent.clear()
    server.delay_s = 0.0
    row.button.click()
    wait_for(qtbot, program, DownloadStatus.DONE)
    assert server.sent[WEIGHTS] == WEIGHT_BYTES - num_kept


def test_a_cut_connection_is_taken_up_without_a_word(
    qtbot: QtBot, program: Program, row: ModelRow, server: HubServer, folder: Path
) -> None:
    server.cut_after[WEIGHTS] = 100_000
    row.button.click()
    wait_for(qtbot, program, DownloadStatus.DONE)
    assert is_downloaded(folder)
    assert server.sent[WEIGHTS] == WEIGHT_BYTES


def test_a_wrong_checksum_is_told_and_the_file_is_downloaded_anew(
    qtbot: QtBot, program: Program, row: ModelRow, server: HubServer, folder: Path
) -> None:
    server.wrong.add(WEIGHTS)
    row.button.click()
    wait_for(qtbot, program, DownloadStatus.FAILED)
    assert "came with a wrong checksum" in row.error.text()
    assert "Run the command" not in row.error.text(), "a window has no commands"
    assert row.error.text() == program.window.download_strip.words.text()
    server.wrong.clear()
    program.window.download_strip.button.click()
    wait_for(qtbot, program, DownloadStatus.DONE)
    assert not row.error.isVisibleTo(row)
    assert is_downloaded(folder)


def test_what_goes_wrong_is_told_in_words(
    qtbot: QtBot,
    program: Program,
    row: ModelRow,
    entry: CatalogueEntry,
    server: HubServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def told() -> str:
        row.button.click()
        wait_for(qtbot, program, DownloadStatus.FAILED)
        assert "--" not in row.error.text(), "a window has no options"
        return row.error.text()

    with monkeypatch.context() as patched:
        patched.setattr("shutil.disk_usage", lambda _folder: type("Usage", (), {"free": 1000})())
        assert told().startswith("Not enough disk space.")
    assert server.sent == {}, "the room on the disk is looked at first"
    server.gated.add(entry.hub_id)
    assert told().startswith("The publisher wants to be asked first.")
    server.repos.clear()
    assert told().startswith("Model not found.")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert told().startswith("No connection to the model server.")
    assert not program.window.error_dialog.isVisible(), "it is told where the download is shown"


def test_what_nobody_expected_is_told_plainly(
    qtbot: QtBot, program: Program, row: ModelRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> Path:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(program.downloader, "_fetch", fail)
    row.button.click()
    wait_for(qtbot, program, DownloadStatus.FAILED)
    assert "Something went wrong in Lectern" in row.error.text()
    assert "secret" not in row.error.text()


def test_one_model_is_downloaded_at_a_time(
    qtbot: QtBot, program: Program, dialog: SettingsDialog, row: ModelRow, server: HubServer
) -> None:
    server.hangs = True
    other = dialog.model.models.row("lfm2-1.2b")
    assert other.button.isEnabled()
    row.button.click()
    assert not other.button.isEnabled()
    assert other.button.toolTip() == "One model is downloaded at a time."
    assert not program.downloader.start(read_entry("lfm2-1.2b"))
    assert dialog.model.models.row("starter").badge.text() == "Chosen"
    row.button.click()
    wait_for(qtbot, program, DownloadStatus.STOPPED)
    assert other.button.isEnabled()


def test_a_download_goes_on_when_the_dialog_closes(
    qtbot: QtBot,
    program: Program,
    dialog: SettingsDialog,
    row: ModelRow,
    server: HubServer,
) -> None:
    server.delay_s = SLOWLY
    row.button.click()
    dialog.reject()
    strip = program.window.download_strip
    qtbot.waitUntil(lambda: has_come(program, 50_000), timeout=TIMEOUT_MS)
    assert strip.isVisibleTo(program.window)
    assert "Qwen3 4B" in strip.words.text()
    assert "KiB" in strip.figures.text()
    server.delay_s = 0.0
    wait_for(qtbot, program, DownloadStatus.DONE)
    assert program.preferences.model == "starter", "it is offered, not taken"
    strip.button.click()
    assert load_preferences(preferences_path()).model == row.item.name
    assert not strip.button.isVisibleTo(program.window)
    strip.dismiss_button.click()
    assert not strip.isVisibleTo(program.window)


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.usefixtures("server")
def test_a_new_model_does_not_take_a_conversation_away_silently(
    qtbot: QtBot,
    program: Program,
    entry: CatalogueEntry,
    converse: Callable[[], None],
    is_kept: bool,
) -> None:
    converse()
    program.downloader.start(entry)
    wait_for(qtbot, program, DownloadStatus.DONE)
    program.window.download_strip.button.click()
    asking = program.window.closing_dialog
    assert asking.isVisible()
    assert asking.heading.text() == "Go on with another model?"
    button: QPushButton = asking.no_button if is_kept else asking.yes_button
    button.click()
    assert program.preferences.model == ("starter" if is_kept else entry.name)
    assert program.window.chat.turns, "the answers stay on screen"


def test_closing_the_program_stops_it_within_a_second_and_keeps_the_part(
    qtbot: QtBot, start: Callable[[], Program], entry: CatalogueEntry, server: HubServer, folder: Path
) -> None:
    program = start()
    server.delay_s = SLOWLY
    program.downloader.start(entry)
    qtbot.waitUntil(lambda: has_come(program, 100_000), timeout=TIMEOUT_MS)
    began = time.monotonic()
    program.downloader.stop()
    assert program.downloader.shutdown(2.0)
    assert time.monotonic() - began < 1.0
    assert sum(path.stat().st_size for path in folder.glob("*.part")) > 0
    assert not is_downloaded(folder)
    assert not program.downloader.start(entry)


def test_a_part_of_an_earlier_day_is_gone_on_with(
    qtbot: QtBot, folder: Path, dialog: SettingsDialog, row: ModelRow
) -> None:
    assert row.button.text() == "Download"
    folder.mkdir(parents=True)
    (folder / f"{WEIGHTS}.0123456789ab.part").write_bytes(b"some")
    dialog.reject()
    dialog.edit(dialog.draft())
    qtbot.waitUntil(lambda: row.button.text() == "Go on", timeout=TIMEOUT_MS)
