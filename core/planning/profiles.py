"""Profiles: settings that belong together for a kind of machine, in readable files."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import UsageError
from core.paths import RESOURCES_DIR, data_dir
from core.planning.machine import Gpu, Machine, PcieLink, SpeedFigures
from core.planning.profile_keys import ENGINE_KEYS, GPU_KEYS, MACHINE_KEYS, PROFILE_KEYS, Key

AUTO = "auto"
_SUFFIX = ".toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LARGEST_BYTES = 1 << 16
_MAX_KEPT = 64


class ProfileError(UsageError):
    """A profile that does not exist or that cannot be understood; the message names file and key."""


@dataclass(frozen=True)
class EngineChoices:
    """What a profile sets about the engine, in the words of the command line; None leaves it open."""

    kv_hot_budget: int | None = None
    kv_active_window: int | None = None
    kv_migration_interval: int | None = None
    kv_compression: str = "none"
    kv_dtype: str = "auto"
    kv_cache_device: str = "auto"
    cpu_memory_strategy: str = "auto"
    cpu_memory_policy: str = "default"
    prefill_chunk: int = 512
    quantization: str = "none"
    kv_sharding_strategy: str = "none"
    gpu_ids: tuple[int, ...] = ()
    threads: int | None = None


@dataclass(frozen=True)
class Profile:
    """A named set of choices. `machine` is the one it was made for; None means the machine at hand.

    `recommended_context` is in tokens, None for the model's own.
    """

    name: str
    title: str
    engine: EngineChoices = field(default_factory=EngineChoices)
    machine: Machine | None = None
    recommended_model: str = "starter"
    recommended_context: int | None = None


def user_profiles_dir() -> Path:
    """Where a user's own profiles are; one there hides a bundled one of the same name."""
    return data_dir() / "profiles"


def profile_path(name: str, folder: Path) -> Path:
    return folder / (name + _SUFFIX)


def is_profile_name(name: str) -> bool:
    """Whether `name` is fit to be the name of a profile's file."""
    return _NAME.fullmatch(name) is not None


def profile_names() -> tuple[str, ...]:
    """Every profile there is, bundled and the user's own, in alphabetical order."""
    return tuple(sorted({path.stem for folder in _folders() for path in folder.glob("*" + _SUFFIX)}))


def load_profile(name: str) -> Profile:
    """The profile `name`. Raises `ProfileError` if there is none or if it cannot be understood."""
    for folder in _folders():
        if is_profile_name(name) and profile_path(name, folder).is_file():
            return read_profile(profile_path(name, folder))
    raise ProfileError(
        "No such profile", f"There is no profile {name!r}; there are {', '.join(profile_names())}."
    )


def read_profile(path: Path) -> Profile:
    """The profile in a file. Raises `ProfileError` that names the file and the key that is wrong."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_BYTES + 1)
    except OSError as error:
        raise ProfileError("The profile cannot be read", f"{path}: {error}.") from error
    return parse_profile(path, data)


@lru_cache(maxsize=_MAX_KEPT)
def parse_profile(path: Path, data: bytes) -> Profile:
    """The profile that `data` would be as the content of `path`. Raises as `read_profile` does."""
    if len(data) > _LARGEST_BYTES:
        raise ProfileError("The profile cannot be read", f"{path} is too large to be a profile.")
    try:
        raw = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise ProfileError("The profile cannot be read", f"{path}: {error}.") from error
    top = _checked(path, "", raw, PROFILE_KEYS)
    machine = top.pop("machine", None)
    return Profile(
        name=path.stem,
        title=top.pop("title", path.stem),
        engine=EngineChoices(**_checked(path, "engine.", top.pop("engine", {}), ENGINE_KEYS)),
        machine=_machine(path, machine) if machine is not None else None,
        **top,
    )


def _folders() -> tuple[Path, Path]:
    return user_profiles_dir(), RESOURCES_DIR / "profiles"


def _checked(path: Path, prefix: str, table: Any, keys: Mapping[str, Key]) -> dict[str, Any]:
    """The values of a table by field, each checked. Raises `ProfileError`."""
    if not isinstance(table, dict):
        raise ProfileError("The profile is wrong", f"{path}: {prefix.rstrip('.')} must be a table.")
    values = {}
    for name, value in table.items():
        if name not in keys:
            known = ", ".join(keys)
            raise ProfileError(
                "The profile is wrong", f"{path} has an unknown key {prefix}{name}; there are {known}."
            )
        try:
            values[name] = keys[name].read(value)
        except (UsageError, ValueError, TypeError) as error:
            raise ProfileError(
                "The profile is wrong",
                f"{path}: {prefix}{name} cannot be {value!r}; it must be {keys[name].allowed}.",
            ) from error
    return values


def _machine(path: Path, table: Any) -> Machine:
    values = _checked(path, "machine.", table, MACHINE_KEYS)
    missing = [name for name in ("ram", "ram_available") if name not in values]
    if missing:
        raise ProfileError("The profile is wrong", f"{path} has no machine.{missing[0]}.")
    gpus = tuple(_gpu(path, index, gpu) for index, gpu in enumerate(values.get("gpus", ())))
    speeds = ("pcie_gb_s", "vram_gb_s", "gpu_tflops", "ram_gb_s", "cpu_gflops")
    return Machine(
        name=path.stem,
        ram_total_bytes=values["ram"],
        ram_available_bytes=values["ram_available"],
        swap_bytes=values.get("swap", 0),
        num_cores=values.get("cores", 1),
        disk_free_bytes=values.get("disk_free"),
        gpus=gpus,
        figures=SpeedFigures(**{name: values[name] for name in speeds if name in values}),
    )


def _gpu(path: Path, index: int, table: Any) -> Gpu:
    prefix = f"machine.gpus[{index}]."
    values = _checked(path, prefix, table, GPU_KEYS)
    missing = [name for name in ("name", "vram", "vram_free") if name not in values]
    if missing:
        raise ProfileError("The profile is wrong", f"{path} has no {prefix}{missing[0]}.")
    link = PcieLink(*values["pcie"]) if "pcie" in values else None
    return Gpu(values["name"], values["vram"], values["vram_free"], pcie_now=link, pcie_max=link)
