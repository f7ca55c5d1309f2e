"""Stand-ins for text recognition. Each call leaves a file in the folder of the language data."""

import contextlib
import itertools
import os
import time
from pathlib import Path

from core.documents.extraction import extract_page
from core.documents.layout import DocumentWarning, WarningKind
from core.documents.messages import PageRead, Recognition
from core.documents.mupdf import PdfFile
from core.documents.pdf_page import PdfPage
from core.documents.raw_page import RawLine

SEEN = ("Seen", "on", "this", "page")


def _note(recognition: Recognition) -> int:
    folder = Path(recognition.data_folder)
    for number in itertools.count():
        with contextlib.suppress(FileExistsError):
            (folder / str(number)).touch(exist_ok=False)
            break
    return number


def words(page: PdfPage, recognition: Recognition) -> list[RawLine]:
    """`SEEN` once for each line of a grid that fills the page, and a speck."""
    _note(recognition)
    lines = []
    for row in range(8):
        top, bottom = page.height * row / 10, page.height * (row + 0.5) / 10
        x0 = tuple(page.width * column / 4 for column in range(4))
        x1 = tuple(x + page.width / 5 for x in x0)
        lines.append(RawLine(0, SEEN, x0, (top,) * 4, x1, (bottom,) * 4))
    lines.append(RawLine(1, ("~",), (0.0,), (page.height - 9,), (5.0,), (page.height - 2,)))
    return lines


def nothing(_page: PdfPage, recognition: Recognition) -> list[RawLine]:
    _note(recognition)
    return []


def fail_first(page: PdfPage, recognition: Recognition) -> list[RawLine]:
    if _note(recognition) == 0:
        raise RuntimeError("code=2: OCR initialisation failed")
    return words(page, recognition)


def crash_first(page: PdfPage, recognition: Recognition) -> list[RawLine]:
    if _note(recognition) == 0:
        os.abort()
    return words(page, recognition)


def hang_first(page: PdfPage, recognition: Recognition) -> list[RawLine]:
    if _note(recognition) == 0:
        time.sleep(600)
    return words(page, recognition)


def garbled(pdf: PdfFile, page_index: int, label: str) -> PageRead:
    """An extractor that finds the text of every page damaged."""
    read = extract_page(pdf, page_index, label)
    warning = DocumentWarning(WarningKind.GARBLED_TEXT, "Its fonts are damaged.", page_index)
    object.__setattr__(read.page, "warnings", (*read.page.warnings, warning))
    return read
