"""What is read of documents can be said, kept, and weighed against what a model and a machine take."""

from dataclasses import replace

import pytest

from core.documents.layout import Document, DocumentWarning, Page, WarningKind
from core.documents.notices import describe_warnings, selection_note
from core.documents.page_range import PageRange, parse_page_range
from core.documents.reading_choice import (
    EVERYTHING,
    ReadingChoice,
    ReadingKind,
    choice_from_json,
    choice_to_json,
)
from core.documents.sizes import DocumentSizes
from core.documents.token_map import map_tokens, render_for_model, require_text
from core.errors import DocumentError, UsageError
from core.planning.loading import least_tokens_read


def make_document(name: str, *texts: str) -> Document:
    pages = tuple(Page(index, str(index + 1), 600, 800, text, (), ()) for index, text in enumerate(texts))
    return Document(f"/{name}", name, "0" * 64, pages)


LEASE = make_document("lease.pdf", "one", "two", "", "four")
NDA = make_document("nda.pdf", "a", "b")
SOME = ReadingChoice(ReadingKind.PAGES, ("2-3", ""))
SIZES = DocumentSizes(
    model="starter",
    page_tokens=((100, 200, 0, 300), (50, 60)),
    heading_tokens=(5, 6),
    around_tokens=40,
    limit=700,
    context_length=700,
    stretch=2,
    section_budget=400,
    num_sections=4,
    kv_bytes_per_token=10,
    memory_bytes=100_000,
)


@pytest.mark.parametrize(
    "choice",
    [EVERYTHING, SOME, ReadingChoice(ReadingKind.SECTIONS), ReadingChoice(ReadingKind.STRETCHED, (), 4)],
)
def test_a_choice_comes_back_from_its_text(choice: ReadingChoice) -> None:
    assert choice_from_json(choice_to_json(choice)) == choice


@pytest.mark.parametrize(
    "text",
    [
        *("no json", "[]", '{"kind": "half"}', '{"kind": "pages", "pages": ["x-y"]}', '{"pages": 3}', "7"),
        *('{"kind": "stretched", "stretch": "much"}', '{"kind": "stretched", "stretch": 0}'),
        '{"kind": "stretched", "stretch": 1}',
    ],
)
def test_what_cannot_be_understood_reads_everything(text: str) -> None:
    assert choice_from_json(text) == EVERYTHING


def test_each_document_has_a_range_of_its_own() -> None:
    selection = SOME.selection([LEASE, NDA])
    assert selection is not None
    read = [
        (d.name, p.page_index)
        for d in (LEASE, NDA)
        for p in d.pages
        if p.page_index in selection.of_document(d.name)
    ]
    assert read == [("lease.pdf", 1), ("lease.pdf", 2), ("nda.pdf", 0), ("nda.pdf", 1)]
    assert EVERYTHING.selection([LEASE]) is None
    with pytest.raises(UsageError, match="Not a page range"):
        ReadingChoice(ReadingKind.PAGES, ("first",)).selection([LEASE])


def test_the_note_names_what_was_read_of_how_many_pages() -> None:
    selection = SOME.selection([LEASE, NDA])
    assert selection is not None
    assert selection_note([LEASE, NDA], selection) == (
        "Only these pages were read: lease.pdf, pages 2-3 of 4; nda.pdf, pages 1-2 of 2. "
        "Other pages may say more."
    )
    all_with_text = ReadingChoice(ReadingKind.PAGES, ("1,2,4",)).selection([LEASE])
    assert all_with_text is not None
    assert selection_note([LEASE], all_with_text) is None, "what was left out has no text"


WITHOUT_LEASE = ReadingChoice(ReadingKind.PAGES, ("none", ""))


@pytest.mark.parametrize(
    ("pages", "told"),
    [
        (("", "none"), "Left out and not read: nda.pdf. What was not read may say more."),
        (("None", "1-2"), "Left out and not read: lease.pdf. What was not read may say more."),
        (
            ("2", "none"),
            (
                "Only these pages were read: lease.pdf, page 2 of 4. Left out and not read: nda.pdf. "
                "What was not read may say more."
            ),
        ),
        (("all", "9"), "Left out and not read: nda.pdf. What was not read may say more."),
        (("all", "all"), None),
    ],
)
def test_the_note_names_the_document_that_was_left_out(pages: tuple[str, str], told: str | None) -> None:
    selection = ReadingChoice(ReadingKind.PAGES, pages).selection([LEASE, NDA])
    assert selection is not None
    assert selection_note([LEASE, NDA], selection) == told


