"""From the command line to a window: fast, without torch, and with words where there is no display."""

import json
import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app import __main__, terminal
from app.startup import Program
from core.samples import all_samples, default_sample

START_LIMIT_S = 10.0
SHOW_THE_WINDOW = """
import json, sys, time
from app import i18n, theme
from app.preferences import Preferences
from app.startup import Program, make_application

app = make_application()
theme.apply(app)
i18n.install(app)
is_first = sys.argv[2] == "first"
program = Program(Preferences(needs_setup=is_first))
program.start([])
app.processEvents()
shown_s = time.time() - float(sys.argv[1])
while is_first and program.window.setup_wizard.is_looking:
    app.processEvents()
    time.sleep(0.01)
heavy = [name for name in ("torch", "transformers", "numpy", "fitz", "pymupdf") if name in sys.modules]
program.window.close()
print(json.dumps({"shown_s": shown_s, "heavy": heavy, "ended": program.shutdown()}))
"""


@pytest.mark.parametrize("start", ["first", "later"])
def test_the_window_is_there_before_torch(repository: Path, tmp_path: Path, start: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHOW_THE_WINDOW, str(time.time()), start],
        cwd=repository,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "LECTERN_DATA_DIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["heavy"] == []
    assert answer["ended"] is True
    assert answer["shown_s"] < START_LIMIT_S, "1.5 s on a quiet machine"


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({}, "linux", True),
        ({"DISPLAY": ""}, "linux", True),
        ({"DISPLAY": ":0"}, "linux", False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", False),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", False),
        ({}, "win32", False),
        ({}, "darwin", False),
    ],
)
def test_a_missing_display_is_noticed(environment: dict[str, str], platform: str, expected: bool) -> None:
    assert terminal.lacks_display(environment, platform) is expected


def without_display(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[list[str], list[str]]:
    """Starts the program without a display; returns the command that it becomes and what it says."""
    became: list[list[str]] = []

    def become(_path: str, command: list[str]) -> None:
        became.append(command)
        raise SystemExit(0)

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(terminal.os, "execv", become)
    with pytest.raises(SystemExit):
        __main__.main(arguments)
    return became[0], capsys.readouterr().err.splitlines()


def test_without_a_display_the_sample_is_asked_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, said = without_display(monkeypatch, capsys)
    sample = default_sample()
    assert command[-5:] == ["core", "ask", str(sample.path), "--question", sample.questions[0].text]
    assert len(said) == 1
    assert "no display" in said[0]


def test_without_a_display_a_sample_named_as_a_file_gets_its_own_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for sample in all_samples():
        command, _ = without_display(monkeypatch, capsys, str(sample.path))
        assert command[-3:] == [str(sample.path), "--question", sample.questions[0].text]


def test_without_a_display_the_files_are_asked_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, _ = without_display(monkeypatch, capsys, "a.pdf", "b.pdf")
    assert command[-5:] == ["ask", "a.pdf", "b.pdf", "--question", terminal.QUESTION_FOR_ANY_DOCUMENT]


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        __main__.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("Lectern ")


def test_what_nobody_caught_is_logged_and_said_plainly(
    qtbot: QtBot, program: Program, caplog: pytest.LogCaptureFixture
) -> None:
    hooks = sys.excepthook, threading.excepthook
    program.router.install()
    try:
        with caplog.at_level(logging.ERROR), qtbot.waitSignal(program.window.error_dialog.error_shown):
            sys.excepthook(ValueError, ValueError("secret detail"), None)
        program.window.error_dialog.accept()
        thread = threading.Thread(target=_fail)
        with qtbot.waitSignal(program.window.error_dialog.error_shown):
            thread.start()
        thread.join()
    finally:
        sys.excepthook, threading.excepthook = hooks
    assert "secret detail" in caplog.text
    assert "secret detail" not in program.window.error_dialog.message.text()


def test_the_document_processes_are_warm_before_the_first_document(
    qtbot: QtBot, program: Program, service: Any, sample_path: str
) -> None:
    program.start([sample_path])
    assert not service.is_warm, "the window comes first"
    qtbot.waitUntil(lambda: bool(service.opened))
    assert service.is_warm


def _fail() -> None:
    raise ValueError("in a thread")


def test_telemetry_reaches_the_gauges(qtbot: QtBot, program: Program) -> None:
    with qtbot.waitSignal(program.store.sample_changed, timeout=5000):
        program.telemetry.start()
    assert " of " in program.window.gauges.ram.value
    assert program.window.gauges.vram.value != "–"
