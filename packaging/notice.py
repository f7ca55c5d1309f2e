"""Collects the licences of everything that an installed program ships, from the files that really go in.

Each file belongs to an installed Python distribution, to a package of the system, or to Python itself; what
belongs to nobody stops the build.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import bundle

_LICENCE_FILE = re.compile(
    r"(^|/)(LICEN[CS]ES?|COPYING|NOTICE|COPYRIGHT|AUTHORS)([.-][^/]*)?$|\.dist-info/licen[cs]es?/",
    re.IGNORECASE,
)
_NO_LICENCE = (".py", ".pyc", ".so", ".dll", ".json")
_RULE = "=" * 78

TEXTS_OF_OUR_OWN: Mapping[str, tuple[str, ...]] = {
    "nvidia-ml-py": ("nvidia-ml-py.txt",),
    "pyside6-essentials": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "sentencepiece": ("Apache-2.0.txt",),
    "shiboken6": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "tokenizers": ("Apache-2.0.txt",),
}
"""Distributions that come without the text of their licence; it lies in packaging/licences."""

_ABOUT = """\
Lectern and the software that it ships
{rule}

Lectern itself is free software under the GNU Affero General Public License, version 3 or later; the text is
in the file LICENSE. It ships the works below under their own licences.

Qt (the libraries that begin with libQt6 or Qt6, and PySide6 and Shiboken) is used under the GNU Lesser
General Public License, version 3. Its libraries are separate files in the folder {libraries}/PySide6: they
may be replaced by compatible builds of your own, and Lectern runs with those. The source of this release of
Qt and PySide6 is offered by The Qt Company under the same version number.

The starter model SmolLM2-135M-Instruct is under the Apache License 2.0, see models/starter/LICENSE. The
sample contracts come from CUAD v1 by The Atticus Project, CC BY 4.0.

"""


class LicenceError(Exception):
    """Something would be shipped whose licence is not known; the text names it."""


@dataclass(frozen=True)
class Component:
    """One work that is shipped, under the licence named, with the texts that go with it."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]


def notice_text(root: Path, sources: Iterable[str], work: Path) -> str:
    """The whole NOTICE file for the files of `sources`, all that goes into the bundle.

    What lies in `root` or was made in `work` is this project's own, or Python's.
    """
    texts = root / "packaging" / "licences"
    paths = {_real(source) for source in sources if source and Path(source).is_absolute()}
    distributions, rest = shipped_distributions(paths, importlib.metadata.distributions())
    names = {distribution.name.lower() for distribution in distributions}
    if "pyinstaller" not in names:  # its licence lets the start of each program be shipped with anything
        distributions.append(importlib.metadata.distribution("pyinstaller"))
    components = [
        distribution_component(distribution, texts)
        for distribution in distributions
        if distribution.name.lower() != bundle.NAME
    ]
    components.append(_python())
    own = (_real(root), _real(work))
    foreign = (path for path in rest if not any(map(path.is_relative_to, own)) and not _is_pythons(path))
    components.extend(system_components(foreign))
    return render(components)


def shipped_distributions(
    paths: Iterable[Path], installed: Iterable[importlib.metadata.Distribution]
) -> tuple[list[importlib.metadata.Distribution], set[Path]]:
    """The distributions that own one of `paths`, by name, and the paths that none owns."""
    unowned = set(paths)
    shipped = {}
    for distribution in installed:
        owned = {_real(str(file.locate())) for file in distribution.files or []}
        if unowned & owned:
            shipped[distribution.name.lower()] = distribution
            unowned -= owned
    return [shipped[name] for name in sorted(shipped)], unowned


