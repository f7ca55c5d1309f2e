"""Samples of the machine, with and without a GPU driver, also one that comes and goes."""

import os
import sys
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from core.telemetry import GpuMemory, Sampler


class FakeNvml:
    """The part of NVML that is used; `failing` names the calls that raise."""

    class NVMLError(Exception):
        pass

    def __init__(self) -> None:
        self.failing: set[str] = set()
        self.num_shut_down = 0
        self.num_devices = 1

        self.error: type[Exception] = self.NVMLError
        self.broken_devices: set[int] = set()
        self.processes: object = None
        self.num_parts = 0

    def __getattr__(self, name: str) -> Any:
        def call(*_: object) -> object:
            if name in self.failing:
                raise self.error(name)
            return {
                "nvmlDeviceGetCount": self.num_devices,
                "nvmlDeviceGetMemoryInfo": SimpleNamespace(used=3 << 30, total=12 << 30),
                "nvmlDeviceGetName": b"RTX 3060",
            }.get(name)

        return call

    def nvmlDeviceGetHandleByIndex(self, index: int) -> str:  # noqa: N802 - NVML's own name
        if index in self.broken_devices:
            raise self.error("lost")
        return f"device {index}"

    def nvmlDeviceGetComputeRunningProcesses(self, handle: str) -> object:  # noqa: N802 - the same
        if "nvmlDeviceGetComputeRunningProcesses" in self.failing:
            raise self.error(handle)
        return self.processes

    def nvmlDeviceGetMigMode(self, handle: str) -> list[int]:  # noqa: N802 - the same
        return [int(self.num_parts > 0), 0]

    def nvmlDeviceGetMaxMigDeviceCount(self, handle: str) -> int:  # noqa: N802 - the same
        return 7

    def nvmlDeviceGetMigDeviceHandleByIndex(self, handle: str, index: int) -> str:  # noqa: N802 - the same
        if index != self.num_parts:
            raise self.error("no such part")
        return f"part {index}"

    def nvmlShutdown(self) -> None:  # noqa: N802 - NVML's own name
        self.num_shut_down += 1


@pytest.fixture
def nvml(monkeypatch: pytest.MonkeyPatch) -> FakeNvml:
    fake = FakeNvml()
    monkeypatch.setitem(sys.modules, "pynvml", fake)
    return fake


def test_host_memory_is_what_psutil_says(nvml: FakeNvml) -> None:
    nvml.failing = {"nvmlInit"}
    sample = Sampler().read()
    assert sample.gpu is None
    assert sample.ram_total_bytes == psutil.virtual_memory().total
    assert 0 < sample.ram_used_bytes < sample.ram_total_bytes
    assert sample.process_bytes > 1 << 20


def test_a_gpu_is_named_with_its_memory(nvml: FakeNvml) -> None:
    sampler = Sampler()
    assert sampler.read().gpu == GpuMemory("RTX 3060", 3 << 30, 12 << 30)
    sampler.close()
    sampler.close()
    assert nvml.num_shut_down == 1


def test_a_driver_without_devices_is_no_gpu(nvml: FakeNvml) -> None:
    nvml.num_devices = 0
    assert Sampler().read().gpu is None


@pytest.mark.parametrize("call", ["nvmlDeviceGetCount", "nvmlDeviceGetMemoryInfo", "nvmlDeviceGetName"])
def test_a_driver_that_fails_later_is_let_go_and_tried_again(nvml: FakeNvml, call: str) -> None:
    sampler = Sampler()
    assert sampler.read().gpu is not None
    nvml.failing = {call}
    assert sampler.read().gpu is None
    assert nvml.num_shut_down == 1
    nvml.failing = set()
    samples = [sampler.read() for _ in range(30)]
    assert samples[0].gpu is None, "a broken driver is not asked twice a second"
    assert samples[-1].gpu is not None


@pytest.mark.parametrize("error", [OSError, AttributeError, ValueError])
@pytest.mark.parametrize("call", ["nvmlInit", "nvmlDeviceGetCount", "nvmlDeviceGetMemoryInfo"])
def test_a_driver_that_is_broken_is_no_gpu(nvml: FakeNvml, call: str, error: type[Exception]) -> None:
    nvml.failing, nvml.error = {call}, error
    sampler = Sampler()
    assert sampler.read().gpus == ()
    assert sampler.read().gpus == ()


def test_a_gpu_that_is_lost_does_not_hide_the_others(nvml: FakeNvml) -> None:
    nvml.num_devices, nvml.broken_devices = 3, {1}
    sampler = Sampler()
    assert len(sampler.read().gpus) == 2
    assert nvml.num_shut_down == 0


@pytest.mark.parametrize(
    ("processes", "own", "others"),
    [
        (None, None, 3 << 30),
        ([], 0, 3 << 30),
        ([SimpleNamespace(pid=os.getpid(), usedGpuMemory=1 << 30)], 1 << 30, 2 << 30),
        ([SimpleNamespace(pid=os.getpid() + 1, usedGpuMemory=1 << 30)], 0, 3 << 30),
        ([SimpleNamespace(pid=os.getpid(), usedGpuMemory=None)], None, 3 << 30),
        ([SimpleNamespace(pid=os.getpid(), usedGpuMemory=(1 << 64) - 1)], None, 3 << 30),
        ([SimpleNamespace(pid=os.getpid(), usedGpuMemory=9 << 30)], 3 << 30, 0),
    ],
)
def test_our_own_share_is_told_apart(nvml: FakeNvml, processes: object, own: int | None, others: int) -> None:
    nvml.processes = processes
    gpu = Sampler().read().gpu
    assert gpu is not None
    assert (gpu.own_bytes, gpu.others_bytes, gpu.free_bytes) == (own, others, 9 << 30)


def test_a_driver_that_does_not_tell_processes_still_tells_memory(nvml: FakeNvml) -> None:
    nvml.failing = {"nvmlDeviceGetComputeRunningProcesses"}
    assert Sampler().read().gpu == GpuMemory("RTX 3060", 3 << 30, 12 << 30)


def test_of_a_gpu_that_is_split_the_first_part_is_told(nvml: FakeNvml) -> None:
    asked: list[object] = []
    nvml.num_parts = 2

    def memory(handle: object) -> SimpleNamespace:
        asked.append(handle)
        return SimpleNamespace(used=1 << 30, total=5 << 30)

    nvml.nvmlDeviceGetMemoryInfo = memory  # type: ignore[method-assign]
    gpu = Sampler().read().gpu
    assert gpu is not None
    assert gpu.total_bytes == 5 << 30
    assert asked == ["part 2"]


def test_no_driver_library_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert Sampler().read().gpu is None
