"""Reads one page of an open document: the default extractor of the document worker process."""

from collections.abc import Iterator
from dataclasses import replace

from core.documents.layout import BBox, DocumentWarning, HiddenReason, HiddenText, WarningKind
from core.documents.messages import PageRead
from core.documents.mupdf import PdfFile
from core.documents.page_text import build_page
from core.documents.pdf_page import PdfPage
from core.documents.raw_page import RawPage
from core.documents.text_quality import TextQuality

_MIN_SCAN_SHARE = 0.3
_MAX_SHOWN = 160
_PLACEHOLDER = ("please wait", "adobe reader")

_REASONS = {
    HiddenReason.INVISIBLE: "it is not painted",
    HiddenReason.SAME_COLOUR: "it has the colour of its background",
    HiddenReason.COVERED: "something covers it or cuts it off",
    HiddenReason.TINY: "it is too small to be seen",
    HiddenReason.OFF_PAGE: "it lies outside of the page",
    HiddenReason.LAYER_OFF: "it lies on a layer that is switched off",
}


def extract_page(pdf: PdfFile, page_index: int, label: str) -> PageRead:
    """The page at `page_index` (0-based). Raises whatever PyMuPDF raises on a damaged page."""
    page = pdf.page(page_index)
    raw = _raw_page(pdf, page, page_index)
    pdf.expects_characters = raw.needs_characters
    if pdf.facts.is_xfa and _is_placeholder(raw):
        return _empty(raw, page_index, label, _xfa_warning(page_index))
    read = build_page(raw, page_index, label, tuple(_warnings(raw, page_index)))
    if read.page.has_text:
        return read
    return _empty(
        raw, page_index, label, *_warnings(raw, page_index), _no_text_warning(page.image_share(), page_index)
    )


def _raw_page(pdf: PdfFile, page: PdfPage, page_index: int) -> RawPage:
    raw = page.read(pdf.expects_characters)
    if pdf.facts.has_layers_off and pdf.layers.has_page(page_index):
        raw = replace(raw, hidden=[*raw.hidden, *_on_layers(pdf, page, raw, page_index)])
    if pdf.has_fields:
        lines, fields = page.with_fields(raw.lines)
        raw = replace(raw, lines=lines, fields=fields)
    return replace(raw, comments=page.comments())


def _on_layers(pdf: PdfFile, page: PdfPage, raw: RawPage, page_index: int) -> Iterator[HiddenText]:
    """Lines that only show when every layer is switched on."""
    shown = {line.texts for line in raw.lines}
    with pdf.layers.all_on():
        with_layers = pdf.page(page_index)
        if with_layers.plain_text() == page.plain_text():
            return
        everything = with_layers.read(pdf.expects_characters)
    for line in everything.lines:
        if line.texts not in shown:
            yield HiddenText(" ".join(line.texts), HiddenReason.LAYER_OFF, BBox(*line.bbox))


def _warnings(raw: RawPage, page_index: int) -> Iterator[DocumentWarning]:
    if raw.quality.is_garbled:
        yield DocumentWarning(WarningKind.GARBLED_TEXT, _garbled(raw.quality), page_index)
    if raw.quality.is_run_together:
        yield DocumentWarning(
            WarningKind.GARBLED_TEXT,
            "The words on this page run together without blanks. Read it with text recognition (OCR).",
            page_index,
        )
    if raw.is_ocr:
        yield DocumentWarning(
            WarningKind.OCR_LAYER,
            "The text of this page was found by text recognition (OCR) in a picture; it can have errors.",
            page_index,
        )
    if not raw.is_checked:
        yield DocumentWarning(
            WarningKind.HIDDEN_TEXT,
            "This page could not be checked for hidden text; the model may be given what readers do not see.",
            page_index,
        )
    yield from _hidden_warnings(_unseen(raw), page_index)
    if raw.comments:
        yield DocumentWarning(
            WarningKind.COMMENTS,
            "This page has comments that somebody added. They are kept apart; the model does not read them.",
            page_index,
        )


def _unseen(raw: RawPage) -> list[HiddenText]:
    """What is hidden and stands nowhere in the open: a hidden copy of visible text steers nobody."""
    if not raw.hidden:
        return []
    shown = "".join("".join(line.texts) for line in raw.lines)
    return [item for item in raw.hidden if "".join(item.text.split()) not in shown]


def _hidden_warnings(hidden: list[HiddenText], page_index: int) -> Iterator[DocumentWarning]:
    """One warning for each reason, with the text; what has no letter is left out but not worth a word."""
    for reason, words in _REASONS.items():
        text = " … ".join(item.text for item in hidden if item.reason is reason)
        if any(letter.isalnum() for letter in text):
            shown = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
            yield DocumentWarning(
                WarningKind.HIDDEN_TEXT,
                f"Readers of this page cannot see some of its text, because {words}. "
                f"The model is not given it: “{shown}”",
                page_index,
            )


def _garbled(quality: TextQuality) -> str:
    share = round(100 * quality.unknown_share)
    if share < 1 and quality.is_lossy:
        return (
            "A few letters on this page have no readable meaning, so that words are spoilt. "
            "Read this page with text recognition (OCR)."
        )
    if share < 1:
        return (
            "The letters in the file are not those that are printed on this page; its fonts are damaged. "
            "Read this page with text recognition (OCR)."
        )
    return (
        f"{share} % of the characters on this page have no readable meaning; its fonts are damaged. "
        "Read this page with text recognition (OCR)."
    )


def _is_placeholder(raw: RawPage) -> bool:
    text = " ".join(" ".join(line.texts) for line in raw.lines).casefold()
    return all(words in text for words in _PLACEHOLDER)


def _xfa_warning(page_index: int) -> DocumentWarning:
    return DocumentWarning(
        WarningKind.XFA_FORM,
        "This is an XFA form: its contents are drawn by Adobe Reader alone, and this page only asks to wait "
        "for them. Print it to PDF in Adobe Reader, then open that.",
        page_index,
    )


def _empty(raw: RawPage, page_index: int, label: str, *warnings: DocumentWarning) -> PageRead:
    empty = RawPage(raw.width, raw.height, [], hidden=raw.hidden, comments=raw.comments)
    return build_page(empty, page_index, label, warnings)


def _no_text_warning(image_share: float | None, page_index: int) -> DocumentWarning:
    if image_share is None:
        kind = WarningKind.UNREADABLE_PAGE
        message = "This page is damaged: nothing of it can be read or shown."
    elif image_share >= _MIN_SCAN_SHARE:
        kind = WarningKind.SCAN
        message = "This page is a picture without text. It can be read with text recognition (OCR)."
    else:
        kind, message = WarningKind.BLANK, "This page has no text."
    return DocumentWarning(kind, message, page_index)
