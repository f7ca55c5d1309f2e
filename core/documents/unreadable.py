"""The stand-in for a page that could not be read."""

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
