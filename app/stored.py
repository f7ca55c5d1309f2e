"""Small JSON files in the user's data folder: written whole or not at all, and never trusted when read."""

import json
import logging
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)


def load(path: Path, version: int, older: Collection[int] = ()) -> dict[str, Any]:
    """The file's content, with its `version`; empty if it is missing, damaged or of another version.

    `older` are versions that the caller still understands.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.warning("%s cannot be read and is ignored: %s", path, error)
        return {}
    if not isinstance(content, dict) or content.get("version") not in (version, *older):
        _log.warning("%s is of another version and is ignored", path)
        return {}
    return content


def save(path: Path, version: int, content: dict[str, Any]) -> None:
    """Replace the file in one step. A full disk costs the memory of a preference, never the work."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False
        ) as file:
            json.dump({"version": version, **content}, file, ensure_ascii=False, indent=1)
        Path(file.name).replace(path)
    except OSError as error:
        _log.warning("%s cannot be written: %s", path, error)
