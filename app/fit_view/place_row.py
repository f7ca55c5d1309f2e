"""One kind of memory: its name and figures, the bar, and what the colours mean."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.fit_view.memory_bar import MemoryBar, Segment, Swatch
from app.theme import SPACE
from app.widgets.flow_layout import FlowLayout
from app.widgets.texts import plain_label
from core.units import format_size


class PlaceRow(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.caption, self.figures, self.bar = plain_label(), plain_label("muted"), MemoryBar()
        self.legend_texts: list[str] = []
        self._legend = QWidget()
        self._flow = FlowLayout(self._legend)
        self._flow.setSpacing(SPACE.m)
        heading = QHBoxLayout()
        heading.addWidget(self.caption)
        heading.addStretch(1)
        heading.addWidget(self.figures)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        column.addLayout(heading)
        column.addWidget(self.bar)
        column.addWidget(self._legend)

    def show_place(self, name: str, segments: Sequence[Segment], usable_bytes: int) -> None:
        self.caption.setText(name)
        needed = sum(segment.size_bytes for segment in segments)
        words = self.tr("{needed} needed, {usable} free")
        self.figures.setText(words.format(needed=format_size(needed), usable=format_size(usable_bytes)))
        self.bar.show_memory(segments, usable_bytes)
        self.bar.setAccessibleName(name)
        self.legend_texts = [f"{segment.name} {format_size(segment.size_bytes)}" for segment in segments]
        self.bar.setAccessibleDescription("; ".join([self.figures.text(), *self.legend_texts]))
        self._fill_legend(segments)

    def _fill_legend(self, segments: Sequence[Segment]) -> None:
        while self._flow.count():
            item = self._flow.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        for segment, text in zip(segments, self.legend_texts, strict=True):
            entry = QWidget()
            row = QHBoxLayout(entry)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(SPACE.xs)
            row.addWidget(Swatch(segment.role))
            row.addWidget(plain_label("caption", text))
            self._flow.addWidget(entry)
