"""`packaging/dev.py build`: the program as a folder, the packages made of it, and a check that both work.

Runs in the project's virtual environment. Everything it makes lies in build/ and dist/.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

import bundle
import icons
import linux_packages
import package_checks
import smoke
from environment import Shell, ensure_system_packages, find_models_dir, remove, say
from installed import CheckError

ROOT = Path(__file__).resolve().parent.parent
RELEVANT_PATHS = ("packaging", "pyproject.toml", "resources")
_PICTURES = ":(exclude)resources/screenshots"
_STARTER = (
    "import sys; from pathlib import Path; from core.catalogue.starter import fetch_starter; "
    "print(fetch_starter(Path(sys.argv[1])))"
)


class BuildError(Exception):
    """The build cannot go on; the text says why and what to do."""


class NoToolsError(BuildError):
    """This machine cannot build: what has to be installed first could not be."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    if options.if_changed:
        reason = why_not_due(ROOT, options.elapsed, options.start_before)
        if reason:
            say(f"No installer is built: {reason}")
            return 0
    started = time.monotonic()
    try:
        if not options.skip_freeze:
            install_tools(ROOT)
            freeze(ROOT)
        _make(options)
    except NoToolsError as error:
        say(f"No installer is built: {error}")
        return 0 if options.if_changed else 1
    except (BuildError, CheckError, linux_packages.PackageError) as error:
        print(f"\nThe build stopped. {error}", file=sys.stderr)
        return 1
    say(f"{ROOT / 'dist' / bundle.NAME} is ready after {time.monotonic() - started:.0f} s")
    return 0


def _make(options: argparse.Namespace) -> None:
    """Check the folder, make packages of it, and check those, as far as each was asked for."""
    folder, version = ROOT / "dist" / bundle.NAME, bundle.read_version(ROOT)
    if options.check:
        smoke.check(folder, version, variant())
    if not options.packages or sys.platform != "linux":
        return
    deb, archive = linux_packages.make(ROOT, folder, variant())
    for path in (deb, archive):
        say(f"{path} ({path.stat().st_size / (1 << 20):.0f} MiB)")
    if options.check:
        package_checks.check_archive(archive, version)
    if options.debian_root:
        package_checks.check_deb(deb, version, options.debian_root)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="packaging/dev.py build", description=__doc__)
    parser.add_argument("--check", action="store_true", help="start the programs that were built")
    parser.add_argument(
        "--packages", action="store_true", help="make a .deb and a .tar.zst of the folder too"
    )
    parser.add_argument(
        "--debian-root",
        metavar="SUITE",
        help="install the .deb on a new Debian of this release and start it there (root, debootstrap)",
    )
    parser.add_argument("--skip-freeze", action="store_true", help="go on with the folder of the last build")
    parser.add_argument(
        "--if-changed", action="store_true", help="only if a change calls for it and time allows"
    )
    parser.add_argument("--elapsed", type=float, default=0.0, metavar="S", help="seconds already used")
    parser.add_argument(
        "--start-before", type=float, default=1e9, metavar="S", help="of `elapsed`, the latest"
    )
    return parser.parse_args(arguments)


def why_not_due(root: Path, elapsed_s: float, start_before_s: float) -> str:
    """Empty if the installer should be built now; a clone without a past counts as changed."""
    if not has_changed(root):
        return f"nothing has changed in {', '.join(RELEVANT_PATHS)}."
    if elapsed_s > start_before_s:
        return (
            f"{elapsed_s:.0f} s have passed and a build is begun within {start_before_s:.0f} s only. "
            "Run packaging/dev.py build --check by hand."
        )
    return ""


