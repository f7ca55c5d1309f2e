"""Where the parts of the window stand."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from app.window_focus import CHAT_WIDTH

WINDOW_SIZE = (1440, 900)
_LEAST_SIDE, _LEAST_PAGES = 340, 360


def work_area(document_view: QWidget, side: QWidget) -> QSplitter:
    """The document with what is said about it beside it."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.addWidget(document_view)
    splitter.addWidget(side)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    splitter.setStretchFactor(0, 1)
    splitter.setSizes([WINDOW_SIZE[0] - CHAT_WIDTH, CHAT_WIDTH])
    side.setMinimumWidth(_LEAST_SIDE)
    document_view.setMinimumWidth(_LEAST_PAGES)
    return splitter


def whole_window(
    above: tuple[QWidget, ...], history: QWidget, pages: QWidget, below: tuple[QWidget, ...]
) -> QWidget:
    """The bars above, the history beside the pages, and the strips below them."""
    middle = QWidget()
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for bar in above:
        column.addWidget(bar)
    row = QHBoxLayout()
    row.setSpacing(0)
    row.addWidget(history)
    row.addWidget(pages, 1)
    column.addLayout(row, 1)
    for strip in below:
        column.addWidget(strip)
    return middle
