"""A machine as planning sees it: how much memory is free where, and how fast bytes move."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

RAM_HEADROOM_SHARE = 0.1
VRAM_HEADROOM_SHARE = 0.03
MIN_VRAM_HEADROOM_BYTES = 256 << 20

_GB = 1e9
_PCIE_LANE_GB_S = {1: 0.25, 2: 0.5, 3: 0.985, 4: 1.969, 5: 3.938, 6: 7.563}
_PCIE_EFFICIENCY = 0.8
_DEFAULT_PCIE_GB_S = 12.0
_DEFAULT_VRAM_GB_S, _DEFAULT_TFLOPS = 300.0, 12.0
_DEFAULT_RAM_GB_S = 20.0
_GFLOPS_A_CORE = 60.0
_KNOWN_GPUS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "RTX 3060": (360, 18),
        "RTX 3090": (936, 50),
        "RTX 4060": (272, 20),
        "RTX 4070": (504, 40),
        "RTX 4090": (1008, 110),
        "RTX 5070": (672, 45),
        "RTX 5090": (1792, 140),
        "A100": (1555, 180),
        "A10": (600, 70),
        "L40": (864, 110),
        "L4": (300, 50),
        "H100": (3350, 450),
        "H200": (4800, 450),
    }
)
"""By a part of the name: GB/s of its memory and TFLOP/s that long products reach in half precision."""


@dataclass(frozen=True)
class PcieLink:
    """Generation and number of lanes; at rest a GPU may lower both."""

    generation: int
    width: int

    @property
    def bytes_per_s(self) -> float:
        """What large copies from pinned memory reach."""
        lane = _PCIE_LANE_GB_S.get(self.generation, _PCIE_LANE_GB_S[6])
        return lane * self.width * _PCIE_EFFICIENCY * _GB


@dataclass(frozen=True)
class GpuProcess:
    """A program that holds memory of a GPU; `used_bytes` None where the driver does not say."""

    pid: int
    name: str
    used_bytes: int | None


@dataclass(frozen=True)
class Gpu:
    """One GPU. Whatever the driver does not tell is None."""

    name: str
    total_bytes: int
    free_bytes: int
    pcie_now: PcieLink | None = None
    pcie_max: PcieLink | None = None
    processes: tuple[GpuProcess, ...] = ()
    pci_id: str | None = None

    @property
    def usable_bytes(self) -> int:
        """What may be planned with: the rest stays free for the display and for fragmentation."""
        headroom = max(MIN_VRAM_HEADROOM_BYTES, int(self.total_bytes * VRAM_HEADROOM_SHARE))
        return max(0, self.free_bytes - headroom)


@dataclass(frozen=True)
class Speeds:
    """How fast a machine moves and multiplies, for estimates; all in bytes or FLOP a second."""

    pcie: float
    vram: float
    gpu_flops: float
    ram: float
    cpu_flops: float


@dataclass(frozen=True)
class SpeedFigures:
    """Measured or stated speeds that replace what is guessed from names: GB/s, TFLOP/s and GFLOP/s."""

    pcie_gb_s: float | None = None
    vram_gb_s: float | None = None
    gpu_tflops: float | None = None
    ram_gb_s: float | None = None
    cpu_gflops: float | None = None


@dataclass(frozen=True)
class Machine:
    """What there is and what of it is free now. `disk_free_bytes` is that of the cache folder.

    `name` is for people. `driver` and `system` are None where unknown.
    """

    name: str
    ram_total_bytes: int
    ram_available_bytes: int
    swap_bytes: int = 0
    num_cores: int = 1
    disk_free_bytes: int | None = None
    gpus: tuple[Gpu, ...] = ()
    driver: str | None = None
    system: str | None = None
    figures: SpeedFigures = field(default_factory=SpeedFigures)

    @property
    def usable_ram_bytes(self) -> int:
        """What may be planned with: a machine whose memory is full to the brim hangs."""
        return max(0, self.ram_available_bytes - int(self.ram_total_bytes * RAM_HEADROOM_SHARE))

    @property
    def speeds(self) -> Speeds:
        """As measured or stated, else as the GPU's name and its PCIe link let expect."""
        given = self.figures
        gpu = self.gpus[0] if self.gpus else None
        vram_gb_s, tflops = _known_gpu(gpu.name if gpu else "")
        link = gpu.pcie_max or gpu.pcie_now if gpu else None
        guessed_pcie = link.bytes_per_s if link else _DEFAULT_PCIE_GB_S * _GB
        return Speeds(
            pcie=given.pcie_gb_s * _GB if given.pcie_gb_s else guessed_pcie,
            vram=(given.vram_gb_s or vram_gb_s) * _GB,
            gpu_flops=(given.gpu_tflops or tflops) * 1e12,
            ram=(given.ram_gb_s or _DEFAULT_RAM_GB_S) * _GB,
            cpu_flops=(given.cpu_gflops or _GFLOPS_A_CORE * self.num_cores) * 1e9,
        )


def _known_gpu(name: str) -> tuple[float, float]:
    matches = [part for part in _KNOWN_GPUS if part in name]
    return _KNOWN_GPUS[max(matches, key=len)] if matches else (_DEFAULT_VRAM_GB_S, _DEFAULT_TFLOPS)
