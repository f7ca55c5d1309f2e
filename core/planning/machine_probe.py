"""Looks up what this machine has and what of it is free now."""

import platform
import shutil
from pathlib import Path

import psutil

from core.planning.gpu_probe import GpuReport, probe_gpus
from core.planning.machine import Machine
from core.planning.torch_build import TorchBuild, torch_build


def probe_machine(
    cache_folder: Path, report: GpuReport | None = None, build: TorchBuild | None = None
) -> Machine:
    """The machine as the engine would find it: GPUs count only if the installed torch can use them.

    `report` and `build` are for tests and for callers that have them already.
    """
    report = report or probe_gpus()
    build = build or torch_build()
    memory = psutil.virtual_memory()
    can_use_gpus = build is not None and build.cuda is not None
    return Machine(
        name="this machine",
        ram_total_bytes=memory.total,
        ram_available_bytes=memory.available,
        swap_bytes=_swap_bytes(),
        num_cores=psutil.cpu_count(logical=False) or psutil.cpu_count() or 1,
        disk_free_bytes=disk_free_bytes(cache_folder),
        gpus=report.gpus if can_use_gpus else (),
        driver=report.driver,
        system=f"{platform.system()} {platform.release()}",
    )


def disk_free_bytes(folder: Path) -> int | None:
    """Free bytes where `folder` is or would be made; None if that cannot be told."""
    for place in (folder, *folder.absolute().parents):
        try:
            return shutil.disk_usage(place).free
        except FileNotFoundError:
            continue
        except OSError:
            return None
    return None


def _swap_bytes() -> int:
    try:
        return int(psutil.swap_memory().total)
    except (OSError, RuntimeError):
        return 0
