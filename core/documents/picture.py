"""A page drawn in shades of grey, to see whether anything shows in a part of it."""

from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.raw_page import Box

pymupdf: Any = _pymupdf

_MAX_PIXELS = 4_000_000
_ZOOM = 2.0
_MIN_CONTRAST = 24


class Picture:
    """Drawn once when it is made, at most two pixels a point."""

    def __init__(self, display_list: Any, page: Box) -> None:
        area = max(1.0, (page[2] - page[0]) * (page[3] - page[1]))
        self._zoom = min(_ZOOM, (_MAX_PIXELS / area) ** 0.5)
        matrix = pymupdf.Matrix(self._zoom, self._zoom)
        pixmap = display_list.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=0)
        self._width, self._height, self._stride = pixmap.width, pixmap.height, pixmap.stride
        self._samples = bytes(pixmap.samples)

    def is_blank(self, box: Box) -> bool:
        """Whether the part in `box` (points) shows one shade only; outside of the page nothing shows."""
        x0, y0 = max(0, int(box[0] * self._zoom)), max(0, int(box[1] * self._zoom))
        x1, y1 = (
            min(self._width, int(box[2] * self._zoom) + 1),
            min(self._height, int(box[3] * self._zoom) + 1),
        )
        darkest, lightest = 255, 0
        for row in range(y0, y1):
            shades = self._samples[row * self._stride + x0 : row * self._stride + x1]
            if shades:
                low, high = min(shades), max(shades)
                darkest, lightest = min(darkest, low), max(lightest, high)
                if lightest - darkest >= _MIN_CONTRAST:
                    return False
        return True
