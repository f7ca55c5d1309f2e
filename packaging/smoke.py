"""Starts the programs that were built, as a user would, away from the checkout and from Python.

A window that opens proves little: torch is loaded later. Only an answer proves a build.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bundle
from environment import say

ANSWER_LIMIT_S = 600
SHORT_LIMIT_S = 120
_DISPLAY_NUMBERS = range(90, 120)
_FOREIGN_PATH = "/nowhere/lib"
_STRANGE_NAME = "Lectérn 合同 installed"


class CheckError(Exception):
    """The build is not fit to be handed out; the text says what was seen."""


def check(folder: Path, version: str, variant: str) -> None:
    """Raises `CheckError`. The programs run from a copy in a folder with blanks and foreign letters."""
    check_contents(folder, variant)
    with tempfile.TemporaryDirectory(prefix="lectern-check-", dir=folder.parent) as name:
        place = Path(name)
        copy = place / _STRANGE_NAME
        shutil.copytree(folder, copy, copy_function=_link, symlinks=True)
        programs = _Programs(copy, place)
        programs.check_command_line(version)
        programs.check_without_streams()
        programs.check_answer()
        programs.check_window("offscreen")
        if sys.platform == "linux":
            with _virtual_display() as display:
                if display is not None:
                    programs.check_window("xcb", display)


def check_contents(folder: Path, variant: str) -> None:
    """What is there, what is not, and how large it is."""
    libraries = folder / bundle.LIBRARIES_FOLDER
    names = [path.relative_to(libraries).as_posix() for path in libraries.rglob("*") if not path.is_dir()]
    problems = [f"{name} is missing" for name in bundle.missing_files(names)]
    files = [path.resolve() for path in libraries.rglob("*") if path.is_file()]
    meant = [path.relative_to(libraries.resolve()).as_posix() for path in files]
    problems += [f"{name} should have been left out" for name in bundle.unwanted_files(set(meant))]
    problems += [f"the path of {name} is too long" for name in bundle.too_long_paths(names)]
    problems += [f"{name} leads nowhere" for name in names if not (libraries / name).exists()]
    problems += [f"{name} is missing" for name in ("NOTICE.txt", "LICENSE") if not (folder / name).is_file()]
    size = size_bytes(libraries)
    if variant == "cpu" and size > bundle.MAX_CPU_BYTES:
        problems.append(f"{size >> 20} MiB are more than {bundle.MAX_CPU_BYTES >> 20} MiB")
    if problems:
        raise CheckError("Of the folder that was built:\n  " + "\n  ".join(problems[:20]))
    say(f"{size >> 20} MiB of libraries and programs, {len(names)} files")


def size_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


class _Programs:
    """The two programs in `folder`, run with caches and settings of their own below `place`."""

    def __init__(self, folder: Path, place: Path) -> None:
        self._folder, self._place = folder, place
        sample_folder = folder / bundle.LIBRARIES_FOLDER / "resources" / "samples"
        sample = json.loads((sample_folder / "samples.json").read_text(encoding="utf-8"))["samples"][0]
        self._document = str(place / f"vertrag {sample['file']}")
        shutil.copy(sample_folder / sample["file"], self._document)
        self._sample = str(sample_folder / sample["file"])  # the window knows its questions by its place
        self._question, self._expected = (
            sample["questions"][0]["question"],
            sample["questions"][0]["expected"],
        )

    def check_command_line(self, version: str) -> None:
        for program in ("lectern", "lectern-app"):
            started = time.monotonic()
            said = self._run(program, "--version", limit_s=SHORT_LIMIT_S).split()
            if sys.platform != "win32" and said[-1:] != [version]:
                raise CheckError(f"{program} --version says {said}, not {version}")
            say(f"{program} --version: {time.monotonic() - started:.2f} s")
        self._finished("check", "--json", limit_s=SHORT_LIMIT_S)
        say("lectern check: ok")

    def check_without_streams(self) -> None:
        """As a desktop starts a program: with no standard streams at all."""
        if sys.platform == "win32":
            return
        command = '"$1" extract "$2" --json <&- >&- 2>&-'
        done = subprocess.run(
            ["/bin/sh", "-c", command, "sh", str(self._folder / "lectern"), self._document],
            env=self._environment(),
            cwd=self._place,
            timeout=SHORT_LIMIT_S,
            check=False,
        )
        if done.returncode != 0:
            raise CheckError(f"lectern without standard streams ended with {done.returncode}")
        say("lectern extract without standard streams: ok")

    def check_answer(self) -> None:
        started = time.monotonic()
        arguments = ["--question", self._question, "--max-new-tokens", "48", "--json"]
        finished = self._finished("ask", self._document, *arguments, limit_s=ANSWER_LIMIT_S)
        if self._expected not in finished["answer"]:
            raise CheckError(f"lectern ask answers {finished['answer']!r}, without {self._expected!r}")
        if not (
            any(citation["verified"] for citation in finished["citations"]) or finished["closest_passage"]
        ):
            raise CheckError("lectern ask leads to no page")
        say(f"lectern ask: {finished['answer']!r}, {time.monotonic() - started:.1f} s with the conversion")

    def check_window(self, platform: str, display: str | None = None) -> None:
        """The window opens the file of its argument, asks, and ends by itself."""
        extra = {"QT_QPA_PLATFORM": platform, "LD_LIBRARY_PATH": _FOREIGN_PATH}
        if display is not None:
            extra["DISPLAY"] = display
        report = self._last_line(
            "lectern-app", "--self-test", self._sample, limit_s=ANSWER_LIMIT_S, extra=extra
        )
        if sys.platform != "win32" and report["inherited"] != {"LD_LIBRARY_PATH": _FOREIGN_PATH}:
            raise CheckError(f"Programs started by the window would inherit {report['inherited']}")
        times = ", ".join(f"{name} {report[f'{name}_s']} s" for name in ("window", "model", "answer"))
        say(f"lectern-app on {platform}: {report['answer']!r}, {times} after its start")

    def _finished(self, *arguments: str, limit_s: int) -> dict[str, Any]:
        last = self._last_line("lectern", *arguments, limit_s=limit_s)
        if last.get("event") != "finished" or "error" in last:
            raise CheckError(f"lectern {' '.join(arguments)} ends with {last}")
        return last

    def _last_line(
        self, program: str, *arguments: str, limit_s: int, extra: dict[str, str] | None = None
    ) -> dict[str, Any]:
        lines = self._run(program, *arguments, limit_s=limit_s, extra=extra).splitlines()
        if not lines:
            raise CheckError(f"{program} {' '.join(arguments)} printed nothing")
        last: dict[str, Any] = json.loads(lines[-1])
        return last

    def _run(self, program: str, *arguments: str, limit_s: int, extra: dict[str, str] | None = None) -> str:
        path = self._folder / (f"{program}.exe" if sys.platform == "win32" else program)
        try:
            done = subprocess.run(
                [str(path), *arguments],
                env=self._environment() | (extra or {}),
                cwd=self._place,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=limit_s,
                check=False,
                encoding="utf-8",
                errors="replace",
            )
        except subprocess.TimeoutExpired as error:
            raise CheckError(f"{program} {' '.join(arguments)} was not done after {limit_s} s") from error
        if done.returncode != 0:
            tail = "\n".join((done.stdout + done.stderr).splitlines()[-12:])
            raise CheckError(f"{program} {' '.join(arguments)} ended with {done.returncode}:\n{tail}")
        return done.stdout

    def _environment(self) -> dict[str, str]:
        """That of a desktop: nothing of Python, caches and settings of their own, no screen."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "VIRTUAL_ENV", "QT_", "LECTERN_", "DISPLAY", "WAYLAND", "LD_"))
        }
        own = {"LECTERN_CACHE_DIR": str(self._place / "cache"), "LECTERN_DATA_DIR": str(self._place / "data")}
        return kept | own | {"QT_QPA_PLATFORM": "offscreen", "HF_HUB_OFFLINE": "1"}


@contextlib.contextmanager
def _virtual_display() -> Iterator[str | None]:
    """A screen that nobody sees, if this machine has Xvfb."""
    program = shutil.which("Xvfb")
    if program is None:
        say("There is no Xvfb: the window was tried without a screen only")
        yield None
        return
    number = next(n for n in _DISPLAY_NUMBERS if not Path(f"/tmp/.X11-unix/X{n}").exists())
    server = subprocess.Popen(
        [program, f":{number}", "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 20
        while not Path(f"/tmp/.X11-unix/X{number}").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def _link(source: str, target: str) -> str:
    """A copy that takes no space where the file system can do it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target
