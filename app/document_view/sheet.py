"""The document as one tall sheet and the window onto it; no widget, so that it can be reasoned about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.document_view.page_layout import PageLayout, PageSize, Spacing, fitting_scale, known_sizes
from app.document_view.tile_loader import TileLoader
from app.document_view.tiles import PixelRect, TileRequest, overview_of, tiles_of
from core.documents.layout import BBox
from core.documents.page_range import PageRange
from core.documents.quote_index import PageRect

MIN_ZOOM, MAX_ZOOM = 0.1, 8.0
OVERVIEW_WIDTH, OVERVIEW_HEIGHT = 112, 150
"""The box that a thumbnail fits into, in logical pixels."""

_LOGICAL_PIXELS_PER_POINT = 96 / 72
_MARGIN, _GAP = 16, 12


@dataclass(frozen=True, slots=True)
class Anchor:
    """A point of a page, in shares of its size, and the pixel of the window at which it shall stay."""

    page_index: int
    x_share: float
    y_share: float
    window_x: int
    window_y: int


class Sheet:
    """Sizes, zoom and layout of one document. All pixels are device pixels.

    `zoom` 1 shows a page in its real size; None fits pages to the width of the window. `warmth` is, by page,
    the share (0 to 1) of a model's attention. `read_pages` are those that the model is given, None for all.
    """

    def __init__(self) -> None:
        self.path = ""
        self.sizes: tuple[PageSize, ...] = ()
        self.zoom: float | None = None
        self.window = PixelRect(0, 0, 1, 1)
        self.device_pixel_ratio = 1.0
        self.layout = PageLayout((), 1.0, 1, Spacing(0, 0))
        self.earlier_layout: PageLayout | None = None
        self.highlights: dict[int, list[BBox]] = {}
        self.warmth: dict[int, float] = {}
        self.read_pages: PageRange | None = None

    @property
    def num_pages(self) -> int:
        return len(self.sizes)

    def is_read(self, page_index: int) -> bool:
        return self.read_pages is None or page_index in self.read_pages

    def show(self, path: str, sizes: Sequence[tuple[float, float]]) -> None:
        self.path = path
        self.sizes = known_sizes(sizes)
        self.earlier_layout = None
        self.highlights, self.warmth = {}, {}
        self.lay_out()

    def lay_out(self) -> None:
        """Place the pages anew after the window, the zoom or the sizes have changed."""
        ratio = self.device_pixel_ratio
        spacing = Spacing(round(_MARGIN * ratio), round(_GAP * ratio))
        available = max(1, self.window.width - 2 * spacing.margin)
        scale, widest = 1.0, None
        if self.zoom is not None:
            scale = self.zoom * self._unit
        elif self.sizes:
            fitting = fitting_scale(self.sizes, available)
            scale, widest = min(max(fitting, MIN_ZOOM * self._unit), MAX_ZOOM * self._unit), available
        if len(self.layout) == self.num_pages:
            self.earlier_layout = self.layout
        self.layout = PageLayout(self.sizes, scale, self.window.width, spacing, widest)

    def zoom_of(self, page_index: int) -> float:
        """The zoom at which the page is shown right now."""
        return self.layout[page_index].scale / self._unit

    @property
    def _unit(self) -> float:
        return _LOGICAL_PIXELS_PER_POINT * self.device_pixel_ratio

    def anchor_at(self, window_x: int, window_y: int) -> Anchor:
        """What is at this pixel of the window."""
        y = self.window.y + window_y
        page_index = self.layout.page_at(y)
        rect = self.layout[page_index].rect
        x_share = (self.window.x + window_x - rect.x) / rect.width
        return Anchor(page_index, x_share, (y - rect.y) / rect.height, window_x, window_y)

    def window_corner(self, anchor: Anchor) -> tuple[int, int]:
        """Where the window must begin for the anchor to be in its place."""
        rect = self.layout[anchor.page_index].rect
        x = rect.x + anchor.x_share * rect.width - anchor.window_x
        y = rect.y + anchor.y_share * rect.height - anchor.window_y
        return round(x), round(y)

    def set_highlights(self, rects: Iterable[PageRect]) -> None:
        self.highlights = {}
        for rect in rects:
            if 0 <= rect.page_index < self.num_pages:
                self.highlights.setdefault(rect.page_index, []).append(rect.bbox)

    def set_warmth(self, shares: Mapping[int, float]) -> None:
        """Pages beyond the document are left out."""
        self.warmth = {index: share for index, share in shares.items() if 0 <= index < self.num_pages}

    def on_screen(self, window: PixelRect | None = None) -> Iterator[tuple[int, PixelRect]]:
        """The pages that the window shows, and which of their own pixels."""
        window = window or self.window
        for page_index in self.layout.visible(window):
            rect = self.layout[page_index].rect
            yield page_index, window.intersected(rect).moved(-rect.x, -rect.y)

    def overview(self, page_index: int) -> TileRequest:
        ratio = self.device_pixel_ratio
        box = PixelRect(0, 0, round(OVERVIEW_WIDTH * ratio), round(OVERVIEW_HEIGHT * ratio))
        return overview_of(self.path, page_index, *self.sizes[page_index], box)

    def tiles(self, page_index: int, part: PixelRect) -> Iterator[TileRequest]:
        placement = self.layout[page_index]
        return tiles_of(self.path, page_index, placement.scale, placement.page_rect, part)


class VisibleTiles:
    """What the window shows: for each page a stand-in first, then its sharp tiles."""

    def __init__(self, sheet: Sheet, loader: TileLoader) -> None:
        self._sheet = sheet
        self._loader = loader

    def next_wanted(self) -> TileRequest | None:
        parts = list(self._sheet.on_screen())
        for page_index, part in parts:
            overview = self._sheet.overview(page_index)
            if self._loader.is_missing(overview) and all(
                map(self._loader.is_missing, self._tiles(page_index, part))
            ):
                return overview
        for page_index, part in parts:
            for tile in self._tiles(page_index, part):
                if self._loader.is_missing(tile):
                    return tile
        return None

    def wants(self, request: TileRequest, /) -> bool:
        return request.path == self._sheet.path and any(
            page_index == request.page_index
            and (request.is_overview or request in self._tiles(page_index, part))
            for page_index, part in self._sheet.on_screen()
        )

    def _tiles(self, page_index: int, part: PixelRect) -> list[TileRequest]:
        return list(self._sheet.tiles(page_index, part))


class NearbyTiles:
    """What is next to the window: one screen below it, half a screen above."""

    def __init__(self, sheet: Sheet, loader: TileLoader) -> None:
        self._sheet = sheet
        self._loader = loader

    def next_wanted(self) -> TileRequest | None:
        window = self._sheet.window
        ahead = window.moved(0, window.height)
        behind = PixelRect(window.x, window.y - window.height // 2, window.width, window.height // 2)
        for area in (ahead, behind):
            for page_index, part in self._sheet.on_screen(area):
                for tile in self._sheet.tiles(page_index, part):
                    if self._loader.is_missing(tile):
                        return tile
        return None

    def wants(self, _request: TileRequest, /) -> bool:
        """Nothing that is off screen is worth waiting for."""
        return False
