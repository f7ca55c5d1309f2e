"""Chooses the length of a text, from a few pages to all that a model reads."""

import math

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QVBoxLayout, QWidget

from app.theme import SPACE
from app.widgets.texts import plain_label

_SHORTEST = 1024
_STEPS_AN_OCTAVE = 4


class ContextSlider(QWidget):
    """Each step is a quarter of a doubling. `num_tokens` is None at the end: the longest there is."""

    num_tokens_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label, self.figure = plain_label(), plain_label("muted")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setPageStep(_STEPS_AN_OCTAVE)
        self.label.setBuddy(self.slider)
        self._limit, self._shown = _SHORTEST, _SHORTEST
        heading = QHBoxLayout()
        heading.addWidget(self.label)
        heading.addStretch(1)
        heading.addWidget(self.figure)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        column.addLayout(heading)
        column.addWidget(self.slider)
        self.slider.valueChanged.connect(self._on_value_changed)
        self._retranslate()

    @property
    def num_tokens(self) -> int | None:
        return None if self.slider.value() == self.slider.maximum() else _tokens(self.slider.value())

    def show_context(self, num_tokens: int, limit: int) -> None:
        """Where the plan stands; emits nothing."""
        self._limit, self._shown = max(limit, 1), num_tokens
        self.slider.blockSignals(True)
        last = max(0, math.ceil(_steps(self._limit)))
        self.slider.setMaximum(last)
        self.slider.setValue(last if num_tokens >= limit else min(last - 1, round(_steps(num_tokens))))
        self.slider.blockSignals(False)
        self.slider.setEnabled(self.slider.maximum() > 0)
        self._show_figure()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.label.setText(self.tr("Length of the text"))
        self.slider.setAccessibleName(self.tr("Length of the text"))
        self._show_figure()

    def _show_figure(self) -> None:
        self.figure.setText(self.tr("{count} tokens").format(count=f"{self._shown:,}"))
        self.slider.setAccessibleDescription(self.figure.text())

    def _on_value_changed(self, _value: int) -> None:
        self._shown = self.num_tokens or self._limit
        self._show_figure()
        self.num_tokens_chosen.emit(self.num_tokens)


def _tokens(step: int) -> int:
    return round(_SHORTEST * math.exp2(step / _STEPS_AN_OCTAVE))


def _steps(num_tokens: int) -> float:
    return _STEPS_AN_OCTAVE * math.log2(max(num_tokens, 1) / _SHORTEST)
