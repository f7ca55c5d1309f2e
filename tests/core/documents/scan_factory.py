"""Writes scans, and the printed pages that they were made of: run as a script with the folder to fill."""

import sys
from pathlib import Path

import pymupdf

LINES = (
    "This lease begins on the first day of March",
    "and ends after seven years without notice.",
    "The tenant pays rent for each quarter ahead.",
)
_DPI = 150
_STAMP = "ACME 000123"


def printed() -> pymupdf.Document:
    """Two pages of text, the second turned by a quarter."""
    pdf = pymupdf.open()
    for rotation in (0, 90):
        page = pdf.new_page(width=420, height=300)
        for number, line in enumerate(LINES):
            page.insert_text((40, 60 + 30 * number), line, fontsize=15)
        page.set_rotation(rotation)
    return pdf


def scans() -> pymupdf.Document:
    """Text, a scan, a scan on a turned page, a scan with a stamp of text, and a picture without any text."""
    source = printed()
    pdf = pymupdf.open()
    pdf.insert_pdf(source, to_page=0)
    source[1].set_rotation(0)
    picture = source[0].get_pixmap(dpi=_DPI)
    for rotation in (0, 90, 0):
        page = pdf.new_page(width=300, height=420) if rotation else pdf.new_page(width=420, height=300)
        page.set_rotation(rotation)
        page.insert_image(page.mediabox, pixmap=picture, rotate=rotation)
    pdf[3].insert_text((300, 290), _STAMP, fontsize=9)
    page = pdf.new_page(width=420, height=300)
    empty = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 84, 60))
    empty.clear_with(180)
    page.insert_image(page.rect, pixmap=empty)
    return pdf


def main(folder: Path) -> None:
    printed().save(folder / "printed.pdf")
    scans().save(folder / "scans.pdf")
    scans().save(folder / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
