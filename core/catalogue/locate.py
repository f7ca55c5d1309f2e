"""From what a user calls a model to files on this machine."""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.catalogue.bundled import find_entry
from core.catalogue.downloaded import download_folder, is_downloaded, is_hub_id
from core.errors import ModelError

STARTER_NAME = "starter"


class ModelKind(StrEnum):
    STARTER = "starter"
    FOLDER = "folder"
    GGUF = "gguf"


@dataclass(frozen=True)
class ModelLocation:
    """Where a model's files are; for the starter `path` is the models folder that it is fetched into.

    `hub_id` is `organisation/name` for a model that was downloaded under it.
    """

    kind: ModelKind
    path: Path
    hub_id: str | None = None

    @property
    def name(self) -> str:
        if self.kind is ModelKind.STARTER:
            return STARTER_NAME
        if self.hub_id is not None:
            return self.hub_id.partition("/")[2]
        return self.path.stem if self.kind is ModelKind.GGUF else self.path.name


def locate_model(spec: str, models_dir: Path) -> ModelLocation:
    """What `spec` names: `starter`, a safetensors folder, a GGUF file or a model that was downloaded.

    Files on disk come before downloaded models of that name. Raises `ModelError` if there is no such thing
    or if the folder misses files.
    """
    if spec == STARTER_NAME:
        return ModelLocation(ModelKind.STARTER, models_dir)
    path = Path(spec).expanduser()
    if path.is_file() and path.suffix.lower() == ".gguf":
        return ModelLocation(ModelKind.GGUF, path.resolve())
    if path.is_dir():
        check_folder(path)
        return ModelLocation(ModelKind.FOLDER, path.resolve())
    if path.exists():
        raise ModelError(
            "Not a model", f"{spec} is neither a folder with config.json and safetensors nor a .gguf file."
        )
    hub_id = hub_id_of(spec)
    if hub_id is not None:
        return _locate_download(spec, hub_id, models_dir)
    raise ModelError(
        "Model not found",
        f"There is no {spec}. Name a folder with config.json and safetensors files, a .gguf file, "
        f"{STARTER_NAME!r}, or a model that `lectern models list` shows.",
    )


def hub_id_of(spec: str) -> str | None:
    """The hub id that `spec` stands for: that of a catalogue name, or itself; None if it is neither."""
    entry = find_entry(spec)
    if entry is not None:
        return entry.hub_id
    return spec if is_hub_id(spec) else None


def _locate_download(spec: str, hub_id: str, models_dir: Path) -> ModelLocation:
    folder = download_folder(hub_id, models_dir)
    if is_downloaded(folder):
        return ModelLocation(ModelKind.FOLDER, folder.resolve(), hub_id)
    if folder.is_dir():
        raise ModelError(
            "The download is not complete",
            f"{hub_id} is only in part on this machine. Go on with: lectern models get {spec}",
        )
    raise ModelError("The model is not on this machine", f"Download {hub_id} with: lectern models get {spec}")


def check_folder(folder: Path) -> None:
    """Raise `ModelError` unless `folder` has a configuration and every weight file that it names."""
    if not (folder / "config.json").is_file():
        raise ModelError("Not a model folder", f"{folder} has no config.json.")
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        missing = [name for name in _shards(index) if not (folder / name).is_file()]
        if missing:
            raise ModelError(
                "The model is incomplete",
                f"{folder} misses {len(missing)} of its weight files, the first is {missing[0]}. "
                "Download it again.",
            )
    elif not (folder / "model.safetensors").is_file():
        raise ModelError(
            "The model has no weights",
            f"{folder} has neither model.safetensors nor model.safetensors.index.json.",
        )


def _shards(index: Path) -> list[str]:
    try:
        weight_map = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
        return sorted({str(name) for name in weight_map.values()})
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise ModelError("The model is damaged", f"{index} cannot be read: {error}.") from error
