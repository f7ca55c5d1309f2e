"""Memory on the NUMA node nearest to the GPU, through the kernel's own calls."""

import ctypes
import os
import platform
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

_SYSTEM = Path("/sys")
_MPOL_BIND = 2
_SYSCALL_NUMBERS = {"x86_64": {"mbind": 237, "getcpu": 309}, "aarch64": {"mbind": 235, "getcpu": 168}}
_MASK_BITS = 1024
_RECLAIMABLE = ("MemFree", r"Active\(file\)", r"Inactive\(file\)")


@dataclass(frozen=True)
class NearestNode:
    """The node to bind memory to, or None and, in words for the user, why there is none."""

    node: int | None
    reason: str = ""


def nearest_node(device: torch.device, system: Path = _SYSTEM) -> NearestNode:
    """The node of the GPU that computes; without a GPU, that of the processor core we are on."""
    if sys.platform != "linux" or platform.machine() not in _SYSCALL_NUMBERS:
        return NearestNode(None, "memory cannot be bound to a NUMA node on this system")
    if len(_numbers(system / "devices/system/node/has_memory")) < 2:
        return NearestNode(None, "this machine has a single memory node, so there is nothing to bind")
    if device.type != "cuda":
        return NearestNode(_current_node())
    return gpu_node(_pci_id(device), system)


def gpu_node(pci_id: str, system: Path = _SYSTEM) -> NearestNode:
    """The node of the device in a PCI slot such as `0000:01:00.0`."""
    try:
        node = int((system / "bus/pci/devices" / pci_id / "numa_node").read_text(encoding="ascii"))
    except (OSError, ValueError):
        node = -1
    if node < 0:
        return NearestNode(None, "the system does not say which memory node the GPU is near")
    return NearestNode(node)


def bind(address: int, num_bytes: int, node: int) -> None:
    """Let untouched memory at a page's `address` come from `node` only. Raises `OSError`."""
    word_bits = 8 * ctypes.sizeof(ctypes.c_ulong)
    mask = (ctypes.c_ulong * (_MASK_BITS // word_bits))()
    mask[node // word_bits] = 1 << (node % word_bits)
    _syscall("mbind", address, num_bytes, _MPOL_BIND, ctypes.addressof(mask), _MASK_BITS + 1, 0)


def free_bytes(node: int, system: Path = _SYSTEM) -> int:
    """What the node can give without swapping: free memory and cached files. Raises `OSError`."""
    text = (system / f"devices/system/node/node{node}/meminfo").read_text(encoding="ascii")
    found = re.findall(rf"\b(?:{'|'.join(_RECLAIMABLE)}):\s+(\d+) kB", text)
    return sum(map(int, found)) << 10


def _current_node() -> int:
    cpu, node = ctypes.c_uint(), ctypes.c_uint()
    _syscall("getcpu", ctypes.addressof(cpu), ctypes.addressof(node), 0)
    return node.value


def _pci_id(device: torch.device) -> str:
    properties: Any = torch.cuda.get_device_properties(device)  # torch's types leave the PCI slot out
    return f"{properties.pci_domain_id:04x}:{properties.pci_bus_id:02x}:{properties.pci_device_id:02x}.0"


def _numbers(path: Path) -> list[int]:
    """The numbers in a kernel list such as `0-1,4`; none if there is no such file."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError:
        return []
    numbers: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def _syscall(name: str, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    number = _SYSCALL_NUMBERS[platform.machine()][name]
    if libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
