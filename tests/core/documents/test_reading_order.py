"""Reading order on lines given directly, without any PDF."""

from core.documents.line_numbers import without_line_numbers
from core.documents.orientation import uprighting
from core.documents.page_text import build_page
from core.documents.raw_page import RawLine, RawPage, turned
from core.documents.reading_order import in_reading_order


def line(text: str, x: float, y: float, block: int = 0, width: float | None = None) -> RawLine:
    """One line at (x, y), 10 points high, its words 5 points a letter wide."""
    words = text.split()
    starts = [x + 5 * len(" ".join(words[:i])) + (5 if i else 0) for i in range(len(words))]
    ends = [start + 5 * len(word) for start, word in zip(starts, words, strict=True)]
    if width is not None:
        ends[-1] = x + width
    return RawLine(block, tuple(words), tuple(starts), (y,) * len(words), tuple(ends), (y + 10,) * len(words))


def read(lines: list[RawLine]) -> list[str]:
    return [" ".join(line.texts) for group in in_reading_order(lines) for line in group]


def test_a_page_in_order_stays_as_it_is() -> None:
    lines = [line(f"line number {i} of a plain page", 50, 50 + 14 * i, i) for i in range(12)]
    assert read(lines) == [f"line number {i} of a plain page" for i in range(12)]


def test_a_footer_that_is_drawn_first_is_read_last() -> None:
    body = [line(f"paragraph {i} of the page", 50, 50 + 14 * i, i + 1) for i in range(5)]
    short = line("end", 50, 130, 9)
    assert read([line("7", 100, 700, 0), *body, short])[-2:] == ["end", "7"]


def test_a_heading_that_is_drawn_last_is_read_first() -> None:
    body = [line(f"paragraph {i} of the page", 50, 50 + 14 * i, i) for i in range(5)]
    assert read([*body, line("The heading of the page", 50, 20, 9)])[0] == "The heading of the page"


def test_a_table_is_read_by_rows() -> None:
    rows = [
        ("Revenue", "5,000", "6,000"),
        ("Costs", "1,000", "900"),
        ("Profit", "4,000", "5,100"),
        ("Tax", "1", "2"),
    ]
    cells = [
        line(cell, 50 + 180 * column, 50 + 20 * number, number)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
    ]
    page = build_page(RawPage(600, 800, cells), 0, "1").page
    assert page.text.split("\n") == [" ".join(row) for row in rows]


def test_three_columns_are_read_from_left_to_right() -> None:
    lines = [
        line(f"column {column} has the line {number} here", 20 + 190 * column, 50 + 14 * number, number)
        for number in range(6)
        for column in range(3)
    ]
    assert [text.split()[1] for text in read(lines)] == ["0"] * 6 + ["1"] * 6 + ["2"] * 6


def test_line_numbers_in_the_margin_are_no_text() -> None:
    numbers = [line(str(i), 30, 50 + 20 * i, i) for i in range(1, 13)]
    body = [line(f"the witness says sentence {i}", 60, 50 + 20 * i, 20 + i) for i in range(1, 13)]
    assert without_line_numbers(numbers + body) == body
    assert without_line_numbers(numbers[:5] + body) == numbers[:5] + body


def test_text_on_its_side_is_put_in_order_and_its_boxes_stay() -> None:
    upright = [line(f"Row {i} of a wide table.", 50, 50 + 20 * i, i) for i in range(4)]
    downwards = (0.0, 1.0, -1.0, 0.0, 300.0, 0.0)
    on_its_side = [turned(row, downwards) for row in upright]
    assert uprighting(upright) is None
    assert uprighting(on_its_side) is not None
    page = build_page(RawPage(300, 600, on_its_side), 0, "1").page
    assert page.text.split("\n") == [f"Row {i} of a wide table." for i in range(4)]
    expected = [box for row in on_its_side for box in zip(row.x0, row.y0, row.x1, row.y1, strict=True)]
    actual = [(f.bbox.x0, f.bbox.y0, f.bbox.x1, f.bbox.y1) for f in page.fragments]
    assert actual == expected


def test_a_paragraph_ends_where_the_next_word_would_have_fitted() -> None:
    block = [
        line("The first paragraph has a line that is full of words", 50, 50),
        line("and ends early.", 50, 62),
        line("The second paragraph begins here and is also quite", 50, 74),
        line("long.", 50, 86),
    ]
    page = build_page(RawPage(600, 800, block), 0, "1").page
    assert page.text.split("\n") == [
        "The first paragraph has a line that is full of words and ends early.",
        "The second paragraph begins here and is also quite long.",
    ]
