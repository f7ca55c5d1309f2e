"""The self-test of an installed program: what it prints, and what its exit code depends on."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import __main__, self_test, startup
from app.scripted_backend import ScriptedBackend
from app.self_test import SelfTest
from app.startup import Program
from core import __version__
from core.errors import ModelError
from core.samples import default_sample

TIMEOUT_MS = 10_000

Run = Callable[[str], tuple[int, dict[str, Any]]]


@pytest.fixture
def run(
    qtbot: QtBot, program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Opens a file under test; the exit code that the program would end with, and the line it printed."""
    codes: list[int] = []
    monkeypatch.setattr(QApplication, "exit", codes.append)
    test = SelfTest(program.store, program.controller, program.router, program)

    def run_once(path: str) -> tuple[int, dict[str, Any]]:
        program.controller.open_files([path])
        qtbot.waitUntil(lambda: bool(codes), timeout=TIMEOUT_MS)
        test._on_late()  # whatever comes after the end says nothing more
        lines = capsys.readouterr().out.splitlines()
        assert (len(codes), len(lines)) == (1, 1)
        return codes[0], json.loads(lines[0])

    return run_once


def test_a_quote_that_stands_on_a_page_passes(run: Run, backend: ScriptedBackend, sample_path: str) -> None:
    backend.script.answers = ["It says “made and entered into as of January 1, 1998”."]
    code, report = run(sample_path)
    assert (code, report["event"], report["ok"], report["error"]) == (0, "self_test", True, None)
    assert (report["verified"], report["version"]) == (1, __version__)
    assert report["question"] == default_sample().questions[0].text
    assert 0 < report["model_s"] <= report["answer_s"]


def test_an_answer_without_quotes_passes_with_the_closest_passage(
    run: Run, backend: ScriptedBackend, sample_path: str
) -> None:
    backend.script.answers = ["The agreement is effective as of January 1, 1998."]
    code, report = run(sample_path)
    assert (code, report["verified"], report["closest_page_index"]) == (0, 0, 0)


def test_an_empty_answer_fails(run: Run, backend: ScriptedBackend, sample_path: str) -> None:
    backend.script.answers = [""]
    code, report = run(sample_path)
    assert (code, report["ok"]) == (1, False)


def test_a_broken_engine_fails_with_its_words(run: Run, backend: ScriptedBackend, sample_path: str) -> None:
    backend.script.model_error = ModelError("The model is damaged", "Download it again.")
    code, report = run(sample_path)
    assert (code, report["error"]) == (1, "The model is damaged: Download it again.")


def test_a_file_that_cannot_be_opened_fails(run: Run) -> None:
    code, report = run("missing.pdf")
    assert code == 1
    assert report["error"].startswith("Not a PDF")
    assert report["question"] is None


def test_what_others_would_inherit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/somewhere")
    monkeypatch.delenv("QT_PLUGIN_PATH", raising=False)
    assert self_test._inherited() == (("LD_LIBRARY_PATH", "/somewhere"),)


def test_the_switch_needs_neither_file_nor_display(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, bool]] = []
    monkeypatch.setattr(
        startup, "run", lambda files, *, is_self_test, **_: calls.append((files, is_self_test)) or 7
    )
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(__main__.sys, "platform", "linux")
    assert __main__.main(["--self-test"]) == 7
    assert calls == [([str(default_sample().path)], True)]
    assert __main__.os.environ["QT_QPA_PLATFORM"] == "offscreen"
