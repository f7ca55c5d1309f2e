"""What troubles other readers of PDFs: lost blanks and hyphens, columns, damaged fonts, page numbers."""

from pathlib import Path

import psutil
import pytest

from core.documents.citations import Citation, cite
from core.documents.layout import Document, HiddenReason, WarningKind
from core.documents.model_text import model_page_text
from core.documents.worker import DocumentWorker
from tests.core.documents.troubles_factory import ARABIC, CHINESE, GREEK, NAMES

MAX_GROWTH_BYTES = 12_000_000


def text_of(document: Document, page_index: int = 0) -> str:
    return model_page_text(document.pages[page_index])


def the_citation(document: Document, quote: str) -> Citation:
    [citation] = cite(f"It says “{quote}”.", [document])
    return citation


def test_split_words_are_joined_in_greek(worker: DocumentWorker, troubles: Path) -> None:
    document = worker.read(troubles / "greek.pdf")
    assert text_of(document) == " ".join(GREEK).replace("- ", "")
    assert len(the_citation(document, "καταβάλλει το μίσθωμα την πρώτη ημέρα").rects) == 2


def test_a_hyphen_that_is_drawn_by_itself_is_judged_like_any_other(
    worker: DocumentWorker, troubles: Path
) -> None:
    text = text_of(worker.read(troubles / "typed_hyphen.pdf"))
    assert "a price-determining rule" in text
    assert "The tenant pays" in text


def test_a_split_word_is_found_whole_and_as_printed(worker: DocumentWorker, troubles: Path) -> None:
    document = worker.read(troubles / "textbook.pdf")
    for quote in ("a gas in a closed vessel grows", "a gas in a closed ves-sel grows"):
        citation = the_citation(document, quote)
        assert citation.verified
        assert len(citation.rects) == 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "textbook",
            (
                "The pressure of a gas in a closed vessel grows with its temperature, a well-known law that "
                "holds for low pressure only; a well-known exception is steam, whose molecules attract each "
                "other."
            ),
        ),
        (
            "form_words",
            "Date of the incident: 3 May 2023 Place of the incident: Berth 7, east quay Hurt: nobody",
        ),
        (
            "squeezed",
            (
                "Switch the pump off before you open the housing. Then remove the four screws that hold the "
                "cover and lift it with both hands (or 2 helpers!), then keep the seal for later use. Wait "
                "for a minute."
            ),
        ),
    ],
)
def test_words_without_a_blank_between_them_are_told_apart(
    worker: DocumentWorker, troubles: Path, name: str, expected: str
) -> None:
    document = worker.read(troubles / f"{name}.pdf")
    assert " ".join(text_of(document).split()) == expected
    assert not document.all_warnings


@pytest.mark.parametrize("name", ["column_break", "column_break_by_row"])
def test_a_sentence_goes_on_in_the_first_column_of_the_next_page(
    worker: DocumentWorker, troubles: Path, name: str
) -> None:
    document = worker.read(troubles / f"{name}.pdf")
    assert text_of(document).endswith("statement about these goods has caused to the")
    assert text_of(document, 1).split("\n")[1].startswith("vessel or to the other parcels")
    citation = the_citation(document, "these goods has caused to the vessel or to the other parcels")
    assert citation.verified
    assert citation.page_index == 0
    assert [rect.page_index for rect in citation.rects] == [0, 1]


@pytest.mark.parametrize("name", ["ligatures_unknown", "ligatures_nul", "ligatures_one"])
def test_unreadable_ligatures_are_said_and_never_become_control_characters(
    worker: DocumentWorker, troubles: Path, name: str
) -> None:
    document = worker.read(troubles / f"{name}.pdf")
    assert [warning.kind for warning in document.all_warnings] == [WarningKind.GARBLED_TEXT]
    assert "o\ufffdce" in text_of(document)
    assert not any(letter < " " and letter != "\n" for letter in text_of(document))


def test_chinese_in_a_font_that_only_names_its_encoding(worker: DocumentWorker, troubles: Path) -> None:
    document = worker.read(troubles / "predefined_map.pdf")
    assert text_of(document) == f"{NAMES}\n{CHINESE}"
    assert not document.all_warnings


@pytest.mark.parametrize("name", ["chinese_without_map", "chinese_wrong_map", "chinese_as_western"])
def test_chinese_with_a_missing_or_wrong_map_is_said(
    worker: DocumentWorker, troubles: Path, name: str
) -> None:
    document = worker.read(troubles / f"{name}.pdf")
    assert [warning.kind for warning in document.all_warnings] == [WarningKind.GARBLED_TEXT]
    assert "cid:" not in text_of(document)


def test_arabic_that_is_drawn_from_left_to_right_is_read_from_the_right(
    worker: DocumentWorker, troubles: Path
) -> None:
    assert text_of(worker.read(troubles / "arabic.pdf")) == " ".join(ARABIC)


def test_text_beside_the_page_is_listed_and_not_read(worker: DocumentWorker, troubles: Path) -> None:
    [page] = worker.read(troubles / "beside_the_page.pdf").pages
    assert page.text == "One visible line."
    assert [item.reason for item in page.hidden] == [HiddenReason.OFF_PAGE]


def test_zero_width_blanks_hide_no_phrase(worker: DocumentWorker, troubles: Path) -> None:
    document = worker.read(troubles / "zero_width.pdf")
    assert text_of(document) == "The Lessee shall keep the premises in good repair."
    assert the_citation(document, "Lessee shall keep the premises").verified


def test_the_page_cited_is_the_one_on_which_the_quote_stands(worker: DocumentWorker, troubles: Path) -> None:
    document = worker.read(troubles / "across_pages.pdf")
    assert "fourteen days" not in text_of(document, 1)
    broken = the_citation(document, "every defective part within fourteen days of the notice")
    assert broken.verified
    assert [rect.page_index for rect in broken.rects] == [1, 2]
    assert the_citation(document, "fourteen days of the notice at its own expense").page_index == 2
    after_the_blank = the_citation(document, "Article 40 of the annex has a rule for goods")
    assert (after_the_blank.page_index, after_the_blank.page_label) == (4, "5")
    assert WarningKind.BLANK in {warning.kind for warning in document.pages[3].warnings}


def test_the_only_page_is_page_one(worker: DocumentWorker, troubles: Path) -> None:
    document = worker.read(troubles / "one_page.pdf")
    for quote in ("a single sentence about nothing", "words that stand nowhere in it at all"):
        citation = the_citation(document, quote)
        assert (citation.page_index, citation.page_label) == (0, "1")


def test_numbers_printed_on_the_pages_become_their_labels(worker: DocumentWorker, troubles: Path) -> None:
    labels = [page.label for page in worker.read(troubles / "numbered.pdf").pages]
    assert labels[1:6] == ["ii", "iii", "iv", "v", "vi"]
    assert labels[7:] == [str(number) for number in range(2, 19)]


def test_memory_is_given_back_after_each_file(troubles: Path, made: Path) -> None:
    with DocumentWorker() as worker:
        after = []
        for _ in range(6):
            for name in ("numbered", "across_pages", "squeezed"):
                worker.read(troubles / f"{name}.pdf")
            worker.read(made / "contract.pdf")
            assert worker.process_id is not None
            after.append(psutil.Process(worker.process_id).memory_info().rss)
    assert max(after[2:]) - after[1] < MAX_GROWTH_BYTES
