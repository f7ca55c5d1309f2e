"""Pages as they come out of the worker: order, normalised words, and boxes that lie on the ink."""

import re
from pathlib import Path

import pytest

from core.documents.layout import BBox, Document, Page, WarningKind
from core.documents.worker import DocumentWorker

INK = 128


def words_of(page: Page) -> list[str]:
    return [page.text[fragment.start : fragment.end] for fragment in page.fragments]


def assert_is_sound(page: Page) -> None:
    """What every page promises: a map that covers all visible characters, in order, within its lines."""
    covered = [False] * len(page.text)
    last_end = 0
    for fragment in page.fragments:
        assert last_end <= fragment.start < fragment.end <= len(page.text)
        last_end = fragment.end
        covered[fragment.start : fragment.end] = [True] * (fragment.end - fragment.start)
    assert all(is_covered or letter in " \n" for letter, is_covered in zip(page.text, covered, strict=True))
    lines = [line for block in page.blocks for line in block.lines]
    assert "".join(page.text[line.start : line.end] for line in lines) == re.sub(
        r"\n", "", "".join(page.text[a.start : a.end] for a in lines)
    )
    assert sorted(line.start for line in lines) == [line.start for line in lines]
    assert not re.search(r"  |[\x00-\x09\x0b-\x1f\u00a0\u00ad\u200b\ufb00-\ufb06]|^\s|\s$", page.text)


def ink_share(worker: DocumentWorker, path: Path, page: Page, box: BBox) -> float:
    """The share of dark pixels in a box of the rendered page."""
    image = worker.render(path, page.page_index, 3.0, (box.x0, box.y0, box.x1, box.y1))
    pixels = b"".join(
        image.rgb[row * image.stride : row * image.stride + 3 * image.width] for row in range(image.height)
    )
    return sum(value < INK for value in pixels) / len(pixels)


@pytest.mark.parametrize("name", ["two_columns", "two_columns_by_row", "two_columns_right_first"])
def test_columns_are_read_one_after_the_other(worker: DocumentWorker, made: Path, name: str) -> None:
    document = worker.read(made / f"{name}.pdf")
    for page in document.pages:
        assert_is_sound(page)
        heading, left, right, below = page.text.split("\n")
        assert heading.startswith("A heading")
        assert left.startswith("The left column")
        assert left.endswith("the word harbour.")
        assert right.startswith("The right column")
        assert right.endswith("the word mountain.")
        assert below.startswith("A full line")
        assert "run to the sea" in left
        assert "that no road" in right


def test_line_end_hyphens_go_and_real_ones_stay(worker: DocumentWorker, made: Path) -> None:
    document = worker.read(made / "hyphens.pdf")
    text = document.pages[0].text
    for word in (
        "to compile, and",
        "a non-negligible",
        "price-determining one",
        "pre- and post-war",
        "well-known facts",
        "year 2019-2020 remain",
        "Anglo-Saxon",
    ):
        assert word in text
    assert document.pages[1].text == "Это слово не помещается в строку, оно переносится дважды."
    for page in document.pages:
        assert_is_sound(page)


def test_a_split_word_has_a_box_in_both_lines(worker: DocumentWorker, made: Path) -> None:
    page = worker.read(made / "hyphens.pdf").pages[0]
    start = page.text.index("compile")
    upper, lower = page.boxes(start, start + len("compile"))
    assert upper.y1 <= lower.y0 + 2
    assert upper.x0 > lower.x0
    assert words_of(page)[3:6] == ["to", "com", "pile,"]


def test_odd_characters_become_plain(worker: DocumentWorker, made: Path) -> None:
    page = worker.read(made / "odd_characters.pdf").pages[0]
    assert page.text.split("\n") == [
        "The efficient office file has a flag and staff.",
        "no break em thin wide end zerowidth and softhyphen joined",
    ]
    assert_is_sound(page)


def test_chinese_lines_join_without_blanks_and_have_a_box_a_character(
    worker: DocumentWorker, made: Path
) -> None:
    page = worker.read(made / "chinese.pdf").pages[0]
    assert page.text == "第五百二十七条应当先履行债务的当事人有确切证据证明对方有下列情形之一的可以中止履行。"
    assert [len(word) for word in words_of(page)] == [1] * len(page.text)
    start = page.text.index("证据证明")
    upper, lower = page.boxes(start, start + 4)
    assert upper.x1 - upper.x0 == pytest.approx(12, abs=1)
    assert lower.x1 - lower.x0 == pytest.approx(36, abs=1)


@pytest.mark.parametrize("page_index", range(4))
def test_boxes_lie_on_the_ink_of_turned_and_cropped_pages(
    worker: DocumentWorker, made: Path, page_index: int
) -> None:
    path = made / "turned.pdf"
    page = worker.read(path).pages[page_index]
    assert page.text == "Needle in the haystack"
    assert (page.width, page.height) == ((350, 260) if page_index % 2 == 0 else (260, 350))
    for fragment in page.fragments:
        box = fragment.bbox
        assert ink_share(worker, path, page, box) > 0.05
        size = box.y1 - box.y0 if page_index % 2 == 0 else box.x1 - box.x0
        beside = (
            BBox(box.x0, box.y0 + 2 * size, box.x1, box.y1 + 2 * size)
            if page_index % 2 == 0
            else BBox(box.x0 + 2 * size, box.y0, box.x1 + 2 * size, box.y1)
        )
        assert ink_share(worker, path, page, beside) == 0


def test_pages_without_text_are_told_apart(worker: DocumentWorker, made: Path) -> None:
    document = worker.read(made / "no_text.pdf")
    assert [page.warnings[0].kind for page in document.pages] == [
        WarningKind.SCAN,
        WarningKind.BLANK,
        WarningKind.BLANK,
        WarningKind.BLANK,
    ]
    assert not document.has_text
    assert [page.text for page in document.pages] == [""] * 4


def test_every_made_page_keeps_its_promises(worker: DocumentWorker, made: Path) -> None:
    documents: list[Document] = [
        worker.read(path) for path in sorted(made.glob("*.pdf")) if not path.stem.endswith("_password")
    ]
    assert len(documents) >= 8
    for document in documents:
        for page in document.pages:
            assert_is_sound(page)
