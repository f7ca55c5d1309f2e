"""The models that Lectern knows before they are downloaded, from the files in `resources/models`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import ModelError
from core.paths import RESOURCES_DIR

_FOLDER = RESOURCES_DIR / "models"
_SUFFIX = ".json"


@dataclass(frozen=True)
class CatalogueEntry:
    """`name` is what the command line takes, `hub_id` is `organisation/name` on the Hugging Face Hub.

    `licence` is the model's own; `config` holds the sizes that its `config.json` states. A gated model is
    given only to people who have accepted its terms on the hub.
    """

    name: str
    title: str
    hub_id: str
    licence: str
    config: Mapping[str, Any]
    is_gated: bool = False


def catalogue_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _FOLDER.glob("*" + _SUFFIX)))


def read_entry(name: str) -> CatalogueEntry:
    """Raises `ModelError` if the file is missing or damaged."""
    path = _FOLDER / (name + _SUFFIX)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return CatalogueEntry(
            name,
            str(content["title"]),
            str(content["hub_id"]),
            str(content["licence"]),
            content["config"],
            is_gated=bool(content.get("is_gated", False)),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError("The list of models is damaged", f"{path}: {error}. Reinstall Lectern.") from error


def catalogue() -> tuple[CatalogueEntry, ...]:
    return tuple(map(read_entry, catalogue_names()))


def find_entry(spec: str) -> CatalogueEntry | None:
    """The entry of this name or hub id, in any case; None if there is none."""
    wanted = spec.lower()
    if wanted in catalogue_names():
        return read_entry(wanted)
    if "/" not in spec:
        return None
    return next((entry for entry in catalogue() if entry.hub_id.lower() == wanted), None)
