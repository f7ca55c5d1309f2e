"""All gauges in a row: the machine's memory, where the document's cache is, and how fast answers come."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.gauges.gauge import Gauge
from app.state import Speed
from app.theme import SPACE
from core.events import TierUsage
from core.telemetry import GpuMemory, Sample
from core.units import format_size

_MB = 1e6


class GaugeStrip(QFrame):
    """Knows how each figure is written; where it comes from is the state's business."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gauge_strip")
        self._sample: Sample | None = None
        self._usage: TierUsage | None = None
        self._speed = Speed()
        self.vram, self.ram, self.hot_window = Gauge(), Gauge(), Gauge()
        self.rate, self.first_token, self.traffic = Gauge(), Gauge(), Gauge()
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.l, SPACE.s, SPACE.l, SPACE.s)
        row.setSpacing(SPACE.xl)
        stretches = (2, 2, 3, 2, 1, 2)
        for gauge, stretch in zip(self.gauges, stretches, strict=True):
            row.addWidget(gauge, stretch)
        self._retranslate()

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        return self.vram, self.ram, self.hot_window, self.rate, self.first_token, self.traffic

    def show_sample(self, sample: Sample | None) -> None:
        is_new = sample is not self._sample
        self._sample = sample
        if sample is None:
            self.vram.show_value("–")
            self.ram.show_value("–")
            return
        if sample.gpus:
            self._show_gpus(sample.gpus, is_new=is_new)
        else:
            self.vram.show_value(self.tr("No GPU"))
            self.vram.setToolTip("")
        total, used = max(1, sample.ram_total_bytes), sample.ram_used_bytes
        own = min(sample.process_bytes, used)
        self.ram.show_value(self._of(used, total), (own / total, (used - own) / total))
        self.ram.setToolTip(self._split(own, used - own, total - used))
        if is_new:
            self.ram.add_to_history(used / total)

    def _show_gpus(self, gpus: Sequence[GpuMemory], *, is_new: bool) -> None:
        """All GPUs together; the tool tip has each by itself."""
        total = max(1, sum(gpu.total_bytes for gpu in gpus))
        used = sum(gpu.used_bytes for gpu in gpus)
        own = sum(gpu.own_bytes or 0 for gpu in gpus)
        others = sum(gpu.others_bytes for gpu in gpus)
        self.vram.show_value(self._of(used, total), (own / total, others / total))
        self.vram.setToolTip("\n".join(self._gpu_words(gpu) for gpu in gpus))
        if is_new:
            self.vram.add_to_history(used / total)

    def _gpu_words(self, gpu: GpuMemory) -> str:
        if gpu.own_bytes is None:
            return f"{gpu.name}: {self._of(gpu.used_bytes, gpu.total_bytes)}"
        return f"{gpu.name}: {self._split(gpu.own_bytes, gpu.others_bytes, gpu.free_bytes)}"

    def _split(self, own_bytes: int, others_bytes: int, free_bytes: int) -> str:
        return self.tr("Lectern {own}, others {others}, free {free}").format(
            own=format_size(own_bytes), others=format_size(others_bytes), free=format_size(free_bytes)
        )

    def _of(self, used_bytes: int, total_bytes: int) -> str:
        words = self.tr("{used} of {total}")
        return words.format(used=format_size(used_bytes), total=format_size(total_bytes))

    def show_usage(self, usage: TierUsage | None) -> None:
        self._usage = usage
        if usage is None or usage.total_tokens == 0:
            self.hot_window.show_value("–", (0.0,))
            return
        hot, total = usage.hot_tokens, usage.total_tokens
        words = self.tr("{hot} hot · {cold} cold · {total} tokens")
        text = words.format(hot=f"{hot:,}", cold=f"{max(0, total - hot):,}", total=f"{total:,}")
        share = hot / total
        self.hot_window.show_value(text, (share, 1 - share))
        sizes = self.tr("Hot: {hot}, cold: {cold}").format(
            hot=format_size(usage.hot_bytes), cold=format_size(usage.cold_bytes)
        )
        self.hot_window.setToolTip(f"{text}\n{sizes}")

    def show_speed(self, speed: Speed) -> None:
        self._speed = speed
        self._show_figure(self.rate, self.tr("{figure} tokens/s"), speed.tokens_per_s)
        if speed.tokens_per_s is not None:
            self.rate.add_point(speed.tokens_per_s)
        self._show_figure(self.first_token, self.tr("{figure} s"), speed.ttft_s)
        moved = speed.bytes_per_token
        self._show_figure(
            self.traffic, self.tr("{figure} MB a token"), None if moved is None else moved / _MB
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _show_figure(self, gauge: Gauge, words: str, figure: float | None) -> None:
        gauge.show_value("–" if figure is None else words.format(figure=f"{figure:,.1f}"))

    def _retranslate(self) -> None:
        self.vram.set_caption(self.tr("GPU memory"))
        self.ram.set_caption(self.tr("Memory"))
        self.hot_window.set_caption(self.tr("Hot window"))
        self.rate.set_caption(self.tr("Speed"))
        self.first_token.set_caption(self.tr("First word"))
        self.traffic.set_caption(self.tr("Bus traffic"))
        self.hot_window.setToolTip("")
        self.show_sample(self._sample)
        self.show_usage(self._usage)
        self.show_speed(self._speed)
