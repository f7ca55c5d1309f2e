"""A page as plain values, the way `lectern extract --json` prints it."""

from bisect import bisect_left
from typing import Any

from core.documents.layout import BBox, DocumentWarning, Line, Page
from core.documents.model_text import model_page_text


def page_payload(page: Page) -> dict[str, Any]:
    """One JSON object for a page; boxes are [x0, y0, x1, y1] in points as displayed, origin top left.

    `text` is what the model is given. `words` of a line are [text, x0, y0, x1, y1]; a character each in
    scripts without blanks. A line that comes again on other pages is marked `running`. `hidden` and
    `comments` stand in no other field, and are left out where there are none.
    """
    payload: dict[str, Any] = {
        "event": "page",
        "page_index": page.page_index,
        "page_label": page.label,
        "text": model_page_text(page),
        "width": _rounded(page.width),
        "height": _rounded(page.height),
        "blocks": [
            {"bbox": _box(block.bbox), "lines": [_line(page, line) for line in block.lines]}
            for block in page.blocks
        ],
        "warnings": [warning_payload(warning) for warning in page.warnings],
    }
    if page.hidden:
        payload["hidden"] = [
            {"text": item.text, "reason": str(item.reason), "bbox": _box(item.bbox)} for item in page.hidden
        ]
    if page.comments:
        payload["comments"] = [
            {"author": item.author, "text": item.text, "bbox": _box(item.bbox)} for item in page.comments
        ]
    return payload


def warning_payload(warning: DocumentWarning) -> dict[str, Any]:
    """`page_index` is left out for a warning about the whole document."""
    payload: dict[str, Any] = {"kind": str(warning.kind), "message": warning.message}
    if warning.page_index is not None:
        payload["page_index"] = warning.page_index
    return payload


def _line(page: Page, line: Line) -> dict[str, Any]:
    words = []
    first = bisect_left(page.fragments, line.start, key=lambda fragment: fragment.start)
    for i in range(first, len(page.fragments)):
        fragment = page.fragments[i]
        if fragment.start >= line.end:
            break
        words.append([page.text[fragment.start : fragment.end], *_box(fragment.bbox)])
    payload: dict[str, Any] = {
        "text": page.text[line.start : line.end],
        "bbox": _box(line.bbox),
        "words": words,
    }
    if any(start <= line.start < end for start, end in page.running):
        payload["running"] = True
    return payload


def _box(box: BBox) -> list[float]:
    return [_rounded(box.x0), _rounded(box.y0), _rounded(box.x1), _rounded(box.y1)]


def _rounded(value: float) -> float:
    return round(value, 2)
