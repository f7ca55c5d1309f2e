"""The names of the steps in a row, the one on screen stressed."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.theme import SPACE
from app.widgets.texts import plain_label


class StepBar(QWidget):
    def __init__(self, num_steps: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.labels = [plain_label("step") for _ in range(num_steps)]
        self._current = 0
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.s)
        for label in self.labels:
            row.addWidget(label, 1)

    def set_names(self, names: Sequence[str]) -> None:
        for i, (label, name) in enumerate(zip(self.labels, names, strict=True)):
            label.setText(f"{i + 1}  {name}")
        self._name_place()

    def show_step(self, index: int) -> None:
        self._current = index
        for i, label in enumerate(self.labels):
            _set_state(label, "done" if i < index else "current" if i == index else "ahead")
        self._name_place()

    def _name_place(self) -> None:
        words = self.tr("Step {number} of {count}: {name}")
        name = self.labels[self._current].text().partition("  ")[2]
        self.setAccessibleName(words.format(number=self._current + 1, count=len(self.labels), name=name))


def _set_state(label: QLabel, state: str) -> None:
    if label.property("state") != state:
        label.setProperty("state", state)
        label.style().unpolish(label)
        label.style().polish(label)
