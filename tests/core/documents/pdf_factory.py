"""Writes the small PDFs that the tests read: run as a script with the folder to fill."""

import sys
from pathlib import Path

import pymupdf

LEFT = (
    "The left column begins here and speaks of rivers that run to",
    "the sea without a pause, of boats that carry grain and salt,",
    "and of the harbour masters who count every sack by the light",
    "of a lamp before the morning bell is heard across the water,",
    "so that nobody may say that the tally of the day was wrong",
    "and the left column ends with the word harbour.",
)
RIGHT = (
    "The right column begins here and speaks of mountains that no",
    "road has crossed, of shepherds who know each stone by name,",
    "and of the winter that closes every pass for half of a year,",
    "when letters wait in the valley until the snow has melted,",
    "so that news of the coast is old when it reaches the huts",
    "and the right column ends with the word mountain.",
)


def _text(page: pymupdf.Page, x: float, y: float, lines: tuple[str, ...], size: float = 8.0) -> None:
    for number, line in enumerate(lines):
        page.insert_text((x, y + 12 * number), line, fontsize=size)


def two_columns(row_by_row: bool, right_first: bool = False) -> pymupdf.Document:
    """A heading over two columns and a line below them, drawn column by column or row by row."""
    pdf = pymupdf.open()
    for _ in range(2):
        page = pdf.new_page()
        page.insert_text(
            (60, 60), "A heading that runs over both of the two columns of the page", fontsize=16
        )
        if row_by_row:
            for number in range(len(LEFT)):
                page.insert_text((50, 100 + 12 * number), LEFT[number], fontsize=8)
                page.insert_text((320, 100 + 12 * number), RIGHT[number], fontsize=8)
        else:
            columns = [(50, LEFT), (320, RIGHT)]
            for x, lines in reversed(columns) if right_first else columns:
                _text(page, x, 100, lines)
        page.insert_text(
            (50, 200),
            "A full line under the columns that is read after both of them, whatever the order.",
            fontsize=11,
        )
    return pdf


def hyphens() -> pymupdf.Document:
    pdf = pymupdf.open()
    page = pdf.new_page()
    _text(
        page,
        50,
        60,
        (
            "This sentence has to com-",
            "pile, and it is a non-",
            "negligible price-",
            "determining one; both pre-",
            "and post-war well-",
            "known facts of the year 2019-",
            "2020 remain. A well-known negligible rule: do compile it.",
            "The price is fixed; the determining price is determining.",
            "Anglo-",
            "Saxon names stay.",
        ),
        10,
    )
    page = pdf.new_page()
    writer = pymupdf.TextWriter(page.rect)
    for number, line in enumerate(("Это слово не поме-", "щается в строку, оно пе-", "реносится дважды.")):
        writer.append((50, 60 + 12 * number), line, font=pymupdf.Font("helv"), fontsize=10)
    writer.write_text(page)
    return pdf


