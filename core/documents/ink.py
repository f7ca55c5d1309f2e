"""What a page paints, in the order of painting: where, in which colour, and how sure it is to cover.

Imported inside the worker process only: it is called by MuPDF for every operation of a page.
"""

from enum import Enum, auto
from math import inf
from typing import Any, NamedTuple

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.colors import Color, Colors
from core.documents.raw_page import Box

mupdf: Any = _pymupdf.mupdf

_OPAQUE = 0.95
_MIN_ALPHA = 0.05
_THIN = 2.0
_THICK = 4.0
_EVERYWHERE: Box = (-inf, -inf, inf, inf)
TEXT_CALLS = ["fill_text", "stroke_text", "ignore_text", "clip_text", "clip_stroke_text"]
PAINT_CALLS = ["fill_path", "fill_shade", "fill_image", "fill_image_mask"]
STATE_CALLS = ["begin_mask", "end_mask", "begin_group", "end_group", "begin_tile", "end_tile"]
_CLIPS = ["clip_path", "clip_stroke_path", "clip_image_mask", "pop_clip"]
_UNPAINTED = ["ignore_text", "clip_text", "clip_stroke_text"]


class InkKind(Enum):
    """What one operation does to the page."""

    TEXT = auto()
    UNPAINTED_TEXT = auto()
    PAINT = auto()
    IMAGE = auto()


class Ink(NamedTuple):
    """One operation; `text_number` is how many text operations came before it.

    `clip` is the part of the page that it may touch. `is_sure` tells whether a paint or an image covers all
    of its box; `color` is None where it has no single one. What `is_odd` shows depends on what else is drawn:
    it is mixed with what lies under it, masked, cut by a shape, or drawn by a page's own glyphs.
    """

    kind: InkKind
    text_number: int
    box: Box
    clip: Box
    color: Color | None
    is_sure: bool
    is_odd: bool = False


class Glyph(NamedTuple):
    """One character of text operation `text_number`; its origin on the base line and size in points."""

    text_number: int
    text: str
    x: float
    y: float
    size: float


def ink_of(display_list: Any, with_colors: bool = True) -> list[Ink]:
    """All operations of a page that matter, in order; colours take as long as all the rest."""
    log = InkLog([*PAINT_CALLS, "stroke_path", *STATE_CALLS, *_CLIPS, *TEXT_CALLS], with_colors)
    run(display_list, log)
    return log.inks


def cut(a: Box, b: Box) -> Box:
    """What two boxes share; its width or height is negative where that is nothing."""
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def run(display_list: Any, device: Any, area: Box | None = None) -> None:
    scissor = mupdf.FzRect(*area) if area else mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
    mupdf.fz_run_display_list(display_list.this, device, mupdf.FzMatrix(), scissor, mupdf.FzCookie())
    mupdf.fz_close_device(device)


def _flat(rect: Any) -> Box:
    return rect.x0, rect.y0, rect.x1, rect.y1


class Device(mupdf.FzDevice2):  # type: ignore[misc]
    """The methods that MuPDF calls have its own signatures: context first, pointers throughout."""

    def __init__(self, virtuals: list[str]) -> None:
        super().__init__()
        self.text_number = 0
        for name in virtuals:
            getattr(self, f"use_virtual_{name}")()


