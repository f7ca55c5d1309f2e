"""Writes the small PDFs that the tests show: run as a script with the folder to fill."""

import sys
from pathlib import Path

import pymupdf

PASSWORD = "open sesame"


def _pages(num_pages: int, width: float = 595, height: float = 842) -> pymupdf.Document:
    pdf = pymupdf.open()
    for number in range(num_pages):
        page = pdf.new_page(width=width, height=height)
        lines = [f"Line {line} of page {number + 1} speaks of rivers and boats." for line in range(30)]
        page.insert_text((72, 100), [f"This is page {number + 1} of the document.", "", *lines], fontsize=14)
    return pdf


def plain() -> pymupdf.Document:
    pdf = _pages(12)
    pdf.set_page_labels(
        [{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 3, "style": "D", "firstpagenum": 1}]
    )
    return pdf


def turned() -> pymupdf.Document:
    """One word on each page: turned by 0, 90, 180 and 270 degrees, cropped, cropped and turned."""
    pdf = pymupdf.open()
    for rotation, is_cropped in ((0, False), (90, False), (180, False), (270, False), (0, True), (90, True)):
        page = pdf.new_page(width=400, height=500)
        page.insert_text((150, 210), "Needle", fontsize=24)
        if is_cropped:
            page.set_cropbox(pymupdf.Rect(60, 90, 380, 460))
        page.set_rotation(rotation)
    return pdf


def mixed() -> pymupdf.Document:
    """A page of text, a landscape page of twice the width, a picture, a blank page."""
    pdf = _pages(1)
    pdf.new_page(width=1190, height=595).insert_text((72, 100), "A wide page.")
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 80))
    picture.clear_with(120)
    pdf.new_page().insert_image(pymupdf.Rect(20, 20, 575, 822), pixmap=picture)
    pdf.new_page()
    return pdf


def extreme() -> pymupdf.Document:
    pdf = _pages(1)
    poster = pdf.new_page(width=18_000, height=36_000)
    poster.draw_rect(pymupdf.Rect(2_000, 2_000, 9_000, 9_000), fill=(0.2, 0.4, 0.6))
    pdf.new_page(width=10_001, height=1)
    return pdf


def long_file(num_pages: int) -> bytes:
    """Written by hand: the library needs half a minute for a thousand pages."""
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(num_pages))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {num_pages}/Kids[{kids}]/MediaBox[0 0 595 842]/Resources 4 0 R>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        "<</Font<</F 3 0 R>>>>",
    ]
    for number in range(num_pages):
        lines = " ".join(f"(Line {line} of page {number + 1} speaks of rivers.) '" for line in range(30))
        content = f"BT /F 14 Tf 20 TL 72 770 Td {lines} ET"
        objects.append(f"<</Type/Page/Parent 2 0 R/Contents {6 + 2 * number} 0 R>>")
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    text, offsets = "%PDF-1.4\n", []
    parts = [text]
    position = len(text)
    for number, source in enumerate(objects):
        parts.append(f"{number + 1} 0 obj\n{source}\nendobj\n")
        offsets.append(position)
        position += len(parts[-1])
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    parts.append(f"xref\n0 {size}\n0000000000 65535 f \n{table}")
    parts.append(f"trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{position}\n%%EOF\n")
    return "".join(parts).encode("ascii")


def main(folder: Path) -> None:
    plain().save(folder / "plain.pdf")
    turned().save(folder / "turned.pdf")
    mixed().save(folder / "mixed.pdf")
    extreme().save(folder / "extreme.pdf")
    (folder / "long.pdf").write_bytes(long_file(1_000))
    plain().save(
        folder / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=PASSWORD, owner_pw="owner"
    )
    (folder / "junk.pdf").write_bytes(b"this is no document at all")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
