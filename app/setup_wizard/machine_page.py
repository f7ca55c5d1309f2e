"""The first step: what this computer is, and what could be set up better on it."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.model_list.model_words import title_words
from app.setup_wizard.setup_look import SetupLook
from app.setup_wizard.setup_page import SetupPage, scrolled
from app.system_check.finding_row import FindingRow
from app.theme import SPACE
from app.widgets.texts import plain_label
from core.planning.machine import Gpu, Machine
from core.units import format_size


class MachinePage(SetupPage):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look: SetupLook | None = None
        self.rows: list[FindingRow] = []
        self.facts, self.summary = plain_label(), plain_label("heading")
        for label in (self.facts, self.summary):
            label.setWordWrap(True)
        self._list = QWidget()
        self._list.setObjectName("setup_list")
        self._findings = QVBoxLayout(self._list)
        self._findings.setContentsMargins(0, 0, SPACE.m, 0)
        self._findings.setSpacing(SPACE.l)
        self._findings.addStretch(1)
        self.area = scrolled(self._list)
        self.column.addWidget(self.facts)
        self.column.addWidget(self.summary)
        self.column.addWidget(self.area, 1)
        self.retranslate()

    def show_look(self, look: SetupLook | None) -> None:
        """None while the machine is being looked at."""
        self._look = look
        for row in self.rows:
            self._findings.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        self.rows = [FindingRow(finding) for finding in look.findings] if look is not None else []
        for i, row in enumerate(self.rows):
            self._findings.insertWidget(i, row)
        self.retranslate()

    def retranslate(self) -> None:
        self.heading.setText(self.tr("This computer"))
        self.words.setText(
            self.tr(
                "Lectern reads and answers here and sends nothing away. How long a document may be depends "
                "on what this computer has."
            )
        )
        self.area.setAccessibleName(self.tr("What could be set up better"))
        if self._look is None:
            self.facts.setText(self.tr("Looking at this machine…"))
            self.summary.setText("")
            return
        self.facts.setText("\n".join(self._fact_lines(self._look.machine)))
        title = title_words(self._look.recommended)
        words = (
            self.tr("To be set up better for {model}, the model that fits best here:")
            if self._look.findings
            else self.tr("Everything is in order for {model}, the model that fits best here.")
        )
        self.summary.setText(words.format(model=title))

    def _fact_lines(self, machine: Machine) -> list[str]:
        memory = self.tr("Memory: {total}, {usable} of it can be used now")
        lines = [
            memory.format(
                total=format_size(machine.ram_total_bytes), usable=format_size(machine.usable_ram_bytes)
            ),
            self.tr("Processor cores: {count}").format(count=machine.num_cores),
            *map(self._gpu_line, machine.gpus),
        ]
        if not machine.gpus:
            lines.append(self.tr("No GPU: the processor computes, which takes longer"))
        if machine.disk_free_bytes is not None:
            free = self.tr("Free disk space: {size}")
            lines.append(free.format(size=format_size(machine.disk_free_bytes)))
        return lines

    def _gpu_line(self, gpu: Gpu) -> str:
        return self.tr("{name}: {total} of GPU memory, {usable} of it can be used now").format(
            name=gpu.name, total=format_size(gpu.total_bytes), usable=format_size(gpu.usable_bytes)
        )
