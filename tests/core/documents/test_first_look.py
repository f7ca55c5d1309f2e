"""A first look tells which pages need a closer one: those on which something was painted over text."""

from collections.abc import Callable
from functools import partial

import pytest

from core.documents.first_look import Look, look_needed
from core.documents.mupdf import pymupdf
from core.documents.normalize import unusual
from core.documents.paints import paints_of
from core.documents.raw_lines import word_lines

BLACK, GREY = (0.0, 0.0, 0.0), (0.6, 0.6, 0.6)
STEPS = {
    "title": lambda page: page.insert_text((40, 60), "A title", fontsize=12),
    "box": lambda page: page.draw_rect((30, 180, 300, 220), color=None, fill=GREY),
    "text": lambda page: page.insert_text((40, 200), "A text in a box", fontsize=12),
}


@pytest.mark.parametrize(
    ("steps", "look"),
    [
        (("title", "text"), Look.NONE),
        (("box", "title", "text"), Look.NONE),
        (("title", "box", "text"), Look.NONE),
        (("title", "text", "box"), Look.PLACES),
        (("text", "box", "title"), Look.PLACES),
    ],
)
def test_paint_matters_only_where_text_came_before_it(steps: tuple[str, ...], look: Look) -> None:
    assert _look(steps, clip="") is look


def test_what_is_cut_and_followed_by_paint_is_looked_at_closely() -> None:
    assert _look(("title", "box", "text"), clip="0 0 600 800 re W n\n") is Look.PLACES


def _look(steps: tuple[str, ...], clip: str) -> Look:
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=600, height=800)
        for step in steps:
            draw: Callable[[object], object] = STEPS[step]
            draw(page)
        page.clean_contents()
        [contents] = page.get_contents()
        pdf.update_stream(contents, clip.encode() + pdf.xref_stream(contents))
        page = pdf.reload_page(page)
        paints_in = partial(paints_of, page.get_displaylist())
        lines = word_lines(page.get_text("words"))
        return look_needed(lines, [(12.0, BLACK)], paints_in)


def test_words_become_lines_by_their_numbers() -> None:
    words = [(0, 0, 5, 9, "a", 0, 0, 0), (6, 0, 9, 9, "b", 0, 0, 1), (0, 10, 4, 19, "c", 0, 1, 0)]
    assert [found.texts for found in word_lines(words)] == [("a", "b"), ("c",)]
    assert [found.bbox for found in word_lines(words)] == [(0, 0, 9, 9), (0, 10, 4, 19)]
    assert word_lines([]) == []


def test_only_characters_beside_printable_ascii_are_unusual() -> None:
    assert unusual("plain text ~!") == ""
    assert unusual("naïve\ttext\u00a0") == "ï\t\u00a0"
