"""The colours of a page as red, green and blue. Imported inside the worker process only."""

from functools import cached_property
from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

mupdf: Any = _pymupdf.mupdf

Color = tuple[float, float, float]

WHITE: Color = (1.0, 1.0, 1.0)


class Colors:
    """Converts colours, each once: a page has few, and converting takes longer than all else of a log."""

    def __init__(self) -> None:
        self._known: dict[tuple[float, ...], Color] = {}

    def rgb(self, space: Any, color: Any) -> Color:
        """The colour with the components `color`, MuPDF's own pointer, in the colour space `space`."""
        key = (int(space.this), *[mupdf.floats_getitem(color, i) for i in range(space.n)])
        if key not in self._known:
            target, parameters = self._target
            red, green, blue, _ = mupdf.ll_fz_convert_color(
                space, color, target.m_internal, None, parameters.internal()
            )
            self._known[key] = red, green, blue
        return self._known[key]

    @cached_property
    def _target(self) -> tuple[Any, Any]:
        """What colours are converted to, and how; MuPDF uses them as long as these owners live."""
        return mupdf.FzColorspace(mupdf.FzColorspace.Fixed_RGB), mupdf.FzColorParams()
