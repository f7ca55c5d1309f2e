"""The scrolling area that shows all pages below each other."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app import theme
from app.core_texts import translated
from app.document_view.page_painter import PageOnScreen, PagePainter
from app.document_view.sheet import MAX_ZOOM, MIN_ZOOM, Anchor, Sheet
from app.document_view.tile_loader import TileLoader
from app.document_view.tiles import PixelRect, TileRequest
from core.documents.layout import BBox
from core.documents.quote_index import PageRect

ZOOM_STEPS = (0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)
_ZOOM_PER_WHEEL_UNIT = 1.0015
_LINE = 40
_PAGE_SHARE = 0.9
_CURRENT_SHARE = 1 / 3
_REVEAL_SHARE = 1 / 4
_BYTES_PER_PIXEL = 4
_KEYBOARD_FOCUS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class PagesArea(QAbstractScrollArea):
    """Scroll bars and `sheet` count in device pixels, so that pages are sharp on any screen."""

    current_page_changed = Signal(int)
    zoom_changed = Signal()

    def __init__(self, sheet: Sheet, loader: TileLoader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sheet = sheet
        self.loader = loader
        self._painter = PagePainter(loader)
        self._current_page = -1
        self._is_moving_itself = False
        self._has_keyboard_focus = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Pages"))
        # The sheet follows the width of the window: a scroll bar that comes and goes would chase its tail.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        loader.tile_arrived.connect(self._on_tile_arrived)
        loader.page_failed.connect(self._on_page_failed)

    @property
    def current_page(self) -> int:
        """The page being read, 0-based; -1 without a document."""
        return self._current_page

    def show_pages(self, path: str, sizes: Sequence[tuple[float, float]]) -> None:
        """Show another document from its first page on; without sizes, none."""
        self.loader.reset()
        self._measure_window()
        self.sheet.show(path, sizes)
        self._scroll_to(0, 0)
        self._set_current_page(0 if sizes else -1)
        self._after_change()

    def go_to(self, page_index: int) -> None:
        """Bring the top of the page to the top of the window."""
        if not 0 <= page_index < self.sheet.num_pages:
            return
        rect = self.sheet.layout[page_index].rect
        self._scroll_to(self.sheet.window.x, rect.y - self.sheet.layout[0].rect.y)
        self._set_current_page(page_index)

    def highlight(self, rects: Sequence[PageRect]) -> None:
        """Mark the boxes and bring the first one into view."""
        self.sheet.set_highlights(rects)
        shown = [rect for rect in rects if rect.page_index in self.sheet.highlights]
        if shown:
            self._reveal(shown[0].page_index, shown[0].bbox)
        self.viewport().update()

    def set_zoom(self, zoom: float | None, at: QPoint | None = None) -> None:
        """None fits the width. The point `at` of the viewport, else the middle of what is read, stays."""
        sheet = self.sheet
        if not sheet.num_pages:
            return
        anchor = self._anchor(at)
        sheet.zoom = None if zoom is None else min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        self._lay_out(anchor)

    def zoom_step(self, direction: int) -> None:
        """The next larger (1) or smaller (-1) usual zoom."""
        if self._current_page < 0:
            return
        zoom = self.sheet.zoom_of(self._current_page)
        if direction > 0:
            steps = [step for step in ZOOM_STEPS if step > zoom * 1.01] or [MAX_ZOOM]
            self.set_zoom(steps[0])
        else:
            steps = [step for step in ZOOM_STEPS if step < zoom * 0.99] or [MIN_ZOOM]
            self.set_zoom(steps[-1])

    def paintEvent(self, _event: QPaintEvent) -> None:
        ratio = self.sheet.device_pixel_ratio
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.color("window"))
        painter.save()
        painter.scale(1 / ratio, 1 / ratio)
        painter.translate(-self.sheet.window.x, -self.sheet.window.y)
        for page_index, part in self.sheet.on_screen():
            self._painter.paint(painter, self._page_on_screen(page_index, part), ratio)
        painter.restore()
        if self._has_keyboard_focus:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out(self._anchor(QPoint(0, 0)))

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self._measure_window()
        if not self._is_moving_itself:
            self._follow_current_page()
            self._show_and_fetch()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if self._current_page >= 0:
                factor = _ZOOM_PER_WHEEL_UNIT ** event.angleDelta().y()
                self.set_zoom(self._zoom_at(event.position()) * factor, event.position().toPoint())
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        window = self.sheet.window
        page = round(window.height * _PAGE_SHARE)
        is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        targets = {
            Qt.Key.Key_PageDown: bar.value() + page,
            Qt.Key.Key_PageUp: bar.value() - page,
            Qt.Key.Key_Space: bar.value() + (-page if is_back else page),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: bar.maximum(),
            Qt.Key.Key_Down: bar.value() + bar.singleStep(),
            Qt.Key.Key_Up: bar.value() - bar.singleStep(),
        }
        target = targets.get(Qt.Key(event.key()))
        if target is None:
            super().keyPressEvent(event)
        else:
            bar.setValue(target)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._has_keyboard_focus = event.reason() in _KEYBOARD_FOCUS
        self.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._has_keyboard_focus = False
        self.viewport().update()
        super().focusOutEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._lay_out(self._anchor(QPoint(0, 0)))
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.setAccessibleName(self.tr("Pages"))
        self.viewport().update()
        super().changeEvent(event)

    def _page_on_screen(self, page_index: int, part: PixelRect) -> PageOnScreen:
        sheet = self.sheet
        failure = self.loader.failure(page_index)
        number = page_index + 1
        notice = self.tr("Page {number}").format(number=number)
        if failure is not None:
            notice = (
                self.tr("Page {number} cannot be shown.").format(number=number) + "\n" + translated(failure)
            )
        return PageOnScreen(
            sheet.path,
            page_index,
            sheet.layout[page_index],
            part,
            sheet.overview(page_index),
            sheet.earlier_layout[page_index] if sheet.earlier_layout is not None else None,
            sheet.highlights.get(page_index, ()),
            notice,
            failure is not None,
            sheet.is_read(page_index),
        )

    def _zoom_at(self, position: QPointF) -> float:
        ratio = self.sheet.device_pixel_ratio
        return self.sheet.zoom_of(self.sheet.layout.page_at(self.sheet.window.y + position.y() * ratio))

    def _anchor(self, at: QPoint | None) -> Anchor | None:
        sheet = self.sheet
        if not len(sheet.layout):
            return None
        if at is None:
            return sheet.anchor_at(sheet.window.width // 2, round(sheet.window.height * _CURRENT_SHARE))
        ratio = sheet.device_pixel_ratio
        return sheet.anchor_at(round(at.x() * ratio), round(at.y() * ratio))

    def _lay_out(self, anchor: Anchor | None) -> None:
        self._measure_window()
        self.sheet.lay_out()
        if anchor is not None:
            self._scroll_to(*self.sheet.window_corner(anchor))
        self._after_change()

    def _after_change(self) -> None:
        self.zoom_changed.emit()
        self._show_and_fetch()

    def _show_and_fetch(self) -> None:
        self.viewport().update()
        self.loader.fetch_next()

    def _scroll_to(self, x: int, y: int) -> None:
        """Adapt the scroll bars to the layout and move there, without taking it for reading on."""
        self._is_moving_itself = True
        layout, window = self.sheet.layout, self.sheet.window
        line = round(_LINE * self.sheet.device_pixel_ratio)
        for bar, length, step, value in (
            (self.horizontalScrollBar(), layout.width, window.width, x),
            (self.verticalScrollBar(), layout.height, window.height, y),
        ):
            bar.setPageStep(step)
            bar.setSingleStep(line)
            bar.setRange(0, max(0, length - step))
            bar.setValue(value)
        self._is_moving_itself = False
        self._measure_window()
        self._show_and_fetch()

    def _measure_window(self) -> None:
        ratio = self.viewport().devicePixelRatioF()
        size = self.viewport().size()
        width, height = max(1, round(size.width() * ratio)), max(1, round(size.height() * ratio))
        self.sheet.device_pixel_ratio = ratio
        self.sheet.window = PixelRect(
            self.horizontalScrollBar().value(), self.verticalScrollBar().value(), width, height
        )
        self.loader.ensure_capacity(width * height * _BYTES_PER_PIXEL)

    def _reveal(self, page_index: int, box: BBox) -> None:
        placement, window = self.sheet.layout[page_index], self.sheet.window
        top = placement.rect.y + round(box.y0 * placement.scale)
        bottom = placement.rect.y + round(box.y1 * placement.scale)
        left = placement.rect.x + round(box.x0 * placement.scale)
        x, y = window.x, window.y
        if top < window.y or bottom > window.bottom:
            y = top - round(window.height * _REVEAL_SHARE)
        if not window.x <= left < window.right:
            x = left - round(window.width * _REVEAL_SHARE)
        self._scroll_to(x, y)
        self._set_current_page(page_index)

    def _follow_current_page(self) -> None:
        if not self.sheet.num_pages:
            return
        window, bar = self.sheet.window, self.verticalScrollBar()
        page_index = self.sheet.layout.page_at(window.y + window.height * _CURRENT_SHARE)
        if bar.value() == bar.maximum() > 0:
            page_index = self.sheet.num_pages - 1
        self._set_current_page(page_index)

    def _set_current_page(self, page_index: int) -> None:
        if page_index != self._current_page:
            self._current_page = page_index
            self.current_page_changed.emit(page_index)
            self.zoom_changed.emit()

    @Slot(object)
    def _on_tile_arrived(self, _request: TileRequest) -> None:
        self.viewport().update()

    @Slot(int)
    def _on_page_failed(self, _page_index: int) -> None:
        self.viewport().update()
