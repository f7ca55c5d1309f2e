"""`lectern models`: which models there are, downloads of them, and checks of what is on disk."""

import argparse
from pathlib import Path
from typing import Any

from core.cancel import CancelToken
from core.catalogue.bundled import catalogue
from core.catalogue.downloaded import (
    HubModel,
    download_folder,
    is_downloaded,
    read_mark,
    verify_download,
)
from core.catalogue.hub import Meter, fetch_model
from core.catalogue.locate import STARTER_NAME, hub_id_of, locate_model
from core.catalogue.starter import STARTER, fetch_starter, starter_gguf
from core.console import Console
from core.errors import ModelError, UsageError
from core.events import Stage
from core.paths import cache_dir, models_dir
from core.planning.catalogue import CataloguePlan, plan_entry
from core.planning.machine_probe import probe_machine
from core.planning.profiles import load_profile
from core.units import format_size


def models(options: argparse.Namespace, console: Console, cancel: CancelToken) -> None:
    """List the models there are, download one, or check one."""
    folder = models_dir(options.cache_dir)
    if options.action == "list":
        _list(options, folder, console, cancel)
    elif options.name == STARTER_NAME:
        action = _get_starter if options.action == "get" else _verify_starter
        action(folder, console, cancel)
    else:
        hub_id = hub_id_of(options.name)
        if hub_id is None:
            raise UsageError(
                "Unknown model",
                f"{options.name!r} is neither a name that `lectern models list` shows nor organisation/name "
                "as on the Hugging Face Hub.",
            )
        action_on_hub = _get if options.action == "get" else _verify
        action_on_hub(options.name, hub_id, folder, console, cancel)


def _get(name: str, hub_id: str, folder: Path, console: Console, cancel: CancelToken) -> None:
    path = fetch_model(hub_id, folder, console.event, cancel)
    console.finish(f"{hub_id} is ready in {path}. Use it with: --model {name}", _fields(name, hub_id, path))


def _verify(name: str, hub_id: str, folder: Path, console: Console, cancel: CancelToken) -> None:
    path = download_folder(hub_id, folder)
    mark = read_mark(path)
    if mark is None:
        raise ModelError(
            "The model is not on this machine", f"Download {hub_id} with: lectern models get {name}"
        )
    meter = Meter(mark.size_bytes, console.event, Stage.CHECKING_MODEL)
    meter.skip(0)
    model = verify_download(path, cancel, meter.add)
    console.finish(
        f"{path} is complete and unchanged: {len(model.files)} files, {format_size(model.size_bytes)}.",
        {**_fields(name, hub_id, path), "commit": model.commit, "num_files": len(model.files)},
    )


def _fields(name: str, hub_id: str, path: Path) -> dict[str, Any]:
    return {"model": name, "hub_id": hub_id, "path": str(path)}


def _get_starter(folder: Path, console: Console, cancel: CancelToken) -> None:
    from core.models.loader import prepare_files  # brings torch
    from core.models.quiet import silence_transformers

    silence_transformers()
    path = prepare_files(locate_model(STARTER_NAME, folder), folder, console.event, cancel)
    console.finish(f"The starter model is ready in {path}.", {"model": STARTER_NAME, "path": str(path)})


def _verify_starter(folder: Path, console: Console, cancel: CancelToken) -> None:
    if starter_gguf(folder) is None:
        raise ModelError("The starter model is missing", "Fetch it with: lectern models get starter")
    meter = Meter(STARTER.size_bytes, console.event, Stage.CHECKING_MODEL)
    meter.skip(0)
    path = fetch_starter(folder, None, cancel, on_checked=meter.add)
    console.finish(f"{path} is complete and unchanged.", {"model": STARTER_NAME, "path": str(path)})


def _list(options: argparse.Namespace, folder: Path, console: Console, cancel: CancelToken) -> None:
    profile = load_profile(options.profile)
    machine = profile.machine or probe_machine(options.cache_dir or cache_dir())
    path = starter_gguf(folder)
    state = f"ready in {path}" if path else "not fetched yet: lectern models get starter"
    console.record(
        "model",
        f"{STARTER_NAME}: {format_size(STARTER.size_bytes)}, {state}",
        {"name": STARTER_NAME, "is_available": path is not None, "size_bytes": STARTER.size_bytes},
    )
    entries = catalogue()
    for entry in entries:
        cancel.raise_if_cancelled()
        planned = plan_entry(entry, machine, profile)
        place = download_folder(entry.hub_id, folder)
        is_available = is_downloaded(place)
        console.record(
            "model",
            _entry_text(planned, place if is_available else None),
            {**planned.fields, "is_available": is_available, "path": str(place) if is_available else None},
        )
    others = _others(folder, {entry.hub_id for entry in entries})
    for model in others:
        place = download_folder(model.hub_id, folder)
        console.record(
            "model",
            f"\n{model.hub_id}: {format_size(model.size_bytes)}, ready in {place}",
            {"name": model.hub_id, "hub_id": model.hub_id, "is_available": True, "path": str(place)},
        )
    console.finish(
        f"\nSizes, times and rates are estimates for {machine.name}, with the profile {profile.name}. "
        "Download with: lectern models get NAME, or any organisation/name of the Hugging Face Hub.\n"
        "Besides, --model takes a folder with config.json and safetensors files, or a .gguf file.",
        {"num_models": 1 + len(entries) + len(others), "profile": profile.name},
    )


def _others(folder: Path, known: set[str]) -> list[HubModel]:
    """Complete downloads that are not in the catalogue."""
    found = (read_mark(place) for place in sorted((folder / "hub").glob("*")) if is_downloaded(place))
    return [model for model in found if model is not None and model.hub_id not in known]


def _entry_text(planned: CataloguePlan, place: Path | None) -> str:
    entry = planned.entry
    state = f"ready in {place}" if place else f"download about {format_size(planned.download_bytes)}"
    return (
        f"\n{entry.name}: {entry.hub_id}, {entry.licence}\n"
        f"  reads {planned.native_context:,} tokens, {state}\n"
        f"  {planned.text}"
    )
