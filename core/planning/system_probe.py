"""Looks up the facts that a system check needs. Every look may fail; whatever fails is left out."""

import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from core.documents.language_data import language_folders, languages_in
from core.planning.gpu_probe import probe_gpus
from core.planning.machine_probe import disk_free_bytes
from core.planning.system_facts import HugePages, SystemFacts
from core.planning.torch_build import torch_build

_SYSTEM = Path("/")
_TRIAL_BYTES = 32 << 20
_TRIAL_PIECE = bytes(1 << 20)


def probe_system(cache_folder: Path, *, measures_disk: bool = True, root: Path = _SYSTEM) -> SystemFacts:
    """The facts as they are now. `root` is for tests; measuring the disk writes and removes 32 MiB."""
    memory, swap = psutil.virtual_memory(), _swap()
    report = probe_gpus()
    is_windows = sys.platform == "win32"
    return SystemFacts(
        platform=sys.platform,
        ram_total_bytes=memory.total,
        ram_available_bytes=memory.available,
        is_wsl="microsoft" in platform.uname().release.lower(),
        thp_mode=_thp_mode(root),
        huge_pages=_huge_pages(root),
        memlock_bytes=_memlock(),
        num_numa_nodes=_num_numa_nodes(root),
        swap_total_bytes=swap[0],
        swap_used_bytes=swap[1],
        overcommit_mode=_number(root / "proc/sys/vm/overcommit_memory"),
        commit_room_bytes=_windows_commit()[1] if is_windows else _commit_room(root),
        gpus=report.gpus,
        gpu_error=report.error,
        driver=report.driver,
        driver_cuda=report.cuda,
        torch=torch_build(),
        cache_folder=str(cache_folder),
        disk_free_bytes=disk_free_bytes(cache_folder),
        disk_write_bytes_per_s=_disk_speed(cache_folder) if measures_disk else None,
        ocr_languages=tuple(sorted(set(_ocr_languages(root)))),
        page_file_bytes=_windows_commit()[0] if is_windows else None,
        is_wddm=_is_wddm() if is_windows else None,
    )


def _swap() -> tuple[int, int]:
    try:
        swap = psutil.swap_memory()
        return int(swap.total), int(swap.used)
    except (OSError, RuntimeError):
        return 0, 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _number(path: Path) -> int | None:
    text = _text(path).strip()
    return int(text) if text.isdecimal() else None


def _thp_mode(root: Path) -> str | None:
    chosen = re.search(r"\[(\w+)\]", _text(root / "sys/kernel/mm/transparent_hugepage/enabled"))
    return chosen[1] if chosen else None


def _meminfo(root: Path) -> dict[str, int]:
    found = re.findall(r"^(\w+):\s+(\d+)", _text(root / "proc/meminfo"), re.MULTILINE)
    return {name: int(value) for name, value in found}


def _huge_pages(root: Path) -> HugePages | None:
    figures = _meminfo(root)
    if not figures.get("Hugepagesize"):
        return None
    free = figures.get("HugePages_Free", 0) - figures.get("HugePages_Rsvd", 0)
    return HugePages(figures["Hugepagesize"] << 10, figures.get("HugePages_Total", 0), free)


def _commit_room(root: Path) -> int | None:
    figures = _meminfo(root)
    if "CommitLimit" not in figures or "Committed_AS" not in figures:
        return None
    return max(0, figures["CommitLimit"] - figures["Committed_AS"]) << 10


def _memlock() -> int | None:
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    return -1 if soft == resource.RLIM_INFINITY else int(soft)


def _num_numa_nodes(root: Path) -> int:
    count = 0
    for part in filter(None, _text(root / "sys/devices/system/node/has_memory").strip().split(",")):
        first, _, last = part.partition("-")
        if first.isdecimal() and (last or first).isdecimal():
            count += int(last or first) - int(first) + 1
    return max(1, count)


def _disk_speed(folder: Path) -> float | None:
    """Bytes a second that reach the disk; nothing stays behind."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            started = time.perf_counter()
            for _ in range(_TRIAL_BYTES // len(_TRIAL_PIECE)):
                file.write(_TRIAL_PIECE)
            file.flush()
            os.fsync(file.fileno())
            return _TRIAL_BYTES / max(time.perf_counter() - started, 1e-6)
    except OSError:
        return None


def _ocr_languages(root: Path) -> Iterator[str]:
    for folder in language_folders(root):
        yield from languages_in(folder)


def _windows_commit() -> tuple[int | None, int | None]:
    """Size of the page file, and what may still be promised to programs."""
    try:
        import ctypes

        library: Any = getattr(ctypes, "windll").kernel32  # noqa: B009 - the name exists on Windows only
        status = (ctypes.c_ulonglong * 8)(64)
        if not library.GlobalMemoryStatusEx(ctypes.byref(status)):
            return None, None
        total_physical, total_page_file, free_page_file = status[1], status[3], status[4]
        return max(0, int(total_page_file) - int(total_physical)), int(free_page_file)
    except (AttributeError, OSError):
        return None, None


def _is_wddm() -> bool | None:
    try:
        import pynvml

        pynvml.nvmlInit()
        try:
            model = pynvml.nvmlDeviceGetCurrentDriverModel(pynvml.nvmlDeviceGetHandleByIndex(0))
            return bool(model == pynvml.NVML_DRIVER_WDDM)
        finally:
            pynvml.nvmlShutdown()
    except Exception:  # noqa: BLE001 - no driver, no such question, or a broken one
        return None
