#!/usr/bin/env python3
"""Set up, run, check and test Lectern: the one place that lists every command.

The first call makes .venv and fetches the starter model; later calls find both in place. A bare Python 3.11
or newer is enough to start from.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from environment import Environment, SetUpError, Shell, find_models_dir, remove, say

ROOT = Path(__file__).resolve().parent.parent
MINIMUM_PYTHON = (3, 11)
TESTED_SOURCES = ("core", "app")
TYPED_SOURCES = (*TESTED_SOURCES, "packaging")
TOOL_CACHES = (".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache", ".hypothesis")
QUESTION_FOR_ANY_DOCUMENT = "What is this document about?"
PASSES_ON = "packaging/dev.py COMMAND [ARGUMENTS PASSED ON ...]"
PASSING_ON = ("test", "bench", "build")
EXIT_CANCELLED = 130
SIDE_BY_SIDE = ("-n", "logical", "--dist", "worksteal")


class Stage(NamedTuple):
    name: str
    command: list[str]


class Outcome(NamedTuple):
    name: str
    exit_code: int
    elapsed_s: float


def main(arguments: Sequence[str], root: Path = ROOT, shell: Shell | None = None) -> int:
    if sys.version_info < MINIMUM_PYTHON:
        print(old_python_message(), file=sys.stderr)
        return 1
    options = parse(arguments)
    shell = shell or Shell()
    if options.command == "clean":
        return clean(root, with_models=options.models)
    environment = Environment(root, shell)
    try:
        environment.ensure()
    except SetUpError as error:
        print(f"\nSet-up stopped. {error}", file=sys.stderr)
        return 1
    python = environment.python
    if options.command == "run":
        return shell.become(run_command(python, root, options.files))
    if options.command == "bench":
        return shell.become([str(python), "-P", "-m", "core", "bench", *options.passed_on])
    if options.command == "build":
        return shell.call([str(python), str(root / "packaging" / "builder.py"), *options.passed_on], cwd=root)
    if options.command == "screenshots":
        return shell.call(
            [str(python), "-P", "-m", "app.screenshots", "--out", str(Path(options.out).absolute())], cwd=root
        )
    if options.command == "translate":
        return run_stages(shell, root, translation_stages(python, root))
    stages = lint_stages(python, root)
    if options.command == "test":
        stages += test_stages(python, root, options.passed_on)
    return run_stages(shell, root, stages)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="packaging/dev.py", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="open documents; without FILE the bundled sample")
    run.add_argument("files", nargs="*", metavar="FILE")
    commands.add_parser("test", help="lint, then the tests; further arguments go to pytest", usage=PASSES_ON)
    commands.add_parser("lint", help="ruff, formatting, mypy, import contracts")
    commands.add_parser("bench", help="measure; further arguments go to `lectern bench`", usage=PASSES_ON)
    pictures = commands.add_parser("screenshots", help="pictures of the window's main views")
    pictures.add_argument("--out", required=True, metavar="DIR", help="folder for the pictures")
    commands.add_parser(
        "build",
        help="make an installable program; --check starts it, --packages makes a .deb and a .tar.zst",
        usage=PASSES_ON,
    )
    commands.add_parser("translate", help="collect the window's texts and compile their translations")
    cleaning = commands.add_parser("clean", help="remove .venv, tool caches and build products")
    cleaning.add_argument("--models", action="store_true", help="the downloaded models too")
    options, rest = parser.parse_known_args(list(arguments))
    if rest and options.command not in PASSING_ON:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    options.passed_on = rest
    return options


def old_python_message() -> str:
    wanted = ".".join(map(str, MINIMUM_PYTHON))
    return (
        f"Lectern needs Python {wanted} or newer; this is {platform.python_version()} ({sys.executable}).\n"
        f"Install a newer one and call this script with it, for instance: python{wanted} packaging/dev.py"
    )


def run_command(python: Path, root: Path, files: Sequence[str]) -> list[str]:
    """The window if this checkout has one; else one question on the command line."""
    if not files:
        sample, question = bundled_sample(root)
        files = [str(sample)]
    else:
        question = QUESTION_FOR_ANY_DOCUMENT
    if (root / "app" / "__main__.py").exists():
        return [str(python), "-P", "-m", "app", *files]
    return [str(python), "-P", "-m", "core", "ask", *files, "--question", question]


def bundled_sample(root: Path) -> tuple[Path, str]:
    folder = root / "resources" / "samples"
    sample = json.loads((folder / "samples.json").read_text(encoding="utf-8"))["samples"][0]
    return folder / sample["file"], sample["questions"][0]["question"]


def lint_stages(python: Path, root: Path) -> list[Stage]:
    module = [str(python), "-m"]
    contracts = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    return [
        Stage("ruff check", [*module, "ruff", "check", "."]),
        Stage("ruff format", [*module, "ruff", "format", "--check", "."]),
        Stage("mypy", [*module, "mypy", "--strict", *existing(root, TYPED_SOURCES)]),
        Stage("imports", [str(python), "-c", contracts]),
    ]


def test_stages(python: Path, root: Path, passed_on: Sequence[str]) -> list[Stage]:
    """Tests start many processes; what is compiled before is compiled once, also if they may not keep it."""
    return [
        Stage("compile", [str(python), "-m", "compileall", "-q", *existing(root, TESTED_SOURCES)]),
        Stage("pytest", [str(python), "-m", "pytest", *SIDE_BY_SIDE, *passed_on]),
    ]


def existing(root: Path, sources: Sequence[str]) -> list[str]:
    return [source for source in sources if (root / source).exists()]


def translation_stages(python: Path, root: Path) -> list[Stage]:
    """Texts from the sources into the .ts files, where people translate them; from there into .qm files."""
    sources = sorted(str(path) for path in (root / "app").rglob("*.py"))
    stages = []
    for texts in sorted((root / "resources" / "i18n").glob("*.ts")):
        collect = [str(python.with_name("pyside6-lupdate")), *sources, "-ts", str(texts)]
        collect += ["-no-obsolete", "-locations", "none"]
        compiled = str(texts.with_suffix(".qm"))
        stages.append(Stage("collect", collect))
        stages.append(
            Stage("compile", [str(python.with_name("pyside6-lrelease")), str(texts), "-qm", compiled])
        )
    return stages


def run_stages(shell: Shell, root: Path, stages: Sequence[Stage]) -> int:
    """Run all stages, also after one has failed, and sum them up."""
    outcomes = []
    for stage in stages:
        say(stage.name)
        started = time.monotonic()
        exit_code = shell.call(stage.command, cwd=root)
        outcomes.append(Outcome(stage.name, exit_code, time.monotonic() - started))
    say("summary")
    for outcome in outcomes:
        verdict = "ok" if outcome.exit_code == 0 else f"FAILED (exit code {outcome.exit_code})"
        print(f"{outcome.name:<12} {outcome.elapsed_s:6.1f} s  {verdict}", flush=True)
    return int(any(outcome.exit_code for outcome in outcomes))


def clean(root: Path, with_models: bool) -> int:
    for path in sorted(removable(root)):
        remove(path)
        print(f"removed {path}")
    if with_models:
        models_dir = find_models_dir(root)
        remove(models_dir)
        print(f"removed {models_dir}")
    return 0


def removable(root: Path) -> Iterator[Path]:
    """What this script and the tools made and can make again."""
    for name in (".venv", "build", "dist", *TOOL_CACHES):
        if os.path.lexists(root / name):  # a dangling link, too
            yield root / name
    yield from root.glob("*.egg-info")
    for source in ("app", "core", "packaging", "resources", "tests"):
        yield from (root / source).rglob("__pycache__")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(EXIT_CANCELLED)
