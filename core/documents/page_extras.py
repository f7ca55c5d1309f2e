"""What people added to a page: comments, and the values of form fields that its text does not show."""

from collections.abc import Iterator
from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.field_places import Field, beside_labels
from core.documents.layout import BBox, Comment
from core.documents.normalize import clean
from core.documents.raw_page import Box, RawLine

pymupdf: Any = _pymupdf

_NO_COMMENTS = ("FreeText", "Popup", "Link", "Widget")
_OFF = ("", "Off", "None", "False")
_IS_PASSWORD = 1 << 13
_NUM_COMPARED = 24
_BUTTONS = (pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON, pymupdf.PDF_WIDGET_TYPE_CHECKBOX)


def comments_of(page: Any) -> tuple[Comment, ...]:
    """The notes on a page; text boxes are part of the page itself and left out."""
    if page.first_annot is None:
        return ()
    comments = []
    for annotation in page.annots():
        text = clean(str(annotation.info.get("content") or "")).strip()
        if text and annotation.type[1] not in _NO_COMMENTS:
            author = clean(str(annotation.info.get("title") or "")).strip()
            comments.append(Comment(author, text, BBox(*map(float, annotation.rect))))
    return tuple(comments)


def with_fields(page: Any, lines: list[RawLine]) -> tuple[list[RawLine], list[RawLine]]:
    """The lines with those that fields show where readers see them, and what the lines lack.

    That is buttons that are set, choices, and values, each as `name = value`.
    """
    widgets = list(page.widgets())
    placed = beside_labels(lines, [_field_of(widget) for widget in widgets]) if not page.rotation else lines
    return placed, _field_lines(widgets, " ".join([" ".join(line.texts) for line in lines]))


def _field_of(widget: Any) -> Field:
    x0, y0, x1, y1 = map(float, widget.rect)
    return Field((x0, y0, x1, y1), widget.field_type in _BUTTONS)


def _field_lines(widgets: list[Any], page_text: str) -> list[RawLine]:
    shown = "".join(page_text.split())
    lines = []
    found: set[tuple[str, ...]] = set()
    for widget in widgets:
        value = _value(widget, shown)
        if value is None:
            continue
        name, label = (clean(str(text or "")).strip() for text in (widget.field_name, widget.field_label))
        if label and label not in (name, value):
            name = f"{name} ({label})"
        words = [*name.split(), "=", *value.split()]
        if tuple(words) in found:
            continue
        found.add(tuple(words))
        x0, y0, x1, y1 = map(float, widget.rect)
        lines.append(_line(words, (x0, y0, x1, y1)))
    return lines


def _value(widget: Any, shown: str) -> str | None:
    kind = widget.field_type
    values = [clean(value).strip() for value in _values(widget)]
    values = [value for value in values if value not in _OFF]
    is_unseen = widget.field_display == 1 or pymupdf.Rect(widget.rect).is_empty
    is_secret = kind == pymupdf.PDF_WIDGET_TYPE_TEXT and int(widget.field_flags or 0) & _IS_PASSWORD
    if not values or is_unseen or is_secret:
        return None
    if kind in _BUTTONS:
        return values[0]
    if kind == pymupdf.PDF_WIDGET_TYPE_LISTBOX:
        return ", ".join(values)
    if kind in (pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.PDF_WIDGET_TYPE_COMBOBOX):
        text = ", ".join(values)
        packed = "".join(text.split())
        return None if packed[:_NUM_COMPARED] in shown and packed[-_NUM_COMPARED:] in shown else text
    return None


def _values(widget: Any) -> Iterator[str]:
    value = widget.field_value
    if isinstance(value, list | tuple):
        yield from (str(item) for item in value)
    elif value is not None:
        yield str(value)


def _line(words: list[str], box: Box) -> RawLine:
    count = len(words)
    return RawLine(
        -1, tuple(words), (box[0],) * count, (box[1],) * count, (box[2],) * count, (box[3],) * count
    )
