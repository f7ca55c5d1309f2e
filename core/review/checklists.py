"""Where checklists are: bundled ones, and the user's own, which can be changed and deleted."""

import os
import re
from contextlib import suppress
from pathlib import Path

from core.paths import RESOURCES_DIR, data_dir
from core.review.checklist import Checklist, ChecklistError
from core.review.checklist_format import parse_checklist, read_checklist, to_toml

SUFFIX = ".toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def user_checklists_dir() -> Path:
    """Where a user's own checklists are; one there hides a bundled one of the same name."""
    return data_dir() / "checklists"


def bundled_checklists_dir() -> Path:
    return RESOURCES_DIR / "checklists"


def checklist_names() -> tuple[str, ...]:
    """Every checklist there is, bundled and the user's own, in alphabetical order."""
    return tuple(sorted({path.stem for folder in _folders() for path in folder.glob("*" + SUFFIX)}))


def is_users_own(name: str) -> bool:
    """Whether a checklist is the user's own, so that it can be deleted."""
    return bool(_NAME.fullmatch(name)) and (user_checklists_dir() / (name + SUFFIX)).is_file()


def load_checklist(name: str) -> Checklist:
    """The checklist `name`. Raises `ChecklistError` if there is none or if it cannot be understood."""
    for folder in _folders():
        path = folder / (name + SUFFIX)
        if _NAME.fullmatch(name) and path.is_file():
            return read_checklist(path)
    raise ChecklistError(
        "No such checklist", f"There is no checklist {name!r}; there are {', '.join(checklist_names())}."
    )


def find_checklist(name_or_path: str) -> Checklist:
    """A checklist by its name, or by the path of its file. Raises `ChecklistError`."""
    path = Path(name_or_path)
    if path.suffix.lower() == SUFFIX or len(path.parts) > 1:
        return read_checklist(path)
    return load_checklist(name_or_path)


def save_checklist(checklist: Checklist) -> Path:
    """Write a checklist to the user's folder; the file is whole or not there at all.

    Comments of an earlier file of that name are lost. Raises `ChecklistError` for a checklist that could not
    be read again, and if the folder cannot be written.
    """
    path = _users_path(checklist.name)
    text = to_toml(checklist)
    parse_checklist(text, path)
    temporary = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    except OSError as error:
        raise ChecklistError(
            "The checklist cannot be saved", f"{path}: {error.strerror or error}."
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return path


def delete_checklist(name: str) -> None:
    """Delete one of the user's own; a bundled one of that name shows again. Raises `ChecklistError`."""
    path = _users_path(name)
    try:
        path.unlink()
    except FileNotFoundError as error:
        raise ChecklistError(
            "The checklist cannot be deleted", f"{name} is none of your own checklists."
        ) from error
    except OSError as error:
        raise ChecklistError(
            "The checklist cannot be deleted", f"{path}: {error.strerror or error}."
        ) from error


def _users_path(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise ChecklistError(
            "Not a name for a checklist",
            f"{name!r}: use letters, digits, dots, hyphens and underscores, 64 at most.",
        )
    return user_checklists_dir() / (name + SUFFIX)


def _folders() -> tuple[Path, Path]:
    return user_checklists_dir(), bundled_checklists_dir()
