"""When an installer is built, with which tools, and what an installed program does first."""

import importlib.util
import json
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import builder
import dev
import pytest


def _git(root: Path, *arguments: str, age_s: int = 0) -> None:
    date = f"{int(builder.time.time()) - age_s} +0000"
    names = dict.fromkeys(
        ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a"
    )
    environment = {**os.environ, **names, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, env=environment)


def _commit(root: Path, name: str, text: str, age_s: int) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    _git(root, "add", "-A")
    _git(root, "commit", "-m", name, age_s=age_s)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Landed yesterday: the packaging. A minute ago: something else."""
    root = tmp_path / "clone"
    root.mkdir()
    _git(root, "init", "-q")
    _commit(root, "packaging/bundle.py", "old", age_s=86_400)
    _commit(root, "core/a.py", "new", age_s=60)
    return root


def test_changes_elsewhere_build_nothing(clone: Path) -> None:
    assert "nothing has changed" in builder.why_not_due(clone, 0, 360)


@pytest.mark.parametrize("name", ["packaging/bundle.py", "pyproject.toml", "resources/a.txt"])
def test_a_change_of_what_is_installed_builds_if_there_is_time(clone: Path, name: str) -> None:
    _commit(clone, name, "changed", age_s=30)
    _commit(clone, "core/b.py", "a commit that follows hides nothing", age_s=10)
    assert builder.why_not_due(clone, 100, 360) == ""
    assert "361 s have passed" in builder.why_not_due(clone, 361, 360)


def test_pictures_of_the_readme_build_nothing(clone: Path) -> None:
    _commit(clone, "resources/screenshots/a.png", "changed", age_s=30)
    assert not builder.has_changed(clone)


def test_a_clone_without_a_past_counts_as_changed(tmp_path: Path) -> None:
    _git(tmp_path, "init", "-q")
    _commit(tmp_path, "core/a.py", "first", age_s=60)
    assert builder.has_changed(tmp_path)


def test_a_shallow_clone_counts_as_changed(clone: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{clone}", str(tmp_path / "shallow")], check=True
    )
    assert builder.has_changed(tmp_path / "shallow")


def test_a_folder_that_is_no_clone_counts_as_changed(tmp_path: Path) -> None:
    assert builder.has_changed(tmp_path)


def test_a_build_that_is_not_due_ends_well_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builder, "why_not_due", lambda *_: "no time.")
    monkeypatch.setattr(builder, "freeze", lambda _: pytest.fail("a build was begun"))
    assert builder.main(["--check", "--if-changed"]) == 0
    assert "No installer is built: no time." in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "code"), [(["--check", "--if-changed"], 0), (["--check"], 1)])
def test_a_machine_without_the_tools_stops_only_who_asked_for_a_build(
    arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Path) -> None:
        raise builder.NoToolsError("objdump is missing.")

    monkeypatch.setattr(builder, "why_not_due", lambda *_: "")
    monkeypatch.setattr(builder, "install_tools", fail)
    monkeypatch.setattr(builder, "freeze", lambda _: pytest.fail("a build was begun"))
    assert builder.main(arguments) == code
    assert "objdump is missing" in capsys.readouterr().out


def test_a_build_that_does_not_work_is_a_failure_always(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise builder.CheckError("no answer")

    monkeypatch.setattr(builder, "why_not_due", lambda *_: "")
    for name in ("install_tools", "freeze"):
        monkeypatch.setattr(builder, name, lambda _: None)
    monkeypatch.setattr(builder.smoke, "check", fail)
    assert builder.main(["--check", "--if-changed"]) == 1


@pytest.mark.parametrize(
    ("stdlib", "expected"), [("/usr/lib/python3.11", True), ("/opt/lib/python3.11", False)]
)
def test_debians_python_needs_its_library(
    stdlib: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder.sysconfig, "get_path", lambda _: stdlib)
    assert ("libpython3." in " ".join(builder.system_tools())) is expected
    assert "binutils" in builder.system_tools()


def test_missing_tools_are_installed_as_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "ensure_system_packages", lambda *_: None)
    monkeypatch.setattr(builder.shutil, "which", lambda _: "/usr/bin/objdump")
    wanted = ["pyinstaller==0.0.1"]
    project = f"[project]\n[project.optional-dependencies]\nbuild = {json.dumps(wanted)}\n"
    (tmp_path / "pyproject.toml").write_text(project, encoding="utf-8")
    commands: list[list[str]] = []
    monkeypatch.setattr(builder.subprocess, "call", lambda command: commands.append(command) or 0)
    builder.install_tools(tmp_path)
    assert [command[-2:] for command in commands] == [["install", "pyinstaller==0.0.1"]]
    monkeypatch.setattr(builder.subprocess, "call", lambda _: 1)
    with pytest.raises(builder.BuildError):
        builder.install_tools(tmp_path)


@pytest.mark.parametrize(("version", "expected"), [("2.13.0+cpu", "cpu"), ("2.13.0+cu130", "cuda")])
def test_the_variant_is_that_of_torch(monkeypatch: pytest.MonkeyPatch, version: str, expected: str) -> None:
    monkeypatch.setattr(builder.importlib.metadata, "version", lambda _: version)
    assert builder.variant() == expected


def test_dev_passes_the_build_to_the_environments_python(root: Path, shell: Any) -> None:
    dev.Environment(root, shell).ensure()
    shell.commands.clear()
    assert dev.main(["build", "--check", "--packages"], root=root, shell=shell) == 0
    script = str(root / "packaging" / "builder.py")
    assert [command[1:] for command in shell.commands] == [[script, "--check", "--packages"]]


@pytest.fixture
def frozen_start(repository: Path) -> types.ModuleType:
    path = repository / "packaging" / "entry" / "frozen_start.py"
    spec = importlib.util.spec_from_file_location("frozen_start", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_other_programs_inherit_the_paths_of_before(
    frozen_start: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/bundle")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/mine")
    monkeypatch.setenv("QT_PLUGIN_PATH", "/bundle/plugins")
    frozen_start.give_back_paths()
    assert os.environ["LD_LIBRARY_PATH"] == "/mine"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    assert "QT_PLUGIN_PATH" not in os.environ


def test_a_worker_becomes_one_before_anything_is_imported(
    frozen_start: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    monkeypatch.setattr(frozen_start.multiprocessing, "freeze_support", lambda: steps.append("freeze"))
    monkeypatch.setattr(frozen_start, "give_back_paths", lambda: steps.append("paths"))
    frozen_start.prepare()
    assert steps == ["freeze", "paths"]


@pytest.mark.parametrize("name", ["lectern.py", "lectern_app.py"])
def test_a_program_prepares_itself_before_it_imports_the_rest(repository: Path, name: str) -> None:
    source = (repository / "packaging" / "entry" / name).read_text(encoding="utf-8")
    assert source.index("frozen_start.prepare()") < source.index("import main")


def test_the_windows_hook_does_nothing_elsewhere(repository: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("this is Windows")
    hook = repository / "packaging" / "entry" / "windows_runtime.py"
    done = subprocess.run([sys.executable, "-I", str(hook)], capture_output=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, b"")
