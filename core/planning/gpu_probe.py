"""The GPUs of this machine as NVML tells of them. Every call may fail, and whatever fails is left out."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import psutil

from core.planning.machine import Gpu, GpuProcess, PcieLink

T = TypeVar("T")

_MOST_PLAUSIBLE_BYTES = 1 << 62
_NO_DRIVER = "NVMLError_LibraryNotFound"


@dataclass(frozen=True)
class GpuReport:
    """`error` says why there is no GPU although NVML is there; None if NVML answered or is not installed.

    `cuda` is the newest CUDA version that the driver runs, such as `12.8`.
    """

    gpus: tuple[Gpu, ...] = ()
    driver: str | None = None
    cuda: str | None = None
    error: str | None = None


def probe_gpus(nvml: Any | None = None, visible: str | None = None) -> GpuReport:
    """The GPUs that CUDA would see, in the order of their slots; never raises.

    `nvml` is for tests, `visible` stands for CUDA_VISIBLE_DEVICES.
    """
    module = nvml if nvml is not None else _nvml_module()
    if module is None:
        return GpuReport()
    try:
        module.nvmlInit()
    except Exception as error:  # noqa: BLE001 - a broken driver may raise anything
        has_no_driver = type(error).__name__ == _NO_DRIVER
        return GpuReport(error=None if has_no_driver else f"{error}" or type(error).__name__)
    try:
        wanted = visible if visible is not None else os.environ.get("CUDA_VISIBLE_DEVICES")
        gpus = tuple(_visible(list(_gpus(module)), wanted))
        return GpuReport(gpus, _text(_ask(module.nvmlSystemGetDriverVersion)), _cuda_version(module))
    except Exception as error:  # noqa: BLE001 - the same
        return GpuReport(error=f"{error}" or type(error).__name__)
    finally:
        _ask(module.nvmlShutdown)


def _nvml_module() -> Any | None:
    try:
        import pynvml
    except Exception:  # noqa: BLE001 - it looks for the driver's library while it is imported
        return None
    return pynvml


def _gpus(nvml: Any) -> Iterator[tuple[str, Gpu]]:
    """Each GPU with its UUID; of one that is split (MIG), its first part, as CUDA sees it."""
    for index in range(nvml.nvmlDeviceGetCount()):
        handle = _ask(nvml.nvmlDeviceGetHandleByIndex, index)
        if handle is None:
            continue
        part = _first_mig_part(nvml, handle)
        memory = _memory(nvml, handle if part is None else part)
        if memory is None:
            continue
        name = _text(_ask(nvml.nvmlDeviceGetName, handle if part is None else part))
        uuid = _text(_ask(nvml.nvmlDeviceGetUUID, handle if part is None else part))
        gpu = Gpu(
            name=name or "unknown GPU",
            total_bytes=memory[0],
            free_bytes=memory[1],
            pcie_now=_link(
                _ask(nvml.nvmlDeviceGetCurrPcieLinkGeneration, handle),
                _ask(nvml.nvmlDeviceGetCurrPcieLinkWidth, handle),
            ),
            pcie_max=_link(
                _ask(nvml.nvmlDeviceGetMaxPcieLinkGeneration, handle),
                _ask(nvml.nvmlDeviceGetMaxPcieLinkWidth, handle),
            ),
            processes=tuple(_processes(nvml, handle)),
            pci_id=_pci_id(nvml, handle),
        )
        yield uuid or "", gpu


def _first_mig_part(nvml: Any, handle: Any) -> Any | None:
    mode = _ask(nvml.nvmlDeviceGetMigMode, handle)
    if not mode or not mode[0]:
        return None
    for index in range(_ask(nvml.nvmlDeviceGetMaxMigDeviceCount, handle) or 0):
        part = _ask(nvml.nvmlDeviceGetMigDeviceHandleByIndex, handle, index)
        if part is not None:
            return part
    return None


def _memory(nvml: Any, handle: Any) -> tuple[int, int] | None:
    """Total and free bytes."""
    memory = _ask(nvml.nvmlDeviceGetMemoryInfo, handle)
    if memory is None or not 0 < int(memory.total) < _MOST_PLAUSIBLE_BYTES:
        return None
    return int(memory.total), min(int(memory.free), int(memory.total))


def _link(generation: Any, width: Any) -> PcieLink | None:
    return PcieLink(int(generation), int(width)) if generation and width else None


def _processes(nvml: Any, handle: Any) -> Iterator[GpuProcess]:
    """Programs that hold memory of the GPU, ourselves left out."""
    seen = {os.getpid()}
    for ask in ("nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetGraphicsRunningProcesses"):
        for process in _ask(getattr(nvml, ask), handle) or ():
            pid = int(process.pid)
            if pid in seen:
                continue
            seen.add(pid)
            used = getattr(process, "usedGpuMemory", None)
            is_known = isinstance(used, int) and 0 <= used < _MOST_PLAUSIBLE_BYTES
            yield GpuProcess(pid, _process_name(pid), used if is_known else None)


def _process_name(pid: int) -> str:
    try:
        return str(psutil.Process(pid).name())
    except (psutil.Error, OSError):
        return "unknown program"


def _pci_id(nvml: Any, handle: Any) -> str | None:
    """The slot as the kernel writes it, such as `0000:01:00.0`."""
    info = _ask(nvml.nvmlDeviceGetPciInfo, handle)
    text = _text(getattr(info, "busId", None))
    if text is None:
        return None
    domain, _, rest = text.lower().partition(":")
    return f"{domain[-4:]}:{rest}"


def _cuda_version(nvml: Any) -> str | None:
    number = _ask(nvml.nvmlSystemGetCudaDriverVersion_v2)
    return f"{number // 1000}.{number % 1000 // 10}" if isinstance(number, int) else None


def _visible(gpus: list[tuple[str, Gpu]], wanted: str | None) -> Iterator[Gpu]:
    """As CUDA reads the variable: numbers or beginnings of UUIDs, in that order, up to the first it lacks."""
    if wanted is None:
        yield from (gpu for _, gpu in gpus)
        return
    for item in (part.strip() for part in wanted.split(",")):
        if item.isdecimal() and int(item) < len(gpus):
            yield gpus[int(item)][1]
            continue
        matches = [gpu for uuid, gpu in gpus if item and not item.isdecimal() and uuid.startswith(item)]
        if not matches:
            return
        yield matches[0]


def _ask(call: Callable[..., T], *arguments: Any) -> T | None:
    try:
        return call(*arguments)
    except Exception:  # noqa: BLE001 - NVML answers "not supported" to many questions on many devices
        return None


def _text(value: Any) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else None
