"""The machine that the pictures show, so that they are the same wherever they are taken."""

from core.planning.machine import Gpu, Machine, PcieLink
from core.planning.system_facts import HugePages, SystemFacts
from core.planning.torch_build import TorchBuild

_GIB = 1 << 30


def example_machine() -> Machine:
    """One that shows what there is to see: a small GPU and a model that is almost too large."""
    link = PcieLink(4, 16)
    gpu = Gpu("NVIDIA GeForce RTX 3060", 12 * _GIB, 11 * _GIB, pcie_now=link, pcie_max=link)
    return Machine("this machine", 32 * _GIB, 27 * _GIB, num_cores=6, disk_free_bytes=200 * _GIB, gpus=(gpu,))


def example_system(measures_disk: bool) -> SystemFacts:
    machine = example_machine()
    return SystemFacts(
        platform="linux",
        ram_total_bytes=machine.ram_total_bytes,
        ram_available_bytes=machine.ram_available_bytes,
        thp_mode="madvise",
        huge_pages=HugePages(2 << 20, 0, 0),
        memlock_bytes=8 << 20,
        swap_total_bytes=8 * _GIB,
        overcommit_mode=0,
        gpus=machine.gpus,
        driver="570.86",
        driver_cuda="12.8",
        torch=TorchBuild("2.13.0+cu128", "12.8"),
        cache_folder="/home/reader/.cache/lectern",
        disk_free_bytes=machine.disk_free_bytes,
        disk_write_bytes_per_s=1.4e9 if measures_disk else None,
    )
