"""Binding memory to a NUMA node: the kernel's own answer, and machines of every shape from a folder."""

import ctypes
import platform
from pathlib import Path

import pytest
import torch

from core.kv import host_memory, numa
from core.kv.host_memory import HostMemory
from core.kv.mapping import map_ordinary
from core.kv.numa import NearestNode, bind, free_bytes, gpu_node, nearest_node

MIB = 1 << 20
CPU = torch.device("cpu")
GET_MEMPOLICY = {"x86_64": 239, "aarch64": 236}.get(platform.machine())
MPOL_BIND = 2
MPOL_F_ADDR = 2


def policy_at(address: int) -> tuple[int, int]:
    """The kernel's policy for the memory at `address`, and the nodes it names as a bit mask."""
    mode, mask = ctypes.c_int(), (ctypes.c_ulong * 16)()
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(
        ctypes.c_long(GET_MEMPOLICY or 0),
        ctypes.byref(mode),
        mask,
        ctypes.c_long(1025),
        ctypes.c_long(address),
        ctypes.c_long(MPOL_F_ADDR),
    )
    assert result == 0, f"errno {ctypes.get_errno()}"
    return mode.value, mask[0]


@pytest.fixture
def _mbind_allowed() -> None:
    if GET_MEMPOLICY is None or not Path("/sys/devices/system/node/node0").exists():
        pytest.skip("no NUMA calls known for this system")
    memory = map_ordinary(MIB)
    try:
        bind(memory.address, MIB, 0)
    except OSError as error:
        pytest.skip(f"the kernel does not allow mbind: {error}")


def make_machine(folder: Path, nodes: str, gpus: dict[str, int]) -> Path:
    node_folder = folder / "devices/system/node"
    node_folder.mkdir(parents=True)
    (node_folder / "has_memory").write_text(f"{nodes}\n", encoding="ascii")
    for pci_id, node in gpus.items():
        place = folder / "bus/pci/devices" / pci_id
        place.mkdir(parents=True)
        (place / "numa_node").write_text(f"{node}\n", encoding="ascii")
    return folder


@pytest.mark.usefixtures("_mbind_allowed")
def test_the_kernel_knows_of_the_binding() -> None:
    memory = map_ordinary(4 * MIB)
    assert policy_at(memory.address)[0] != MPOL_BIND
    bind(memory.address, 4 * MIB, 0)
    assert policy_at(memory.address) == (MPOL_BIND, 1)
    memory.view[:3] = b"yes"
    assert bytes(memory.view[:3]) == b"yes"


@pytest.mark.usefixtures("_mbind_allowed")
def test_a_node_that_is_not_there_is_an_error() -> None:
    memory = map_ordinary(MIB)
    with pytest.raises(OSError, match="Invalid argument"):
        bind(memory.address, MIB, 700)


@pytest.mark.usefixtures("_mbind_allowed")
@pytest.mark.parametrize("strategy", ["mmap_anonymous", "madvise_hugepage"])
def test_the_cache_is_bound_to_the_nearest_node(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_memory, "nearest_node", lambda _: NearestNode(0))
    memory = HostMemory(strategy, "numactl_bind")
    region = memory.allocate(3 * MIB)
    assert policy_at(region.tensor.data_ptr()) == (MPOL_BIND, 1)
    assert policy_at(region.tensor.data_ptr() + 3 * MIB - 1) == (MPOL_BIND, 1)
    assert not [note for note in memory.notes if "NUMA" in note]


def test_a_single_node_needs_no_binding(tmp_path: Path) -> None:
    place = nearest_node(CPU, make_machine(tmp_path, "0", {}))
    assert place.node is None
    assert "a single memory node" in place.reason


@pytest.mark.skipif(GET_MEMPOLICY is None, reason="no NUMA calls known for this system")
def test_without_a_gpu_the_node_of_the_processor_counts(tmp_path: Path) -> None:
    place = nearest_node(CPU, make_machine(tmp_path, "0-1", {}))
    assert place.node is not None
    assert Path(f"/sys/devices/system/node/node{place.node}").exists()


def test_the_node_of_the_gpu_counts(tmp_path: Path) -> None:
    machine = make_machine(tmp_path, "0-1", {"0000:41:00.0": 1, "0000:01:00.0": -1})
    assert gpu_node("0000:41:00.0", machine) == NearestNode(1)
    for unknown in ("0000:01:00.0", "0000:99:00.0"):
        assert gpu_node(unknown, machine).node is None
        assert "does not say" in gpu_node(unknown, machine).reason


@pytest.mark.gpu
def test_the_pci_slot_of_a_real_gpu_exists() -> None:
    pci_id = numa._pci_id(torch.device("cuda", 0))
    assert Path("/sys/bus/pci/devices", pci_id).exists()


def test_other_systems_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert "on this system" in nearest_node(CPU).reason


def test_free_memory_of_a_node_counts_cached_files(tmp_path: Path) -> None:
    folder = tmp_path / "devices/system/node/node1"
    folder.mkdir(parents=True)
    lines = ["MemTotal: 9000 kB", "MemFree:  10 kB", "Active(anon): 500 kB", "Inactive(file):  5 kB"]
    (folder / "meminfo").write_text("".join(f"Node 1 {line}\n" for line in lines), encoding="ascii")
    assert free_bytes(1, tmp_path) == 15 << 10


def test_a_full_node_and_a_refusal_leave_the_cache_unbound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_memory, "nearest_node", lambda _: NearestNode(5))
    memory = HostMemory("mmap_anonymous", "numactl_bind")
    memory.allocate(MIB).tensor.fill_(1)
    assert "node 5 is full" in memory.notes[0]

    def refuse(*_: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(host_memory, "free_bytes", lambda _: 1 << 40)
    monkeypatch.setattr(host_memory, "bind", refuse)
    memory = HostMemory("mmap_anonymous", "numactl_bind")
    for _ in range(2):
        memory.allocate(MIB).tensor.fill_(1)
    assert memory.notes == (
        "The cache is not bound to one NUMA node: the system does not allow it (Operation not permitted).",
    )
