"""Writes pages with one red sentence, turned in every way: run as a script with the file to write."""

import sys
from pathlib import Path

import pymupdf

WIDTH, HEIGHT, SIZE = 500, 400, 12
CROP = pymupdf.Rect(40, 60, 480, 390)
RED, BLACK = (1, 0, 0), (0, 0, 0)
LATIN = ("helv", "shall repay the loan", "in full on the given day")
CHINESE = ("china-s", "出租人应当按照约定将租赁物", "交付承租人并在租赁期间保持")
QUOTES = {LATIN: f"{LATIN[1]} {LATIN[2]}", CHINESE: CHINESE[1] + CHINESE[2]}

Script = tuple[str, str, str]


def variants() -> list[tuple[int, int, bool, float, Script]]:
    """(rotation, turn of the text, cropped, UserUnit, script) of each page."""
    turned = [
        (rotation, turn, bool(turn), 1.0, LATIN)
        for rotation in (0, 90, 180, 270)
        for turn in (0, 90, 180, 270)
    ]
    units = [
        (rotation, 0, is_cropped, 2.5, LATIN)
        for rotation in (0, 90, 180, 270)
        for is_cropped in (False, True)
    ]
    chinese = [
        (rotation, turn, True, 1.0, CHINESE) for rotation in (0, 90, 180, 270) for turn in (0, 90, 270)
    ]
    return turned + units + chinese


def draw(page: pymupdf.Page, turn: int, script: Script) -> None:
    """A black word, the red sentence over two lines, black words after and below it."""
    font, upper, lower = script
    indent = pymupdf.get_text_length("The lessor ", fontsize=SIZE)
    rows = [
        (60.0, 100, "The lessor ", "helv", BLACK),
        (60 + indent, 100, upper, font, RED),
        (60.0, 115, lower, font, RED),
        (
            60 + pymupdf.get_text_length(lower + " ", fontname=font, fontsize=SIZE),
            115,
            "and pay.",
            "helv",
            BLACK,
        ),
        (60.0, 130, "Another sentence stands right below it.", "helv", BLACK),
    ]
    for x, y, text, name, color in rows:
        at = {
            0: (x, y),
            90: (y, HEIGHT - 20 - x),
            180: (WIDTH - 20 - x, HEIGHT - 20 - y),
            270: (WIDTH - 20 - y, x),
        }[turn]
        page.insert_text(at, text, fontsize=SIZE, fontname=name, color=color, rotate=turn)


def main(path: Path) -> None:
    pdf = pymupdf.open()
    for rotation, turn, is_cropped, unit, script in variants():
        page = pdf.new_page(width=WIDTH, height=HEIGHT)
        draw(page, turn, script)
        if is_cropped:
            page.set_cropbox(CROP)
        if unit != 1.0:
            pdf.xref_set_key(page.xref, "UserUnit", str(unit))
        page.set_rotation(rotation)
    pdf.save(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
