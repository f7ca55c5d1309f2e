"""What readers of a page do not see is listed, and the model does not read it."""

from pathlib import Path

import pytest

from core.documents.layout import HiddenReason, WarningKind
from core.documents.model_text import model_page_text
from core.documents.token_map import render_for_model
from core.documents.worker import DocumentWorker
from tests.core.documents.kinds_factory import HIDDEN, OPEN, SECRET

REASONS = {
    "white": HiddenReason.SAME_COLOUR,
    "nearly_white": HiddenReason.SAME_COLOUR,
    "black_on_black": HiddenReason.SAME_COLOUR,
    "white_over_open": HiddenReason.SAME_COLOUR,
    "mode_3": HiddenReason.INVISIBLE,
    "clear": HiddenReason.INVISIBLE,
    "tiny": HiddenReason.TINY,
    "covered_by_shape": HiddenReason.COVERED,
    "covered_by_circle": HiddenReason.COVERED,
    "covered_by_image": HiddenReason.COVERED,
    "off_page": HiddenReason.OFF_PAGE,
    "outside_cropbox": HiddenReason.OFF_PAGE,
    "layer": HiddenReason.LAYER_OFF,
    "turned": HiddenReason.SAME_COLOUR,
}


@pytest.mark.parametrize("how", HIDDEN)
def test_hidden_text_is_listed_and_not_read(worker: DocumentWorker, kinds: Path, how: str) -> None:
    document = worker.read(kinds / f"hidden_{how}.pdf")
    [page] = document.pages
    assert page.text == OPEN
    assert SECRET[:10] not in render_for_model([document]).text
    assert {item.reason for item in page.hidden} == {REASONS[how]}
    assert SECRET[:10] in page.hidden[0].text
    [warning] = page.warnings
    assert (warning.kind, warning.page_index) == (WarningKind.HIDDEN_TEXT, 0)
    assert SECRET[:10] in warning.message


def test_the_box_of_hidden_text_is_where_it_would_be_seen(worker: DocumentWorker, kinds: Path) -> None:
    upright = worker.read(kinds / "hidden_white.pdf").pages[0].hidden[0].bbox
    assert upright.x0 == pytest.approx(40, abs=2)
    assert upright.y0 < 120 < upright.y1 + 1
    turned = worker.read(kinds / "hidden_turned.pdf").pages[0].hidden[0].bbox
    assert turned.y0 == pytest.approx(40, abs=2)
    assert turned.x0 < 300 - 120 < turned.x1 + 1


def test_visible_text_is_never_taken_for_hidden(worker: DocumentWorker, kinds: Path) -> None:
    [page] = worker.read(kinds / "visible.pdf").pages
    assert page.hidden == ()
    assert page.text.count("seen.") == 4


def test_recognised_text_of_a_scan_is_read_where_the_scan_shows_something(
    worker: DocumentWorker, kinds: Path
) -> None:
    [page] = worker.read(kinds / "scan_with_text.pdf").pages
    assert OPEN in page.text
    assert "Sentence 5 of the scanned page" in page.text
    assert [item.text for item in page.hidden] == [SECRET]
    assert {warning.kind for warning in page.warnings} == {WarningKind.OCR_LAYER, WarningKind.HIDDEN_TEXT}


def test_a_check_that_fails_is_said(kinds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.documents import extraction, mupdf, pdf_page

    def fail(*_: object) -> None:
        raise RuntimeError("code=4")

    monkeypatch.setattr(pdf_page, "ink_of", fail)
    read = extraction.extract_page(mupdf.PdfFile(str(kinds / "hidden_white.pdf"), None), 0, "1")
    assert OPEN in read.page.text
    [warning] = read.page.warnings
    assert warning.kind is WarningKind.HIDDEN_TEXT
    assert "could not be checked" in warning.message
    assert model_page_text(read.page)
