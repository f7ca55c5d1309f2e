"""The keys of a profile file, what each may be, and how it is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from core.settings import (
    CACHE_DEVICES,
    CPU_MEMORY_POLICIES,
    CPU_MEMORY_STRATEGIES,
    KV_CODECS,
    KV_DTYPES,
    MAX_THREADS,
    QUANTIZATIONS,
    SHARDING_STRATEGIES,
)
from core.units import parse_size

_LARGEST = 1 << 31


@dataclass(frozen=True)
class Key:
    """`read` turns a value of the file into ours and raises `ValueError` or `UsageError` for others.

    `allowed` says in words what it takes.
    """

    read: Callable[[Any], Any]
    allowed: str


def _refuse() -> ValueError:
    return ValueError("not allowed")


def _whole(low: int, high: int = _LARGEST) -> Key:
    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise _refuse()
        return value

    words = (
        f"a whole number from {low} to {high:,}" if high < _LARGEST else f"a whole number of {low} or more"
    )
    return Key(read, words)


def _number() -> Key:
    def read(value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < _LARGEST:
            raise _refuse()
        return float(value)

    return Key(read, "a number above 0")


def _one_of(allowed: tuple[str, ...]) -> Key:
    def read(value: Any) -> str:
        if value not in allowed:
            raise _refuse()
        return str(value)

    return Key(read, " or ".join(allowed))


def _size() -> Key:
    def read(value: Any) -> int:
        if isinstance(value, str):
            return parse_size(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        raise _refuse()

    return Key(read, 'a size such as "512M" or "2G"')


def _text() -> Key:
    def read(value: Any) -> str:
        if not isinstance(value, str) or not value:
            raise _refuse()
        return value

    return Key(read, "a text")


def _numbers(length: int | None, words: str) -> Key:
    def read(value: Any) -> tuple[int, ...]:
        if not isinstance(value, list) or (length is not None and len(value) != length):
            raise _refuse()
        if not all(isinstance(item, int) and not isinstance(item, bool) and item >= 0 for item in value):
            raise _refuse()
        return tuple(value)

    return Key(read, words)


def _table() -> Key:
    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _refuse()
        return value

    return Key(read, "a table")


def _tables() -> Key:
    def read(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise _refuse()
        return value

    return Key(read, "a list of tables")


PROFILE_KEYS: Mapping[str, Key] = MappingProxyType(
    {
        "title": _text(),
        "recommended_model": _text(),
        "recommended_context": _whole(1),
        "engine": _table(),
        "machine": _table(),
    }
)

ENGINE_KEYS: Mapping[str, Key] = MappingProxyType(
    {
        "kv_hot_budget": _size(),
        "kv_active_window": _whole(0),
        "kv_migration_interval": _whole(1),
        "kv_compression": _one_of(KV_CODECS),
        "kv_dtype": _one_of(KV_DTYPES),
        "kv_cache_device": _one_of(CACHE_DEVICES),
        "cpu_memory_strategy": _one_of(CPU_MEMORY_STRATEGIES),
        "cpu_memory_policy": _one_of(CPU_MEMORY_POLICIES),
        "prefill_chunk": _whole(1),
        "quantization": _one_of(QUANTIZATIONS),
        "kv_sharding_strategy": _one_of(SHARDING_STRATEGIES),
        "gpu_ids": _numbers(None, "a list of GPU numbers such as [0, 1]"),
        "threads": _whole(1, MAX_THREADS),
    }
)

MACHINE_KEYS: Mapping[str, Key] = MappingProxyType(
    {
        "ram": _size(),
        "ram_available": _size(),
        "swap": _size(),
        "cores": _whole(1),
        "disk_free": _size(),
        "pcie_gb_s": _number(),
        "vram_gb_s": _number(),
        "gpu_tflops": _number(),
        "ram_gb_s": _number(),
        "cpu_gflops": _number(),
        "gpus": _tables(),
    }
)

GPU_KEYS: Mapping[str, Key] = MappingProxyType(
    {
        "name": _text(),
        "vram": _size(),
        "vram_free": _size(),
        "pcie": _numbers(2, "generation and lanes such as [4, 16]"),
    }
)
