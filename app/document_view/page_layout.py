"""Where every page lies on one tall sheet. Pure arithmetic: a thousand pages take a few milliseconds."""

import bisect
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.document_view.tiles import PixelRect, num_pixels

DEFAULT_SIZE = (612.0, 792.0)
_MAX_SHEET_PIXELS = 2**30


class PageSize(NamedTuple):
    """Points as displayed."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Placement:
    """A page on the sheet: its device pixels, and how many of them make a point."""

    rect: PixelRect
    scale: float

    @property
    def page_rect(self) -> PixelRect:
        """The page's own pixels, its corner at the origin."""
        return PixelRect(0, 0, self.rect.width, self.rect.height)


@dataclass(frozen=True, slots=True)
class Spacing:
    """Device pixels at the sides of the pages, and above, between and below them."""

    margin: int
    gap: int


def known_sizes(sizes: Sequence[tuple[float, float]]) -> tuple[PageSize, ...]:
    """The sizes, with that of a typical page wherever a page could not be measured."""
    known = [PageSize(*size) for size in sizes if min(size) > 0 and all(map(math.isfinite, size))]
    if len(known) == len(sizes):
        return tuple(known)
    typical = PageSize(*DEFAULT_SIZE)
    if known:
        widths = sorted(known)
        typical = widths[len(widths) // 2]
    return tuple(
        PageSize(*size) if min(size) > 0 and all(map(math.isfinite, size)) else typical for size in sizes
    )


def fitting_scale(sizes: Sequence[PageSize], available_width: int) -> float:
    """The scale at which a page of typical width is `available_width` pixels wide."""
    return available_width / statistics.median_low(size.width for size in sizes)


class PageLayout:
    """All pages below each other, centred, in device pixels.

    With `widest` no page is wider than that many pixels: wider pages are drawn at a smaller scale.
    """

    def __init__(
        self,
        sizes: Sequence[PageSize],
        scale: float,
        sheet_width: int,
        spacing: Spacing,
        widest: int | None = None,
    ) -> None:
        total = sum(size.height for size in sizes)
        scale = min(scale, _MAX_SHEET_PIXELS / max(1.0, total, *(size.width for size in sizes)))
        scales = [scale if widest is None else min(scale, widest / size.width) for size in sizes]
        widths = [num_pixels(size.width, each) for size, each in zip(sizes, scales, strict=True)]
        self.width = max(sheet_width, max(widths, default=0) + 2 * spacing.margin)
        self.placements: list[Placement] = []
        y = spacing.gap
        for size, each, width in zip(sizes, scales, widths, strict=True):
            height = num_pixels(size.height, each)
            self.placements.append(Placement(PixelRect((self.width - width) // 2, y, width, height), each))
            y += height + spacing.gap
        self.height = y if sizes else 0
        self._tops = [placement.rect.y for placement in self.placements]

    def __len__(self) -> int:
        return len(self.placements)

    def __getitem__(self, page_index: int) -> Placement:
        return self.placements[page_index]

    def page_at(self, y: float) -> int:
        """The page at height `y` of the sheet; in a gap the one above it, before the first the first."""
        return max(0, bisect.bisect_right(self._tops, y) - 1)

    def visible(self, area: PixelRect) -> range:
        """The pages that touch the rows of `area`."""
        first = self.page_at(area.y)
        if self.placements and self.placements[first].rect.bottom <= area.y:
            first += 1
        return range(first, bisect.bisect_left(self._tops, area.bottom))
