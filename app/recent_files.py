"""The documents opened last, newest first."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app import stored
from core.paths import data_dir

MAX_RECENT = 8
_VERSION = 1


def recent_files_path() -> Path:
    return data_dir() / "recent.json"


class RecentFiles(QObject):
    """Remembers paths in a file; those that are gone are left out when asked, not forgotten."""

    recent_files_changed = Signal()

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        entries = stored.load(path, _VERSION).get("paths", [])
        self._paths = [entry for entry in entries if isinstance(entry, str)][:MAX_RECENT]

    @property
    def paths(self) -> list[str]:
        return [path for path in self._paths if Path(path).is_file()]

    def add(self, path: str) -> None:
        full_path = str(Path(path).absolute())
        others = [other for other in self._paths if other != full_path]
        self._store([full_path, *others][:MAX_RECENT])

    def clear(self) -> None:
        self._store([])

    def _store(self, paths: list[str]) -> None:
        self._paths = paths
        stored.save(self._path, _VERSION, {"paths": paths})
        self.recent_files_changed.emit()
