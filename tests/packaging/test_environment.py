"""Setting up: what is done on the first call, what later calls save, and what happens when a step fails."""

import ast
import shutil
from pathlib import Path
from typing import Any

import environment
import pytest
from environment import (
    PIP_VERSION,
    QT_PACKAGES,
    SETUP_VERSION,
    Environment,
    SetUpError,
    environment_key,
    missing_packages,
    wanted_packages,
)


def test_the_first_call_does_every_step_in_order(root: Path, shell: Any) -> None:
    Environment(root, shell).ensure()
    steps = [" ".join(command[1:]) for command in shell.commands]
    assert steps == [
        f"-m venv {root / '.venv'}",
        f"-m pip --disable-pip-version-check install --upgrade pip=={PIP_VERSION}",
        "-m pip --disable-pip-version-check install --editable .[dev]",
        "-P -m core models get starter",
    ]


def test_a_second_call_starts_no_process(root: Path, shell: Any) -> None:
    Environment(root, shell).ensure()
    shell.commands.clear()
    Environment(root, shell).ensure()
    assert shell.commands == []


def test_a_changed_project_is_installed_again_into_the_same_environment(root: Path, shell: Any) -> None:
    Environment(root, shell).ensure()
    shell.commands.clear()
    (root / "pyproject.toml").write_text("[project]\nname = 'other'\n", encoding="utf-8")
    Environment(root, shell).ensure()
    assert shell.ran("install", ".[dev]")
    assert not shell.ran("venv")
    assert not shell.ran(f"pip=={PIP_VERSION}")


def test_an_interrupted_install_is_taken_up_again(root: Path, shell: Any) -> None:
    shell.failing = [".[dev]"]
    with pytest.raises(SetUpError, match=r"install --editable '\.\[dev\]'"):
        Environment(root, shell).ensure()
    shell.failing = []
    shell.commands.clear()
    Environment(root, shell).ensure()
    assert shell.ran("install", ".[dev]")
    assert not shell.ran("venv")


def test_an_install_that_fails_after_a_good_one_is_not_taken_for_complete(root: Path, shell: Any) -> None:
    Environment(root, shell).ensure()
    complete = (root / "pyproject.toml").read_bytes()
    (root / "pyproject.toml").write_text("changed", encoding="utf-8")
    shell.failing = [".[dev]"]
    with pytest.raises(SetUpError):
        Environment(root, shell).ensure()
    (root / "pyproject.toml").write_bytes(complete)
    shell.failing = []
    shell.commands.clear()
    Environment(root, shell).ensure()
    assert shell.ran("install", ".[dev]")


def test_a_deleted_interpreter_means_a_new_environment(root: Path, shell: Any) -> None:
    first = Environment(root, shell)
    first.ensure()
    first.python.unlink()
    shell.works = False
    shell.commands.clear()
    Environment(root, shell).ensure()
    assert shell.ran("venv")
    assert first.python.exists()


def test_an_environment_that_cannot_be_made_is_explained(root: Path, shell: Any) -> None:
    shell.failing = ["venv"]
    with pytest.raises(SetUpError, match="python3-venv"):
        Environment(root, shell).ensure()


def test_a_missing_model_stops_nothing_and_is_tried_again(root: Path, shell: Any) -> None:
    shell.failing = ["models"]
    Environment(root, shell).ensure()
    shell.failing = []
    shell.commands.clear()
    Environment(root, shell).ensure()
    assert [command[-3:] for command in shell.commands] == [["models", "get", "starter"]]


def test_a_model_that_was_removed_is_fetched_again(root: Path, shell: Any) -> None:
    Environment(root, shell).ensure()
    shutil.rmtree(root / "cache")
    shell.commands.clear()
    Environment(root, shell).ensure()
    assert shell.ran("models", "get", "starter")


def test_another_cache_folder_gets_its_own_model(
    root: Path, shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Environment(root, shell).ensure()
    (root / "other" / "models" / "starter").mkdir(parents=True)
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(root / "other"))
    shell.commands.clear()
    Environment(root, shell).ensure()
    assert shell.ran("models", "get", "starter")


def test_the_key_follows_project_place_and_steps(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    key = environment_key(root)
    assert key == environment_key(root)
    assert key != environment_key(root, SETUP_VERSION + 1)
    elsewhere = tmp_path_factory.mktemp("moved")
    (elsewhere / "pyproject.toml").write_bytes((root / "pyproject.toml").read_bytes())
    assert key != environment_key(elsewhere)
    (root / "pyproject.toml").write_text("changed", encoding="utf-8")
    assert key != environment_key(root)


def test_missing_packages_knows_removed_and_renamed_ones() -> None:
    installed = (
        "libgl1\tinstalled\t\nxvfb\tconfig-files\t\nlibglib2.0-0t64\tinstalled\tlibglib2.0-0 (= 2.80)\n"
    )
    assert missing_packages(["libgl1", "xvfb", "libglib2.0-0", "xauth"], installed) == ["xvfb", "xauth"]


def test_debians_python_needs_its_venv_package(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "python3-venv" not in wanted_packages()
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    assert wanted_packages()[0] == "python3-venv"


def _all_installed() -> str:
    return "".join(f"{package}\tinstalled\t\n" for package in wanted_packages())


def test_present_system_packages_cost_no_apt(root: Path, shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "is_root", lambda: True)
    shell.debian = _all_installed()
    Environment(root, shell).ensure()
    assert not any(command[0] == "apt-get" for command in shell.commands)


def test_root_installs_what_is_missing_before_the_environment(
    root: Path, shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "is_root", lambda: True)
    shell.debian = _all_installed().replace("xvfb\tinstalled", "xvfb\tnot-installed")
    Environment(root, shell).ensure()
    assert shell.commands[0] == ["apt-get", "update"]
    assert shell.commands[1] == ["apt-get", "install", "--yes", "--no-install-recommends", "xvfb"]
    assert "venv" in shell.commands[2]


@pytest.mark.parametrize("root_user", [False, True])
def test_who_cannot_install_is_told_the_command_and_goes_on(
    root: Path, shell: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any, root_user: bool
) -> None:
    monkeypatch.setattr(environment, "is_root", lambda: root_user)
    shell.debian = _all_installed().replace("libgl1\tinstalled", "libgl1\tnot-installed")
    shell.failing = ["libgl1"]
    Environment(root, shell).ensure()
    assert "sudo apt-get install --yes --no-install-recommends libgl1\n" in capsys.readouterr().out
    assert shell.ran("install", "libgl1") == root_user
    assert shell.ran("install", ".[dev]")


def test_other_systems_are_left_alone(root: Path, shell: Any) -> None:
    shell.debian = None
    Environment(root, shell).ensure()
    assert not any("apt-get" in command for command in shell.commands)


@pytest.mark.parametrize("name", ["dev.py", "environment.py"])
def test_an_outdated_python_can_still_parse_the_scripts(repository: Path, name: str) -> None:
    source = (repository / "packaging" / name).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))


def test_the_window_needs_no_package_twice() -> None:
    assert len(set(QT_PACKAGES)) == len(QT_PACKAGES)
