"""Host memory: each kind for real, what stands in for it where the machine has none, and giving it back."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import torch

from core.errors import DoesNotFitError
from core.kv import host_memory, mapping
from core.kv.host_facts import HugePagePool, probe_host
from core.kv.host_memory import HostMemory
from core.kv.mapping import map_ordinary
from core.settings import CPU_MEMORY_STRATEGIES

MIB = 1 << 20
CPU = torch.device("cpu")

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads what the Linux kernel says of memory")
needs_thp = pytest.mark.skipif(
    probe_host(CPU).ordinary_kind != "madvise_hugepage", reason="no transparent huge pages on this machine"
)


def kernel_view(address: int) -> str:
    """What /proc/self/smaps says of the mapping around `address`."""
    text = Path("/proc/self/smaps").read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=[0-9a-f]+-[0-9a-f]+ )", text):
        first, last = (int(part, 16) for part in entry.split(" ", 1)[0].split("-"))
        if first <= address < last:
            return entry
    raise AssertionError("the address is mapped")


def kernel_flags(address: int) -> list[str]:
    flags = re.search(r"^VmFlags: (.*)$", kernel_view(address), re.MULTILINE)
    assert flags is not None
    return flags[1].split()


def rss_bytes() -> int:
    return int(psutil.Process().memory_info().rss)


@needs_linux
def test_reserved_huge_pages_are_used_and_given_back(huge_pages: Callable[[], int]) -> None:
    num_free, memory = huge_pages(), HostMemory("hugetlb")
    region = memory.allocate(3 * MIB)
    assert (region.kind, region.num_bytes, memory.notes) == ("hugetlb", 3 * MIB, ())
    assert "KernelPageSize:     2048 kB" in kernel_view(region.tensor.data_ptr())
    assert huge_pages() == num_free - 2
    region.tensor.fill_(7)
    assert bool((region.tensor == 7).all())
    region.free()
    assert huge_pages() == num_free


@needs_linux
def test_a_pool_that_runs_short_is_said_with_its_numbers(huge_pages: Callable[[], int]) -> None:
    num_free, memory = huge_pages(), HostMemory("hugetlb")
    first = memory.allocate((num_free - 1) * 2 * MIB)
    second, third = memory.allocate(4 * MIB), memory.allocate(4 * MIB)
    assert first.kind == "hugetlb"
    assert second.kind == third.kind == probe_host(CPU).ordinary_kind
    (note,) = memory.notes
    assert "1 were left when 2 were needed" in note
    second.tensor.fill_(1)
    for region in (first, second, third):
        region.free()
    assert huge_pages() == num_free


@needs_linux
def test_pages_that_cannot_be_had_end_in_ordinary_memory(
    huge_pages: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_mapping: mapping.Mapping) -> None:
        raise OSError(14, "Bad address")

    monkeypatch.setattr(mapping, "populate", refuse)
    num_free, memory = huge_pages(), HostMemory("hugetlb")
    region = memory.allocate(2 * MIB)
    assert region.kind != "hugetlb"
    assert "Bad address" in memory.notes[0]
    assert huge_pages() == num_free, "the refused mapping is gone"
    region.free()


@needs_thp
def test_an_empty_pool_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_memory, "huge_page_pool", lambda: HugePagePool(2 * MIB, 0, 0))
    memory = HostMemory("hugetlb")
    regions = [memory.allocate(2 * MIB) for _ in range(2)]
    assert {region.kind for region in regions} == {"madvise_hugepage"}
    assert memory.notes == (
        (
            "Huge pages were asked for and none are reserved (vm.nr_hugepages is 0): the cache uses ordinary "
            "memory with transparent huge pages."
        ),
    )


@needs_linux
@needs_thp
def test_transparent_huge_pages_are_asked_for() -> None:
    memory = HostMemory("madvise_hugepage")
    region = memory.allocate(5 * MIB)
    assert (region.kind, memory.notes) == ("madvise_hugepage", ())
    address = region.tensor.data_ptr()
    assert address % (2 * MIB) == 0
    region.tensor.fill_(1)
    assert "hg" in kernel_flags(address)
    region.free()


@needs_linux
@needs_thp
def test_a_kernel_that_refuses_huge_pages_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_mapping: mapping.Mapping) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(mapping, "advise_huge", refuse)
    memory = HostMemory("madvise_hugepage")
    assert memory.allocate(MIB).kind == "mmap_anonymous"
    assert "Invalid argument" in memory.notes[0]


@needs_linux
def test_plain_memory_asks_for_nothing() -> None:
    region = HostMemory("mmap_anonymous").allocate(MIB)
    assert region.kind == "mmap_anonymous"
    flags = kernel_flags(region.tensor.data_ptr())
    assert "hg" not in flags
    assert "sh" not in flags, "memory is private"


def test_pinning_without_a_gpu_is_said() -> None:
    memory = HostMemory("pinned", device=CPU)
    region = memory.allocate(MIB)
    assert not region.is_pinned
    assert "the model runs on no CUDA GPU" in memory.notes[0]


@pytest.mark.gpu
def test_pinned_memory_is_pinned_and_can_be_had_again() -> None:
    device = torch.device("cuda", 0)
    memory = HostMemory("pinned", device=device)
    for value in (1, 2):
        region = memory.allocate(6 * MIB)
        assert (region.is_pinned, memory.notes) == (True, ())
        assert region.tensor.is_pinned()
        region.tensor.fill_(value)
        copy = region.tensor.to(device, non_blocking=True)
        region.free()
        assert bool((copy == value).all()), "what is in flight arrives before its memory goes"


@pytest.mark.gpu
def test_a_refused_pin_harms_nobody() -> None:
    memory = map_ordinary(2 * MIB)
    mapping.pin(memory)
    with pytest.raises(OSError, match="CUDA error"):
        mapping.pin(memory)
    assert int(torch.ones(3, device="cuda").sum()) == 3, "the next kernel does not report it"
    torch.cuda.cudart().cudaHostUnregister(memory.address)


def test_memory_is_unpinned_when_nothing_looks_at_it_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, int]] = []

    def succeed(what: str, address: int) -> int:
        calls.append((what, address))
        return 0

    runtime = SimpleNamespace(
        cudaHostRegister=lambda address, *_: succeed("pin", address),
        cudaHostUnregister=lambda address: succeed("unpin", address),
    )
    monkeypatch.setattr(torch.cuda, "cudart", lambda: runtime)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: calls.append(("wait", 0)))
    region = HostMemory("pinned", facts=replace(probe_host(CPU), has_cuda=True)).allocate(MIB)
    address = region.tensor.data_ptr()
    assert (region.is_pinned, calls) == (True, [("pin", address)])
    view = region.tensor[:10]
    region.free()
    assert len(calls) == 1, "the view may still be read by the GPU"
    del view
    assert calls == [("pin", address), ("wait", 0), ("unpin", address)]


def test_a_failed_pin_is_said_and_the_memory_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_mapping: mapping.Mapping) -> None:
        raise OSError("CUDA error 2")

    monkeypatch.setattr(mapping, "pin", refuse)
    memory = HostMemory("pinned", facts=replace(probe_host(CPU), has_cuda=True))
    region = memory.allocate(MIB)
    region.tensor.fill_(3)
    assert not region.is_pinned
    assert "could not be pinned for the GPU (CUDA error 2)" in memory.notes[0]


@pytest.mark.parametrize("strategy", CPU_MEMORY_STRATEGIES)
def test_a_petabyte_is_refused_before_it_is_tried(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapping, "map_ordinary", lambda *_: pytest.fail("it was tried"))
    monkeypatch.setattr(mapping, "map_reserved_huge", lambda *_: pytest.fail("it was tried"))
    with pytest.raises(DoesNotFitError, match=r"1024\.0 TiB"):
        HostMemory(strategy).allocate(1 << 50)


def test_a_system_that_refuses_memory_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_memory, "require_host_memory", lambda *_: None)
    with pytest.raises(DoesNotFitError, match=r"refused 1024\.0 TiB .*Cannot allocate memory"):
        HostMemory("mmap_anonymous").allocate(1 << 50)


@pytest.mark.parametrize("strategy", ["madvise_hugepage", "mmap_anonymous", "pinned"])
def test_freed_memory_is_back_at_once(strategy: str) -> None:
    memory = HostMemory(strategy)
    memory.allocate(MIB).free()
    before = rss_bytes()
    region = memory.allocate(256 * MIB)
    region.tensor.fill_(1)
    assert rss_bytes() - before > 250 * MIB
    region.free()
    assert rss_bytes() - before < 4 * MIB
    region.free()
    assert region.is_freed


def test_use_after_free_is_caught_and_a_late_view_is_safe() -> None:
    region = HostMemory().allocate(64 * MIB)
    region.tensor.fill_(9)
    view = region.tensor[5:8]
    before = rss_bytes()
    region.free()
    with pytest.raises(AssertionError, match="after it was freed"):
        _ = region.tensor
    assert view.tolist() == [9, 9, 9]
    del view
    assert before - rss_bytes() > 60 * MIB


def test_memory_made_in_inference_mode_is_writable_outside() -> None:
    with torch.inference_mode():
        region = HostMemory().allocate(MIB)
        region.tensor[:10] = 1
    assert not region.tensor.is_inference()
    region.tensor[10:20] = 2
    assert int(region.tensor[:20].sum()) == 30


def test_the_program_ends_cleanly_while_tensors_live() -> None:
    script = (
        "from core.kv.host_memory import HostMemory\n"
        f"regions = [HostMemory(name).allocate(1 << 21) for name in {CPU_MEMORY_STRATEGIES}]\n"
        "views = [region.tensor.fill_(1)[3:] for region in regions]\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
