"""Paints one page: paper, a quick stand-in, sharp tiles, highlights, or a plain notice."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap, QRegion

from app import theme
from app.document_view.page_layout import Placement
from app.document_view.tile_loader import TileLoader
from app.document_view.tiles import PixelRect, TileRequest, tiles_of
from core.documents.layout import BBox

# Paper is white in every theme, and so what lies on it keeps its colours too.
PAPER = QColor("#ffffff")
_INK_MUTED = QColor("#6b7280")
_SHADOW = QColor(0, 0, 0, 28)
_VEIL = QColor("#e3e6eb")


@dataclass(frozen=True, slots=True)
class PageOnScreen:
    """One page as it is to be painted.

    `visible` is the part that is on screen, in the page's own device pixels. `earlier` is how the page was
    shown before a zoom: its tiles, as far as they are here, look better than the stand-in. A page that is not
    read is greyed, no more than leaves it legible.
    """

    path: str
    page_index: int
    placement: Placement
    visible: PixelRect
    overview: TileRequest
    earlier: Placement | None
    highlights: Sequence[BBox]
    notice: str
    is_failed: bool
    is_read: bool = True

    @property
    def tiles(self) -> Sequence[TileRequest]:
        """The sharp tiles of the visible part."""
        placement = self.placement
        return tuple(tiles_of(self.path, self.page_index, placement.scale, placement.page_rect, self.visible))


class PagePainter:
    """Paints pages with a painter whose unit is the device pixel and whose origin is the sheet's."""

    def __init__(self, loader: TileLoader) -> None:
        self._loader = loader

    def paint(self, painter: QPainter, page: PageOnScreen, device_pixel_ratio: float) -> None:
        rect = page.placement.rect
        painter.save()
        painter.translate(rect.x, rect.y)
        self._paint_paper(painter, rect, device_pixel_ratio)
        painter.setClipRect(0, 0, rect.width, rect.height)
        is_covered = self._paint_content(painter, page)
        if page.is_failed or not is_covered:
            self._paint_notice(painter, page, device_pixel_ratio)
        if not page.is_read:
            self._paint_veil(painter, rect)
        self._paint_highlights(painter, page)
        painter.restore()

    def _paint_paper(self, painter: QPainter, rect: PixelRect, device_pixel_ratio: float) -> None:
        line = max(1, round(device_pixel_ratio))
        painter.fillRect(line, 2 * line, rect.width + line, rect.height, _SHADOW)
        border = QRect(-line, -line, rect.width + 2 * line, rect.height + 2 * line)
        painter.fillRect(border, theme.color("border"))
        painter.fillRect(0, 0, rect.width, rect.height, PAPER)

    def _paint_veil(self, painter: QPainter, rect: PixelRect) -> None:
        painter.save()
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        painter.fillRect(0, 0, rect.width, rect.height, _VEIL)
        painter.restore()

    def _paint_content(self, painter: QPainter, page: PageOnScreen) -> bool:
        """Whether something was painted."""
        sharp = [(tile, self._loader.pixmap(tile)) for tile in page.tiles]
        is_covered = False
        if any(pixmap is None for _, pixmap in sharp):
            is_covered = self._paint_stand_in(painter, page)
        for tile, pixmap in sharp:
            if pixmap is not None:
                painter.drawPixmap(tile.area.x, tile.area.y, pixmap)
                is_covered = True
        return is_covered

    def _paint_stand_in(self, painter: QPainter, page: PageOnScreen) -> bool:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        rect = page.placement.rect
        overview = self._loader.pixmap(page.overview)
        if overview is not None:
            painter.drawPixmap(QRect(0, 0, rect.width, rect.height), overview)
        is_covered = overview is not None
        for target, pixmap in self._earlier_tiles(page):
            painter.drawPixmap(target, pixmap, QRectF(pixmap.rect()))
            is_covered = True
        return is_covered

    def _earlier_tiles(self, page: PageOnScreen) -> list[tuple[QRectF, QPixmap]]:
        earlier = page.earlier
        if earlier is None or earlier.scale == page.placement.scale:
            return []
        factor = page.placement.scale / earlier.scale
        visible = page.visible.scaled(1 / factor)
        found = []
        for tile in tiles_of(page.path, page.page_index, earlier.scale, earlier.page_rect, visible):
            pixmap = self._loader.pixmap(tile)
            if pixmap is not None:
                area = tile.area
                target = QRectF(area.x * factor, area.y * factor, area.width * factor, area.height * factor)
                found.append((target, pixmap))
        return found

    def _paint_highlights(self, painter: QPainter, page: PageOnScreen) -> None:
        """Multiplied with the page, so that dark words stay as dark as they are; nothing twice."""
        region = QRegion()
        for box in page.highlights:
            region += pixels_of(box, page.placement.scale)
        if region.isEmpty():
            return
        painter.setClipRegion(region, Qt.ClipOperation.IntersectClip)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        painter.fillRect(region.boundingRect(), theme.color("highlight"))

    def _paint_notice(self, painter: QPainter, page: PageOnScreen, device_pixel_ratio: float) -> None:
        painter.save()
        painter.scale(device_pixel_ratio, device_pixel_ratio)
        painter.setFont(theme.font(theme.Type.body, QFont.Weight.Normal))
        painter.setPen(_INK_MUTED)
        part = page.visible if page.is_failed else page.placement.page_rect
        ratio = device_pixel_ratio
        box = QRectF(part.x / ratio, part.y / ratio, part.width / ratio, part.height / ratio)
        margin = theme.SPACE.l
        box.adjust(margin, margin, -margin, -margin)
        if box.width() > 0 and box.height() > 0:
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, page.notice)
        painter.restore()


def pixels_of(box: BBox, scale: float) -> QRect:
    """Every device pixel of the page that the box (points) touches."""
    left, top = math.floor(box.x0 * scale), math.floor(box.y0 * scale)
    right, bottom = math.ceil(box.x1 * scale), math.ceil(box.y1 * scale)
    return QRect(left, top, max(1, right - left), max(1, bottom - top))