def test_a_document_that_is_left_out_costs_and_says_nothing() -> None:
    selection = WITHOUT_LEASE.selection([LEASE, NDA])
    assert {span.document_index for span in render_for_model([LEASE, NDA], selection).page_spans} == {1}
    assert SIZES.needed_tokens(WITHOUT_LEASE) == 40 + 110 + 6
    assert least_tokens_read([LEASE, NDA], WITHOUT_LEASE) < least_tokens_read([LEASE, NDA], EVERYTHING)
    repaired = replace(LEASE, warnings=(DocumentWarning(WarningKind.REPAIRED, "It was repaired."),))
    assert describe_warnings([repaired, NDA]) == ["lease.pdf: It was repaired."]
    assert describe_warnings([repaired, NDA], selection) == []
    assert choice_from_json(choice_to_json(WITHOUT_LEASE)) == WITHOUT_LEASE
    assert not ReadingChoice(ReadingKind.PAGES, ("none", "none")).has_pages_of([LEASE, NDA])


def test_asking_a_document_that_is_left_out_says_so() -> None:
    selection = WITHOUT_LEASE.selection([LEASE, NDA])
    with pytest.raises(DocumentError, match=r"“lease\.pdf” is left out"):
        require_text([LEASE], selection)
    require_text([NDA], selection)


def test_as_many_pages_of_each_document_fit_as_is_said() -> None:
    text = render_for_model([LEASE, NDA])
    ids, token_map = map_tokens(text, lambda piece: [0] * len(piece))
    for budget in range(0, len(ids) + 1, 7):
        beginnings = [render_for_model([LEASE, NDA], PageRange(((1, number),))).text for number in range(5)]
        most = max((text for text in beginnings if len(text) <= budget), key=len)
        assert beginnings[token_map.num_fitting_pages(budget)] == most


def test_sizes_add_up_to_what_a_choice_needs() -> None:
    assert SIZES.needed_tokens(EVERYTHING) == 40 + 600 + 5 + 110 + 6
    assert SIZES.needed_tokens(SOME) == 40 + 200 + 5 + 110 + 6
    assert SIZES.needed_tokens(ReadingChoice(ReadingKind.PAGES, ("3", ""))) == 40 + 110 + 6
    assert SIZES.needed_tokens(ReadingChoice(ReadingKind.SECTIONS)) == 440


def test_what_fits_is_told_from_what_does_not() -> None:
    assert not SIZES.fits_model(EVERYTHING)
    assert SIZES.fits(SOME)
    assert SIZES.fits(ReadingChoice(ReadingKind.STRETCHED, (), 2))
    assert SIZES.fits(ReadingChoice(ReadingKind.SECTIONS))
    assert not replace(SIZES, section_budget=0).fits_model(ReadingChoice(ReadingKind.SECTIONS))
    assert not SIZES.fits_model(ReadingChoice(ReadingKind.PAGES, ("3", "9"))), "no page with text"
    assert not replace(SIZES, memory_bytes=3000).fits_memory(SOME)


def test_the_longest_beginning_that_fits_is_found() -> None:
    found = SIZES.fitting_range()
    assert found == ReadingChoice(ReadingKind.PAGES, ("1-3", "1-2"))
    longer = ReadingChoice(ReadingKind.PAGES, ("1-4", "1-2"))
    assert SIZES.fits(found)
    assert not SIZES.fits(longer)
    assert replace(SIZES, limit=100).fitting_range() is None


@pytest.mark.parametrize("text", ["3 7", "1 2-3", "12345678901"])
def test_numbers_without_a_comma_are_no_range(text: str) -> None:
    with pytest.raises(UsageError):
        parse_page_range(text)


@pytest.mark.parametrize("text", ["1–3，7", "1—3、7", " 1 － 3 ; 7 "])
def test_other_dashes_and_commas_mean_the_same(text: str) -> None:
    assert parse_page_range(text) == parse_page_range("1-3,7")


def test_pages_that_no_document_has_leave_nothing_to_read() -> None:
    assert not ReadingChoice(ReadingKind.PAGES, ("5-9", "3")).has_pages_of([LEASE, NDA])
    assert ReadingChoice(ReadingKind.PAGES, ("5-9", "2")).has_pages_of([LEASE, NDA])
    assert ReadingChoice(ReadingKind.PAGES, ("5-9",)).has_pages_of([LEASE, NDA]), "all of the other one"
    assert EVERYTHING.has_pages_of([LEASE])


def test_pages_without_text_are_told_from_those_that_are_too_long() -> None:
    blank, long = (ReadingChoice(ReadingKind.PAGES, (pages, "9")) for pages in ("3", "1-4"))
    tight = replace(SIZES, limit=100)
    assert (SIZES.has_text(blank), SIZES.fits_model(blank)) == (False, False)
    assert (tight.has_text(long), tight.fits_model(long)) == (True, False)
