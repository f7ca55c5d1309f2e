"""One painted bar: what would lie in one kind of memory, stacked, against what is free of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.theme import SPACE

_HEIGHT = 22
_RADIUS = 4
_LIMIT_OVERHANG = 4
_GAP = 1.0


@dataclass(frozen=True)
class Segment:
    """`role` is the place of its colour in the series of the theme."""

    name: str
    size_bytes: int
    role: int


class MemoryBar(QWidget):
    """The bar spans what can be used or what is needed, whichever is more; a line marks the limit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.segments: tuple[Segment, ...] = ()
        self.usable_bytes = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def needed_bytes(self) -> int:
        return sum(segment.size_bytes for segment in self.segments)

    def show_memory(self, segments: Sequence[Segment], usable_bytes: int) -> None:
        self.segments, self.usable_bytes = tuple(segments), usable_bytes
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, _HEIGHT + 2 * _LIMIT_OVERHANG)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, _HEIGHT + 2 * _LIMIT_OVERHANG)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(0, _LIMIT_OVERHANG, self.width(), _HEIGHT)
        outline = QPainterPath()
        outline.addRoundedRect(area, _RADIUS, _RADIUS)
        painter.setClipPath(outline)
        painter.fillRect(area, theme.color("border", 0.6))
        whole = max(self.usable_bytes, self.needed_bytes, 1)
        x = area.x()
        for segment in self.segments:
            width = segment.size_bytes / whole * area.width()
            painter.fillRect(QRectF(x, area.y(), max(0.5, width - _GAP), _HEIGHT), theme.series(segment.role))
            x += width
        limit = area.x() + self.usable_bytes / whole * area.width()
        is_over = self.needed_bytes > self.usable_bytes
        if is_over:
            over = QBrush(theme.color("surface", 0.8), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(QRectF(limit, area.y(), area.right() - limit, _HEIGHT), over)
        painter.setClipping(False)
        if is_over:
            painter.setPen(QPen(theme.color("error"), 2))
            painter.drawLine(
                QLineF(limit, area.y() - _LIMIT_OVERHANG, limit, area.bottom() + _LIMIT_OVERHANG)
            )


class Swatch(QWidget):
    """The colour of a segment, beside its name."""

    def __init__(self, role: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self.setFixedSize(SPACE.m, SPACE.m)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.series(self._role))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 2, 2)
