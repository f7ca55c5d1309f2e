"""The shape of the model that a user names: of one on this machine, or of one whose numbers are bundled."""

import json
from dataclasses import replace
from pathlib import Path

from core.catalogue.locate import STARTER_NAME, ModelKind, locate_model
from core.catalogue.starter import starter_gguf
from core.errors import ModelError
from core.paths import RESOURCES_DIR
from core.planning.geometry import ModelGeometry, read_geometry

_BUNDLED = RESOURCES_DIR / "models"
_SUFFIX = ".json"
_STARTER_MODEL = "smollm2-135m"


def bundled_names() -> tuple[str, ...]:
    """Models that can be planned for before they are downloaded."""
    return tuple(sorted(path.stem for path in _BUNDLED.glob("*" + _SUFFIX)))


def find_geometry(spec: str, models_dir: Path) -> ModelGeometry:
    """The geometry of a folder, a GGUF file, `starter`, or a bundled name.

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
    name = spec.lower()
    if not path.exists() and name in bundled_names():
        return _bundled(name)
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
    return replace(_bundled(_STARTER_MODEL), name=STARTER_NAME)


def _bundled(name: str) -> ModelGeometry:
    path = _BUNDLED / (name + _SUFFIX)
    try:
        config = json.loads(path.read_text(encoding="utf-8"))["config"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError("The list of models is damaged", f"{path}: {error}. Reinstall Lectern.") from error
    return ModelGeometry.from_config(config, name)


def _unknown(spec: str) -> ModelError:
    hint = " It is not on this machine: download it first and name its folder." if "/" in spec else ""
    return ModelError(
        "Model not found",
        f"There is no {spec}.{hint} A plan can be made for a folder with config.json, a .gguf file, "
        f"{STARTER_NAME!r} and {', '.join(bundled_names())}.",
    )
