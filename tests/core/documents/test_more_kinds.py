"""Pages of the kinds that readers get wrong most: tables among columns, counted lines, forms, Hebrew."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.documents.encodings import decoded
from core.documents.hyphens import Verdict, Vocabulary, verdict
from core.documents.page_labels import page_labels
from core.documents.worker import DocumentWorker
from tests.conftest import REPOSITORY
from tests.core.documents.more_kinds_factory import (
    ACCOUNTS,
    HEBREW,
    LEFT_COLUMN,
    PROSE,
    RIGHT_COLUMN,
    SCHEDULE,
    STRANDS,
    TIGHT,
)


@pytest.fixture(scope="module")
def more(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the PDFs that `more_kinds_factory.py` writes."""
    folder = tmp_path_factory.mktemp("more")
    command = [sys.executable, "-m", "tests.core.documents.more_kinds_factory", str(folder)]
    subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=REPOSITORY)
    return folder


def lines_of(worker: DocumentWorker, path: Path) -> list[str]:
    return worker.read(path).pages[0].text.split("\n")


def flat(worker: DocumentWorker, path: Path) -> str:
    return " ".join(lines_of(worker, path))


def test_a_short_line_does_not_hide_that_there_are_three_columns(worker: DocumentWorker, more: Path) -> None:
    text = flat(worker, more / "three_columns.pdf")
    places = [text.index(f"{strand} has line {row}") for strand in STRANDS for row in (0, 11)]
    assert places == sorted(places)


def test_cells_of_several_lines_are_read_row_by_row(worker: DocumentWorker, more: Path) -> None:
    text = flat(worker, more / "tall_cells.pdf")
    for row in (
        "Event of default What follows from it Notice",
        "Failure to pay any amount when it is due The lender may accelerate all outstanding loans at once",
        "Breach of a covenant of this agreement A period of thirty days to cure the breach 30 days",
        "Insolvency of the borrower or guarantor All loans are due without any notice None",
    ):
        assert row in text


def test_a_table_over_both_columns_is_read_row_by_row(worker: DocumentWorker, more: Path) -> None:
    lines = lines_of(worker, more / "table_between_columns.pdf")
    rows = [" ".join(cell for cell in row if cell) for row in ACCOUNTS]
    assert " ".join(lines) == " ".join([PROSE, *rows, PROSE])
    assert [line for line in lines if line in rows] == rows


def test_numbers_drawn_by_column_stand_in_their_rows(worker: DocumentWorker, more: Path) -> None:
    rows = [" ".join(cell for cell in row if cell) for row in ACCOUNTS]
    assert lines_of(worker, more / "numbers_by_column.pdf") == rows


def test_signatures_side_by_side_stay_apart(worker: DocumentWorker, more: Path) -> None:
    assert flat(worker, more / "signatures.pdf") == (
        "Lender: First Bank Name: John Smith Borrower: Acme Inc. Name: Mary Jones"
    )


@pytest.mark.parametrize("name", ["counted_1", "counted_5", "counted_glued"])
def test_numbers_that_count_lines_are_no_text(worker: DocumentWorker, more: Path, name: str) -> None:
    text = flat(worker, more / f"{name}.pdf")
    assert text.startswith(PROSE)
    assert not any(word.isdecimal() for word in text.split())


def test_numbers_of_rows_are_text(worker: DocumentWorker, more: Path) -> None:
    assert lines_of(worker, more / "schedule.pdf") == [" ".join(row) for row in SCHEDULE]


def test_what_fields_show_stands_beside_their_labels(worker: DocumentWorker, more: Path) -> None:
    assert flat(worker, more / "form.pdf") == (
        "Tenant: Jane Public Rent: 1,250 a month Address: 5 Elm Street Springfield "
        "Pets are allowed pets = Yes"
    )


def test_hebrew_drawn_from_the_left_is_read_from_the_right(worker: DocumentWorker, more: Path) -> None:
    assert flat(worker, more / "hebrew.pdf") == " ".join(HEBREW)


def test_the_right_column_of_hebrew_comes_first(worker: DocumentWorker, more: Path) -> None:
    assert flat(worker, more / "hebrew_columns.pdf") == " ".join((*RIGHT_COLUMN, *LEFT_COLUMN))


@pytest.mark.parametrize("name", ["initial_first", "initial_last"])
def test_a_large_initial_begins_its_word(worker: DocumentWorker, more: Path, name: str) -> None:
    assert flat(worker, more / f"{name}.pdf") == PROSE


def test_words_set_tightly_are_words(worker: DocumentWorker, more: Path) -> None:
    assert flat(worker, more / "squeezed.pdf") == TIGHT


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("cost", "sharing", Verdict.KEEP),
        ("change-of", "control", Verdict.KEEP),
        ("arm's", "length", Verdict.KEEP),
        ("so", "called", Verdict.KEEP),
        ("cross", "default", Verdict.KEEP),
        ("write", "off", Verdict.KEEP),
        ("notwith", "standing", Verdict.JOIN),
        ("second", "ary", Verdict.JOIN),
        ("cross", "ing", Verdict.JOIN),
        ("agree", "ment", Verdict.JOIN),
    ],
)
def test_hyphens_of_compounds_stay(left: str, right: str, expected: Verdict) -> None:
    assert verdict(left, right, Vocabulary(())) is expected


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Настоящий договор вступает в силу с момента подписания.", "cp1251"),
        ("Η παρούσα σύμβαση ρυθμίζει τις υποχρεώσεις των μερών.", "cp1253"),
        ("契約書第１条 甲は乙に対し、本件建物を賃貸する。", "cp932"),
        ("Le preneur règle à échéance; l’été où", "cp1252"),
        ("贷款合同。甲方：北京银行；乙方：李四。利率为 5.2%", "gb18030"),
    ],
)
def test_text_files_of_more_encodings(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) == text


def test_a_prefix_of_page_labels_in_utf_16_counts() -> None:
    assert page_labels([(0, "<</P<FEFF0041002D>/S/D>>")], 2) == ("A-1", "A-2")


def test_amounts_keep_the_numbers_in_front_of_them(worker: DocumentWorker, more: Path) -> None:
    assert lines_of(worker, more / "instalments.pdf") == [f"{number} $500" for number in range(1, 11)]