def odd_characters() -> pymupdf.Document:
    """Ligatures, no-break and exotic blanks, zero-width and soft hyphens, in a font that has them."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    writer = pymupdf.TextWriter(page.rect)
    font = pymupdf.Font("helv")
    lines = (
        "The e\ufb03cient o\ufb03ce \ufb01le has a \ufb02ag and sta\ufb00.",
        "no\u00a0break\u2003em\u2009thin\u3000wide end",
        "zero\u200bwidth and soft\u00adhyphen joined",
    )
    for number, line in enumerate(lines):
        writer.append((50, 60 + 20 * number), line, font=font, fontsize=12)
    writer.write_text(page)
    return pdf


def chinese() -> pymupdf.Document:
    pdf = pymupdf.open()
    page = pdf.new_page()
    for number, line in enumerate(
        ("第五百二十七条应当先履行债务的当事人有确切证", "据证明对方有下列情形之一的可以中止履行。")
    ):
        page.insert_text((50, 80 + 20 * number), line, fontname="china-s", fontsize=12)
    return pdf


def turned() -> pymupdf.Document:
    """The same words on pages of every rotation, with a CropBox that cuts the corner off."""
    pdf = pymupdf.open()
    for rotation in (0, 90, 180, 270):
        page = pdf.new_page(width=400, height=300)
        page.insert_text((150, 120), "Needle in the haystack", fontsize=14)
        page.set_cropbox(pymupdf.Rect(40, 30, 390, 290))
        page.set_rotation(rotation)
    return pdf


def no_text() -> pymupdf.Document:
    """A scan, a blank page, a page with nothing but rules, and a page with a small logo."""
    pdf = pymupdf.open()
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 40, 60))
    pixmap.clear_with(200)
    page = pdf.new_page()
    page.insert_image(page.rect, pixmap=pixmap)
    pdf.new_page()
    page = pdf.new_page()
    page.draw_line((50, 50), (500, 50))
    page = pdf.new_page()
    page.insert_image(pymupdf.Rect(50, 50, 100, 100), pixmap=pixmap)
    return pdf


def contract(num_pages: int = 6) -> pymupdf.Document:
    """Running head and foot, a sentence that crosses a page break, page labels and an outline."""
    pdf = pymupdf.open()
    for number in range(num_pages):
        page = pdf.new_page()
        page.insert_text((50, 40), f"Loan Agreement of 12 May 2021  page {number + 1}", fontsize=9)
        page.insert_text((50, 800), f"Confidential {number + 1}", fontsize=9)
        if number != 2:
            _text(
                page, 50, 100, (f"Section {number + 1}.1 begins on page {number + 1} of this document.",), 11
            )
    if num_pages < 3:
        return pdf
    _text(
        pdf[1],
        50,
        700,
        (
            "The Borrower shall not sell any of its assets without the prior written consent",
            "of the Lender, unless the sale is made in the ordinary course of business and for",
            "a price of at least $ 250,000 that is paid in cash on or before 31 March 2024, and",
        ),
        11,
    )
    _text(
        pdf[2],
        50,
        130,
        (
            "the proceeds of that sale are used within ninety days to repay the Loans that are",
            "then outstanding. Interest accrues daily at the Applicable Rate.",
        ),
        11,
    )
    pdf.set_page_labels(
        [{"startpage": 0, "style": "r", "prefix": ""}, {"startpage": 2, "style": "D", "prefix": ""}]
    )
    pdf.set_toc([[1, "Definitions", 1], [2, "Loans", 2], [1, "Covenants", 3]])
    return pdf


def circular_outline() -> pymupdf.Document:
    """Two outline entries, each of which names the other as the next one."""
    pdf = contract(3)
    first, second = pdf.get_outline_xrefs()[0], pdf.get_outline_xrefs()[-1]
    pdf.xref_set_key(second, "Next", f"{first} 0 R")
    return pdf


def main(folder: Path) -> None:
    makers = {
        "two_columns": two_columns(row_by_row=False),
        "two_columns_by_row": two_columns(row_by_row=True),
        "two_columns_right_first": two_columns(row_by_row=False, right_first=True),
        "hyphens": hyphens(),
        "odd_characters": odd_characters(),
        "chinese": chinese(),
        "turned": turned(),
        "no_text": no_text(),
        "contract": contract(),
        "circular_outline": circular_outline(),
    }
    for name, pdf in makers.items():
        pdf.save(folder / f"{name}.pdf")
    aes = pymupdf.PDF_ENCRYPT_AES_256
    contract(1).save(folder / "user_password.pdf", encryption=aes, user_pw="geheim", owner_pw="besitz")
    contract(1).save(folder / "umlaut_password.pdf", encryption=aes, user_pw="grün", owner_pw="besitz")
    contract(1).save(
        folder / "owner_password.pdf", encryption=aes, owner_pw="besitz", permissions=pymupdf.PDF_PERM_PRINT
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
