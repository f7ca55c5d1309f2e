"""Cells of a table whose text takes two lines at most."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.theme import SPACE

_NUM_LINES = 2
_MARGIN = SPACE.s + 4


class ClampedText(QStyledItemDelegate):
    """What does not fit into two lines ends in an ellipsis; the tool tip has all of it."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        width = option.rect.width() - 2 * _MARGIN
        option.text = clamped(option.text, option.font, width)


def clamped(text: str, font: QFont, width: float, num_lines: int = _NUM_LINES) -> str:
    """The text broken into lines of `width` pixels, the last of them shortened if there is more."""
    words = " ".join(text.split())
    if not words or width <= 0:
        return words
    layout = QTextLayout(words, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    starts: list[int] = []
    layout.beginLayout()
    while len(starts) <= num_lines:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    lines = [words[start:end].strip() for start, end in zip(starts, [*starts[1:], len(words)], strict=True)]
    if len(lines) > num_lines:
        rest = words[starts[num_lines - 1] :]
        metrics = QFontMetricsF(font)
        lines = [*lines[: num_lines - 1], metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)]
    return "\u2028".join(lines)
