"""The text that MuPDF finds on a page, and the styles in which it stands there.

Imported inside the worker process only.
"""

import re
from collections.abc import Callable
from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.colors import WHITE, Color
from core.documents.first_look import Style
from core.documents.raw_page import Box

pymupdf: Any = _pymupdf
mupdf: Any = pymupdf.mupdf

_FAR = 3_000.0
_STYLE = re.compile(rb"font-size:[\d.]+pt;color:#[0-9a-f]{6}")
_SIZE = slice(len("font-size:"), -len("pt;color:#000000"))
_COLOR = slice(-len("000000"), None)


def text_page(run: Callable[[Any], None], box: Box) -> Any:
    """All text of the page in `box`, also what lies outside of it, though not absurdly far.

    `run` draws the page on a device.
    """
    x1, y1 = box[2] + _FAR, box[3] + _FAR
    found = mupdf.FzStextPage(mupdf.FzRect(-_FAR, -_FAR, x1, y1))
    device = mupdf.fz_new_stext_device(found, mupdf.FzStextOptions(0))
    run(device)
    mupdf.fz_close_device(device)
    return pymupdf.TextPage(found)


def drawn_list(display_list: Any) -> Callable[[Any], None]:
    """Draws a display list on the device that it is given."""
    everywhere = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
    return lambda device: mupdf.fz_run_display_list(
        display_list.this, device, mupdf.FzMatrix(), everywhere, mupdf.FzCookie()
    )


def styles_of(found: Any) -> list[Style]:
    """The sizes and colours of a page's text, each once.

    MuPDF lists them nowhere but in its HTML, of which nothing else is looked at.
    """
    buffer = mupdf.fz_new_buffer(1 << 14)
    output = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_html(output, found.this, 0)
    output.fz_close_output()
    styles = {style.decode() for style in _STYLE.findall(mupdf.fz_buffer_extract_copy(buffer))}
    return [(float(style[_SIZE]), _color(style[_COLOR])) for style in styles]


def _color(digits: str) -> Color:
    """The colour that six hexadecimal digits name."""
    if digits == "000000":
        return 0.0, 0.0, 0.0
    if digits == "ffffff":
        return WHITE
    red, green, blue = bytes.fromhex(digits)
    return red / 255, green / 255, blue / 255
