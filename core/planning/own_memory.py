"""The machine as it would be without this program: a plan counts what the program takes by itself."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import psutil

from core.planning.machine import Gpu, Machine
from core.telemetry import GpuMemory

_STATUS = Path("/proc/self/status")
_NOT_FILES = re.compile(r"^Rss(?:Anon|Shmem):\s+(\d+) kB", re.MULTILINE)


def own_ram_bytes(status: Path = _STATUS) -> int:
    """What ending this process would give back; pages of files are the system's, as it counts them free."""
    try:
        found = _NOT_FILES.findall(status.read_text(encoding="ascii", errors="replace"))
    except OSError:
        found = []
    return sum(map(int, found)) << 10 if found else int(psutil.Process().memory_info().rss)


def without_own(machine: Machine, own_ram: int, gpus: Sequence[GpuMemory] = ()) -> Machine:
    """`machine` with this program's `own_ram` bytes and its share of `gpus` free again.

    GPUs are told apart by name and size; of equal ones the first stands for the first.
    """
    left = list(gpus)
    return replace(
        machine,
        ram_available_bytes=min(machine.ram_total_bytes, machine.ram_available_bytes + own_ram),
        gpus=tuple(_freed(gpu, left) for gpu in machine.gpus),
    )


def _freed(gpu: Gpu, left: list[GpuMemory]) -> Gpu:
    for seen in left:
        if (seen.name, seen.total_bytes) == (gpu.name, gpu.total_bytes):
            left.remove(seen)
            return replace(gpu, free_bytes=min(gpu.total_bytes, gpu.free_bytes + (seen.own_bytes or 0)))
    return gpu
