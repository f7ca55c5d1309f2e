"""Reads one page of an open PDF: the default extractor of the document worker process."""

from core.documents.layout import DocumentWarning, WarningKind
from core.documents.messages import PageRead
from core.documents.mupdf import PdfFile
from core.documents.page_text import build_page
from core.documents.raw_page import RawPage

_MIN_SCAN_SHARE = 0.3
_MAX_ODD_SHARE = 0.05
_MIN_ODD = 5


def extract_page(pdf: PdfFile, page_index: int, label: str) -> PageRead:
    """The page at `page_index` (0-based). Raises whatever PyMuPDF raises on a damaged page."""
    page = pdf.page(page_index)
    raw = page.read(pdf.expects_characters)
    pdf.expects_characters = raw.needs_characters
    read = build_page(raw, page_index, label, _text_warnings(raw, page_index))
    if read.page.has_text:
        return read
    warning = _no_text_warning(page.image_share(), page_index)
    return build_page(RawPage(raw.width, raw.height, [], 0, 0), page_index, label, (warning,))


def _text_warnings(raw: RawPage, page_index: int) -> tuple[DocumentWarning, ...]:
    if raw.num_odd < _MIN_ODD or raw.num_odd < _MAX_ODD_SHARE * raw.num_characters:
        return ()
    share = round(100 * raw.num_odd / max(1, raw.num_characters))
    return (
        DocumentWarning(
            WarningKind.GARBLED_TEXT,
            f"{share} % of the characters on this page have no readable meaning; its fonts are damaged. "
            "Read this page with text recognition (OCR).",
            page_index,
        ),
    )


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