def has_changed(root: Path) -> bool:
    """Against the newest commit that is three hours old: what had landed before the work of today."""
    base = _git(root, "rev-list", "-1", "--before=3 hours ago", "HEAD") or _git(root, "rev-parse", "HEAD~1")
    if not base:
        return True
    command = ["git", "diff", "--quiet", base, "--", *RELEVANT_PATHS, _PICTURES]
    return subprocess.call(command, cwd=root, stderr=subprocess.DEVNULL) != 0


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False, encoding="utf-8")
    return done.stdout.strip() if done.returncode == 0 else ""


def variant() -> str:
    """`cpu` or `cuda`: what the installed torch computes on."""
    version = importlib.metadata.version("torch")
    if version.endswith("+cpu"):
        return "cpu"
    names = {distribution.name.lower() for distribution in importlib.metadata.distributions()}
    has_cuda = "+cu" in version or any(name.startswith("nvidia-cu") for name in names)
    return "cuda" if has_cuda else "cpu"


def install_tools(root: Path) -> None:
    """PyInstaller as pinned in the extra `build`, and nothing else of the project anew.

    Raises `NoToolsError`.
    """
    if sys.platform == "linux":
        ensure_system_packages(Shell(), system_tools(), "without them nothing can be built")
        if shutil.which("objdump") is None:
            raise NoToolsError("objdump is missing, which the package binutils brings.")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["optional-dependencies"]["build"]
    if all(_is_installed(requirement) for requirement in wanted):
        return
    say(f"Tools of the build: {', '.join(wanted)}")
    if subprocess.call([sys.executable, "-m", "pip", "install", *wanted]) != 0:
        raise NoToolsError("PyInstaller could not be installed; the lines above say why.")


def system_tools() -> list[str]:
    """PyInstaller needs objdump, and Python as a library, which Debian has in a package of its own."""
    own_python = (
        [f"libpython3.{sys.version_info[1]}"] if sysconfig.get_path("stdlib").startswith("/usr/lib/") else []
    )
    return ["binutils", *own_python]


def _is_installed(requirement: str) -> bool:
    name, _, version = requirement.partition("==")
    try:
        return importlib.metadata.version(name) == version
    except importlib.metadata.PackageNotFoundError:
        return False


def freeze(root: Path) -> None:
    """Make dist/lectern: programs, libraries, the starter model, NOTICE and LICENSE."""
    work = root / "build"
    work.mkdir(exist_ok=True)
    spec_work = work / bundle.NAME
    spec_work.mkdir(exist_ok=True)
    icons.write_ico(root, spec_work / "lectern.ico")
    folder = root / "dist" / bundle.NAME
    remove(folder)
    command = [sys.executable, "-P", "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(root / "dist"), "--workpath", str(work)]
    say("PyInstaller (some minutes)")
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    if subprocess.call([*command, str(root / "packaging" / "lectern.spec")], cwd=root, env=environment) != 0:
        raise BuildError("PyInstaller failed; the lines above say why.")
    shutil.copy(spec_work / "NOTICE.txt", folder / "NOTICE.txt")
    shutil.copy(root / "LICENSE", folder / "LICENSE")
    add_starter(root, folder)


def add_starter(root: Path, folder: Path) -> None:
    """The starter model as a folder of its own, which another model or package can take the place of."""
    models = find_models_dir(root)
    if not (models / "starter" / "LICENSE").is_file():
        models = root / "build" / "models"
    done = subprocess.run(
        [
            sys.executable,
            "-P",
            "-c",
            f"import sys; sys.path.insert(0, {str(root)!r}); {_STARTER}",
            str(models),
        ],
        stdout=subprocess.PIPE,
        check=False,
        encoding="utf-8",
    )
    if done.returncode != 0:
        raise BuildError("The starter model could not be fetched; the lines above say why.")
    gguf = Path(done.stdout.strip().splitlines()[-1])
    target = folder / "models" / "starter"
    target.mkdir(parents=True, exist_ok=True)
    for path in (gguf, gguf.with_name("LICENSE")):
        shutil.copy(path, target / path.name)


if __name__ == "__main__":
    sys.exit(main())
