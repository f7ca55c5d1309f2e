"""One painted gauge: a caption, a value, and a bar or a curve under them."""

from collections import deque
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.theme import SPACE, Type

_BAR_HEIGHT = 4
_HEIGHT = 44
_CURVE_POINTS = 48
_CURVE_WIDTH = 56
_SEGMENT_OPACITIES = (1.0, 0.35)
_HISTORY_OPACITY = 0.16
HISTORY_POINTS = 240
"""Two minutes at two samples a second."""


class Gauge(QWidget):
    """Shows one figure. `shares` are the filled parts of the bar from the left, each 0 to 1.

    Behind the figure lies its history, where there is one.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.caption, self.value = "", "–"
        self.shares: tuple[float, ...] | None = None
        self._curve: deque[float] = deque(maxlen=_CURVE_POINTS)
        self.history: deque[float] = deque(maxlen=HISTORY_POINTS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_caption(self, caption: str) -> None:
        self.caption = caption
        self._tell()

    def show_value(self, value: str, shares: Sequence[float] | None = None) -> None:
        """`shares` None draws no bar."""
        limited = None if shares is None else tuple(min(1.0, max(0.0, share)) for share in shares)
        if (value, limited) != (self.value, self.shares):
            self.value, self.shares = value, limited
            self._tell()

    def add_point(self, number: float) -> None:
        """The next point of the curve."""
        self._curve.append(number)
        self.update()

    def add_to_history(self, share: float) -> None:
        """How full it is now, 0 to 1; called twice a second."""
        self.history.append(min(1.0, max(0.0, share)))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(140, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(84, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if len(self.history) > 1:
            self._draw_history(painter)
        caption_font = theme.font(Type.caption)
        value_font = theme.font(Type.body, QFont.Weight.DemiBold)
        caption_height = QFontMetricsF(caption_font).height()
        value_height = QFontMetricsF(value_font).height()
        self._write(
            painter, caption_font, "text_muted", self.caption, QRectF(0, 0, self.width(), caption_height)
        )
        room = self.width() - (_CURVE_WIDTH + SPACE.s if self._curve else 0)
        self._write(painter, value_font, "text", self.value, QRectF(0, caption_height, room, value_height))
        if self.shares is not None:
            self._draw_bar(painter)
        if self._curve:
            self._draw_curve(painter)

    def _write(self, painter: QPainter, font: QFont, role: str, text: str, area: QRectF) -> None:
        painter.setFont(font)
        painter.setPen(theme.color(role))
        elided = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)

    def _draw_bar(self, painter: QPainter) -> None:
        area = QRectF(0, self.height() - _BAR_HEIGHT, self.width(), _BAR_HEIGHT)
        outline = QPainterPath()
        outline.addRoundedRect(area, _BAR_HEIGHT / 2, _BAR_HEIGHT / 2)
        painter.setClipPath(outline)
        painter.fillRect(area, theme.color("border"))
        x = 0.0
        for share, opacity in zip(self.shares or (), _SEGMENT_OPACITIES, strict=False):
            width = share * area.width()
            painter.fillRect(QRectF(x, area.y(), width, _BAR_HEIGHT), theme.color("accent", opacity))
            x += width
        painter.setClipping(False)

    def _draw_history(self, painter: QPainter) -> None:
        """The newest at the right, older ones to the left of it, over the bar's whole width."""
        floor = self.height() - _BAR_HEIGHT - 1.0
        step = self.width() / (HISTORY_POINTS - 1)
        x = self.width() - step * (len(self.history) - 1)
        area = QPainterPath(QPointF(x, floor))
        for i, share in enumerate(self.history):
            area.lineTo(x + i * step, floor * (1 - share))
        area.lineTo(self.width(), floor)
        area.closeSubpath()
        painter.fillPath(area, theme.color("accent", _HISTORY_OPACITY))

    def _draw_curve(self, painter: QPainter) -> None:
        area = QRectF(self.width() - _CURVE_WIDTH, SPACE.xs, _CURVE_WIDTH, self.height() - 2 * SPACE.xs)
        top = max(*self._curve, 1e-9) if len(self._curve) > 1 else max(self._curve[0], 1e-9)
        step = area.width() / (_CURVE_POINTS - 1)
        first = area.right() - step * (len(self._curve) - 1)
        points = [
            QPointF(first + i * step, area.bottom() - number / top * area.height())
            for i, number in enumerate(self._curve)
        ]
        painter.setPen(QPen(theme.color("accent"), 1.5))
        painter.drawPolyline(points)

    def _tell(self) -> None:
        """Say it to whoever cannot see it, and draw it."""
        self.setAccessibleName(self.caption)
        self.setAccessibleDescription(self.value)
        self.update()