def distribution_component(distribution: importlib.metadata.Distribution, texts_folder: Path) -> Component:
    """Raises `LicenceError` if neither the distribution nor this project has the text of its licence."""
    files = [
        file
        for file in distribution.files or []
        if _LICENCE_FILE.search(file.as_posix()) and not file.name.endswith(_NO_LICENCE)
    ]
    texts = [_read(Path(str(file.locate()))) for file in sorted(files)]
    name = re.sub(r"[-_.]+", "-", distribution.name).lower()
    texts += [_read(texts_folder / text) for text in TEXTS_OF_OUR_OWN.get(name, ()) if not files]
    if not texts:
        raise LicenceError(
            f"{distribution.name} {distribution.version} comes without the text of its licence "
            f"({licence_name(distribution)}). Add it to packaging/licences and to TEXTS_OF_OUR_OWN."
        )
    return Component(
        distribution.name, distribution.version, licence_name(distribution), tuple(dict.fromkeys(texts))
    )


def licence_name(distribution: importlib.metadata.Distribution) -> str:
    """What the metadata call the licence, in the newest of three ways of saying it."""
    metadata = distribution.metadata.json
    expression = metadata.get("license_expression")
    if expression:
        return str(expression)
    names = [
        line.rpartition("::")[2].strip()
        for line in metadata.get("classifier", ())
        if line.startswith("License ::")
    ]
    if names:
        return ", ".join(names)
    first = str(metadata.get("license") or "").strip().partition("\n")[0]
    return first or "see the text below"


def system_components(paths: Iterable[Path]) -> Iterator[Component]:
    """Debian packages that own the files; raises `LicenceError` for a file that no package owns."""
    packages: dict[str, Path] = {}
    for path in sorted(set(paths)):
        if _is_windows_runtime(path):
            continue
        package = _owner(path)
        if package is None:
            raise LicenceError(f"{path} belongs to no package: its licence is not known")
        packages[package.partition(":")[0]] = path
    for package in sorted(packages):
        copyright_file = Path("/usr/share/doc") / package / "copyright"
        version = _output(["dpkg-query", "--show", "--showformat=${Version}", package]) or ""
        yield Component(package, version, "see the text below", (_read(copyright_file),))


def render(components: Iterable[Component]) -> str:
    """Texts that several works share are printed once, below the first of them."""
    ordered = sorted(components, key=lambda component: component.name.lower())
    lines = [_ABOUT.format(rule="-" * 38, libraries=bundle.LIBRARIES_FOLDER)]
    lines += [f"  {part.name} {part.version}: {part.licence}\n" for part in ordered]
    printed: dict[str, str] = {}
    for part in ordered:
        lines.append(f"\n{_RULE}\n{part.name} {part.version}\n{part.licence}\n{_RULE}\n\n")
        for text in part.texts:
            if text in printed:
                lines.append(f"The same text as for {printed[text]}.\n\n")
            else:
                printed[text] = part.name
                lines.append(f"{text.rstrip()}\n\n")
    return "".join(lines)


def _python() -> Component:
    for folder in (sysconfig.get_path("stdlib"), sys.base_prefix, Path("/usr/share/doc/python3")):
        for name in ("LICENSE.txt", "LICENSE", "copyright"):
            path = Path(str(folder)) / name
            if path.is_file():
                return Component("Python", sys.version.split()[0], "PSF-2.0", (_read(path),))
    raise LicenceError("The licence of this Python was not found")


def _is_pythons(path: Path) -> bool:
    if sys.platform == "win32":
        return path.is_relative_to(_real(sys.base_prefix))
    return path.is_relative_to(_real(sysconfig.get_path("stdlib"))) or path.name.startswith("libpython")


def _is_windows_runtime(path: Path) -> bool:
    """Part of the system or of Microsoft's redistributable, whose terms its own installer shows."""
    return sys.platform == "win32" and path.suffix.lower() == ".dll" and "windows" in str(path).lower()


def _owner(path: Path) -> str | None:
    """The Debian package of a file, also where /lib is a link to /usr/lib."""
    for candidate in (path, path.resolve(), Path("/usr", *path.parts[1:])):
        answer = _output(["dpkg-query", "--search", str(candidate)])
        if answer:
            return answer.partition(": ")[0].split(",")[0].strip()
    plain = str(path.resolve())
    if plain.startswith("/usr/lib"):
        answer = _output(["dpkg-query", "--search", plain.removeprefix("/usr")])
        if answer:
            return answer.partition(": ")[0].split(",")[0].strip()
    return None


def _output(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def _real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
