"""Findings from facts: what is said, how serious it is, and the command that mends it."""

from dataclasses import replace

import pytest

from core.planning.machine import Gpu, GpuProcess, PcieLink
from core.planning.system_check import check_system
from core.planning.system_facts import Finding, HugePages, Severity, SystemFacts, SystemNeeds
from core.planning.torch_build import TorchBuild

GIB = 1 << 30
GEN4 = PcieLink(4, 16)
GPU = Gpu("NVIDIA GeForce RTX 3060", 12 * GIB, 11 * GIB, GEN4, GEN4)
LINUX = SystemFacts(
    platform="linux",
    ram_total_bytes=32 * GIB,
    ram_available_bytes=29 * GIB,
    thp_mode="madvise",
    huge_pages=HugePages(2 << 20, 0, 0),
    memlock_bytes=-1,
    swap_total_bytes=8 * GIB,
    overcommit_mode=0,
    gpus=(GPU,),
    driver="570.1",
    driver_cuda="12.8",
    torch=TorchBuild("2.13.0", "12.8"),
    cache_folder="/home/user/.cache/lectern",
    disk_free_bytes=200 * GIB,
    disk_write_bytes_per_s=1e9,
    ocr_languages=("eng",),
)
WINDOWS = replace(
    LINUX,
    platform="win32",
    thp_mode=None,
    huge_pages=None,
    memlock_bytes=None,
    overcommit_mode=None,
    commit_room_bytes=60 * GIB,
    page_file_bytes=32 * GIB,
    is_wddm=True,
)
NEEDS = SystemNeeds(
    cold_bytes=20 * GIB,
    ram_bytes=22 * GIB,
    vram_bytes=10 * GIB,
    disk_bytes=20 * GIB,
    streamed_bytes_per_token=18_000_000_000,
)


def found(facts: SystemFacts, name: str, needs: SystemNeeds = NEEDS) -> Finding:
    (finding,) = [finding for finding in check_system(facts, needs) if finding.name == name]
    return finding


def test_a_machine_that_is_set_up_well_has_nothing_to_mend() -> None:
    findings = check_system(LINUX, NEEDS)
    assert {finding.severity for finding in findings} == {Severity.OK}
    assert not [finding for finding in findings if finding.command]


@pytest.mark.parametrize(
    ("available", "severity"),
    [(29, Severity.OK), (23, Severity.WARNING), (20, Severity.PROBLEM)],
)
def test_memory_keeps_headroom(available: int, severity: Severity) -> None:
    assert found(replace(LINUX, ram_available_bytes=available * GIB), "memory").severity is severity


def test_too_few_huge_pages_name_how_many_are_needed() -> None:
    finding = found(LINUX, "huge pages", replace(NEEDS, memory_strategy="hugetlb"))
    assert finding.severity is Severity.WARNING
    assert "10,240" in finding.what
    assert finding.command == "sudo sysctl -w vm.nr_hugepages=10240"
    partly_used = replace(LINUX, huge_pages=HugePages(2 << 20, 100, 40))
    mended = found(partly_used, "huge pages", replace(NEEDS, memory_strategy="hugetlb")).command
    assert mended == "sudo sysctl -w vm.nr_hugepages=10300", "pages in use by others come on top"


def test_huge_pages_that_nobody_uses_are_memory_lost() -> None:
    finding = found(replace(LINUX, huge_pages=HugePages(2 << 20, 1024, 1024)), "huge pages")
    assert finding.severity is Severity.HINT
    assert "2.0 GiB" in finding.why
    assert finding.command == "sudo sysctl -w vm.nr_hugepages=0"


@pytest.mark.parametrize(
    ("strategy", "severity"), [("madvise_hugepage", Severity.WARNING), ("auto", Severity.HINT)]
)
def test_transparent_huge_pages_that_are_off(strategy: str, severity: Severity) -> None:
    facts = replace(LINUX, thp_mode="never")
    finding = found(facts, "transparent huge pages", replace(NEEDS, memory_strategy=strategy))
    assert finding.severity is severity
    assert "5,242,880 pages" in finding.why
    assert finding.command is not None
    assert "transparent_hugepage/enabled" in finding.command


def test_other_programs_on_the_gpu_are_named() -> None:
    busy = replace(GPU, free_bytes=6 * GIB, processes=(GpuProcess(4711, "blender", 5 * GIB),))
    finding = found(replace(LINUX, gpus=(busy,)), "GPU memory")
    assert finding.severity is Severity.WARNING
    assert "blender (pid 4711) holds 5.0 GiB" in finding.why
    assert "missing for the plan" in finding.why


def test_a_program_whose_memory_the_driver_does_not_tell() -> None:
    busy = replace(GPU, free_bytes=6 * GIB, processes=(GpuProcess(1, "unknown program", None),))
    assert "holds some of it" in found(replace(LINUX, gpus=(busy,)), "GPU memory").why


@pytest.mark.parametrize(
    ("now", "severity", "words"),
    [
        (PcieLink(4, 4), Severity.WARNING, "2.86 s on the bus instead of 0.71 s"),
        (PcieLink(1, 16), Severity.HINT, "At rest"),
        (GEN4, Severity.OK, ""),
    ],
)
def test_the_link_of_the_gpu(now: PcieLink, severity: Severity, words: str) -> None:
    finding = found(replace(LINUX, gpus=(replace(GPU, pcie_now=now),)), "PCIe")
    assert finding.severity is severity
    assert words in finding.why


