"""`--ocr` and `--ocr-language`: what commands make of them, and what they say without language data."""

import argparse
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.cache_commands import caches
from core.cancel import CancelToken
from core.console import Console
from core.documents.messages import Recognition
from core.documents.page_range import parse_page_range
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.documents.worker import DocumentWorker
from core.errors import DocumentError, LecternError, UsageError
from core.events import Event
from core.file_reading import FileReader
from core.paths import data_dir


class Notes(Console):
    """Remembers what a user is told while a command goes on."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.is_finished = False

    def event(self, event: Event) -> None:
        del event

    def record(self, name: str, text: str, fields: Mapping[str, Any]) -> None:
        raise AssertionError(name, text, fields)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def finish(self, text: str, fields: Mapping[str, Any]) -> None:
        del text, fields
        self.is_finished = True

    def error(self, error: LecternError) -> None:
        raise error


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scans")
    script = Path(__file__).parent / "documents" / "scan_factory.py"
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, timeout=60)
    return folder / "scans.pdf"


@pytest.fixture(autouse=True)
def _no_language_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr("core.documents.language_data._PLACES", ())
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    monkeypatch.delenv("PROGRAMFILES", raising=False)


def options(**chosen: Any) -> argparse.Namespace:
    plain = {"ocr": False, "ocr_language": None, "password": None, "cache_dir": Path("cache")}
    return argparse.Namespace(**(plain | chosen))


def read(scans: Path, pages: str | None, **chosen: Any) -> list[str]:
    console = Notes()
    reading = EVERYTHING if pages is None else ReadingChoice(ReadingKind.PAGES, (pages,))
    FileReader(options(**chosen), console, CancelToken(), reading).read([scans])
    return console.notes


def test_what_could_not_be_recognised_is_told_and_the_rest_is_read(scans: Path) -> None:
    [note] = read(scans, None, ocr=True)
    assert note.startswith("scans.pdf: pages 2-3, 5 could not be recognised. ")
    assert "eng was not found. Install it with: " in note
    assert read(scans, "1,4", ocr=True) == [], "these pages need no recognition"


def test_what_is_left_out_is_not_missed(scans: Path) -> None:
    console, chosen = Notes(), ReadingChoice(ReadingKind.PAGES, ("1", "none"))
    FileReader(options(ocr=True), console, CancelToken(), chosen).read([scans, scans])
    assert console.notes == []


def test_without_any_text_the_missing_data_is_an_error(scans: Path) -> None:
    with pytest.raises(DocumentError, match="deu was not found"):
        read(scans, "2-3", ocr_language="deu")


def test_what_is_no_language_is_refused_before_anything_is_read(scans: Path) -> None:
    with pytest.raises(UsageError):
        read(scans, None, ocr_language="../eng")


def test_the_options_reach_the_worker(scans: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = data_dir() / "tessdata"
    folder.mkdir(parents=True)
    for name in ("eng", "deu"):
        (folder / f"{name}.traineddata").touch()
    asked: list[Recognition] = []

    def note(_worker: DocumentWorker, _path: Path, _password: None, **request: Any) -> None:
        asked.append(request["recognition"])

    monkeypatch.setattr(DocumentWorker, "read", note)
    read(scans, "2", ocr_language="deu+eng")
    read(scans, None, ocr=True, no_cache=True)
    read(scans, None)
    kept_in = str(Path("cache") / "text-recognition")
    assert asked[0] == Recognition(str(folder), "deu+eng", parse_page_range("2"), kept_in)
    assert asked[1].kept_in is None
    assert asked[2] is None


def test_removing_all_that_was_kept_removes_recognised_text_too(tmp_path: Path) -> None:
    kept = tmp_path / "text-recognition" / "digest" / "0-engine.json.gz"
    kept.parent.mkdir(parents=True)
    kept.touch()
    console = Notes()
    asked = argparse.Namespace(action="remove", names=[], all=True, cache_dir=tmp_path, cache_quota=None)
    caches(asked, console, CancelToken())
    assert console.is_finished
    assert not kept.parent.parent.exists()
