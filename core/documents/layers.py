"""The layers of a PDF (optional content): which pages draw on any, and how to see all of them.

Imported inside the worker process only.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

mupdf: Any = _pymupdf.mupdf

_ON_A_LAYER = re.compile(r"/OC\b|/Properties\b")
_REFERENCE = re.compile(r"(\d+) \d+ R\b")
_MAX_DEPTH = 64
_ELSEWHERE = re.compile(
    r"/(?:Parent|P|B|A|AA|Dest|IRT|Popup|PieceInfo|Metadata) ?\d+ \d+ R\b|/D ?\[ ?\d+ \d+ R\b"
)


def has_layers_off(pdf: Any) -> bool:
    """Whether a layer is off, or a group of layers shows what it has by a rule of its own."""
    try:
        layers = Layers(pdf)
        return any(not layers.is_on(number) for number in layers.numbers)
    except Exception:  # noqa: BLE001 - broken layers can raise anything; MuPDF then shows them all
        return False


class Layers:
    """The layers of an open PDF."""

    def __init__(self, pdf: Any) -> None:
        self._pdf = pdf
        self._specifics = mupdf.pdf_specifics(pdf.this)
        self._plain: set[int] = set()

    @property
    def numbers(self) -> range:
        return range(mupdf.pdf_count_layers(self._specifics))

    def is_on(self, number: int) -> bool:
        return bool(mupdf.pdf_layer_is_enabled(self._specifics, number))

    @contextmanager
    def all_on(self) -> Iterator[None]:
        """While this lasts, layers that are switched off are on."""
        off = [number for number in self.numbers if not self.is_on(number)]
        try:
            for number in off:
                mupdf.pdf_enable_layer(self._specifics, number, 1)
            yield
        finally:
            for number in off:
                mupdf.pdf_enable_layer(self._specifics, number, 0)

    def has_page(self, page_index: int) -> bool:
        """Whether anything that the page consists of names a layer; all that it refers to is looked at."""
        page = int(self._pdf.page_xref(page_index))
        resources = self._inherited_resources(page)
        if _ON_A_LAYER.search(resources):
            return True
        waiting = [page, *_references(resources)]
        seen: set[int] = set()
        while waiting:
            xref = waiting.pop()
            if xref in seen or xref in self._plain:
                continue
            seen.add(xref)
            try:
                source = str(self._pdf.xref_object(xref, compressed=True))
            except Exception:  # noqa: BLE001 - a reference to nothing can raise anything, and draws nothing
                continue
            if _ON_A_LAYER.search(source):
                return True
            waiting += _references(source)
        self._plain |= seen
        return False

    def _inherited_resources(self, page: int) -> str:
        """The source of the resources that the page has from a node above it; empty without any."""
        xref = page
        for _ in range(_MAX_DEPTH):
            kind, resources = self._pdf.xref_get_key(xref, "Resources")
            if kind != "null":
                return "" if xref == page else str(resources)
            kind, parent = self._pdf.xref_get_key(xref, "Parent")
            if kind != "xref":
                break
            xref = int(parent.split()[0])
        return ""


def _references(source: str) -> list[int]:
    """The objects that an object of the PDF consists of, and not those that it only points to."""
    return [int(number) for number in _REFERENCE.findall(_ELSEWHERE.sub("", source))]
