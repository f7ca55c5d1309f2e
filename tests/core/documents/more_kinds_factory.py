"""Writes pages of the kinds that readers get wrong most: run as a script with the folder to fill."""

import sys
from collections.abc import Iterable
from pathlib import Path

import pymupdf

from tests.core.documents.font_factory import unicode_map, with_font

Cell = tuple[float, float, str]

PROSE = (
    "The seller warrants that the goods conform to the sample and are free from any defect in material and "
    "workmanship for a period of two years from the date on which they were delivered to the buyer, unless "
    "the buyer has changed or repaired them without the written consent of the seller, who may withhold it "
    "for good reason only and has to say why within ten days of the request that the buyer made for it, or "
    "it is taken as given for all purposes of this agreement and of every order that is placed under it by "
    "the buyer or by any other company of the group to which the buyer belongs on the day of that order."
)
STRANDS = ("first strand", "second strand", "third strand")
EVENTS = (
    ("Event of default", "What follows from it", "Notice"),
    (
        "Failure to pay any/amount when it is due",
        "The lender may accelerate/all outstanding loans/at once",
        "5 days",
    ),
    ("Breach of a covenant/of this agreement", "A period of thirty days/to cure the breach", "30 days"),
    ("Insolvency of the/borrower or guarantor", "All loans are due/without any notice", "None"),
)
ACCOUNTS = (
    ("Year", "Revenue", "Costs", "Profit"),
    ("2019", "1,200", "900", "300"),
    ("2020", "1,300", "950", "350"),
    ("2021", "1,450", "", "460"),
    ("2022", "1,500", "1,010", "490"),
)
SCHEDULE = tuple((str(number), f"{name} Street", f"{1000 + 37 * number}") for number, name in enumerate(
    ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum", "Hazel", "Ivy", "Juniper"), 1
))  # fmt: skip
TIGHT = "before any cover is removed for inspection cleaning or maintenance of the unit"
FORM = (("Tenant:", "Jane Public"), ("Rent:", "1,250 a month"), ("Address:", "5 Elm Street\nSpringfield"))
HEBREW = ("לתקופה של 24 חודשים החל מיום 1.5.2023", "דמי השכירות הם 4,500 שקלים (ברוטו)")
RIGHT_COLUMN = (
    "הטור הימני של המסמך נקרא",
    "תחילה והוא ממשיך בשורה",
    "השנייה ומסתיים בשורה",
    "הרביעית של הטור הזה",
)
LEFT_COLUMN = (
    "הטור השמאלי של המסמך בא",
    "אחריו והוא ממשיך בשורה",
    "השנייה ומסתיים בשורה",
    "הרביעית של הטור השני",
)


def page_of(cells: Iterable[Cell], size: float = 10) -> pymupdf.Document:
    pdf = pymupdf.open()
    page = pdf.new_page()
    for x, y, text in cells:
        page.insert_text((x, y), text, fontsize=size)
    return pdf


