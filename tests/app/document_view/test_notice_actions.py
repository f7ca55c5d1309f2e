"""What a notice offers to do: read with text recognition, open a changed file again."""

import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.document_service import DocumentService
from app.document_view.tiles import PixelRect, TileRequest
from app.document_view.view import DocumentView
from app.preferences import RecognitionChoices
from core.documents.layout import Document, DocumentWarning, WarningKind
from core.documents.worker import DocumentWorker
from core.paths import data_dir

TIMEOUT_MS = 15_000
SCAN = DocumentWarning(WarningKind.SCAN, "scan", 1)


@pytest.fixture(autouse=True)
def _no_language_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.documents.language_data._PLACES", ())
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    monkeypatch.delenv("PROGRAMFILES", raising=False)


def add_language_data() -> Path:
    folder = data_dir() / "tessdata"
    folder.mkdir(parents=True)
    (folder / "eng.traineddata").touch()
    return folder


def test_a_scan_offers_text_recognition_and_says_what_that_lacks(
    scripted_view: DocumentView,
) -> None:
    bar = scripted_view.notice_bar
    wanted: list[bool] = []
    scripted_view.recognition_wanted.connect(lambda: wanted.append(True))
    bar.show_warnings([SCAN], 5)
    assert bar.action_button.isVisible()
    assert bar.action_button.text() == "Read with text recognition"
    assert "eng was not found. Install it with: " in bar.text_label.text()
    bar.action_button.click()
    assert not wanted
    add_language_data()
    bar.action_button.click()
    assert wanted
    bar.show_warnings([SCAN], 5)
    assert "not found" not in bar.text_label.text()
    bar.show_warnings([DocumentWarning(WarningKind.BLANK, "blank", 1)], 5)
    assert not bar.action_button.isVisible()


def test_pages_are_read_with_text_recognition_and_kept(
    qtbot: QtBot, service: DocumentService, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(tmp_path / "cache"))
    data = add_language_data()
    seeing = DocumentWorker(recogniser="tests.core.documents.fake_recognisers:words")
    monkeypatch.setattr(service._reader, "worker", seeing)
    for recognises in (False, True, True):
        with qtbot.waitSignal(service.document_opened, timeout=TIMEOUT_MS) as opened:
            service.open(str(made / "mixed.pdf"), recognises=recognises)
        assert opened.args[0].pages[2].text.startswith("Seen on this page") is recognises
    seeing.close()
    assert len([path for path in data.iterdir() if path.suffix == ""]) == 1, "recognised once"
    assert list((tmp_path / "cache" / "text-recognition").rglob("2-*.gz"))


def test_without_language_data_reading_with_recognition_fails_in_plain_words(
    qtbot: QtBot, service: DocumentService, made: Path
) -> None:
    with qtbot.waitSignal(service.open_failed, timeout=TIMEOUT_MS) as failed:
        service.open(str(made / "mixed.pdf"), recognises=True)
    assert failed.args[1].title == "Text recognition is not set up"


def test_a_changed_file_is_told_once_and_can_be_opened_again(
    qtbot: QtBot, service: DocumentService, view: DocumentView, made: Path, tmp_path: Path
) -> None:
    path = tmp_path / "report.pdf"
    shutil.copy(made / "plain.pdf", path)

    def open_and_show() -> Document:
        with qtbot.waitSignal(service.document_opened, timeout=TIMEOUT_MS) as opened:
            service.open(str(path))
        document: Document = opened.args[0]
        view.show_document(document)
        qtbot.waitUntil(lambda: view.is_settled, timeout=TIMEOUT_MS)
        return document

    told: list[str] = []
    service.file_changed.connect(lambda name, _error: told.append(name))
    open_and_show()
    shutil.copy(made / "mixed.pdf", path)
    for page_index in (3, 5):
        with qtbot.waitSignal(service.tile_failed, timeout=TIMEOUT_MS):
            service.request_tile(TileRequest(str(path), page_index, 1.0, PixelRect(0, 0, 90, 90)))
    assert told == [str(path)]
    assert [notice.kind for notice in view.notice_bar.notices] == [WarningKind.FILE_CHANGED]
    assert "report.pdf" in view.notice_bar.text_label.text()
    with qtbot.waitSignal(view.open_again_wanted, timeout=TIMEOUT_MS):
        view.notice_bar.action_button.click()
    assert open_and_show().num_pages == 4
    assert WarningKind.FILE_CHANGED not in {notice.kind for notice in view.notice_bar.notices}
    with qtbot.waitSignal(service.tile_rendered, timeout=TIMEOUT_MS):
        service.request_tile(TileRequest(str(path), 3, 1.0, PixelRect(0, 0, 90, 90)))


def test_recognition_that_is_never_wanted_is_not_offered(scripted_view: DocumentView) -> None:
    scripted_view.use_recognition(RecognitionChoices("never"))
    scripted_view.notice_bar.show_warnings([SCAN], 5)
    assert not scripted_view.notice_bar.action_button.isVisible()
    assert "Install" not in scripted_view.notice_bar.text_label.text()
    scripted_view.use_recognition(RecognitionChoices("ask", "deu"))
    assert scripted_view.notice_bar.action_button.isVisible()
    add_language_data()
    scripted_view.notice_bar.show_warnings([SCAN], 5)
    assert "deu was not found" in scripted_view.notice_bar.text_label.text(), "only eng has come"


def test_recognition_that_is_always_wanted_needs_no_word_and_no_data(
    qtbot: QtBot, service: DocumentService, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(tmp_path / "cache"))
    seeing = DocumentWorker(recogniser="tests.core.documents.fake_recognisers:words")
    monkeypatch.setattr(service._reader, "worker", seeing)
    service.use_recognition(RecognitionChoices("always"))
    for has_data in (False, True):
        if has_data:
            add_language_data()
        with qtbot.waitSignal(service.document_opened, timeout=TIMEOUT_MS) as opened:
            service.open(str(made / "mixed.pdf"))
        assert opened.args[0].pages[2].text.startswith("Seen on this page") is has_data
    seeing.close()
