"""A shell that starts nothing: it remembers every command and answers from a script."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from environment import PIP_VERSION, Environment, Shell

PROJECT = {
    "pyproject.toml": "[project]\n",
    "core/paths.py": (
        "import os\nfrom pathlib import Path\n"
        "def models_dir():\n    return Path(os.environ['LECTERN_CACHE_DIR']) / 'models'\n"
    ),
    "resources/samples/samples.json": (
        '{"version": 1, "samples": [{"file": "a.pdf", "questions": [{"question": "When?"}]}]}'
    ),
}


class FakeShell(Shell):
    """`failing` holds words; a command that contains one of them fails."""

    def __init__(self, root: Path, failing: Sequence[str] = (), debian: str | None = None) -> None:
        self.commands: list[list[str]] = []
        self.failing = failing
        self.debian = debian
        self.works = False
        self.pip_version = "23.0"
        self._root = root

    def call(self, command: Sequence[str], cwd: Path | None = None) -> int:
        self.commands.append(list(command))
        if any(word in command for word in self.failing):
            return 1
        self._act(command)
        return 0

    def output(self, command: Sequence[str]) -> str | None:
        if command[0] == "dpkg-query":
            return self.debian
        if not self.works:
            return None
        if "--version" in command:
            return f"pip {self.pip_version} from somewhere\n"
        return f"{sys.version_info[0]} {sys.version_info[1]} {self._root / '.venv'}\n"

    def become(self, command: Sequence[str]) -> int:
        return self.call(command)

    def ran(self, *words: str) -> bool:
        return any(all(word in command for word in words) for command in self.commands)

    def _act(self, command: Sequence[str]) -> None:
        if "venv" in command:
            python = Environment(self._root, self).python
            python.parent.mkdir(parents=True)
            python.touch()
            self.works = True
        elif f"pip=={PIP_VERSION}" in command:
            self.pip_version = PIP_VERSION
        elif "models" in command:
            (self._root / "cache" / "models" / "starter").mkdir(parents=True, exist_ok=True)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with just the files that the scripts read, and a cache of its own."""
    for name, text in PROJECT.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def shell(root: Path) -> FakeShell:
    return FakeShell(root)
