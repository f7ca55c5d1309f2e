"""Marks beside the scroll bar for the pages that an answer looked at."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app import theme
from app.document_view.pages_area import PagesArea
from app.document_view.sheet import Sheet
from app.widgets.keys import is_enter
from app.widgets.shares import share_sentence

_WIDTH, _LEAST_HEIGHT = 12, 7
_LEAST_SHARE = 0.02
_MOST_MARKS = 12
_FAINTEST, _TINT = 0.3, 0.4


def warm_opacity(strength: float) -> float:
    """How much of the warm colour stands for a share, as a part of the largest one (0 to 1)."""
    return _FAINTEST + (1 - _FAINTEST) * strength


def paint_warmth(painter: QPainter, page: QRectF, strength: float) -> None:
    """Tint a page on its paper, and its left edge more."""
    painter.fillRect(page, theme.color("warm", _TINT * warm_opacity(strength)))
    painter.fillRect(QRectF(page.left(), page.top(), 4, page.height()), theme.color("warm"))


class WarmMark(QAbstractButton):
    """One page; a click or Enter goes there."""

    def __init__(self, page_index: int, share: float, strength: float, parent: QWidget) -> None:
        super().__init__(parent)
        self.page_index, self.share = page_index, share
        self._strength = strength
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.retranslate()

    def retranslate(self) -> None:
        page = self.tr("Page {number}").format(number=self.page_index + 1)
        self.setToolTip(f"{page}. {share_sentence(self.share)}")
        self.setAccessibleName(page)
        self.setAccessibleDescription(share_sentence(self.share))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(2, 1, -2, -1)
        painter.setPen(QPen(theme.color("text"), 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("warm", 1.0 if self.underMouse() else warm_opacity(self._strength)))
        painter.drawRoundedRect(area, 2, 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event):
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


class WarmMarks(QObject):
    """Keeps a mark for each of the warmest pages at the right edge of `area`, in the margin of the pages."""

    page_chosen = Signal(int)

    def __init__(self, sheet: Sheet, area: PagesArea) -> None:
        super().__init__(area)
        self.marks: list[WarmMark] = []
        self._sheet, self._area = sheet, area
        area.zoom_changed.connect(self._place)
        area.viewport().installEventFilter(self)

    def renew(self) -> None:
        """The warm pages are others now."""
        for mark in self.marks:
            mark.setParent(None)
            mark.deleteLater()
        warmth = self._sheet.warmth
        most = max(warmth.values(), default=1.0)
        warmest = sorted(warmth, key=lambda index: -warmth[index])[:_MOST_MARKS]
        self.marks = []
        for page_index in sorted(warmest):
            share = warmth[page_index]
            if share >= _LEAST_SHARE:
                mark = WarmMark(page_index, share, share / most, self._area)
                mark.clicked.connect(self._on_clicked)
                self.marks.append(mark)
        self._place()
        for mark in self.marks:
            mark.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        layout, view = self._sheet.layout, self._area.viewport().geometry()
        for mark in self.marks:
            if mark.page_index >= len(layout):
                continue
            rect = layout[mark.page_index].rect
            scale = view.height() / max(1, layout.height)
            height = max(_LEAST_HEIGHT, round(rect.height * scale))
            top = min(round(rect.y * scale), view.height() - height)
            mark.setGeometry(view.right() + 1 - _WIDTH, view.top() + top, _WIDTH, height)

    def _on_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, WarmMark):
            self.page_chosen.emit(sender.page_index)
