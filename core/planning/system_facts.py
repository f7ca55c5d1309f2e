"""What a system check looks at; whatever could not be told is None."""

from dataclasses import dataclass
from enum import StrEnum

from core.planning.machine import Gpu
from core.planning.torch_build import TorchBuild


@dataclass(frozen=True)
class HugePages:
    """The pool of reserved huge pages."""

    page_bytes: int
    num_pages: int
    num_free: int


@dataclass(frozen=True)
class SystemFacts:
    """One look at a system. `platform` is as `sys.platform` has it.

    `memlock_bytes` is the limit on locked memory, -1 for none. `overcommit_mode` is the kernel's (0, 1 or 2),
    `commit_room_bytes` what may still be promised under mode 2, on Windows what physical memory and page
    file leave. `disk_write_bytes_per_s` was measured in `cache_folder`. `ocr_languages` are those whose data
    was found. `is_wddm` is whether the GPU runs under the driver model of a Windows desktop. `gpu_error` is
    what the driver said instead of listing GPUs.
    """

    platform: str
    ram_total_bytes: int
    ram_available_bytes: int
    is_wsl: bool = False
    thp_mode: str | None = None
    huge_pages: HugePages | None = None
    memlock_bytes: int | None = None
    num_numa_nodes: int = 1
    swap_total_bytes: int = 0
    swap_used_bytes: int = 0
    overcommit_mode: int | None = None
    commit_room_bytes: int | None = None
    gpus: tuple[Gpu, ...] = ()
    gpu_error: str | None = None
    driver: str | None = None
    driver_cuda: str | None = None
    torch: TorchBuild | None = None
    cache_folder: str = ""
    disk_free_bytes: int | None = None
    disk_write_bytes_per_s: float | None = None
    ocr_languages: tuple[str, ...] = ()
    page_file_bytes: int | None = None
    is_wddm: bool | None = None


@dataclass(frozen=True)
class SystemNeeds:
    """What a plan needs of the system, and how it wants its host memory.

    `streamed_bytes_per_token` is what crosses the bus for a token.
    """

    cold_bytes: int
    ram_bytes: int
    vram_bytes: int
    disk_bytes: int
    streamed_bytes_per_token: int
    memory_strategy: str = "auto"
    memory_policy: str = "default"


class Severity(StrEnum):
    OK = "ok"
    HINT = "hint"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: what is so, why it matters, and the command that mends it or None."""

    name: str
    severity: Severity
    what: str
    why: str = ""
    command: str | None = None
