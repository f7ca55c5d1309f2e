"""Starts the programs that were built, as a user would, away from the checkout and from Python.

A window that opens proves little: torch is loaded later. Only an answer proves a build.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import bundle
import smoke_commands
from environment import say
from installed import CheckError, Installed
from smoke_window import check_window, virtual_display

_STRANGE_NAME = "Lectérn 合同 installed"


def check(folder: Path, version: str, variant: str) -> None:
    """Raises `CheckError`. The programs run from a copy in a folder with blanks and foreign letters."""
    check_contents(folder, variant)
    with tempfile.TemporaryDirectory(
        prefix="lectern-check-", dir=folder.parent, ignore_cleanup_errors=True
    ) as name:
        place = Path(name)
        copy = place / _STRANGE_NAME
        shutil.copytree(folder, copy, copy_function=_link, symlinks=True)
        installed = Installed(copy, place)
        smoke_commands.check_versions(installed, version)
        smoke_commands.check_commands_without_model(installed)
        smoke_commands.check_documents(installed)
        smoke_commands.check_without_streams(installed)
        smoke_commands.check_answers(installed)
        smoke_commands.check_review(installed)
        check_window(installed, "offscreen", "zh_CN")
        if sys.platform == "linux":
            with virtual_display() as display:
                if display is not None:
                    check_window(installed, "xcb", "en", display)


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


def _link(source: str, target: str) -> str:
    """A copy that takes no space where the file system can do it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target
