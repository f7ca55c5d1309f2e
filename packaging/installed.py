"""A program that was built, run as a user would: away from the checkout and from other settings."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import bundle

ANSWER_LIMIT_S = 900
SHORT_LIMIT_S = 300
"""Generous: a check tells whether something works, not how fast."""
_NOT_INHERITED = ("PYTHON", "VIRTUAL_ENV", "QT_", "LECTERN_", "XDG_", "DISPLAY", "WAYLAND", "LD_", "_PYI")


class CheckError(Exception):
    """The build is not fit to be handed out; the text says what was seen."""


class Sample(NamedTuple):
    """A bundled document, a question about it, and what its answer must hold."""

    path: Path
    question: str
    expected: str


class Installed:
    """The two programs in `folder`, with caches and data of their own below `place`, where they are started.

    `resources` says where the program's own files are if `folder` holds links to the programs only.
    """

    def __init__(self, folder: Path, place: Path, resources: Path | None = None) -> None:
        self.folder, self.place = folder, place
        self.resources = resources or folder / bundle.LIBRARIES_FOLDER / "resources"

    @property
    def library(self) -> Path:
        return self.place / "data" / "library.db"

    def sample(self) -> Sample:
        folder = self.resources / "samples"
        entry = json.loads((folder / "samples.json").read_text(encoding="utf-8"))["samples"][0]
        question = entry["questions"][0]
        return Sample(folder / entry["file"], question["question"], question["expected"])

    def copy_of_sample(self) -> Path:
        """Under a name that is not plain."""
        source = self.sample().path
        copy = self.place / f"vertrag 合同 {source.name}"
        if not copy.exists():
            shutil.copy(source, copy)
        return copy

    def program(self, name: str) -> Path:
        return self.folder / (f"{name}.exe" if sys.platform == "win32" else name)

    def records(self, *arguments: str, limit_s: int = SHORT_LIMIT_S) -> list[dict[str, Any]]:
        """The lines that `lectern ARGUMENTS --json` prints. Raises `CheckError` unless it ends well."""
        lines = self.run("lectern", *arguments, "--json", limit_s=limit_s).splitlines()
        records: list[dict[str, Any]] = [json.loads(line) for line in lines]
        if not records or records[-1].get("event") != "finished" or "error" in records[-1]:
            raise CheckError(f"lectern {' '.join(arguments)} ends with {records[-1:]}")
        return records

    def run(
        self, name: str, *arguments: str, limit_s: int = SHORT_LIMIT_S, extra: Mapping[str, str] | None = None
    ) -> str:
        """What the program prints. Raises `CheckError` if it fails or takes longer than `limit_s`."""
        return run_program(
            [str(self.program(name)), *arguments], self.place, self.environment() | dict(extra or {}), limit_s
        )

    def environment(self) -> dict[str, str]:
        """That of a desktop: nothing of Python, caches and settings of their own, no screen.

        Threads that wait do not spin, so that a busy machine is not much slower than a quiet one.
        """
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_INHERITED)}
        own = {
            "LECTERN_CACHE_DIR": str(self.place / "cache"),
            "LECTERN_DATA_DIR": str(self.place / "data"),
            "QT_QPA_PLATFORM": "offscreen",
            "HF_HUB_OFFLINE": "1",
            "OMP_WAIT_POLICY": "passive",
        }
        return kept | own


def run_program(command: list[str], place: Path, environment: Mapping[str, str], limit_s: int) -> str:
    """The standard output of `command`, started in `place`. Raises `CheckError`."""
    words = " ".join([Path(command[0]).name, *command[1:]])
    try:
        done = subprocess.run(
            command,
            env=dict(environment),
            cwd=place,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limit_s,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired as error:
        raise CheckError(f"{words} was not done after {limit_s} s") from error
    except OSError as error:
        raise CheckError(f"{words} could not be started: {error}") from error
    if done.returncode != 0:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-12:])
        raise CheckError(f"{words} ended with {done.returncode}:\n{tail}")
    return done.stdout