class InkLog(Device):
    """Writes down what MuPDF paints."""

    def __init__(self, virtuals: list[str], with_colors: bool = True) -> None:
        super().__init__(virtuals)
        self.inks: list[Ink] = []
        self._with_colors = with_colors
        self._colors = Colors()
        self._clips: list[tuple[Box, bool]] = [(_EVERYWHERE, True)]
        self._is_plain = [True]
        self._num_hidden = 0

    def fill_path(
        self, _ctx: Any, path: Any, _even_odd: int, ctm: Any, space: Any, color: Any, alpha: float, *_: Any
    ) -> None:
        if alpha < _MIN_ALPHA:
            return
        bounds = mupdf.ll_fz_bound_path(path, None, ctm)
        y0, y1 = bounds.y0, bounds.y1
        if y1 - y0 <= _THIN:
            return
        x0, x1 = bounds.x0, bounds.x1
        if x1 - x0 > _THIN:
            is_odd = alpha < _OPAQUE
            is_rectangle = not is_odd and bool(mupdf.ll_fz_path_is_rect(path, ctm))
            shade = None if is_odd else self._color(space, color)
            self._paint(InkKind.PAINT, (x0, y0, x1, y1), shade, is_rectangle, is_odd)

    def stroke_path(self, _ctx: Any, path: Any, stroke: Any, ctm: Any, *rest: Any) -> None:
        """A line that is thick enough to cover text, or to lie under it."""
        _space, _color, alpha, *_ = rest
        scale = (abs(ctm.a * ctm.d - ctm.b * ctm.c)) ** 0.5
        if alpha >= _MIN_ALPHA and stroke.linewidth * scale > _THICK:
            bounds = mupdf.ll_fz_bound_path(path, stroke, ctm)
            self._paint(InkKind.PAINT, _flat(bounds), None, is_sure=False, is_odd=True)

    def fill_shade(self, _ctx: Any, shade: Any, ctm: Any, alpha: float, _parameters: Any) -> None:
        if alpha >= _MIN_ALPHA:
            box = _flat(mupdf.ll_fz_bound_shade(shade, ctm))
            self._paint(InkKind.PAINT, box, None, is_sure=False, is_odd=True)

    def fill_image(self, _ctx: Any, image: Any, ctm: Any, alpha: float, _parameters: Any) -> None:
        if alpha >= _MIN_ALPHA:
            is_sure = alpha >= _OPAQUE and not image.mask
            self._paint(InkKind.IMAGE, _image_box(ctm), None, is_sure, alpha < _OPAQUE)

    def fill_image_mask(
        self, _ctx: Any, _image: Any, ctm: Any, _space: Any, _color: Any, alpha: float, *_: Any
    ) -> None:
        if alpha >= _MIN_ALPHA:
            self._paint(InkKind.IMAGE, _image_box(ctm), None, is_sure=False, is_odd=alpha < _OPAQUE)

    def fill_text(
        self, _ctx: Any, text: Any, ctm: Any, space: Any, color: Any, alpha: float, *_: Any
    ) -> None:
        self._text(text, ctm, self._color(space, color), alpha >= _MIN_ALPHA)

    def stroke_text(
        self, _ctx: Any, text: Any, _stroke: Any, ctm: Any, space: Any, color: Any, alpha: float, *_: Any
    ) -> None:
        self._text(text, ctm, self._color(space, color), alpha >= _MIN_ALPHA)

    def ignore_text(self, _ctx: Any, text: Any, ctm: Any) -> None:
        self._text(text, ctm, None, is_painted=False)

    def clip_path(self, _ctx: Any, path: Any, _even_odd: int, ctm: Any, _scissor: Any) -> None:
        self._clip(_flat(mupdf.ll_fz_bound_path(path, None, ctm)), bool(mupdf.ll_fz_path_is_rect(path, ctm)))

    def clip_stroke_path(self, *_: Any) -> None:
        self._clip(_EVERYWHERE, is_sure=False)

    def clip_text(self, _ctx: Any, text: Any, ctm: Any, _scissor: Any) -> None:
        self._text(text, ctm, None, is_painted=False, is_window=True)
        self._clip(_EVERYWHERE, is_sure=False)

    def clip_stroke_text(self, _ctx: Any, text: Any, _stroke: Any, ctm: Any, _scissor: Any) -> None:
        self._text(text, ctm, None, is_painted=False, is_window=True)
        self._clip(_EVERYWHERE, is_sure=False)

    def clip_image_mask(self, _ctx: Any, _image: Any, ctm: Any, _scissor: Any) -> None:
        self._clip(_image_box(ctm), is_sure=False)

    def pop_clip(self, _ctx: Any) -> None:
        if len(self._clips) > 1:
            self._clips.pop()

    def begin_mask(self, *_: Any) -> None:
        self._num_hidden += 1

    def end_mask(self, *_: Any) -> None:
        self._num_hidden -= 1
        self._clip(_EVERYWHERE, is_sure=False)

    def begin_group(
        self, _ctx: Any, _area: Any, _space: Any, _isolated: int, _knockout: int, blendmode: int, alpha: float
    ) -> None:
        self._is_plain.append(self._is_plain[-1] and blendmode == 0 and alpha >= _OPAQUE)

    def end_group(self, _ctx: Any) -> None:
        self._is_plain.pop()

    def begin_tile(
        self, _ctx: Any, area: Any, _view: Any, _x_step: float, _y_step: float, ctm: Any, *_: Any
    ) -> int:
        self._paint(InkKind.PAINT, _flat(mupdf.ll_fz_transform_rect(area, ctm)), None, is_sure=False)
        self._num_hidden += 1
        return 0

    def end_tile(self, _ctx: Any) -> None:
        self._num_hidden -= 1

    def _clip(self, box: Box, is_sure: bool) -> None:
        outer, is_outer_sure = self._clips[-1]
        self._clips.append((cut(outer, box), is_outer_sure and is_sure))

    def _text(
        self, text: Any, ctm: Any, color: Color | None, is_painted: bool, is_window: bool = False
    ) -> None:
        """A text; `is_window` tells that what is painted later shows through its letters."""
        bounds = mupdf.ll_fz_bound_text(text, None, ctm)
        box = (bounds.x0 + 1, bounds.y0 + 1, bounds.x1 - 1, bounds.y1 - 1)
        kind = InkKind.TEXT if is_painted else InkKind.UNPAINTED_TEXT
        clip, is_clip_sure = self._clips[-1]
        is_odd = is_window or (
            is_painted and (not is_clip_sure or self._is_odd_state or _has_own_glyphs(text))
        )
        self.inks.append(Ink(kind, self.text_number, box, clip, color, is_sure=True, is_odd=is_odd))
        self.text_number += 1

    @property
    def _is_odd_state(self) -> bool:
        return self._num_hidden > 0 or not self._is_plain[-1]

    def _paint(
        self, kind: InkKind, box: Box, color: Color | None, is_sure: bool, is_odd: bool = False
    ) -> None:
        if self._num_hidden:
            return
        if not self._is_plain[-1]:
            color, is_sure, is_odd = None, False, True
        clip, is_clip_sure = self._clips[-1]
        is_sure = is_sure and is_clip_sure
        self.inks.append(Ink(kind, self.text_number, cut(box, clip), clip, color, is_sure, is_odd))

    def _color(self, space: Any, color: Any) -> Color | None:
        return self._colors.rgb(space, color) if space and self._with_colors else None


def _has_own_glyphs(text: Any) -> bool:
    """Whether the page brings the drawings of its letters, which may be empty."""
    head = text.head
    return bool(head) and bool(mupdf.ll_fz_font_t3_procs(head.font))


def _image_box(ctm: Any) -> Box:
    xs = (ctm.e, ctm.e + ctm.a, ctm.e + ctm.c, ctm.e + ctm.a + ctm.c)
    ys = (ctm.f, ctm.f + ctm.b, ctm.f + ctm.d, ctm.f + ctm.b + ctm.d)
    return min(xs), min(ys), max(xs), max(ys)
