"""Numbers printed on the pages become labels only where they leave no doubt."""

import pytest

from core.documents.layout import BBox, Block, Fragment, FragmentTable, Line, Page
from core.documents.printed_numbers import with_printed_numbers

BODY = "a page of running text"


def page(index: int, *edges: str, label: str | None = None) -> Page:
    """A page with a line of text in its middle and the `edges` at its foot."""
    texts = [BODY, *edges]
    tops = [400, *(800 + 10 * number for number in range(len(edges)))]
    blocks, start = [], 0
    for text, top in zip(texts, tops, strict=True):
        box = BBox(50, top, 50 + 5 * len(text), top + 9)
        blocks.append(Block((Line(start, start + len(text), box),), box))
        start += len(text) + 1
    fragments = FragmentTable.of([Fragment(0, len(BODY), blocks[0].bbox)])
    return Page(index, label or str(index + 1), 600, 842, "\n".join(texts), tuple(blocks), fragments)


def labels(*pages: Page) -> list[str]:
    return [page.label for page in with_printed_numbers(pages)]


@pytest.mark.parametrize(
    "template",
    [
        "{}",
        "- {} -",
        "Page {}",
        "Page {} of 90",
        "{} / 90",
        "Annual report 2015 {}",
        "{} | Chapter One",
        "第{}页",
    ],
)
def test_numbers_that_grow_with_the_pages_are_labels(template: str) -> None:
    pages = [page(index, template.format(index + 8)) for index in range(10)]
    assert labels(*pages) == [str(index + 8) for index in range(10)]


def test_a_page_without_a_number_has_the_one_between_its_neighbours() -> None:
    pages = [page(index, *([] if index == 4 else [str(index + 8)])) for index in range(10)]
    assert labels(*pages)[4] == "12"


def test_roman_front_matter_and_lettered_appendices_have_their_own_numbers() -> None:
    printed = ["i", "ii", "iii", "iv", "1", "2", "3", "4", "5", "A-1", "A-2", "A-3"]
    assert labels(*(page(index, text) for index, text in enumerate(printed))) == printed


ORDINALS = [str(number) for number in range(1, 11)]


@pytest.mark.parametrize(
    "printed",
    [
        ["7", "90", "3", "41", "5", "5", "19", "2", "88", "60"],
        ["2015"] * 10,
        ["9", "10", "11", "", "", "", "", "", "", ""],
        [str(2 * index + 5) for index in range(10)],
        [str(30 - index) for index in range(10)],
        ["v.", "mix", "civil", "I", "D-", "-", "1.5", "0", "007", "12345"],
    ],
)
def test_numbers_that_fit_no_rule_are_none(printed: list[str]) -> None:
    assert labels(*(page(index, text) for index, text in enumerate(printed))) == ORDINALS


def test_numbers_in_the_running_text_and_labels_of_the_file_count_more() -> None:
    inside = [page(index, f"clause {index + 8}. It goes on") for index in range(10)]
    assert labels(*inside) == ORDINALS
    labelled = [page(index, str(index + 8), label=f"x{index}") for index in range(10)]
    assert labels(*labelled) == [f"x{index}" for index in range(10)]


def test_of_two_sequences_the_one_on_more_pages_is_believed() -> None:
    pages = [page(index, str(index + 8), *([f"{index + 40}"] if index < 6 else [])) for index in range(10)]
    assert labels(*pages) == [str(index + 8) for index in range(10)]
