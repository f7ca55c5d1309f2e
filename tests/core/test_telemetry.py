"""Samples of the machine, with and without a GPU driver, also one that comes and goes."""

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

    def __getattr__(self, name: str) -> Any:
        def call(*_: object) -> object:
            if name in self.failing:
                raise self.NVMLError(name)
            return {
                "nvmlDeviceGetCount": self.num_devices,
                "nvmlDeviceGetMemoryInfo": SimpleNamespace(used=3 << 30, total=12 << 30),
                "nvmlDeviceGetName": b"RTX 3060",
            }.get(name)

        return call

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


def test_no_driver_library_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert Sampler().read().gpu is None
