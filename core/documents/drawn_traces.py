"""What single text operations leave in the picture of a page: it is drawn with them and without.

Imported inside the worker process only: it is called by MuPDF for every operation of a page.
"""

from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.ink import Device
from core.documents.raw_page import Box

pymupdf: Any = _pymupdf
mupdf: Any = pymupdf.mupdf

_MAX_PIXELS = 4_000_000
_ZOOM = 2.0
_MIN_CONTRAST = 20
_ALL_CALLS = [
    *("fill_path", "stroke_path", "clip_path", "clip_stroke_path"),
    *("fill_text", "stroke_text", "clip_text", "clip_stroke_text", "ignore_text"),
    *("fill_shade", "fill_image", "fill_image_mask", "clip_image_mask", "pop_clip"),
    *("begin_mask", "end_mask", "begin_group", "end_group", "begin_tile", "end_tile"),
]


class Traces:
    """`is_traced` tells whether the text operations in `text_numbers` change what a part of the page shows.

    All other text is left out, so that nothing but these letters and their ground counts.
    """

    def __init__(self, display_list: Any, page: Box, text_numbers: set[int]) -> None:
        area = max(1.0, (page[2] - page[0]) * (page[3] - page[1]))
        self._zoom = min(_ZOOM, (_MAX_PIXELS / area) ** 0.5)
        with_text = _drawn(display_list, page, self._zoom, text_numbers)
        without = _drawn(display_list, page, self._zoom, set())
        self._width, self._height, self._stride = with_text.width, with_text.height, with_text.stride
        self._with, self._without = bytes(with_text.samples), bytes(without.samples)

    def is_traced(self, box: Box) -> bool:
        """Whether the part in `box` (points) looks other with the text than without."""
        zoom = self._zoom
        x0, x1 = max(0, int(box[0] * zoom)), min(self._width, int(box[2] * zoom) + 1)
        for row in range(max(0, int(box[1] * zoom)), min(self._height, int(box[3] * zoom) + 1)):
            part = slice(row * self._stride + 3 * x0, row * self._stride + 3 * max(x0, x1))
            a, b = self._with[part], self._without[part]
            if a != b and max(abs(p - q) for p, q in zip(a, b, strict=True)) >= _MIN_CONTRAST:
                return True
        return False


def _drawn(display_list: Any, page: Box, zoom: float, text_numbers: set[int]) -> Any:
    """The page in red, green and blue, with these text operations alone."""
    width, height = max(1, int(page[2] * zoom)), max(1, int(page[3] * zoom))
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, width, height), False)
    pixmap.clear_with(255)
    matrix = mupdf.FzMatrix(zoom, 0, 0, zoom, 0, 0)
    pen = mupdf.fz_new_draw_device(matrix, pixmap.this)
    device = _Selection(pen, text_numbers)
    everything = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
    mupdf.fz_run_display_list(display_list.this, device, mupdf.FzMatrix(), everything, mupdf.FzCookie())
    mupdf.fz_close_device(device)
    mupdf.fz_close_device(pen)
    return pixmap


class _Selection(Device):
    """Hands everything on to another device, but of the text only the operations in `text_numbers`."""

    def __init__(self, device: Any, text_numbers: set[int]) -> None:
        super().__init__(_ALL_CALLS)
        self._device = device.m_internal
        self._wanted = text_numbers
        self._no_text = mupdf.FzText()

    def _is_next_wanted(self) -> bool:
        number = self.text_number
        self.text_number += 1
        return number in self._wanted

    def fill_path(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_fill_path(self._device, *operands)

    def stroke_path(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_stroke_path(self._device, *operands)

    def clip_path(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_clip_path(self._device, *operands)

    def clip_stroke_path(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_clip_stroke_path(self._device, *operands)

    def fill_text(self, _ctx: Any, text: Any, ctm: Any, space: Any, color: Any, *rest: Any) -> None:
        if self._is_next_wanted():
            mupdf.ll_fz_fill_text(self._device, text, ctm, space, _floats(space, color), *rest)

    def stroke_text(
        self, _ctx: Any, text: Any, stroke: Any, ctm: Any, space: Any, color: Any, *rest: Any
    ) -> None:
        if self._is_next_wanted():
            mupdf.ll_fz_stroke_text(self._device, text, stroke, ctm, space, color, *rest)

    def clip_text(self, _ctx: Any, text: Any, ctm: Any, scissor: Any) -> None:
        shown = text if self._is_next_wanted() else self._no_text.m_internal
        mupdf.ll_fz_clip_text(self._device, shown, ctm, scissor)

    def clip_stroke_text(self, _ctx: Any, text: Any, stroke: Any, ctm: Any, scissor: Any) -> None:
        shown = text if self._is_next_wanted() else self._no_text.m_internal
        mupdf.ll_fz_clip_stroke_text(self._device, shown, stroke, ctm, scissor)

    def ignore_text(self, _ctx: Any, _text: Any, _ctm: Any) -> None:
        self.text_number += 1

    def fill_shade(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_fill_shade(self._device, *operands)

    def fill_image(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_fill_image(self._device, *operands)

    def fill_image_mask(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_fill_image_mask(self._device, *operands)

    def clip_image_mask(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_clip_image_mask(self._device, *operands)

    def pop_clip(self, _ctx: Any) -> None:
        mupdf.ll_fz_pop_clip(self._device)

    def begin_mask(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_begin_mask(self._device, *operands)

    def end_mask(self, _ctx: Any, function: Any) -> None:
        mupdf.ll_fz_end_mask_tr(self._device, function)

    def begin_group(self, _ctx: Any, *operands: Any) -> None:
        mupdf.ll_fz_begin_group(self._device, *operands)

    def end_group(self, _ctx: Any) -> None:
        mupdf.ll_fz_end_group(self._device)

    def begin_tile(self, _ctx: Any, *operands: Any) -> int:
        return int(mupdf.ll_fz_begin_tile_tid(self._device, *operands))

    def end_tile(self, _ctx: Any) -> None:
        mupdf.ll_fz_end_tile(self._device)


def _floats(space: Any, color: Any) -> list[float]:
    return [mupdf.floats_getitem(color, i) for i in range(space.n)] if space else []
