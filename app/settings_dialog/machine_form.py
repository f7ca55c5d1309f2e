"""The machine that a profile was made for; it need not be this one."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDoubleSpinBox, QFormLayout, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from app.settings_dialog.page import add_row, form_layout
from app.theme import SPACE
from app.widgets.optional_spin_box import align_text
from app.widgets.texts import plain_label
from core.planning.machine import Gpu, Machine, PcieLink

_GIB = 1 << 30
_MOST_GIB = 65_536.0
_MOST_FIGURE = 1_000_000.0
_MOST_CORES = 4096
_GENERATIONS, _LANES = 7, 32
_SIZES = ("ram_total_bytes", "ram_available_bytes", "swap_bytes", "disk_free_bytes")
_FIGURES = ("pcie_gb_s", "vram_gb_s", "gpu_tflops", "ram_gb_s", "cpu_gflops")


class GpuRows:
    """The fields of one GPU."""

    def __init__(self, form: QFormLayout) -> None:
        self.name = QLineEdit()
        self.total, self.free = _number_box(_MOST_GIB), _number_box(_MOST_GIB)
        self.generation, self.lanes = _count_box(0, _GENERATIONS), _count_box(0, _LANES)
        self.labels: dict[QWidget, QLabel] = {}
        for widget in self.widgets:
            self.labels[widget] = plain_label()
            add_row(form, self.labels[widget], widget)

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        return self.name, self.total, self.free, self.generation, self.lanes

    def show_gpu(self, gpu: Gpu) -> None:
        self.name.setText(gpu.name)
        self.total.setValue(gpu.total_bytes / _GIB)
        self.free.setValue(gpu.free_bytes / _GIB)
        link = gpu.pcie_max or gpu.pcie_now
        self.generation.setValue(link.generation if link else 0)
        self.lanes.setValue(link.width if link else 0)

    def taken(self, gpu: Gpu) -> Gpu:
        has_link = self.generation.value() and self.lanes.value()
        link = PcieLink(self.generation.value(), self.lanes.value()) if has_link else None
        return replace(
            gpu,
            name=self.name.text().strip() or gpu.name,
            total_bytes=_bytes(self.total, gpu.total_bytes) or 0,
            free_bytes=_bytes(self.free, gpu.free_bytes) or 0,
            pcie_now=link,
            pcie_max=link,
        )


class MachineForm(QWidget):
    """Shows a machine and takes it back; hidden where a profile has none. 0 stands for what is not known."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading, self.words = plain_label("title"), plain_label("muted")
        self.words.setWordWrap(True)
        self.sizes = {name: _number_box(_MOST_GIB) for name in _SIZES}
        self.cores = _count_box(1, _MOST_CORES)
        self.figures = {name: _number_box(_MOST_FIGURE) for name in _FIGURES}
        self.gpus: list[GpuRows] = []
        self._labels: dict[QWidget, QLabel] = {}
        self._form = form_layout()
        for widget in (*self.sizes.values(), self.cores, *self.figures.values()):
            self._labels[widget] = plain_label()
            add_row(self._form, self._labels[widget], widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE.m, 0, 0)
        column.setSpacing(SPACE.m)
        column.addWidget(self.heading)
        column.addWidget(self.words)
        column.addLayout(self._form)
        for box in (*self.sizes.values(), *self.figures.values()):
            box.valueChanged.connect(self._on_changed)
        self.cores.valueChanged.connect(self._on_changed)

    def show_machine(self, machine: Machine | None, *, is_own: bool) -> None:
        """Emits nothing."""
        self.setVisible(machine is not None)
        if machine is None:
            return
        self.blockSignals(True)
        for name, box in self.sizes.items():
            box.setValue((getattr(machine, name) or 0) / _GIB)
        self.cores.setValue(machine.num_cores)
        for name, box in self.figures.items():
            box.setValue(getattr(machine.figures, name) or 0)
        self._make_rows(len(machine.gpus))
        for rows, gpu in zip(self.gpus, machine.gpus, strict=True):
            rows.show_gpu(gpu)
        for widget in (*self._labels, *(widget for rows in self.gpus for widget in rows.widgets)):
            widget.setEnabled(is_own)
        self.blockSignals(False)

    def taken(self, machine: Machine) -> Machine:
        sizes: dict[str, Any] = {
            name: _bytes(box, getattr(machine, name)) for name, box in self.sizes.items()
        }
        figures = {name: _figure(box, getattr(machine.figures, name)) for name, box in self.figures.items()}
        return replace(
            machine,
            **sizes,
            num_cores=self.cores.value(),
            gpus=tuple(rows.taken(gpu) for rows, gpu in zip(self.gpus, machine.gpus, strict=True)),
            figures=replace(machine.figures, **figures),
        )

    def retranslate(self) -> None:
        self.heading.setText(self.tr("The machine of this profile"))
        self.words.setText(
            self.tr("The plan beside is made for it. Lectern loads models by what this machine has.")
        )
        words = self._words()
        for name, box in (*self.sizes.items(), ("cores", self.cores), *self.figures.items()):
            self._labels[box].setText(words[name])
            box.setAccessibleName(words[name])
        for box in self.sizes.values():
            box.setSuffix(self.tr(" GiB"))
        for name, box in self.figures.items():
            box.setSpecialValueText(self.tr("Not known"))
            box.setSuffix(f" {_unit(name)}")
        for number, rows in enumerate(self.gpus):
            self._name_rows(number, rows)

    def _words(self) -> dict[str, str]:
        return {
            "ram_total_bytes": self.tr("Memory"),
            "ram_available_bytes": self.tr("Memory that is free"),
            "swap_bytes": self.tr("Swap"),
            "disk_free_bytes": self.tr("Free on the disk"),
            "cores": self.tr("Cores"),
            "pcie_gb_s": self.tr("Speed of PCIe"),
            "vram_gb_s": self.tr("Speed of GPU memory"),
            "gpu_tflops": self.tr("Speed of the GPU"),
            "ram_gb_s": self.tr("Speed of memory"),
            "cpu_gflops": self.tr("Speed of the processor"),
        }

    def _name_rows(self, number: int, rows: GpuRows) -> None:
        words = (
            *(self.tr("GPU {number}"), self.tr("GPU {number}: memory"), self.tr("GPU {number}: free")),
            *(self.tr("GPU {number}: PCIe generation"), self.tr("GPU {number}: PCIe lanes")),
        )
        for widget, text in zip(rows.widgets, words, strict=True):
            rows.labels[widget].setText(text.format(number=number))
            widget.setAccessibleName(text.format(number=number))
        for box in (rows.total, rows.free):
            box.setSuffix(self.tr(" GiB"))
        for count in (rows.generation, rows.lanes):
            count.setSpecialValueText(self.tr("Not known"))

    def _make_rows(self, count: int) -> None:
        while len(self.gpus) > count:
            for widget in self.gpus.pop().widgets:
                self._form.removeRow(widget)
        while len(self.gpus) < count:
            rows = GpuRows(self._form)
            self._name_rows(len(self.gpus), rows)
            self.gpus.append(rows)
            rows.name.textEdited.connect(self._on_changed)
            for box in (rows.total, rows.free, rows.generation, rows.lanes):
                box.valueChanged.connect(self._on_changed)

    def _on_changed(self, _value: object = None) -> None:
        self.changed.emit()


def _number_box(highest: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setRange(0, highest)
    box.setDecimals(1)
    box.setGroupSeparatorShown(True)
    align_text(box)
    return box


def _count_box(lowest: int, highest: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(lowest, highest)
    align_text(box)
    return box


def _unit(figure: str) -> str:
    return {"gpu_tflops": "TFLOP/s", "cpu_gflops": "GFLOP/s"}.get(figure, "GB/s")


def _bytes(box: QDoubleSpinBox, before: int | None) -> int | None:
    """What the box says; as exact as before if it still says the same, unknown if it was and it says 0."""
    if box.value() == round((before or 0) / _GIB, 1):
        return before
    return round(box.value() * _GIB)


def _figure(box: QDoubleSpinBox, before: float | None) -> float | None:
    return before if box.value() == round(before or 0, 1) else box.value() or None
