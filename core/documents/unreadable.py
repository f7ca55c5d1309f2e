"""The stand-ins for pages that could not be read."""

from dataclasses import replace

from core.documents.layout import DocumentWarning, FragmentTable, Page, WarningKind
from core.documents.messages import PageRead


def unreadable_page(page_index: int, label: str, reason: str) -> PageRead:
    """A page of no size and no text with the warning that says why; `reason` completes "because …"."""
    warning = DocumentWarning(
        WarningKind.UNREADABLE_PAGE,
        f"Page {page_index + 1} could not be read because {reason}. The other pages were read.",
        page_index,
    )
    page = Page(page_index, label, 0.0, 0.0, "", (), FragmentTable.of(()), (warning,))
    return PageRead(page)


def unrecognised_page(read: PageRead) -> PageRead:
    """A page whose text could not be recognised: it keeps what it has, a picture becomes unreadable."""
    page = read.page
    if page.has_text:
        return read
    warning = DocumentWarning(
        WarningKind.UNREADABLE_PAGE,
        "The text of this page could not be recognised: it takes too long, or recognition fails.",
        page.page_index,
    )
    kept = tuple(w for w in page.warnings if w.kind is not WarningKind.SCAN)
    return replace(read, page=replace(page, warnings=(*kept, warning)))
