"""A number that may be left open; then the box says what stands in for it."""

from PySide6.QtWidgets import QAbstractSpinBox, QSpinBox, QWidget

_TEXT_MARGIN = 6
"""The style sheet's padding does not reach the text of a number box."""


def align_text(box: QAbstractSpinBox) -> None:
    """Begin the text where other fields begin theirs."""
    box.lineEdit().setTextMargins(_TEXT_MARGIN, 0, 0, 0)


class OptionalSpinBox(QSpinBox):
    """`number` None is left open. From there a step up begins at `start`, a multiple of the step."""

    def __init__(
        self, lowest: int, highest: int, *, step: int, start: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._lowest, self._start = lowest, start
        self.setRange(lowest - 1, highest)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        self.setSpecialValueText("–")
        align_text(self)

    @property
    def number(self) -> int | None:
        return None if self.value() < self._lowest else self.value()

    def set_number(self, number: int | None) -> None:
        self.setValue(self._lowest - 1 if number is None else number)

    def stepBy(self, steps: int) -> None:
        if self.number is None and steps > 0:
            self.setValue(self._start)
        elif self.number is not None and self.value() + steps * self.singleStep() < self._lowest:
            self.set_number(None if self.value() == self._lowest else self._lowest)
        else:
            super().stepBy(steps)
