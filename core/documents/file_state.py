"""Whether the file on disk is still the one that was read."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.documents.file_names import shown_name
from core.errors import FileChangedError

if TYPE_CHECKING:
    from core.documents.layout import Document


@dataclass(frozen=True, slots=True)
class FileState:
    """What tells one version of a file from another without reading it."""

    size_bytes: int
    modified_ns: int
    file_number: int

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> "FileState | None":
        """The state of the file now; None if there is none."""
        try:
            facts = os.stat(path)  # noqa: PTH116 - takes paths that are no text
        except (OSError, ValueError):
            return None
        return cls(facts.st_size, facts.st_mtime_ns, facts.st_ino)


def is_unchanged(document: "Document") -> bool:
    """Whether the document's file is as it was when it was read; True if that was not noted."""
    return document.file_state is None or FileState.of(document.path) == document.file_state


def require_unchanged(document: "Document") -> None:
    """Raise `FileChangedError` if the document's file is gone or another one: its pages must not be mixed."""
    if not is_unchanged(document):
        raise changed(document.path)


def changed(path: str) -> FileChangedError:
    """What is said when a file is no longer the one that was read."""
    return FileChangedError(
        "File has changed",
        f"“{shown_name(path)}” was changed, replaced or removed after it was opened. Open it again.",
    )
