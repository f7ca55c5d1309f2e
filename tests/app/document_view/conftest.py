"""PDFs made for these tests, a service with its processes, and a view that shows them."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document_service import DocumentService
from app.document_view.tiles import TileRequest
from app.document_view.view import DocumentView
from core.documents.layout import Document

TIMEOUT_MS = 15_000


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the PDFs that `pdf_factory.py` writes."""
    folder = tmp_path_factory.mktemp("made")
    script = Path(__file__).with_name("pdf_factory.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture(scope="session")
def children() -> Callable[[], list[psutil.Process]]:
    """The processes started by this one, but for Python's own resource tracker, which ends with it."""

    def find() -> list[psutil.Process]:
        running = psutil.Process().children(recursive=True)
        return [process for process in running if "resource_tracker" not in " ".join(process.cmdline())]

    return find


@pytest.fixture(scope="module")
def service(qapp: QApplication, children: Callable[[], list[psutil.Process]]) -> Iterator[DocumentService]:
    before = {process.pid for process in children()}
    result = DocumentService()
    assert result.thread() is qapp.thread()
    yield result
    result.shutdown()
    assert {process.pid for process in children()} <= before


@pytest.fixture
def view(qtbot: QtBot, service: DocumentService) -> DocumentView:
    result = DocumentView(service)
    result.resize(700, 800)
    qtbot.addWidget(result)
    result.show()
    return result


@pytest.fixture
def show(qtbot: QtBot, service: DocumentService, view: DocumentView, made: Path) -> Callable[[str], Document]:
    """Opens one of the made PDFs in `view` and waits until everything on screen is sharp."""

    def open_and_show(name: str) -> Document:
        with qtbot.waitSignal(service.document_opened, timeout=TIMEOUT_MS) as opened:
            service.open(str(made / name))
        document: Document = opened.args[0]
        view.show_document(document)
        qtbot.waitUntil(lambda: view.is_settled, timeout=TIMEOUT_MS)
        return document

    return open_and_show


class ScriptedService(QObject):
    """Stands in for the service: remembers what was asked for and answers when the test says so."""

    tile_rendered = Signal(object, object)
    tile_failed = Signal(object, object)
    file_changed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[TileRequest] = []
        self.num_cancelled = 0

    def request_tile(self, request: TileRequest) -> None:
        self.requests.append(request)

    def cancel_tiles(self) -> None:
        self.num_cancelled += 1


@pytest.fixture
def scripted() -> ScriptedService:
    return ScriptedService()


@pytest.fixture
def scripted_view(qtbot: QtBot, scripted: ScriptedService) -> DocumentView:
    result = DocumentView(scripted)  # type: ignore[arg-type]
    result.resize(700, 800)
    qtbot.addWidget(result)
    result.show()
    return result
