"""How the rows of the history look: a title, a line or three under it, and the words that were looked for."""

from functools import cached_property

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app import theme
from app.library_view.rows import Index, Row, row_of, when_words
from app.theme import SPACE, Type

_MAX_LINES = 3
_RADIUS = 6.0
_BAR_WIDTH = 3
_MARK_OPACITY = 0.45


class RowPainter(QStyledItemDelegate):
    """`current_id` is the conversation on screen, which has a bar at its side."""

    current_id: int | None = None

    @cached_property
    def _heading_height(self) -> int:
        return _metrics(_heading_font()).height() + SPACE.l + SPACE.xs

    @cached_property
    def _plain_height(self) -> int:
        """Of a row without matches, of which there may be thousands."""
        return _title_height() + round(_detail_layout(Row("", "x"), 1000)[1])

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = row_of(index)
        width = self._width(option)
        if row is None:
            return QSize(width, 0)
        if row.is_heading:
            return QSize(width, self._heading_height)
        height = self._plain_height
        if row.matches:
            height = _title_height() + round(_detail_layout(row, width - 2 * SPACE.m)[1])
        return QSize(width, height + 2 * SPACE.s + 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = row_of(index)
        if row is None:
            return
        rect: QRect = option.rect
        painter.save()
        if row.is_heading:
            self._paint_heading(painter, rect, row)
        else:
            self._paint_ground(painter, rect, option, row)
            self._paint_row(painter, rect.adjusted(SPACE.m, SPACE.s, -SPACE.m, -SPACE.s), row)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, row: Row) -> None:
        font = _heading_font()
        painter.setFont(font)
        painter.setPen(theme.color("text_muted"))
        inside = rect.adjusted(SPACE.m, 0, -SPACE.m, -SPACE.xs)
        words = _metrics(font).elidedText(row.title, Qt.TextElideMode.ElideMiddle, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, words)

    def _paint_ground(self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, row: Row) -> None:
        state = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if is_selected or state & QStyle.StateFlag.State_MouseOver:
            role, opacity = ("accent", 0.14) if is_selected else ("text", 0.06)
            painter.setBrush(theme.color(role, opacity))
            painter.drawRoundedRect(rect, _RADIUS, _RADIUS)
        if row.conversation_id == self.current_id:
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(rect.left(), rect.top() + SPACE.s, _BAR_WIDTH, rect.height() - 16, 1, 1)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(theme.color("accent"))
            painter.drawRoundedRect(rect.adjusted(0, 0, -1, -1), _RADIUS, _RADIUS)

    def _paint_row(self, painter: QPainter, inside: QRect, row: Row) -> None:
        when, small = when_words(row.moment), theme.font(Type.caption)
        when_width = _metrics(small).horizontalAdvance(when)
        title_font = _title_font()
        metrics = _metrics(title_font)
        painter.setFont(title_font)
        painter.setPen(theme.color("text"))
        room = inside.width() - when_width - SPACE.s
        title = metrics.elidedText(" ".join(row.title.split()), Qt.TextElideMode.ElideRight, room)
        painter.drawText(inside.left(), inside.top() + metrics.ascent(), title)
        painter.setFont(small)
        painter.setPen(theme.color("text_muted"))
        painter.drawText(inside.right() - when_width, inside.top() + metrics.ascent(), when)
        layout, _ = _detail_layout(row, inside.width())
        layout.draw(painter, QPointF(inside.left(), inside.top() + metrics.height() + 2))

    def _width(self, option: QStyleOptionViewItem) -> int:
        view = option.widget
        return view.viewport().width() if isinstance(view, QListView) else 0


def _detail_layout(row: Row, width: int) -> tuple[QTextLayout, float]:
    """The lines under the title, marked where they match, and their height in pixels."""
    layout = QTextLayout(row.detail, theme.font(Type.caption))
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    layout.setFormats([_mark(start, end) for start, end in row.matches])
    layout.beginLayout()
    height = 0.0
    for _ in range(_MAX_LINES if row.matches else 1):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(1, width))
        line.setPosition(QPointF(0, height))
        height += line.height()
    layout.endLayout()
    return layout, height


def _mark(start: int, end: int) -> QTextLayout.FormatRange:
    look = QTextCharFormat()
    look.setBackground(theme.color("highlight", _MARK_OPACITY))
    look.setForeground(theme.color("text"))
    look.setFontWeight(QFont.Weight.DemiBold)
    mark = QTextLayout.FormatRange()
    mark.start, mark.length, mark.format = start, end - start, look
    return mark


def _title_height() -> int:
    return _metrics(_title_font()).height()


def _title_font() -> QFont:
    return theme.font(Type.body)


def _heading_font() -> QFont:
    return theme.font(Type.caption, QFont.Weight.DemiBold)


def _metrics(font: QFont) -> QFontMetrics:
    return QFontMetrics(font)
