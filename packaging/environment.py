"""Makes .venv ready for packaging/dev.py: system packages, virtual environment, project, starter model.

Only the standard library is used, and the syntax stays old enough for an outdated Python to be told what is
wrong.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

PIP_VERSION = "26.3"
SETUP_VERSION = 1  # raise it when the steps below change, so that every checkout repeats them

QT_PACKAGES = (
    *("libgl1", "libegl1", "libglib2.0-0", "libdbus-1-3", "libfontconfig1", "libxkbcommon0"),
    *("libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0", "libxcb-xkb1"),
    "libxkbcommon-x11-0",
)
TEST_PACKAGES = ("xvfb", "xauth", "xdotool", "openbox", "fonts-wqy-microhei")


class SetUpError(Exception):
    """Set-up cannot go on; the text says why and what to do."""


class Shell:
    """The only place that starts processes."""

    def call(self, command: Sequence[str], cwd: Path | None = None) -> int:
        sys.stdout.flush()
        return subprocess.call(list(command), cwd=cwd)

    def output(self, command: Sequence[str]) -> str | None:
        """What `command` prints, or None if it cannot be run or fails."""
        try:
            done = subprocess.run(
                list(command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, encoding="utf-8"
            )
        except (OSError, subprocess.CalledProcessError):
            return None
        return done.stdout

    def become(self, command: Sequence[str]) -> int:
        """Replace this process where the system can; elsewhere wait for `command`."""
        sys.stdout.flush()
        if os.name == "posix":
            os.execv(command[0], list(command))
        return self.call(command)


class Environment:
    """The .venv of one checkout.

    A stamp, written last, says that it is complete: an interrupted set-up is taken up again, and a finished
    one costs the reading of a file.
    """

    def __init__(self, root: Path, shell: Shell) -> None:
        self._root = root
        self._shell = shell
        self._venv = root / ".venv"
        self._stamp = self._venv / "lectern-environment"
        self._model_stamp = self._venv / "lectern-model"
        self.python = venv_python(self._venv)

    def ensure(self) -> None:
        key = environment_key(self._root)
        if not (self.python.exists() and holds(self._stamp, key)):
            self._set_up(key)
        self._ensure_model(key)

    def _set_up(self, key: str) -> None:
        say(f"Setting up in {self._venv}; this is done once and takes some minutes")
        remove(self._stamp)
        ensure_system_packages(
            self._shell, wanted_packages(), "without them the window or its tests may not start"
        )
        self._ensure_venv()
        pip = [str(self.python), "-m", "pip", "--disable-pip-version-check"]
        if not (self._shell.output([*pip, "--version"]) or "").startswith(f"pip {PIP_VERSION} "):
            say(f"pip {PIP_VERSION}")
            self._must([*pip, "install", "--upgrade", f"pip=={PIP_VERSION}"])
        say("Lectern and what it needs (torch alone has several hundred megabytes)")
        self._must([*pip, "install", "--editable", ".[dev]"])
        self._stamp.write_text(key, encoding="utf-8")

    def _ensure_venv(self) -> None:
        if self._venv_works():
            return
        if self._venv.is_symlink() or self._venv.exists():
            say(f"{self._venv} does not work here; it is made anew")
            remove(self._venv)
        say(f"Virtual environment for Python {platform.python_version()}")
        if self._shell.call([sys.executable, "-m", "venv", str(self._venv)]) != 0:
            raise SetUpError(
                f"{sys.executable} cannot make a virtual environment.\n"
                "On Debian or Ubuntu this helps: sudo apt-get install python3-venv"
            )

    def _venv_works(self) -> bool:
        """Its interpreter starts, is of this version, has pip, and lies where it was made."""
        probe = "import sys, pip; print(*sys.version_info[:2], sys.prefix)"
        expected = f"{sys.version_info[0]} {sys.version_info[1]} {self._venv}"
        answer = self._shell.output([str(self.python), "-I", "-c", probe])
        return answer is not None and answer.strip() == expected

    def _ensure_model(self, key: str) -> None:
        """Without the starter model everything but answering works, so its absence is told and survived."""
        models_dir = find_models_dir(self._root)
        model_key = f"{key} {models_dir}"
        if holds(self._model_stamp, model_key) and (models_dir / "starter").is_dir():
            return
        say("Starter model (98 MB, once)")
        if self._shell.call([str(self.python), "-P", "-m", "core", "models", "get", "starter"]) == 0:
            self._model_stamp.write_text(model_key, encoding="utf-8")
        else:
            say("Going on without the starter model; the next call tries to get it again")

    def _must(self, command: Sequence[str]) -> None:
        if self._shell.call(command, cwd=self._root) != 0:
            raise SetUpError(
                f"This step failed:\n    {' '.join(map(shlex.quote, command))}\n"
                "The lines above say why; often it is the network. Call again then: what is done stays done."
            )


def ensure_system_packages(shell: Shell, wanted: Sequence[str], consequence: str) -> None:
    """Debian and its relatives only; whoever is not root is told the command and the `consequence`."""
    installed = shell.output(
        ["dpkg-query", "--show", "--showformat=${Package}\t${db:Status-Status}\t${Provides}\n"]
    )
    missing = [] if installed is None else missing_packages(wanted, installed)
    if not missing:
        return
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *missing]
    if is_root():
        say(f"System packages: {' '.join(missing)}")
        os.environ.setdefault("DEBIAN_FRONTEND", "noninteractive")
        shell.call(["apt-get", "update"])
        if shell.call(install) == 0:
            return
    say(f"System packages are missing; {consequence}. This installs them:")
    print(f"    sudo {' '.join(install)}", flush=True)


def venv_python(venv: Path) -> Path:
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def environment_key(root: Path, setup_version: int = SETUP_VERSION) -> str:
    """Changes whenever the environment has to be set up again, also when the folder has moved."""
    python = f"{platform.python_implementation()} {sys.version_info[0]}.{sys.version_info[1]}"
    project = hashlib.sha256((root / "pyproject.toml").read_bytes()).hexdigest()
    facts = "\n".join((project, python, str(root), PIP_VERSION, str(setup_version)))
    return hashlib.sha256(facts.encode()).hexdigest()


def wanted_packages() -> list[str]:
    """Debian's Python comes without ensurepip, which virtual environments need; other Pythons have it."""
    venv = [] if importlib.util.find_spec("ensurepip") else ["python3-venv"]
    return [*venv, *QT_PACKAGES, *TEST_PACKAGES]


def missing_packages(wanted: Iterable[str], installed: str) -> list[str]:
    """Which Debian packages are absent, given tab-separated lines of package, status and what it provides."""
    present = set()
    for line in installed.splitlines():
        package, status, provides = [*line.split("\t"), "", ""][:3]
        if status == "installed":
            present.add(package)
            present.update(item.split()[0] for item in provides.split(",") if item.strip())
    return [package for package in wanted if package not in present]


def find_models_dir(root: Path) -> Path:
    """Where the program itself looks, by its own core/paths.py, which needs the standard library only."""
    spec = importlib.util.spec_from_file_location("lectern_paths", root / "core" / "paths.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    models_dir: Path = module.models_dir()
    return models_dir


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def holds(stamp: Path, key: str) -> bool:
    try:
        return stamp.read_text(encoding="utf-8") == key
    except OSError:
        return False


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif path.exists() or path.is_symlink():
        path.unlink()


def say(text: str) -> None:
    print(f"==> {text}", flush=True)
