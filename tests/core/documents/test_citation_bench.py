"""The benchmark of quotes in small, and the kinds of slips that it is about."""

from pathlib import Path

import pytest

from core.bench.citations import highlights, measure_documents
from core.cancel import CancelToken
from core.documents.alignment import says_the_same
from core.documents.citations import cite
from core.documents.folding import fold
from core.documents.worker import DocumentWorker
from tests.core.documents.test_citations import make_contract, make_document


def is_word(word: str) -> bool:
    return word in {"the", "loan", "is", "due", "in", "and", "fees", "lessor", "would", "be", "paid", "can't"}


@pytest.mark.parametrize(
    ("quote", "passage", "expected"),
    [
        ("the loan is due in yomember and fees", "the loan is due in november and fees", True),
        ("the loan is due in october and fees", "the loan is due in november and fees", False),
        ("the loan is due in octover and fees", "the loan is due in november and fees", False),
        ("ne loan is due in the fees", "the loan is due in the fees", True),
        ("the loan dan't be paid in fees", "the loan can't be paid in fees", True),
        ("the loan can be paid in fees", "the loan can't be paid in fees", False),
        ("the lessee is due in the fees", "the lessor is due in the fees", False),
    ],
)
def test_slips_of_the_pen_are_told_from_other_words(quote: str, passage: str, expected: bool) -> None:
    assert says_the_same(quote, passage, is_word) is expected


def test_leading_dots_are_no_omission() -> None:
    page = "Total revenue ............................. $ 4,147,065 and net income ......... $ 629,551"
    document = make_document(page, "Something else " * 9)
    assert fold("a ....... b") == "a .. b"
    for quote in (page, page.replace(".............................", "......")):
        [citation] = cite(f"“{quote}”", [document])
        assert citation.verified
        assert len(citation.rects) == 1
    [omitted] = cite("“Total revenue ... and net income”", [document])
    assert omitted.verified


def test_a_miniature_of_the_bench() -> None:
    result = measure_documents([make_contract(25)], CancelToken(), num_passages=25)
    rates = {row["passages"]: row for row in result.rows}
    assert rates["verbatim"]["on_a_page_that_holds_it"] == 1.0
    assert rates["5 % changed"]["on_a_page_that_holds_it"] >= 0.92
    assert rates["invented"]["accepted"] == 0.0
    assert rates["one word swapped"]["accepted"] <= 0.04


def test_highlights_are_looked_for_on_the_rendered_page(worker: DocumentWorker, made: Path) -> None:
    path = made / "contract.pdf"
    num_on_ink, num_boxes = highlights(worker, path, worker.read(path), 4)
    assert num_on_ink == num_boxes > 4
