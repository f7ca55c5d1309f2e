"""Notices name the file and the pages."""

from core.documents.layout import Document, DocumentWarning, Page, WarningKind
from core.documents.notices import describe_warnings, name_pages
from core.documents.page_range import parse_page_range


def page(index: int, kind: WarningKind | None = None) -> Page:
    warnings = () if kind is None else (DocumentWarning(kind, "words", index),)
    return Page(index, str(index + 1), 100, 100, "", (), (), warnings)


def test_pages_are_named_by_number_in_runs() -> None:
    assert name_pages([6]) == "page 7"
    assert name_pages([1, 2, 3, 4, 33, 40, 41]) == "pages 2-5, 34, 41-42"
    assert name_pages([3, 2]) == "pages 3-4"


def test_one_line_a_kind_with_file_and_pages() -> None:
    scans = [page(i, WarningKind.SCAN if i in (1, 2, 5) else None) for i in range(6)]
    document = Document("/a.pdf", "a.pdf", "", (*scans, page(6, WarningKind.BLANK)))
    repaired = DocumentWarning(WarningKind.REPAIRED, "It was repaired.")
    other = Document("/b.pdf", "b.pdf", "", (page(0),), warnings=(repaired,))
    assert describe_warnings([document, other]) == [
        "a.pdf: pages 2-3, 6: a picture without text, which was not read.",
        "b.pdf: It was repaired.",
    ]
    assert describe_warnings([document], parse_page_range("1-2")) == [
        "a.pdf: page 2: a picture without text, which was not read."
    ]
