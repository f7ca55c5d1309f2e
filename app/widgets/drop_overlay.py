"""What lies over the window while files are dragged across it."""

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app import theme
from app.theme import SPACE, Type

_RADIUS = 12


class DropOverlay(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover(self) -> None:
        """Show it over all of the parent."""
        self.setGeometry(self._covered.rect())
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("window", 0.86))
        area = QRectF(self.rect()).adjusted(SPACE.l, SPACE.l, -SPACE.l, -SPACE.l)
        painter.setPen(QPen(theme.color("accent"), 2, Qt.PenStyle.DashLine))
        painter.setBrush(theme.color("accent", 0.08))
        painter.drawRoundedRect(area, _RADIUS, _RADIUS)
        painter.setPen(theme.color("accent"))
        painter.setFont(theme.font(Type.display, QFont.Weight.DemiBold))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.tr("Drop to open"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.update()
        super().changeEvent(event)
