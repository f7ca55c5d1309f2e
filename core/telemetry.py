"""How much memory the machine has left: host memory from psutil, VRAM from NVML where there is one."""

import contextlib
from dataclasses import dataclass
from typing import Any

import psutil

_RETRY_EVERY = 20


@dataclass(frozen=True)
class GpuMemory:
    """One GPU's memory in bytes, all programs together."""

    name: str
    used_bytes: int
    total_bytes: int


@dataclass(frozen=True)
class Sample:
    """One look at the machine. `gpu` is None without an NVIDIA GPU or without its driver."""

    ram_used_bytes: int
    ram_total_bytes: int
    process_bytes: int
    gpu: GpuMemory | None


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
            gpu=self._gpu(),
        )

    def close(self) -> None:
        """Let go of the driver."""
        if self._nvml is not None:
            with contextlib.suppress(Exception):
                self._nvml.nvmlShutdown()
            self._nvml = None

    def _gpu(self) -> GpuMemory | None:
        if self._nvml is None:
            if self._calls_until_retry > 0:
                self._calls_until_retry -= 1
                return None
            self._nvml = _start_nvml()
        if self._nvml is None:
            self._calls_until_retry = _RETRY_EVERY
            return None
        try:
            return _first_gpu(self._nvml)
        except self._nvml.NVMLError:
            self.close()
            self._calls_until_retry = _RETRY_EVERY
            return None


def _start_nvml() -> Any | None:
    """The NVML module, ready for use, or None."""
    try:
        import pynvml
    except ImportError:
        return None
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return None
    return pynvml


def _first_gpu(nvml: Any) -> GpuMemory | None:
    if nvml.nvmlDeviceGetCount() == 0:
        return None
    handle = nvml.nvmlDeviceGetHandleByIndex(0)
    memory = nvml.nvmlDeviceGetMemoryInfo(handle)
    name = nvml.nvmlDeviceGetName(handle)
    text = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
    return GpuMemory(text, int(memory.used), int(memory.total))
