"""The bundled sample: it is there, and its answers stand where the index says."""

import json
from pathlib import Path

import pymupdf
import pytest

from core.errors import DocumentError
from core.samples import SampleQuestion, default_sample


def test_the_first_question_is_the_one_the_guides_use() -> None:
    sample = default_sample()
    assert sample.path.is_file()
    assert sample.title
    assert sample.questions[0] == SampleQuestion(
        text="What is the effective date of the agreement?", expected="January 1, 1998", page_index=0
    )
    assert len(sample.questions) >= 5


def test_every_expected_answer_stands_on_its_page() -> None:
    sample = default_sample()
    with pymupdf.open(sample.path) as document:
        pages = [" ".join(page.get_text().split()) for page in document]
    for question in sample.questions:
        assert question.expected in pages[question.page_index], question


def test_the_readme_names_source_and_licence_of_the_file() -> None:
    sample = default_sample()
    readme = (sample.path.parent / "README.md").read_text(encoding="utf-8")
    assert sample.path.name in readme
    assert "CC BY 4.0" in readme


def _index(folder: Path, entry: object) -> None:
    (folder / "samples.json").write_text(json.dumps({"version": 1, "samples": [entry]}), encoding="utf-8")


def test_a_missing_index_is_a_document_error(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"samples\.json"):
        default_sample(tmp_path)


@pytest.mark.parametrize("entry", [{"file": "a.pdf"}, "a.pdf", {"file": 1, "title": "t", "questions": []}])
def test_a_broken_index_is_a_document_error(tmp_path: Path, entry: object) -> None:
    _index(tmp_path, entry)
    with pytest.raises(DocumentError, match="cannot be read"):
        default_sample(tmp_path)


def test_a_missing_sample_file_is_a_document_error(tmp_path: Path) -> None:
    _index(tmp_path, {"file": "gone.pdf", "title": "Gone", "questions": []})
    with pytest.raises(DocumentError, match=r"gone\.pdf is missing"):
        default_sample(tmp_path)
