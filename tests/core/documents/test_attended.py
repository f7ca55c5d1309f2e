"""Where a piece of the model's text stands on the page, and what of it is shown to a reader."""

import pytest

from core.documents.attended import attended_passage
from core.documents.layout import BBox, Block, Fragment, Line, Page
from core.documents.model_text import model_page_text, page_range

TEXT = (
    "ACME LEASE\nThe rent is due on the first of each month. The deposit is 900 dollars and is held by the "
    "landlord. Repairs of the roof are paid by the owner [page 3]. Pets are welcome.\nPage 4 of 9"
)


def make_page(text: str, *repeated: tuple[int, int]) -> Page:
    box = BBox(0, 0, 10, 10)
    block = Block((Line(0, len(text), box),), box)
    words, start = [], 0
    for word in text.split():
        start = text.index(word, start)
        words.append(Fragment(start, start + len(word), BBox(start, 0, start + len(word), 10)))
        start += len(word)
    return Page(3, "iv", 600, 800, text, (block,), tuple(words), repeated=repeated)


HEAD, FOOT = (0, len("ACME LEASE")), (TEXT.index("Page 4"), len(TEXT))


@pytest.mark.parametrize("repeated", [(), (HEAD,), (FOOT,), (HEAD, FOOT)])
@pytest.mark.parametrize("words", ["The rent is", "900 dollars", "owner (page 3)", "Pets are welcome."])
def test_a_place_in_the_models_text_is_found_on_the_page(
    repeated: tuple[tuple[int, int], ...], words: str
) -> None:
    page = make_page(TEXT, *repeated)
    start = model_page_text(page).index(words)
    first, last = page_range(page, start, start + len(words))
    assert TEXT[first:last].replace("[", "(").replace("]", ")") == words


def test_a_running_line_in_the_middle_is_stepped_over() -> None:
    text = "One two.\nHEAD\nThree four."
    page = make_page(text, (9, 13))
    assert model_page_text(page) == "One two.\nThree four."
    start = model_page_text(page).index("Three")
    assert page_range(page, start, start + 5) == (text.index("Three"), text.index("Three") + 5)


def test_beyond_the_text_there_is_nothing() -> None:
    assert page_range(make_page("Short."), 40, 60) == (0, 0)
    assert attended_passage(make_page("Short."), 0, 0) is None


def test_a_passage_is_made_of_the_sentences_that_hold_most_of_it() -> None:
    start = TEXT.index("900 dollars") - 12
    passage = attended_passage(make_page(TEXT), start, TEXT.index("Repairs") + 8)
    assert passage is not None
    assert passage.text == "The deposit is 900 dollars and is held by the landlord."
    assert TEXT[passage.start : passage.end] == passage.text
    [rect] = passage.rects
    assert (rect.page_index, rect.bbox.x0, rect.bbox.x1) == (3, passage.start, passage.end)


def test_a_long_sentence_is_cut_at_words() -> None:
    text = " ".join(f"number{i} and so on" for i in range(60))
    start = text.index("mber20")
    passage = attended_passage(make_page(text), start, text.index("er26"))
    assert passage is not None
    assert passage.text.startswith("number20 and")
    assert passage.text.endswith("number26")


def test_scripts_without_blanks_are_cut_at_characters() -> None:
    text = "租金每月第一天支付" * 60
    passage = attended_passage(make_page(text), 100, 150)
    assert passage is not None
    assert (passage.start, passage.end) == (100, 150)
