"""What the gauges of the machine's memory say, with and without GPUs, and how they remember."""

import pytest
from PySide6.QtWidgets import QApplication

from app.gauges.gauge import HISTORY_POINTS, Gauge
from app.gauges.gauge_strip import GaugeStrip
from core.telemetry import GpuMemory, Sample

GIB = 1 << 30


def sample(*gpus: GpuMemory, used: int = 8 * GIB) -> Sample:
    return Sample(used, 32 * GIB, 2 * GIB, gpus)


@pytest.fixture
def strip(themed: QApplication) -> GaugeStrip:
    assert themed.styleSheet(), "gauges are painted in the theme's colours"
    return GaugeStrip()


def test_without_a_gpu_host_memory_is_still_shown(strip: GaugeStrip) -> None:
    strip.show_sample(sample())
    assert strip.vram.value == "No GPU"
    assert strip.vram.shares is None
    assert strip.ram.value == "8.0 GiB of 32.0 GiB"
    assert strip.ram.shares == (1 / 16, 3 / 16)
    assert strip.ram.toolTip() == "Lectern 2.0 GiB, others 6.0 GiB, free 24.0 GiB"


def test_gpu_memory_is_split_into_ours_others_and_free(strip: GaugeStrip) -> None:
    strip.show_sample(sample(GpuMemory("RTX 3060", 6 * GIB, 12 * GIB, 3 * GIB)))
    assert strip.vram.value == "6.0 GiB of 12.0 GiB"
    assert strip.vram.shares == (0.25, 0.25)
    assert strip.vram.toolTip() == "RTX 3060: Lectern 3.0 GiB, others 3.0 GiB, free 6.0 GiB"


def test_several_gpus_are_summed_and_named(strip: GaugeStrip) -> None:
    strip.show_sample(
        sample(GpuMemory("one", 6 * GIB, 12 * GIB, 3 * GIB), GpuMemory("two", 2 * GIB, 4 * GIB))
    )
    assert strip.vram.value == "8.0 GiB of 16.0 GiB"
    assert strip.vram.shares == (3 / 16, 5 / 16)
    assert strip.vram.toolTip().splitlines()[1] == "two: 2.0 GiB of 4.0 GiB"


def test_two_minutes_are_remembered(strip: GaugeStrip) -> None:
    for number in range(HISTORY_POINTS + 10):
        strip.show_sample(sample(used=number))
    assert len(strip.ram.history) == HISTORY_POINTS
    assert strip.ram.history[-1] == (HISTORY_POINTS + 9) / (32 * GIB)


def test_a_change_of_language_adds_nothing_to_the_history(strip: GaugeStrip) -> None:
    shown = sample()
    for _ in range(3):
        strip.show_sample(shown)
    assert len(strip.ram.history) == 1


@pytest.mark.usefixtures("themed")
def test_a_history_is_painted_behind_the_figure() -> None:
    gauge = Gauge()
    gauge.resize(gauge.sizeHint())
    before = gauge.grab().toImage()
    for share in (0.1, 0.9, 0.5, 2.0, -1.0):
        gauge.add_to_history(share)
    assert list(gauge.history) == [0.1, 0.9, 0.5, 1.0, 0.0]
    assert gauge.grab().toImage() != before
