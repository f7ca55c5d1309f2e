"""The system check as a dialog: grave things first, commands to copy, nothing run."""

from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import i18n
from app.startup import Program
from app.system_check.check_dialog import CheckDialog
from core.planning.machine import Machine
from core.planning.system_facts import Severity

TIMEOUT_MS = 10_000


@pytest.fixture
def dialog(qtbot: QtBot, program: Program, machine: Any) -> CheckDialog:
    machine.changes = {"swap_total_bytes": 0, "overcommit_mode": 2, "commit_room_bytes": 1}
    program.window.check_action.trigger()
    result = program.window.check_dialog
    assert result.isVisible()
    qtbot.waitUntil(lambda: not result.is_looking, timeout=TIMEOUT_MS)
    return result


def test_findings_are_listed_gravest_first(dialog: CheckDialog, machine: Any) -> None:
    severities = [row.finding.severity for row in dialog.rows]
    order = [Severity.PROBLEM, Severity.WARNING, Severity.HINT, Severity.OK]
    assert severities == sorted(severities, key=order.index)
    assert severities[0] is Severity.PROBLEM
    assert dialog.summary.text().startswith("1 to mend, 1 hints, ")
    assert all(name.startswith("lectern-background") for name in machine.threads)


def test_a_finding_says_what_why_and_what_mends_it(dialog: CheckDialog) -> None:
    row = dialog.rows[0]
    assert row.title.text() == "Promised memory"
    assert "vm.overcommit_memory" in row.what.text()
    assert "GiB" in row.why.text() or "MiB" in row.why.text()
    assert row.command.text() == "sudo sysctl -w vm.overcommit_memory=0"
    assert row.accessibleName().startswith("Problem: Promised memory")


def test_the_copy_button_copies_the_command(dialog: CheckDialog) -> None:
    QGuiApplication.clipboard().clear()
    dialog.rows[0].copy_button.click()
    assert QGuiApplication.clipboard().text() == "sudo sysctl -w vm.overcommit_memory=0"
    fine = next(row for row in dialog.rows if row.finding.command is None)
    assert not fine.copy_button.isVisibleTo(dialog)


def test_it_can_be_checked_again(qtbot: QtBot, dialog: CheckDialog, machine: Any) -> None:
    machine.changes = {}
    dialog.again_button.click()
    qtbot.waitUntil(lambda: not dialog.is_looking, timeout=TIMEOUT_MS)
    assert {row.finding.severity for row in dialog.rows} == {Severity.OK}
    assert dialog.summary.text().startswith("0 to mend")


def test_findings_speak_the_windows_language(dialog: CheckDialog, themed: QApplication) -> None:
    try:
        i18n.install(themed, "zh_CN")
        themed.processEvents()
        assert dialog.rows[0].title.text() == "内存分配承诺"
        assert dialog.rows[0].why.text().startswith("按此规划需要")
    finally:
        i18n.install(themed, "en")


def test_the_settings_lead_to_the_check_of_what_is_chosen_there(
    qtbot: QtBot, program: Program, machine: Any
) -> None:
    machine.machine = Machine("small", 8 << 30, 6 << 30, num_cores=2)
    program.window.settings_action.trigger()
    settings = program.window.settings_dialog
    settings.model.model_box.setCurrentText("qwen3-4b-instruct-2507")
    settings.check_button.click()
    dialog = program.window.check_dialog
    qtbot.waitUntil(lambda: dialog.isVisible() and not dialog.is_looking, timeout=TIMEOUT_MS)
    assert dialog.rows[0].title.text() == "Memory"
    assert dialog.rows[0].finding.severity is Severity.PROBLEM


def test_a_model_that_cannot_be_planned_is_checked_for_nothing(qtbot: QtBot, program: Program) -> None:
    program.window.settings_action.trigger()
    program.window.settings_dialog.model.model_box.setCurrentText("/nowhere/at/all")
    program.window.settings_dialog.check_button.click()
    dialog = program.window.check_dialog
    qtbot.waitUntil(lambda: dialog.isVisible() and not dialog.is_looking, timeout=TIMEOUT_MS)
    assert {row.finding.severity for row in dialog.rows} == {Severity.OK}
