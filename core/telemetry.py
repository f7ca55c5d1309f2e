"""How much memory the machine has left: host memory from psutil, VRAM from NVML where there is one."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psutil

_RETRY_EVERY = 20
_MOST_PLAUSIBLE_BYTES = 1 << 62


@dataclass(frozen=True)
class GpuMemory:
    """One GPU's memory in bytes; of one that is split (MIG) its first part.

    `own_bytes` is what this program holds of `used_bytes`, None where the driver does not say.
    """

    name: str
    used_bytes: int
    total_bytes: int
    own_bytes: int | None = None

    @property
    def others_bytes(self) -> int:
        """What everybody else holds, the system included; all of it where our own share is not known."""
        return max(0, self.used_bytes - (self.own_bytes or 0))

    @property
    def free_bytes(self) -> int:
        return max(0, self.total_bytes - self.used_bytes)


@dataclass(frozen=True)
class Sample:
    """One look at the machine. `gpus` is empty without an NVIDIA GPU or without its driver."""

    ram_used_bytes: int
    ram_total_bytes: int
    process_bytes: int
    gpus: tuple[GpuMemory, ...] = ()

    @property
    def gpu(self) -> GpuMemory | None:
        """The first GPU."""
        return self.gpus[0] if self.gpus else None


class Sampler:
    """Takes samples; belongs to one thread. NVML may fail at any call, and may come back later."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._nvml: Any | None = None
        self._calls_until_retry = 0

    def read(self) -> Sample:
        """A new sample; never raises for a missing or failing GPU driver."""
        memory = psutil.virtual_memory()
        return Sample(
            ram_used_bytes=memory.total - memory.available,
            ram_total_bytes=memory.total,
            process_bytes=self._process.memory_info().rss,
            gpus=self._gpus(),
        )

    def close(self) -> None:
        """Let go of the driver."""
        if self._nvml is not None:
            with contextlib.suppress(Exception):
                self._nvml.nvmlShutdown()
            self._nvml = None

    def _gpus(self) -> tuple[GpuMemory, ...]:
        if self._nvml is None:
            if self._calls_until_retry > 0:
                self._calls_until_retry -= 1
                return ()
            self._nvml = _start_nvml()
        if self._nvml is None:
            self._calls_until_retry = _RETRY_EVERY
            return ()
        try:
            num_gpus = int(self._nvml.nvmlDeviceGetCount())
            gpus = tuple(_readable_gpus(self._nvml, num_gpus))
        except Exception:  # noqa: BLE001 - a broken driver may raise anything
            num_gpus, gpus = -1, ()
        if num_gpus and not gpus:
            self.close()
            self._calls_until_retry = _RETRY_EVERY
        return gpus


def _start_nvml() -> Any | None:
    """The NVML module, ready for use, or None."""
    try:
        import pynvml

        pynvml.nvmlInit()
    except Exception:  # noqa: BLE001 - it looks for the driver's library while it is imported
        return None
    return pynvml


def _readable_gpus(nvml: Any, num_gpus: int) -> Iterator[GpuMemory]:
    """Those that answer: one that fell off the bus does not hide the others."""
    for index in range(num_gpus):
        with contextlib.suppress(Exception):
            yield _gpu_memory(nvml, nvml.nvmlDeviceGetHandleByIndex(index))


def _gpu_memory(nvml: Any, handle: Any) -> GpuMemory:
    part = _first_mig_part(nvml, handle) or handle
    memory, name = nvml.nvmlDeviceGetMemoryInfo(part), nvml.nvmlDeviceGetName(part)
    total = int(memory.total)
    if not 0 < total < _MOST_PLAUSIBLE_BYTES:
        raise ValueError(total)
    text = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
    used = min(max(0, int(memory.used)), total)
    own = _own_bytes(nvml, part)
    return GpuMemory(text, used, total, None if own is None else min(own, used))


def _first_mig_part(nvml: Any, handle: Any) -> Any | None:
    """What CUDA uses of a GPU that is split; None of one that is whole."""
    with contextlib.suppress(Exception):
        mode, _ = nvml.nvmlDeviceGetMigMode(handle)
        for index in range(nvml.nvmlDeviceGetMaxMigDeviceCount(handle) if mode else 0):
            with contextlib.suppress(Exception):
                return nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, index)
    return None


def _own_bytes(nvml: Any, handle: Any) -> int | None:
    """What the driver books for this process; nothing yet is 0."""
    try:
        processes = nvml.nvmlDeviceGetComputeRunningProcesses(handle)
    except Exception:  # noqa: BLE001 - not every device and driver tells
        return None
    if processes is None:
        return None
    sizes = [process.usedGpuMemory for process in processes if process.pid == os.getpid()]
    if not all(isinstance(size, int) and 0 <= size < _MOST_PLAUSIBLE_BYTES for size in sizes):
        return None
    return int(sum(sizes))
