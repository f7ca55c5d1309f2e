"""The shape of the model that a user names: of one on this machine, or of one whose numbers are bundled."""

from dataclasses import replace
from pathlib import Path

from core.catalogue.bundled import CatalogueEntry, catalogue_names, find_entry, read_entry
from core.catalogue.downloaded import download_folder, is_downloaded
from core.catalogue.locate import STARTER_NAME, ModelKind, locate_model
from core.catalogue.starter import starter_gguf
from core.errors import ModelError
from core.planning.geometry import ModelGeometry, read_geometry

STARTER_MODEL = "smollm2-135m"
"""The name in the catalogue of the model that the starter is."""


def bundled_names() -> tuple[str, ...]:
    """Models that can be planned for before they are downloaded."""
    return catalogue_names()


def geometry_of(entry: CatalogueEntry) -> ModelGeometry:
    return ModelGeometry.from_config(entry.config, entry.name)


def find_geometry(spec: str, models_dir: Path) -> ModelGeometry:
    """The geometry of a folder, a GGUF file, `starter`, a downloaded model or one of the catalogue.

    What is on this machine comes first. Raises `ModelError` if there is no such model; weights may be
    missing, because a plan needs none.
    """
    try:
        path = Path(spec).expanduser()
        is_folder = path.is_dir() and (path / "config.json").is_file()
    except (OSError, RuntimeError) as error:  # longer than any file name, or the home of nobody
        raise _unknown(spec[:80]) from error
    if is_folder:
        return read_geometry(path.resolve())
    entry = None if path.exists() else find_entry(spec)
    if entry is not None:
        folder = download_folder(entry.hub_id, models_dir)
        return read_geometry(folder, entry.name) if is_downloaded(folder) else geometry_of(entry)
    try:
        location = locate_model(spec, models_dir)
    except ModelError as error:
        if path.exists():
            raise
        raise _unknown(spec) from error
    if location.kind is not ModelKind.STARTER:
        return read_geometry(location.path, location.name)
    file = starter_gguf(models_dir)
    if file is not None:
        return read_geometry(file, STARTER_NAME)
    return replace(geometry_of(read_entry(STARTER_MODEL)), name=STARTER_NAME)


def _unknown(spec: str) -> ModelError:
    hint = f" It is not on this machine: lectern models get {spec} downloads it." if "/" in spec else ""
    return ModelError(
        "Model not found",
        f"There is no {spec}.{hint} A plan can be made for a folder with config.json, a .gguf file, "
        f"{STARTER_NAME!r} and {', '.join(bundled_names())}.",
    )
