"""A tile: a part of a page at one scale, the unit that is rendered, sent and cached."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

TILE_SIZE = 768
_BYTES_PER_PIXEL = 4
# The renderer rounds outwards, but forgives a thousandth of a pixel; so do we.
_ROUNDING = 0.001
# A clip this far inside its pixels names the same pixels, whatever single precision makes of it.
_INSET = 0.25


@dataclass(frozen=True, slots=True)
class PixelRect:
    """The device pixels `[x, x + width) × [y, y + height)`."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def intersected(self, other: "PixelRect") -> "PixelRect":
        """The common part; its width or height is 0 where there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return PixelRect(x, y, max(0, right - x), max(0, bottom - y))

    def moved(self, dx: int, dy: int) -> "PixelRect":
        return PixelRect(self.x + dx, self.y + dy, self.width, self.height)

    def scaled(self, factor: float) -> "PixelRect":
        """Every pixel that the rectangle touches after scaling."""
        x, y = math.floor(self.x * factor), math.floor(self.y * factor)
        right, bottom = math.ceil(self.right * factor), math.ceil(self.bottom * factor)
        return PixelRect(x, y, right - x, bottom - y)

    @property
    def is_empty(self) -> bool:
        return self.width <= 0 or self.height <= 0


@dataclass(frozen=True, slots=True)
class TileRequest:
    """The device pixels `area` of a page that is drawn at `scale` device pixels a point.

    An overview is a whole page, small: a thumbnail, and the stand-in until the page is sharp.
    """

    path: str
    page_index: int
    scale: float
    area: PixelRect
    is_overview: bool = False

    @property
    def clip(self) -> tuple[float, float, float, float]:
        """The area in points as displayed: exactly these pixels when it is rendered at `scale`."""
        area = self.area
        return (
            (area.x + _INSET) / self.scale if area.x else 0.0,
            (area.y + _INSET) / self.scale if area.y else 0.0,
            (area.right - _INSET) / self.scale,
            (area.bottom - _INSET) / self.scale,
        )

    @property
    def size_bytes(self) -> int:
        return self.area.width * self.area.height * _BYTES_PER_PIXEL


def num_pixels(length: float, scale: float) -> int:
    """How many pixels the renderer makes of `length` points; at least one."""
    return max(1, math.ceil(length * scale - _ROUNDING))


def tiles_of(
    path: str, page_index: int, scale: float, page: PixelRect, wanted: PixelRect
) -> Iterator[TileRequest]:
    """The tiles of a page that touch `wanted`, row by row.

    `page` is the whole page at `scale`, at the origin; `wanted` is in the same pixels.
    """
    wanted = wanted.intersected(page)
    if wanted.is_empty:
        return
    for y in range(wanted.y - wanted.y % TILE_SIZE, wanted.bottom, TILE_SIZE):
        for x in range(wanted.x - wanted.x % TILE_SIZE, wanted.right, TILE_SIZE):
            area = PixelRect(x, y, TILE_SIZE, TILE_SIZE).intersected(page)
            yield TileRequest(path, page_index, scale, area)


def overview_of(path: str, page_index: int, width: float, height: float, box: PixelRect) -> TileRequest:
    """The whole page (points) as large as it fits into `box`."""
    scale = min(box.width / width, box.height / height)
    area = PixelRect(0, 0, num_pixels(width, scale), num_pixels(height, scale))
    return TileRequest(path, page_index, scale, area, is_overview=True)
