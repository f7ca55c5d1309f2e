"""Probes with drivers that are missing, broken or split, and with systems that say little."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.planning import system_probe
from core.planning.gpu_probe import GpuReport, probe_gpus
from core.planning.machine import Gpu, Machine, PcieLink, SpeedFigures
from core.planning.machine_probe import disk_free_bytes, probe_machine
from core.planning.system_probe import probe_system
from core.planning.torch_build import TorchBuild, read_torch_build, torch_build

GIB = 1 << 30


class NvmlError(Exception):
    pass


NotFound = type("NVMLError_LibraryNotFound", (Exception,), {})


class FakeNvml:
    """Two GPUs; `broken` names the calls that fail, `mig` the index of a GPU that is split in parts."""

    def __init__(
        self, *, broken: tuple[str, ...] = (), mig: int | None = None, fails_with: Any = NvmlError
    ) -> None:
        self._broken = broken
        self._mig = mig
        self._fails_with = fails_with
        self.is_shut_down = False

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("nvml"):
            raise AttributeError(name)
        answer = getattr(FakeNvml, f"_{name}")

        def call(*arguments: Any) -> Any:
            if name in self._broken:
                raise self._fails_with("not supported")
            return answer(self, *arguments)

        return call

    def _nvmlInit(self) -> None:  # noqa: N802 - NVML's own names
        pass

    def _nvmlShutdown(self) -> None:  # noqa: N802
        self.is_shut_down = True

    def _nvmlSystemGetDriverVersion(self) -> bytes:  # noqa: N802
        return b"570.1"

    def _nvmlSystemGetCudaDriverVersion_v2(self) -> int:  # noqa: N802
        return 12080

    def _nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return 2

    def _nvmlDeviceGetHandleByIndex(self, index: int) -> Any:  # noqa: N802
        return ("gpu", index)

    def _nvmlDeviceGetMemoryInfo(self, handle: Any) -> Any:  # noqa: N802
        if handle == ("gpu", self._mig):
            raise NvmlError("no permission")
        size = 10 if handle[0] == "part" else 24
        return SimpleNamespace(total=size * GIB, free=(size - 1) * GIB, used=GIB)

    def _nvmlDeviceGetName(self, handle: Any) -> str:  # noqa: N802
        return "A100 MIG 1g.10gb" if handle[0] == "part" else f"GPU {handle[1]}"

    def _nvmlDeviceGetUUID(self, handle: Any) -> bytes:  # noqa: N802
        return b"MIG-abc" if handle[0] == "part" else f"GPU-{handle[1]}a".encode()

    def _nvmlDeviceGetMigMode(self, handle: Any) -> list[int]:  # noqa: N802
        return [1, 1] if handle == ("gpu", self._mig) else [0, 0]

    def _nvmlDeviceGetMaxMigDeviceCount(self, _handle: Any) -> int:  # noqa: N802
        return 7

    def _nvmlDeviceGetMigDeviceHandleByIndex(self, _handle: Any, index: int) -> Any:  # noqa: N802
        if index < 2:
            raise NvmlError("not found")
        return ("part", index)

    def _nvmlDeviceGetCurrPcieLinkGeneration(self, _handle: Any) -> int:  # noqa: N802
        return 1

    def _nvmlDeviceGetCurrPcieLinkWidth(self, _handle: Any) -> int:  # noqa: N802
        return 16

    def _nvmlDeviceGetMaxPcieLinkGeneration(self, _handle: Any) -> int:  # noqa: N802
        return 4

    def _nvmlDeviceGetMaxPcieLinkWidth(self, _handle: Any) -> int:  # noqa: N802
        return 16

    def _nvmlDeviceGetPciInfo(self, _handle: Any) -> Any:  # noqa: N802
        return SimpleNamespace(busId=b"00000000:2A:00.0")

    def _nvmlDeviceGetComputeRunningProcesses(self, _handle: Any) -> list[Any]:  # noqa: N802
        return [
            SimpleNamespace(pid=os.getpid(), usedGpuMemory=GIB),
            SimpleNamespace(pid=os.getppid(), usedGpuMemory=2 * GIB),
            SimpleNamespace(pid=2**22 + 1, usedGpuMemory=None),
        ]

    def _nvmlDeviceGetGraphicsRunningProcesses(self, _handle: Any) -> list[Any]:  # noqa: N802
        return [SimpleNamespace(pid=os.getppid(), usedGpuMemory=(1 << 64) - 1)]


VITAL = {"nvmlInit", "nvmlDeviceGetCount"}


def test_a_working_driver() -> None:
    nvml = FakeNvml()
    report = probe_gpus(nvml, visible=None)
    assert (report.driver, report.cuda, report.error) == ("570.1", "12.8", None)
    first = report.gpus[0]
    assert (first.name, first.total_bytes, first.free_bytes) == ("GPU 0", 24 * GIB, 23 * GIB)
    assert (first.pcie_now, first.pcie_max) == (PcieLink(1, 16), PcieLink(4, 16))
    assert first.pci_id == "0000:2a:00.0"
    held = [process.used_bytes for process in first.processes]
    assert held == [2 * GIB, None], "we are not another program"
    assert nvml.is_shut_down


@pytest.mark.parametrize(
    "call", sorted({name[1:] for name in vars(FakeNvml) if name.startswith("_nvml")} - VITAL)
)
def test_any_single_question_may_fail(call: str) -> None:
    report = probe_gpus(FakeNvml(broken=(call,)), visible=None)
    lacks_gpus = call in ("nvmlDeviceGetHandleByIndex", "nvmlDeviceGetMemoryInfo")
    assert len(report.gpus) == (0 if lacks_gpus else 2)
    assert report.error is None


@pytest.mark.parametrize("call", sorted(VITAL))
def test_a_broken_driver_says_so(call: str) -> None:
    assert probe_gpus(FakeNvml(broken=(call,))) == GpuReport(error="not supported")


def test_no_driver_is_no_error() -> None:
    assert probe_gpus(FakeNvml(broken=("nvmlInit",), fails_with=NotFound)) == GpuReport()


def test_of_a_split_gpu_the_first_part_counts() -> None:
    report = probe_gpus(FakeNvml(mig=1), visible=None)
    assert [(gpu.name, gpu.free_bytes) for gpu in report.gpus] == [
        ("GPU 0", 23 * GIB),
        ("A100 MIG 1g.10gb", 9 * GIB),
    ]


@pytest.mark.parametrize(
    ("visible", "names"),
    [
        ("1", ["GPU 1"]),
        ("1,0", ["GPU 1", "GPU 0"]),
        ("", []),
        ("-1", []),
        ("0,9,1", ["GPU 0"]),
        ("GPU-1", ["GPU 1"]),
    ],
)
def test_hidden_gpus_are_left_out(visible: str, names: list[str]) -> None:
    assert [gpu.name for gpu in probe_gpus(FakeNvml(), visible=visible).gpus] == names


def test_the_probe_of_this_machine(tmp_path: Path) -> None:
    machine = probe_machine(tmp_path / "not" / "there" / "yet")
    assert 0 < machine.ram_available_bytes <= machine.ram_total_bytes
    assert machine.disk_free_bytes is not None
    assert machine.usable_ram_bytes < machine.ram_available_bytes


def test_gpus_count_only_if_torch_can_use_them(tmp_path: Path) -> None:
    report = GpuReport((Gpu("x", GIB, GIB),), "570.1", "12.8")
    assert probe_machine(tmp_path, report, TorchBuild("2.13.0+cpu", None)).gpus == ()
    assert probe_machine(tmp_path, report, TorchBuild("2.13.0", "12.8")).gpus == report.gpus


def test_disk_space_of_a_place_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert disk_free_bytes(tmp_path) is not None
    assert disk_free_bytes(tmp_path / "file" / "below") is None


def test_the_installed_torch_is_known_without_importing_it() -> None:
    import importlib.metadata

    build = torch_build()
    assert build is not None
    assert build.version.partition("+")[0] == importlib.metadata.version("torch").partition("+")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__version__ = '2.13.0+cu128'\ncuda: Optional[str] = '12.8'\n", TorchBuild("2.13.0+cu128", "12.8")),
        ("__version__ = '2.13.0+cpu'\ncuda: Optional[str] = None\n", TorchBuild("2.13.0+cpu", None)),
        ("__version__ = '2.1.0'\ncuda = '11.8'\n", TorchBuild("2.1.0", "11.8")),
        ("", None),
    ],
)
def test_what_version_files_say(tmp_path: Path, text: str, expected: TorchBuild | None) -> None:
    (tmp_path / "version.py").write_text(text, encoding="utf-8")
    assert read_torch_build(tmp_path / "version.py") == expected
    assert read_torch_build(tmp_path / "none.py") is None


def test_a_system_is_read_from_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    files = {
        "proc/meminfo": "Hugepagesize: 2048 kB\nHugePages_Total: 100\nHugePages_Free: 60\n"
        "HugePages_Rsvd: 20\nCommitLimit: 1000 kB\nCommitted_AS: 400 kB\n",
        "proc/sys/vm/overcommit_memory": "2\n",
        "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
        "sys/devices/system/node/has_memory": "0-1,4\n",
        "usr/share/tesseract-ocr/5/tessdata/eng.traineddata": "",
        "usr/share/tesseract-ocr/5/tessdata/osd.traineddata": "",
        "usr/share/tessdata/deu.traineddata": "",
    }
    for name, content in files.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="ascii")
    facts = probe_system(tmp_path / "cache", root=tmp_path / "root")
    assert facts.huge_pages is not None
    assert (facts.huge_pages.num_pages, facts.huge_pages.num_free) == (100, 40)
    assert facts.thp_mode == "madvise"
    assert facts.num_numa_nodes == 3
    assert facts.ocr_languages == ("deu", "eng")
    assert facts.disk_write_bytes_per_s is not None
    assert list((tmp_path / "cache").iterdir()) == [], "nothing stays behind"


def test_a_system_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path / "data"))
    facts = probe_system(tmp_path, measures_disk=False, root=tmp_path / "empty")
    assert (facts.thp_mode, facts.huge_pages, facts.overcommit_mode) == (None, None, None)
    assert (facts.num_numa_nodes, facts.disk_write_bytes_per_s) == (1, None)


def test_speeds_come_from_figures_then_from_names() -> None:
    gpu = Gpu("NVIDIA A100-SXM4-40GB", 40 * GIB, 40 * GIB, PcieLink(1, 16), PcieLink(4, 16))
    machine = Machine("x", GIB, GIB, gpus=(gpu,))
    assert machine.speeds.vram == 1555e9, "the longest name wins"
    assert machine.speeds.pcie == pytest.approx(25e9, rel=0.01), "at rest the link is slower than it can be"
    measured = Machine("x", GIB, GIB, gpus=(gpu,), figures=SpeedFigures(pcie_gb_s=10))
    assert measured.speeds.pcie == 10e9


def test_windows_tells_what_may_still_be_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(pointer: Any) -> int:
        """Length and load, then physical memory and page file, each whole and free."""
        pointer._obj[1:5] = [16 * GIB, 8 * GIB, 48 * GIB, 20 * GIB]
        return 1

    kernel32 = SimpleNamespace(GlobalMemoryStatusEx=fill)
    monkeypatch.setattr("ctypes.windll", SimpleNamespace(kernel32=kernel32), raising=False)
    assert system_probe._windows_commit() == (32 * GIB, 20 * GIB)
    monkeypatch.delattr("ctypes.windll")
    assert system_probe._windows_commit() == (None, None)


@pytest.mark.parametrize(("model", "expected"), [(0, True), (1, False), (None, None)])
def test_the_driver_model_of_windows(
    model: int | None, expected: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def current(_handle: Any) -> int:
        if model is None:
            raise NvmlError("not supported")
        return model

    fake = SimpleNamespace(
        NVML_DRIVER_WDDM=0,
        nvmlInit=lambda: None,
        nvmlShutdown=lambda: None,
        nvmlDeviceGetHandleByIndex=lambda index: index,
        nvmlDeviceGetCurrentDriverModel=current,
    )
    monkeypatch.setitem(sys.modules, "pynvml", fake)  # type: ignore[arg-type]
    assert system_probe._is_wddm() is expected
