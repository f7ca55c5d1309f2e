"""Writes the PDFs that the window's tests open: run as a script with the folder to fill."""

import sys
from pathlib import Path

import pymupdf

PASSWORD = "open sesame"


def lease(num_pages: int = 3) -> pymupdf.Document:
    pdf = pymupdf.open()
    for number in range(num_pages):
        page = pdf.new_page()
        page.insert_text(
            (72, 100), f"Clause {number + 1}. The rent of the barge is {number + 4} gulden a week."
        )
    pdf.set_page_labels([{"startpage": 0, "style": "r", "firstpagenum": 1}])
    return pdf


def main(folder: Path) -> None:
    lease().save(folder / "lease.pdf")
    lease(2).save(folder / "R&D <b>lease.pdf")
    aes = pymupdf.PDF_ENCRYPT_AES_256
    lease().save(folder / "locked.pdf", encryption=aes, user_pw=PASSWORD, owner_pw="owner")
    (folder / "notes.txt").write_text("These are notes, not a document.", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
