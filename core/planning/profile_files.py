"""A user's own profiles on disk: saved whole or not at all, renamed, deleted. Bundled ones stay."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import LecternError
from core.planning.machine import Gpu, Machine
from core.planning.profile_keys import ENGINE_KEYS
from core.planning.profile_settings import settings_of
from core.planning.profiles import (
    Profile,
    ProfileError,
    is_profile_name,
    load_profile,
    parse_profile,
    profile_names,
    profile_path,
    user_profiles_dir,
)

_UNITS = ((1 << 30, "G"), (1 << 20, "M"))
_FIGURES = ("pcie_gb_s", "vram_gb_s", "gpu_tflops", "ram_gb_s", "cpu_gflops")


@dataclass(frozen=True)
class ProfileEntry:
    """One profile that there is; `error` says why it cannot be read, and then there is no `profile`."""

    name: str
    is_own: bool
    profile: Profile | None
    error: LecternError | None = None

    @property
    def title(self) -> str:
        return self.name if self.profile is None else self.profile.title


def find_profiles() -> tuple[ProfileEntry, ...]:
    """Every profile by name. A damaged one is in its place and does not hide the others."""
    return tuple(map(find_profile, profile_names()))


def find_profile(name: str) -> ProfileEntry:
    try:
        return ProfileEntry(name, is_own_profile(name), load_profile(name))
    except LecternError as error:
        return ProfileEntry(name, is_own_profile(name), None, error)


def is_own_profile(name: str) -> bool:
    """Whether it is the user's, who may change it."""
    return is_profile_name(name) and _own_path(name).is_file()


def require_valid(profile: Profile) -> None:
    """Raise `ProfileError` that names the key unless `profile` would be read again just as it is.

    Raises `UsageError` if its values contradict each other.
    """
    if not is_profile_name(profile.name):
        raise ProfileError(
            "Not a name for a profile",
            f"{profile.name!r}: use letters, digits, dots, hyphens and underscores, 64 at most.",
        )
    parse_profile(_own_path(profile.name), as_toml(profile).encode("utf-8"))
    settings_of(profile, {}, num_gpus=max(profile.engine.gpu_ids, default=0) + 1)


def save_profile(profile: Profile, *, is_new: bool = False) -> Path:
    """Write `profile` to the user's folder; the file is whole or not there at all.

    Raises `ProfileError` for a value or a name that cannot be, if the folder cannot be written, and for a
    name that is taken if it `is_new`.
    """
    require_valid(profile)
    if is_new:
        _require_free(profile.name)
    path = _own_path(profile.name)
    temporary = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(as_toml(profile), encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise ProfileError("The profile cannot be saved", f"{path}: {error.strerror}.") from error
    return path


def rename_profile(name: str, new_name: str) -> Profile:
    """Give a profile of the user's another name; a title that was the name follows.

    Raises `ProfileError` if the new name is taken or is none, or if the profile is not the user's.
    """
    _require_own(name)
    before = load_profile(name)
    if new_name == name:
        return before
    after = replace(before, name=new_name, title=new_name if before.title == name else before.title)
    if new_name.casefold() == name.casefold():
        delete_profile(name)
        save_profile(after)
    else:
        save_profile(after, is_new=True)
        delete_profile(name)
    return after


def delete_profile(name: str) -> None:
    """Raises `ProfileError` if it is not the user's or cannot be deleted."""
    _require_own(name)
    path = _own_path(name)
    try:
        path.unlink()
    except OSError as error:
        raise ProfileError("The profile cannot be deleted", f"{path}: {error.strerror}.") from error


def free_name(base: str) -> str:
    """A name near `base` that no profile has."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", base).strip("-._")[:48] or "profile"
    taken = {name.casefold() for name in profile_names()}
    names = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in names if name.casefold() not in taken)


def as_toml(profile: Profile) -> str:
    """The content of the file."""
    lines = [f"title = {_quoted(profile.title)}", f"recommended_model = {_quoted(profile.recommended_model)}"]
    if profile.recommended_context is not None:
        lines.append(f"recommended_context = {profile.recommended_context}")
    lines += ["", "[engine]"]
    for name in ENGINE_KEYS:
        value = getattr(profile.engine, name)
        if value is not None:
            lines.append(f"{name} = {_size(value) if name == 'kv_hot_budget' else _value(value)}")
    if profile.machine is not None:
        lines += _machine_lines(profile.machine)
    return "\n".join(lines) + "\n"


def _own_path(name: str) -> Path:
    return profile_path(name, user_profiles_dir())


def _require_own(name: str) -> None:
    if is_own_profile(name):
        return
    if name in profile_names():
        raise ProfileError(
            "A built-in profile stays as it is",
            f"{name!r} comes with Lectern. Save it under another name and change that one.",
        )
    raise ProfileError("No such profile", f"There is no profile {name!r} of your own.")


def _require_free(name: str) -> None:
    if name.casefold() in {taken.casefold() for taken in profile_names()}:
        raise ProfileError("The name is taken", f"There is a profile {name!r} already. Choose another name.")


def _machine_lines(machine: Machine) -> Iterator[str]:
    yield from ("", "[machine]")
    yield f"ram = {_size(machine.ram_total_bytes)}"
    yield f"ram_available = {_size(machine.ram_available_bytes)}"
    yield f"swap = {_size(machine.swap_bytes)}"
    yield f"cores = {machine.num_cores}"
    if machine.disk_free_bytes is not None:
        yield f"disk_free = {_size(machine.disk_free_bytes)}"
    for name in _FIGURES:
        figure = getattr(machine.figures, name)
        if figure is not None:
            yield f"{name} = {figure}"
    for gpu in machine.gpus:
        yield from _gpu_lines(gpu)


def _gpu_lines(gpu: Gpu) -> Iterator[str]:
    yield from ("", "[[machine.gpus]]")
    yield f"name = {_quoted(gpu.name)}"
    yield f"vram = {_size(gpu.total_bytes)}"
    yield f"vram_free = {_size(gpu.free_bytes)}"
    link = gpu.pcie_max or gpu.pcie_now
    if link is not None:
        yield f"pcie = [{link.generation}, {link.width}]"


def _size(num_bytes: int) -> str:
    """As people write it, where that is exact: "2G", "512M"."""
    for unit, letter in _UNITS:
        if num_bytes and num_bytes % unit == 0:
            return f'"{num_bytes // unit}{letter}"'
    return str(num_bytes)


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda match: f"\\u{ord(match[0]):04x}", escaped) + '"'
