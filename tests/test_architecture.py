"""The one dependency rule: app above core, and what the window imports stays free of torch.

A failure names the module and the mend.
"""

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

LIGHT_MODULES = (
    *("core.cache_commands", "core.cancel", "core.errors", "core.events", "core.past_turn", "core.paths"),
    *("core.samples", "core.settings", "core.settings_change"),
    *("core.kv.branch_sizes", "core.kv.codec_sizes", "core.kv.slab_sizes", "core.planning_commands"),
    *("core.streams", "core.telemetry", "core.units"),
    *("core.catalogue", "core.document_caches", "core.documents", "core.library", "core.planning"),
    "core.remote",
    *("core.review.answer_forms", "core.review.checklist", "core.review.checklist_format"),
    *("core.review.checklists", "core.review.confidence", "core.review.export", "core.review.finding"),
    "core.review.question",
)
"""Modules and whole packages that never import torch; the window may import them."""

HEAVY_PACKAGES = ("torch", "transformers", "PySide6")

IMPORT_LIGHT_MODULES = """
import importlib, json, sys
guilty = {}
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
    found = [package for package in json.loads(sys.argv[2]) if package in sys.modules]
    if found:
        guilty[name] = found
        break
print(json.dumps(guilty))
"""

IMPORT_ALL_OF_CORE = """
import importlib, json, sys
import torch

core_folder, names = sys.argv[1], json.loads(sys.argv[2])
touched = []

def watch(function, label):
    def watched(*arguments, **options):
        caller = sys._getframe(1).f_code.co_filename
        if caller.startswith(core_folder):
            touched.append(f"{caller}: {label}")
        return function(*arguments, **options)
    return watched

for name in ("is_available", "device_count", "init", "current_device", "get_device_properties"):
    setattr(torch.cuda, name, watch(getattr(torch.cuda, name), f"torch.cuda.{name}"))
for name in names:
    importlib.import_module(name)
    if torch.cuda.is_initialized():
        touched.append(f"{name}: CUDA is initialized")
        break
print(json.dumps({"touched": touched, "qt": "PySide6" in sys.modules}))
"""


def _modules(repository: Path, package: str) -> list[str]:
    """The importable names at or under `package`, as far as they exist."""
    place = repository.joinpath(*package.split("."))
    if place.with_suffix(".py").is_file():
        return [package]
    names = []
    for path in sorted(place.rglob("*.py")):
        parts = path.relative_to(repository).with_suffix("").parts
        if parts[-1] != "__main__":
            names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def _run(script: str, *arguments: str, cwd: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=cwd, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_light_modules_import_neither_torch_nor_qt(repository: Path) -> None:
    names = [name for package in LIGHT_MODULES for name in _modules(repository, package)]
    assert "core.errors" in names
    guilty = _run(IMPORT_LIGHT_MODULES, json.dumps(names), json.dumps(HEAVY_PACKAGES), cwd=repository)
    assert not guilty, f"{guilty}: move the import to a module that the window does not need"


def test_core_imports_no_qt_and_touches_no_accelerator(repository: Path) -> None:
    names = _modules(repository, "core")
    answer = _run(IMPORT_ALL_OF_CORE, str(repository / "core"), json.dumps(names), cwd=repository)
    assert answer == {"touched": [], "qt": False}, "ask for devices inside functions, not at import"


def test_every_light_module_is_under_its_import_contract(repository: Path) -> None:
    pyproject = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {contract["id"]: contract for contract in pyproject["tool"]["importlinter"]["contracts"]}
    covered = set(contracts["light-modules"]["source_modules"])
    existing = {package for package in LIGHT_MODULES if _modules(repository, package)}
    assert covered == existing, (
        "make source_modules of `light-modules` in pyproject.toml equal to the right side"
    )


def test_every_folder_with_modules_is_a_package(repository: Path) -> None:
    """Type checker and import contracts pass silently over folders without __init__.py."""
    folders = {path.parent for top in ("core", "app") for path in (repository / top).rglob("*.py")}
    without = [
        str(folder.relative_to(repository)) for folder in folders if not (folder / "__init__.py").exists()
    ]
    assert not without, "add an __init__.py with one line on what the package is"


def test_the_engine_is_imported_in_one_place_of_the_app(repository: Path) -> None:
    importers = [
        path.relative_to(repository / "app").as_posix()
        for path in (repository / "app").rglob("*.py")
        if _imports_engine(path.read_text(encoding="utf-8"))
    ]
    assert set(importers) <= {"core_backend.py"}, "only app/core_backend.py imports core.engine"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import core.engine", True),
        ("from core.engine import open_model", True),
        ("def f():\n    from core import engine", True),
        ("from core.events import Token", False),
        ("import core.engine_room", False),
    ],
)
def test_an_import_of_the_engine_is_recognised(source: str, expected: bool) -> None:
    assert _imports_engine(source) is expected


def _imports_engine(source: str) -> bool:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(alias.name == "core.engine" for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and (
            node.module == "core.engine"
            or (node.module == "core" and any(alias.name == "engine" for alias in node.names))
        ):
            return True
    return False
