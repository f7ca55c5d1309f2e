"""What this program holds itself counts as free for its next plan."""

from pathlib import Path

import psutil

from core.planning.machine import Gpu, Machine
from core.planning.own_memory import own_ram_bytes, without_own
from core.telemetry import GpuMemory

GIB = 1 << 30


def test_pages_of_files_are_not_our_own(tmp_path: Path) -> None:
    status = tmp_path / "status"
    status.write_text(
        "VmRSS:\t 900 kB\nRssAnon:\t     500 kB\nRssFile:\t     300 kB\nRssShmem:\t     100 kB\n",
        encoding="ascii",
    )
    assert own_ram_bytes(status) == 600 << 10


def test_without_the_kernels_figures_all_that_is_resident_counts(tmp_path: Path) -> None:
    resident = psutil.Process().memory_info().rss
    assert abs(own_ram_bytes(tmp_path / "nothing") - resident) < resident // 2


def test_a_loaded_model_does_not_stand_in_its_own_way() -> None:
    machine = Machine(
        "m", 32 * GIB, 10 * GIB, gpus=(Gpu("A", 12 * GIB, 2 * GIB), Gpu("A", 12 * GIB, 3 * GIB))
    )
    seen = (
        GpuMemory("B", 9 * GIB, 12 * GIB, 5 * GIB),
        GpuMemory("A", 10 * GIB, 12 * GIB, 8 * GIB),
        GpuMemory("A", 9 * GIB, 12 * GIB),
    )
    free = without_own(machine, 16 * GIB, seen)
    assert free.ram_available_bytes == 26 * GIB
    assert [gpu.free_bytes for gpu in free.gpus] == [10 * GIB, 3 * GIB]


def test_no_more_is_free_than_there_is() -> None:
    machine = Machine("m", 32 * GIB, 30 * GIB, gpus=(Gpu("A", 12 * GIB, 11 * GIB),))
    free = without_own(machine, 16 * GIB, [GpuMemory("A", 3 * GIB, 12 * GIB, 3 * GIB)])
    assert free.ram_available_bytes == 32 * GIB
    assert free.gpus[0].free_bytes == 12 * GIB
    assert without_own(machine, 0) == machine
