"""What an installed program holds: what stays out, what must be in, and one version everywhere."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import bundle
import pytest
import smoke

LIBRARIES = (
    "torch/lib/libtorch_cpu.so",
    "torch/lib/libc10.so",
    "torch/bin/torch_shm_manager",
    "core/README.md",
)
WINDOW = (
    *("PySide6/QtWidgets.abi3.so", "PySide6/Qt/lib/libQt6Core.so.6", "PySide6/Qt/lib/libQt6DBus.so.6"),
    *("PySide6/Qt/plugins/platforms/libqxcb.so", "PySide6/Qt/plugins/platforms/libqwayland.so"),
    *("PySide6/Qt/plugins/imageformats/libqsvg.so", "PySide6/Qt/plugins/iconengines/libqsvgicon.so"),
    *("PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so", "PySide6/Qt/lib/libicuuc.so.73"),
    "PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so",
)


@pytest.mark.parametrize("name", [*LIBRARIES, *WINDOW, "transformers/models/llama/modeling_llama.py"])
def test_what_the_program_needs_is_kept(name: str) -> None:
    assert bundle.unwanted_reason(name) is None


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("torch/include/ATen/ATen.h", "headers"),
        ("torch/bin/test_jit", "test programs"),
        ("torch-2.0.dist-info/licenses/third_party/fmt/LICENSE", "NOTICE"),
        ("PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so", "GPL"),
        ("PySide6/Qt/lib/libQt6VirtualKeyboard.so.6", "GPL"),
        ("PySide6/Qt/lib/libQt6Quick.so.6", "QML"),
        ("PySide6\\Qt6Qml.dll", "QML"),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", "GTK"),
        ("libgtk-3.so.0", "GTK"),
        ("libstdc++.so.6", "machine"),
        ("libcudart.so.12", "CUDA"),
        ("PySide6/msvcp140.dll", "runtime"),
        ("PySide6/Qt/translations/qtbase_de.qm", "translations"),
    ],
)
def test_what_it_does_not_need_stays_out_with_a_reason(name: str, word: str) -> None:
    reason = bundle.unwanted_reason(name)
    assert reason is not None
    assert word in reason


def test_links_to_what_is_left_out_are_left_out_too() -> None:
    entries = [
        ("libQt6Qml.so.6", "PySide6/Qt/lib/libQt6Qml.so.6", "SYMLINK"),
        ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"),
        ("torch/lib/libc10.so", "/venv/torch/lib/libc10.so", "BINARY"),
    ]
    assert [entry.name for entry in bundle.wanted(entries)] == ["libQt6Core.so.6", "torch/lib/libc10.so"]


def test_no_module_that_the_project_imports_is_excluded(repository: Path) -> None:
    tools = set(bundle._EXCLUDED_MODULES["tools of this project"])
    assert all((repository / f"{tool.replace('.', '/')}.py").is_file() for tool in tools)
    excluded = set(bundle.excluded_modules())
    optional = {"matplotlib", "optimum"}
    pattern = re.compile(r"^\s*(?:from|import) ([\w.]+)", re.MULTILINE)
    imported = {
        name
        for top in ("core", "app")
        for path in (repository / top).rglob("*.py")
        if f"{top}.{path.stem}" not in tools
        for name in pattern.findall(path.read_text(encoding="utf-8"))
    }
    guilty = {
        name
        for name in imported
        if any(name == module or name.startswith(module + ".") for module in excluded - optional)
    }
    assert "transformers" in imported
    assert not guilty


def test_every_distribution_whose_version_is_asked_for_is_installed() -> None:
    assert all(importlib.metadata.version(name) for name in bundle.METADATA)


def test_every_pattern_is_in_one_place_only() -> None:
    modules = bundle.excluded_modules()
    assert len(modules) == len(set(modules))
    patterns = [pattern for patterns in bundle._UNWANTED_FILES.values() for pattern in patterns]
    assert len(patterns) == len(set(patterns))


def test_a_folder_is_checked_for_what_is_missing_superfluous_and_too_long(tmp_path: Path) -> None:
    libraries = tmp_path / bundle.LIBRARIES_FOLDER
    for name in (*bundle.REQUIRED_FILES["linux"][1:], "libgtk-3.so.0", "d" * 90 + "/" + "f" * 90):
        path = libraries / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (libraries / "libdangling.so").symlink_to("nowhere.so")
    (tmp_path / "LICENSE").touch()
    with pytest.raises(smoke.CheckError) as caught:
        smoke.check_contents(tmp_path, "cpu")
    told = str(caught.value)
    for problem in (
        f"{bundle.REQUIRED_FILES['linux'][0]} is missing",
        "libgtk-3.so.0 should have been left out",
        "is too long",
        "libdangling.so leads nowhere",
        "NOTICE.txt is missing",
    ):
        assert problem in told
    assert "LICENSE is missing" not in told


def test_a_folder_that_has_grown_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in bundle.REQUIRED_FILES["linux"]:
        path = tmp_path / bundle.LIBRARIES_FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(1 << 20))
    for name in ("LICENSE", "NOTICE.txt"):
        (tmp_path / name).touch()
    smoke.check_contents(tmp_path, "cpu")
    monkeypatch.setattr(bundle, "MAX_CPU_BYTES", len(bundle.REQUIRED_FILES["linux"]) << 20)
    smoke.check_contents(tmp_path, "cpu")
    monkeypatch.setattr(bundle, "MAX_CPU_BYTES", (len(bundle.REQUIRED_FILES["linux"]) << 20) - 1)
    smoke.check_contents(tmp_path, "cuda")
    with pytest.raises(smoke.CheckError, match="are more than"):
        smoke.check_contents(tmp_path, "cpu")


def test_the_version_is_written_in_one_place(repository: Path) -> None:
    version = bundle.read_version(repository)
    from core import __version__

    assert version == __version__
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    for path in (repository / "packaging").rglob("*"):
        if path.suffix in (".py", ".spec", ".iss", ".xml", ".desktop"):
            assert version not in path.read_text(encoding="utf-8"), f"{path.name} repeats the version"


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("0.1.0", (0, 1, 0, 0)),
        ("1.2", (1, 2, 0, 0)),
        ("2.10.3rc1", (2, 10, 3, 0)),
        ("1.0.0+cu1", (1, 0, 0, 0)),
    ],
)
def test_windows_gets_four_numbers(version: str, numbers: tuple[int, ...]) -> None:
    assert bundle.version_numbers(version) == numbers


def test_the_builders_versions_are_pinned(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["optional-dependencies"]["build"]
    assert {line.partition("==")[0] for line in wanted} == {"pyinstaller", "pyinstaller-hooks-contrib"}
    assert all("==" in line for line in wanted)
