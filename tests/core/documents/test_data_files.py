"""The files in tests/data, which come with the repository."""

from pathlib import Path

import pytest

from core.documents.worker import DocumentWorker
from core.errors import DocumentError


@pytest.fixture
def data(repository: Path) -> Path:
    return repository / "tests" / "data"


def test_a_pdf_2_file_is_read(worker: DocumentWorker, data: Path) -> None:
    assert worker.read(data / "pdf20_simple.pdf").pages[0].text == "Hello World"


def test_scripts_are_not_run(worker: DocumentWorker, data: Path) -> None:
    document = worker.read(data / "active_javascript_cc0.pdf")
    assert len(document.pages[0].text) == 18


@pytest.mark.parametrize(
    ("name", "title"), [("bad_no_catalog.pdf", "No pages"), ("bad_page_count_wrong.pdf", "Damaged file")]
)
def test_damaged_files_are_refused_in_plain_words(
    worker: DocumentWorker, data: Path, name: str, title: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        worker.read(data / name)
    assert caught.value.title == title
    assert "Error" not in caught.value.message
    assert "code=" not in caught.value.message


def test_columns_of_a_typeset_paper(worker: DocumentWorker, data: Path) -> None:
    text = worker.read(data / "twocol_latex_sample_3p.pdf").pages[0].text
    order = [
        "Two-Column Document",
        "Abstract",
        "adipiscing elit. Ut purus",
        "Nam dui ligula",
        "Quisque ullamcorper",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert "consectetuer id, vulputate" in text
    assert "con- sectetuer" not in text
