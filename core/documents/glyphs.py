"""The characters of single text operations of a page. Imported inside the worker process only."""

from math import sqrt
from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.ink import TEXT_CALLS, Device, Glyph, run

mupdf: Any = _pymupdf.mupdf

_MAX_GLYPHS = 200_000


def glyphs_of(display_list: Any, text_numbers: set[int]) -> list[Glyph]:
    """The characters of these text operations, which are numbered as in `ink_of`.

    Raises `TooManyGlyphsError` where looking at each would take too long.
    """
    log = _GlyphLog(text_numbers)
    run(display_list, log)
    if log.are_too_many:
        raise TooManyGlyphsError
    return log.glyphs


class TooManyGlyphsError(Exception):
    """A page has more characters in doubt than can be looked at."""


class _GlyphLog(Device):
    def __init__(self, wanted: set[int]) -> None:
        super().__init__(TEXT_CALLS)
        self._wanted = wanted
        self.glyphs: list[Glyph] = []
        self.are_too_many = False

    def fill_text(self, _ctx: Any, text: Any, ctm: Any, *_: Any) -> None:
        self._add(text, ctm)

    def stroke_text(self, _ctx: Any, text: Any, _stroke: Any, ctm: Any, *_: Any) -> None:
        self._add(text, ctm)

    def ignore_text(self, _ctx: Any, text: Any, ctm: Any) -> None:
        self._add(text, ctm)

    def clip_text(self, _ctx: Any, text: Any, ctm: Any, _scissor: Any) -> None:
        self._add(text, ctm)

    def clip_stroke_text(self, _ctx: Any, text: Any, _stroke: Any, ctm: Any, _scissor: Any) -> None:
        self._add(text, ctm)

    def _add(self, text: Any, ctm: Any) -> None:
        if self.text_number in self._wanted:
            self._add_glyphs(text, ctm)
        self.text_number += 1

    def _add_glyphs(self, text: Any, ctm: Any) -> None:
        a, b, c, d, e, f = ctm.a, ctm.b, ctm.c, ctm.d, ctm.e, ctm.f
        scale = sqrt(abs(a * d - b * c))
        span = text.head
        while span:
            wrapped = mupdf.FzTextSpan(span)
            trm = span.trm
            size = scale * sqrt(abs(trm.a * trm.d - trm.b * trm.c))
            self.are_too_many = self.are_too_many or len(self.glyphs) + span.len > _MAX_GLYPHS
            for i in range(0 if self.are_too_many else span.len):
                item = wrapped.items(i)
                code = item.ucs
                if code >= 0:
                    x, y = item.x, item.y
                    place = a * x + c * y + e, b * x + d * y + f
                    self.glyphs.append(Glyph(self.text_number, chr(code), *place, size))
            span = span.next