@pytest.mark.parametrize(
    ("changes", "severity", "words"),
    [
        ({"torch": TorchBuild("2.13.0+cpu", None)}, Severity.PROBLEM, "processors only"),
        ({"torch": TorchBuild("2.13.0", "13.0")}, Severity.PROBLEM, "needs 13.0"),
        ({"torch": None}, Severity.PROBLEM, "not installed"),
        ({"gpus": (), "gpu_error": "Driver Not Loaded"}, Severity.WARNING, "Driver Not Loaded"),
        ({"gpus": ()}, Severity.OK, "no NVIDIA GPU"),
        ({"driver_cuda": None}, Severity.OK, "CUDA 12.8"),
    ],
)
def test_driver_and_torch(changes: dict[str, object], severity: Severity, words: str) -> None:
    finding = found(replace(LINUX, **changes), "GPU driver")  # type: ignore[arg-type]
    assert finding.severity is severity
    assert words in finding.what


def test_strict_overcommit_without_room() -> None:
    facts = replace(LINUX, overcommit_mode=2, commit_room_bytes=GIB)
    finding = found(facts, "overcommit")
    assert finding.severity is Severity.PROBLEM
    assert finding.command == "sudo sysctl -w vm.overcommit_memory=0"
    assert found(replace(facts, commit_room_bytes=40 * GIB), "overcommit").severity is Severity.OK


def test_two_memory_nodes_are_bound_or_cost_time() -> None:
    facts = replace(LINUX, num_numa_nodes=2)
    finding = found(facts, "memory nodes")
    assert finding.severity is Severity.HINT
    assert "1.20 s instead of 0.72 s" in finding.why
    bound = replace(NEEDS, memory_policy="numactl_bind")
    assert found(facts, "memory nodes", bound).severity is Severity.OK


def test_swap() -> None:
    assert found(replace(LINUX, swap_used_bytes=2 * GIB), "swap").severity is Severity.WARNING
    assert found(replace(LINUX, swap_total_bytes=0), "swap").severity is Severity.HINT


def test_a_low_limit_on_locked_memory() -> None:
    finding = found(replace(LINUX, memlock_bytes=8 << 20), "locked memory")
    assert finding.severity is Severity.HINT
    assert "8.0 MiB" in finding.what


def test_disk() -> None:
    assert found(replace(LINUX, disk_free_bytes=GIB), "disk").severity is Severity.WARNING
    slow = found(replace(LINUX, disk_write_bytes_per_s=50e6), "disk speed")
    assert slow.severity is Severity.HINT
    assert "7 min" in slow.why


@pytest.mark.parametrize(
    ("platform", "command"),
    [("linux", "apt install"), ("win32", "winget"), ("darwin", "brew"), ("freebsd14", None)],
)
def test_missing_language_data(platform: str, command: str | None) -> None:
    finding = found(replace(LINUX, platform=platform, ocr_languages=()), "text recognition")
    assert finding.severity is Severity.HINT
    assert (command in (finding.command or "")) if command else finding.command is None


def test_windows_speaks_of_windows_only() -> None:
    names = {finding.name for finding in check_system(WINDOWS, NEEDS)}
    assert names >= {"page file", "kind of memory", "pinned memory"}
    assert names.isdisjoint({"overcommit", "huge pages", "transparent huge pages", "locked memory"})
    assert not any("sudo" in (finding.command or "") for finding in check_system(WINDOWS, NEEDS))


def test_a_page_file_that_is_too_small() -> None:
    finding = found(replace(WINDOWS, page_file_bytes=2 * GIB, commit_room_bytes=10 * GIB), "page file")
    assert finding.severity is Severity.PROBLEM
    assert "12.0 GiB more" in finding.why


def test_pinned_memory_under_a_desktop_driver() -> None:
    assert found(WINDOWS, "pinned memory").severity is Severity.HINT
    asked = replace(NEEDS, memory_strategy="pinned")
    assert found(WINDOWS, "pinned memory", asked).severity is Severity.WARNING
    assert found(replace(WINDOWS, is_wddm=False), "pinned memory").severity is Severity.OK
    assert found(replace(LINUX, is_wsl=True), "pinned memory").severity is Severity.HINT


def test_kinds_of_memory_that_windows_does_not_have() -> None:
    asked = replace(NEEDS, memory_strategy="madvise_hugepage")
    assert found(WINDOWS, "kind of memory", asked).severity is Severity.HINT


def test_every_finding_that_is_not_ok_says_why() -> None:
    bad = replace(
        LINUX, ram_available_bytes=GIB, thp_mode="never", swap_total_bytes=0, memlock_bytes=1,
        num_numa_nodes=2, overcommit_mode=2, commit_room_bytes=0, gpu_error="x", disk_free_bytes=0,
        disk_write_bytes_per_s=1.0, ocr_languages=(),
        gpus=(replace(GPU, pcie_now=PcieLink(3, 8), free_bytes=0),),
    )  # fmt: skip
    for facts in (bad, replace(bad, platform="win32", page_file_bytes=0, is_wddm=True)):
        findings = [f for f in check_system(facts, NEEDS) if f.severity is not Severity.OK]
        assert len(findings) > 6
        assert all(finding.why.endswith(".") and finding.what.endswith(".") for finding in findings)
