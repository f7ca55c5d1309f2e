"""Stand-ins for the page extractor that fail on one page the way damaged files make MuPDF fail."""

import os
import time

from core.documents.extraction import extract_page
from core.documents.messages import PageRead
from core.documents.mupdf import PdfFile

FAULTY_PAGE = 1


def hang(pdf: PdfFile, page_index: int, label: str) -> PageRead:
    if page_index == FAULTY_PAGE:
        time.sleep(600)
    return extract_page(pdf, page_index, label)


def crash(pdf: PdfFile, page_index: int, label: str) -> PageRead:
    if page_index == FAULTY_PAGE:
        os.abort()
    return extract_page(pdf, page_index, label)


def fail(pdf: PdfFile, page_index: int, label: str) -> PageRead:
    if page_index == FAULTY_PAGE:
        raise RuntimeError("code=7: cannot find object")
    return extract_page(pdf, page_index, label)


def shout(pdf: PdfFile, page_index: int, label: str) -> PageRead:
    print("from Python")
    os.write(1, b"from C, out\n")
    os.write(2, b"from C, err\n")
    return extract_page(pdf, page_index, label)


def crash_always(*_: object) -> PageRead:
    os.abort()


def say_who(pdf: PdfFile, page_index: int, _label: str) -> PageRead:
    """The label of each page is the process that read it; slow, so that all have their turn."""
    time.sleep(0.8)
    return extract_page(pdf, page_index, str(os.getpid()))
