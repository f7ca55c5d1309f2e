"""Looks up what this machine offers as host memory."""

import platform
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import torch

from core.kv.host_strategy import HostFacts

_THP_MODE = Path("/sys/kernel/mm/transparent_hugepage/enabled")
_MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True)
class HugePagePool:
    """The reserved huge pages of a machine; `num_free` are neither used nor promised to anybody."""

    page_bytes: int
    num_pages: int
    num_free: int


def probe_host(device: torch.device) -> HostFacts:
    """The facts for a model that computes on `device`."""
    pool = huge_page_pool()
    return HostFacts(
        platform=sys.platform,
        is_wsl="microsoft" in platform.uname().release.lower(),
        has_cuda=device.type == "cuda",
        thp_mode=_thp_mode(),
        huge_page_bytes=pool.page_bytes if pool else None,
    )


def huge_page_pool() -> HugePagePool | None:
    """The pool of the default page size as it is now; None where the system has none."""
    try:
        text = _MEMINFO.read_text(encoding="ascii")
    except OSError:
        return None
    figures = {name: int(value) for name, value in re.findall(r"^(Huge\w+):\s+(\d+)", text, re.MULTILINE)}
    if not figures.get("Hugepagesize"):
        return None
    return HugePagePool(
        page_bytes=figures["Hugepagesize"] << 10,
        num_pages=figures["HugePages_Total"],
        num_free=figures["HugePages_Free"] - figures["HugePages_Rsvd"],
    )


def _thp_mode() -> str | None:
    try:
        text = _THP_MODE.read_text(encoding="ascii")
    except OSError:
        return None
    chosen = re.search(r"\[(\w+)\]", text)
    return chosen[1] if chosen else None