def lines_of_prose(width: float, size: float = 10) -> list[str]:
    lines = [""]
    for word in PROSE.split():
        longer = f"{lines[-1]} {word}".strip()
        if pymupdf.get_text_length(longer, fontsize=size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def three_columns() -> pymupdf.Document:
    """Three columns drawn row by row, the second of which has a short line."""
    rows = [
        (
            50 + 180 * column,
            80 + 13 * row,
            f"{strand} has line {row} that fills it" if row != 4 or column != 1 else "short",
        )
        for row in range(12)
        for column, strand in enumerate(STRANDS)
    ]
    return page_of(rows, 9)


def tall_cells(rows: Iterable[tuple[str, ...]] = EVENTS) -> pymupdf.Document:
    """A table whose cells have several lines, drawn row by row."""
    cells = []
    top = 80
    for row in rows:
        for x, cell in zip((60, 230, 420), row, strict=True):
            cells += [(x, top + 12 * i, line) for i, line in enumerate(cell.split("/"))]
        top += 12 * max(cell.count("/") + 1 for cell in row) + 10
    return page_of(cells)


def table_between_columns() -> pymupdf.Document:
    """Two columns above and below a table that reaches over both; the columns are drawn one by one."""
    lines = lines_of_prose(230)
    half = len(lines) // 2
    cells = [(50, 80 + 12 * i, line) for i, line in enumerate(lines[:half])]
    cells += [(310, 80 + 12 * i, line) for i, line in enumerate(lines[half:])]
    below = 80 + 12 * half + 20
    for i, row in enumerate(ACCOUNTS):
        cells += [(60 + 130 * column, below + 14 * i, cell) for column, cell in enumerate(row)]
    below += 14 * len(ACCOUNTS) + 20
    cells += [(50, below + 12 * i, line) for i, line in enumerate(lines[:half])]
    cells += [(310, below + 12 * i, line) for i, line in enumerate(lines[half:])]
    return page_of(cells)


def numbers_by_column() -> pymupdf.Document:
    """A table of numbers drawn column by column, one cell of which is empty."""
    return page_of(
        (80 + 120 * column, 100 + 18 * i, row[column])
        for column in range(4)
        for i, row in enumerate(ACCOUNTS)
        if row[column]
    )


def signatures() -> pymupdf.Document:
    """Two blocks for signatures side by side, drawn one after the other."""
    blocks = ("Lender:", "First Bank", "Name: John Smith"), ("Borrower:", "Acme Inc.", "Name: Mary Jones")
    return page_of(
        (60 + 250 * column, 100 + 18 * i, text)
        for column, block in enumerate(blocks)
        for i, text in enumerate(block)
    )


def counted(step: int, glued: bool = False) -> pymupdf.Document:
    """Running text whose lines are counted on the left, every line or every fifth."""
    lines = (lines_of_prose(330) * 3)[:25]
    cells: list[Cell] = []
    for number, line in enumerate(lines, 1):
        if glued:
            cells.append((60, 60 + 22 * number, f"{number:>2}  {line}"))
            continue
        if number % step == 0:
            cells.append((60 if number > 9 else 65, 60 + 22 * number, str(number)))
        cells.append((100, 60 + 22 * number, line))
    return page_of(cells)


def schedule() -> pymupdf.Document:
    """A table with the numbers of its rows in front."""
    return page_of(
        (x, 60 + 18 * i, cell)
        for i, row in enumerate(SCHEDULE)
        for x, cell in zip((60, 110, 300), row, strict=True)
    )


def instalments() -> pymupdf.Document:
    """Numbered amounts, a number and an amount to a row."""
    return page_of((x, 60 + 18 * i, cell) for i in range(10) for x, cell in ((60, str(i + 1)), (110, "$500")))


def form() -> pymupdf.Document:
    """Labels on the page, values in fields, and a box that is ticked."""
    pdf = page_of(
        [(50, 80 + 60 * i, label) for i, (label, _) in enumerate(FORM)] + [(50, 260, "Pets are allowed")]
    )
    page = pdf[0]
    for i, (label, value) in enumerate(FORM):
        widget = pymupdf.Widget()
        widget.field_name, widget.field_type = label, pymupdf.PDF_WIDGET_TYPE_TEXT
        widget.rect = pymupdf.Rect(150, 66 + 60 * i, 350, 100 + 60 * i if "\n" in value else 86 + 60 * i)
        widget.field_flags = pymupdf.PDF_TX_FIELD_IS_MULTILINE if "\n" in value else 0
        widget.field_value = value
        page.add_widget(widget)
    widget = pymupdf.Widget()
    widget.field_name, widget.field_type, widget.field_value = "pets", pymupdf.PDF_WIDGET_TYPE_CHECKBOX, True
    widget.rect = pymupdf.Rect(150, 248, 162, 260)
    page.add_widget(widget)
    return pdf


def as_drawn(line: str) -> str:
    """A Hebrew line from left to right: reversed, but for its numbers."""
    words = [word if word[0].isdigit() else word[::-1] for word in reversed(line.split())]
    return " ".join(words).translate(str.maketrans("()", ")("))


def hebrew(columns: Iterable[tuple[float, Iterable[str]]]) -> pymupdf.Document:
    """Columns of Hebrew, each with its right edge, in Helvetica whose map makes Hebrew of its letters."""
    letters = sorted(
        {letter for line in (*HEBREW, *LEFT_COLUMN, *RIGHT_COLUMN) for letter in line if letter > "z"}
    )
    latin = {letter: chr(ord("A") + number) for number, letter in enumerate(letters)}
    shown = []
    for right, lines in columns:
        for i, line in enumerate(lines):
            text = as_drawn(line).translate(str.maketrans(latin))
            x = right - pymupdf.get_text_length(text, fontsize=11)
            escaped = text.replace("(", "\\(").replace(")", "\\)")
            shown.append(f"1 0 0 1 {x:.2f} {760 - 16 * i} Tm ({escaped}) Tj")
    codes = {code: chr(code) for code in range(32, 65)} | {
        ord(code): letter for letter, code in latin.items()
    }
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode {map}>>"
    return with_font(font, f"BT /F 11 Tf {' '.join(shown)} ET".encode(), unicode_map(codes))


def initial(is_first: bool) -> pymupdf.Document:
    """Prose whose first letter is two lines high, drawn before the rest or after it."""
    lines = lines_of_prose(300)
    cells = [(83 if i < 2 else 50, 80 + 13 * i, line[1:] if i == 0 else line) for i, line in enumerate(lines)]
    pdf = page_of([] if is_first else cells)
    page = pdf[0]
    page.insert_text((60, 93), PROSE[0], fontsize=30)
    for x, y, line in cells if is_first else ():
        page.insert_text((x, y), line, fontsize=10)
    return pdf


def squeezed() -> pymupdf.Document:
    """Words set so tightly that the gaps between them are hardly wider than none."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    x = 50.0
    for word in TIGHT.split():
        for letter in word:
            page.insert_text((x, 100), letter, fontsize=11)
            x += pymupdf.get_text_length(letter, fontsize=11) - 0.3
        x += 1.3
    return pdf


def main(folder: Path) -> None:
    for maker in (three_columns, tall_cells, table_between_columns, numbers_by_column, signatures, schedule):
        maker().save(folder / f"{maker.__name__}.pdf")
    initial(is_first=True).save(folder / "initial_first.pdf")
    initial(is_first=False).save(folder / "initial_last.pdf")
    instalments().save(folder / "instalments.pdf")
    form().save(folder / "form.pdf")
    squeezed().save(folder / "squeezed.pdf")
    counted(1).save(folder / "counted_1.pdf")
    counted(5).save(folder / "counted_5.pdf")
    counted(1, glued=True).save(folder / "counted_glued.pdf")
    hebrew([(500, HEBREW)]).save(folder / "hebrew.pdf")
    hebrew([(285, LEFT_COLUMN), (550, RIGHT_COLUMN)]).save(folder / "hebrew_columns.pdf")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
