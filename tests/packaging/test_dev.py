"""The commands of packaging/dev.py: what each starts, and what it returns."""

from pathlib import Path
from typing import Any

import dev
import pytest


def _main(root: Path, shell: Any, *arguments: str) -> int:
    return dev.main(arguments, root=root, shell=shell)


def _after_set_up(root: Path, shell: Any, *arguments: str) -> list[list[str]]:
    dev.Environment(root, shell).ensure()
    shell.commands.clear()
    assert _main(root, shell, *arguments) == 0
    return [command[1:] for command in shell.commands]


@pytest.mark.parametrize("arguments", [[], ["fly"], ["lint", "--fast"], ["run", "--fast"], ["clean", "x"]])
def test_what_is_unknown_ends_with_the_usage(
    arguments: list[str], root: Path, shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        _main(root, shell, *arguments)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err
    assert shell.commands == []


def test_lint_runs_the_four_checks(root: Path, shell: Any) -> None:
    (root / "app").mkdir()
    commands = _after_set_up(root, shell, "lint")
    assert [command[:3] for command in commands[:3]] == [
        ["-m", "ruff", "check"],
        ["-m", "ruff", "format"],
        ["-m", "mypy", "--strict"],
    ]
    assert commands[2][3:] == ["core", "app"]
    assert "importlinter" in commands[3][1]
    assert len(commands) == 4


def test_test_adds_pytest_with_the_given_arguments_in_their_order(root: Path, shell: Any) -> None:
    commands = _after_set_up(root, shell, "test", "-k", "merge", "tests/core", "--maxfail=1", "-x")
    assert len(commands) == 6
    assert commands[4] == ["-m", "compileall", "-q", "core"]
    given = ["-k", "merge", "tests/core", "--maxfail=1", "-x"]
    assert commands[5] == ["-m", "pytest", *dev.SIDE_BY_SIDE, *given]


def test_a_failing_check_hides_no_other_and_fails_the_whole(
    root: Path, shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.failing = ["mypy"]
    assert _main(root, shell, "test") == 1
    assert shell.ran("pytest")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines[-6:]] == ["ok", "ok", "1)", "ok", "ok", "ok"]
    assert "FAILED" in lines[-4]


def test_run_without_a_window_asks_the_samples_first_question(root: Path, shell: Any) -> None:
    sample = str(root / "resources" / "samples" / "a.pdf")
    assert _after_set_up(root, shell, "run") == [
        ["-P", "-m", "core", "ask", sample, "--question", "When?"],
    ]


def test_run_with_files_asks_about_them(root: Path, shell: Any) -> None:
    command = _after_set_up(root, shell, "run", "b.pdf", "c.pdf")[0]
    assert command == [
        "-P",
        "-m",
        "core",
        "ask",
        "b.pdf",
        "c.pdf",
        "--question",
        dev.QUESTION_FOR_ANY_DOCUMENT,
    ]


def test_run_opens_the_window_once_there_is_one(root: Path, shell: Any) -> None:
    (root / "app").mkdir()
    (root / "app" / "__main__.py").touch()
    assert _after_set_up(root, shell, "run", "b.pdf") == [["-P", "-m", "app", "b.pdf"]]


def test_bench_passes_its_arguments_on(root: Path, shell: Any) -> None:
    commands = _after_set_up(root, shell, "bench", "decode", "--context", "32768")
    assert commands == [["-P", "-m", "core", "bench", "decode", "--context", "32768"]]


def test_a_failed_set_up_is_told_without_a_traceback(
    root: Path, shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.failing = [".[dev]"]
    assert _main(root, shell, "lint") == 1
    assert "Set-up stopped" in capsys.readouterr().err
    assert not shell.ran("ruff")


def test_an_outdated_python_is_told(
    root: Path, shell: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev.sys, "version_info", (3, 9, 2, "final", 0))
    assert _main(root, shell, "lint") == 1
    assert "needs Python 3.11 or newer" in capsys.readouterr().err
    assert shell.commands == []


def test_clean_removes_what_can_be_made_again_and_keeps_the_models(root: Path, shell: Any) -> None:
    made = [".venv/bin", "build", "lectern.egg-info", ".mypy_cache", "core/kv/__pycache__", "cache/models"]
    for name in made:
        (root / name).mkdir(parents=True)
    (root / "dist").symlink_to(root / "gone")
    assert _main(root, shell, "clean") == 0
    assert sorted(path.name for path in root.iterdir()) == ["cache", "core", "pyproject.toml", "resources"]
    assert (root / "cache" / "models").is_dir()
    assert (root / "core" / "paths.py").is_file()
    assert not (root / "core" / "kv" / "__pycache__").exists()


def test_clean_removes_the_models_when_asked(root: Path, shell: Any) -> None:
    (root / "cache" / "models" / "starter").mkdir(parents=True)
    assert _main(root, shell, "clean", "--models") == 0
    assert not (root / "cache" / "models").exists()


def test_the_checkout_has_the_sample_that_run_opens() -> None:
    sample, question = dev.bundled_sample(dev.ROOT)
    assert sample.is_file()
    assert question == "What is the effective date of the agreement?"
