"""From a profile to the engine's settings: what is chosen outright wins, the profile fills in the rest."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from types import MappingProxyType
from typing import Any

from core.planning.profiles import EngineChoices, Profile
from core.settings import EngineSettings

SETTING_OF_CHOICE: Mapping[str, str] = MappingProxyType(
    {
        "kv_hot_budget": "hot_budget_bytes",
        "kv_active_window": "active_window",
        "kv_migration_interval": "migration_interval",
        "kv_compression": "kv_compression",
        "kv_dtype": "kv_dtype",
        "kv_cache_device": "kv_cache_device",
        "cpu_memory_strategy": "cpu_memory_strategy",
        "cpu_memory_policy": "cpu_memory_policy",
        "prefill_chunk": "prefill_chunk",
        "quantization": "quantization",
        "kv_sharding_strategy": "kv_sharding_strategy",
        "gpu_ids": "gpu_ids",
        "threads": "threads",
    }
)
"""The field of `EngineSettings` for each field of `EngineChoices`."""

_KNOWN = frozenset(field.name for field in fields(EngineSettings))


def settings_of(profile: Profile, chosen: Mapping[str, Any], num_gpus: int) -> EngineSettings:
    """The settings that `profile` makes on a machine with `num_gpus` GPUs, those in `chosen` before them.

    `chosen` maps fields of `EngineSettings` to values; None and fields that the engine does not have leave
    the choice to the profile. What a profile asks of GPUs that are not there is left out; what is chosen
    outright is passed on, for the engine to refuse. Raises `UsageError` for values that contradict each
    other.
    """
    outright = {name: value for name, value in chosen.items() if value is not None and name in _KNOWN}
    return EngineSettings(**(_defaults(profile.engine, outright, num_gpus) | outright))


def asks_of_gpus(profile: Profile) -> bool:
    """Whether what the profile sets depends on the GPUs that are there."""
    engine = profile.engine
    is_plain = engine.quantization == "none" and engine.kv_cache_device == "auto"
    return bool(engine.gpu_ids) or engine.kv_sharding_strategy != "none" or not is_plain


def _defaults(engine: EngineChoices, outright: Mapping[str, Any], num_gpus: int) -> dict[str, Any]:
    values = {
        SETTING_OF_CHOICE[name]: value
        for name, value in asdict(engine).items()
        if value is not None and SETTING_OF_CHOICE[name] in _KNOWN
    }
    present = tuple(index for index in engine.gpu_ids if index < num_gpus)
    if num_gpus == 0:
        values |= {"quantization": "none", "kv_cache_device": "auto"}
    if num_gpus < 2:
        values["kv_sharding_strategy"] = "none"
        if values["kv_cache_device"] == "multi_gpu":
            values["kv_cache_device"] = "auto"
    is_divided = "layer_wise" in (
        outright.get("kv_sharding_strategy", values["kv_sharding_strategy"]),
        "layer_wise" if outright.get("kv_cache_device", values["kv_cache_device"]) == "multi_gpu" else "",
    )
    values["gpu_ids"] = (present if is_divided else present[:1]) or None
    return values
