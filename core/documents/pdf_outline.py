"""The table of contents of an open PDF, also where its entries run in a circle."""

import re
from collections.abc import Iterator
from typing import Any

from core.documents.layout import OutlineEntry

_MAX_ENTRIES = 50_000
_MAX_LEVEL = 64
_REFERENCE = re.compile(r"(\d+) 0 R")


def read_outline(pdf: Any, num_pages: int) -> tuple[OutlineEntry, ...]:
    """The entries of a PyMuPDF document; a broken outline ends where it stops making sense."""
    entries = _collected(_walk(pdf.outline, num_pages))
    return entries or _collected(_walk_objects(pdf, num_pages))


def read_contents(document: Any, num_pages: int) -> tuple[OutlineEntry, ...]:
    """The entries of a document that is no PDF."""
    try:
        found = document.get_toc(simple=True)
    except Exception:  # noqa: BLE001 - a broken table can raise anything; it is optional
        return ()
    return tuple(
        _entry(int(level), str(title), int(number) - 1, num_pages)
        for level, title, number in found[:_MAX_ENTRIES]
    )


def _collected(walk: Iterator[OutlineEntry]) -> tuple[OutlineEntry, ...]:
    entries: list[OutlineEntry] = []
    try:
        for entry in walk:
            entries.append(entry)
            if len(entries) == _MAX_ENTRIES:
                break
    except Exception:  # noqa: BLE001 - a broken outline can raise anything; what was read of it stays
        return tuple(entries)
    return tuple(entries)


def _walk(first: Any, num_pages: int) -> Iterator[OutlineEntry]:
    stack = [(first, 1)]
    while stack:
        item, level = stack.pop()
        if item is None or not item.this.m_internal:
            continue
        page_index = int(item.page) if not item.is_external and item.uri else -1
        yield _entry(level, str(item.title or ""), page_index, num_pages)
        stack.append((item.next, level))
        if level < _MAX_LEVEL:
            stack.append((item.down, level + 1))


def _walk_objects(pdf: Any, num_pages: int) -> Iterator[OutlineEntry]:
    """The same from the file's objects, for outlines that MuPDF refuses because they never end."""
    pages = {int(pdf.page_xref(index)): index for index in range(num_pages)}
    seen: set[int] = set()
    stack = [(_reference(pdf.xref_get_key(pdf.pdf_catalog(), "Outlines/First")), 1)]
    while stack:
        xref, level = stack.pop()
        if xref == 0 or xref in seen:
            continue
        seen.add(xref)
        target = pdf.xref_get_key(xref, "Dest")[1] + pdf.xref_get_key(xref, "A/D")[1]
        found = _REFERENCE.search(target)
        page_index = pages.get(int(found[1]), -1) if found else -1
        yield _entry(level, str(pdf.xref_get_key(xref, "Title")[1]), page_index, num_pages)
        stack.append((_reference(pdf.xref_get_key(xref, "Next")), level))
        if level < _MAX_LEVEL:
            stack.append((_reference(pdf.xref_get_key(xref, "First")), level + 1))


def _entry(level: int, title: str, page_index: int, num_pages: int) -> OutlineEntry:
    return OutlineEntry(level, " ".join(title.split()), page_index if 0 <= page_index < num_pages else None)


def _reference(key: tuple[str, str]) -> int:
    found = _REFERENCE.fullmatch(key[1].strip())
    return int(found[1]) if found else 0
