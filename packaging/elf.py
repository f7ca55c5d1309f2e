"""What the libraries of a bundle ask of the system around it, read with `objdump`."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_NEEDED = re.compile(r"^\s+NEEDED\s+(\S+)$", re.MULTILINE)
_VERSION = re.compile(r"\b(GLIBC|GLIBCXX)_(\d+(?:\.\d+)*)\b")
_MAGIC = b"\x7fELF"


@dataclass(frozen=True)
class Needs:
    """Libraries that must be on the system, and the newest versions of two interfaces that are used."""

    libraries: frozenset[str]
    glibc: tuple[int, ...]
    glibcxx: tuple[int, ...]


def needs_of(folder: Path) -> Needs:
    """Of everything below `folder` together; what lies in it itself is not asked of the system."""
    paths = list(elf_files(folder))
    own = {path.name for path in paths} | {path.name for path in folder.rglob("*.so*")}
    return merge_needs(map(_headers, paths), own)


def merge_needs(headers: Iterable[str], own: set[str]) -> Needs:
    """From the output of `objdump -p` for each file."""
    libraries: set[str] = set()
    newest: dict[str, tuple[int, ...]] = {"GLIBC": (), "GLIBCXX": ()}
    for header in headers:
        libraries.update(_NEEDED.findall(header))
        for name, version in _VERSION.findall(_without_definitions(header)):
            newest[name] = max(newest[name], tuple(map(int, version.split("."))))
    return Needs(frozenset(libraries - own), newest["GLIBC"], newest["GLIBCXX"])


def elf_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == _MAGIC:
                    yield path


def _without_definitions(header: str) -> str:
    """Without the versions that a library defines itself."""
    head, _, tail = header.partition("Version definitions:")
    return head + tail.partition("\n\n")[2]


def _headers(path: Path) -> str:
    return subprocess.run(
        ["objdump", "-p", str(path)], capture_output=True, check=True, encoding="utf-8", errors="replace"
    ).stdout
