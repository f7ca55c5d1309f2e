"""The model that is proposed runs, is quick enough, has room on the disk, and asks nobody first."""

from dataclasses import replace

import pytest

from core.catalogue.bundled import catalogue
from core.planning.catalogue import CataloguePlan, plan_entry
from core.planning.machine import Gpu, Machine, PcieLink
from core.planning.profiles import Profile, load_profile
from core.planning.recommend import recommended

GIB = 1 << 30
LINK = PcieLink(4, 16)


def machine(ram_gib: int, gpu: str | None = None, vram_gib: int = 0) -> Machine:
    gpus = (Gpu(gpu, vram_gib * GIB, (vram_gib - 1) * GIB, pcie_now=LINK, pcie_max=LINK),) if gpu else ()
    return Machine("m", ram_gib * GIB, (ram_gib - 2) * GIB, num_cores=4, gpus=gpus)


def plans(where: Machine, profile: Profile) -> list[CataloguePlan]:
    return [plan_entry(entry, where, profile) for entry in catalogue()]


def name(where: Machine, profile: str = "auto", disk_free: int | None = None) -> str | None:
    chosen = load_profile(profile)
    found = recommended(plans(where, chosen), chosen, disk_free)
    return found.entry.name if found is not None else None


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (machine(4), None),
        (machine(8), "lfm2-1.2b"),
        (machine(32), "lfm2-1.2b"),
        (machine(32, "NVIDIA GeForce RTX 3060", 12), "qwen3-4b-instruct-2507"),
        (machine(128, "NVIDIA GeForce RTX 4090", 24), "qwen3.5-9b"),
    ],
)
def test_the_largest_quick_model_is_proposed(where: Machine, expected: str | None) -> None:
    assert name(where) == expected


def test_the_profiles_own_model_goes_first() -> None:
    large = machine(128, "NVIDIA GeForce RTX 4090", 24)
    assert name(large, "rtx3060-12g") == "qwen3-4b-instruct-2507"


def test_a_model_without_room_on_the_disk_is_not_proposed() -> None:
    gpu = machine(32, "NVIDIA GeForce RTX 3060", 12)
    assert name(gpu, disk_free=3 * GIB) == "lfm2-1.2b"
    assert name(gpu, disk_free=GIB) is None


def test_a_model_whose_publisher_wants_to_be_asked_is_not_proposed() -> None:
    profile = load_profile("auto")
    found = plans(machine(128, "NVIDIA GeForce RTX 4090", 24), profile)
    best = recommended(found, profile, None)
    assert best is not None
    gated = [
        replace(planned, entry=replace(planned.entry, is_gated=True)) if planned is best else planned
        for planned in found
    ]
    other = recommended(gated, profile, None)
    assert other is not None
    assert other.entry.name != best.entry.name
    assert {entry.name for entry in catalogue() if entry.is_gated} == {"gemma-3-4b", "llama-3.1-8b"}
