"""Opening, progress, errors and rendering through the real processes; all answers in the GUI thread."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QObject, QThread, QTimer, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document_service import DocumentService
from app.document_view.tiles import PixelRect, TileRequest
from core.documents.layout import Document
from core.documents.limits import Limits
from core.documents.worker import DocumentWorker
from core.errors import CancelledError, DocumentError, PasswordRequiredError, WrongPasswordError

TIMEOUT_MS = 15_000
SHUTDOWN_LIMIT_S = 2.0
TICK_MS = 5


class Recorder(QObject):
    """Remembers every signal of a service and the thread it came in."""

    def __init__(self, service: DocumentService) -> None:
        super().__init__()
        self.progress: list[tuple[int, int]] = []
        self.sizes: list[tuple[tuple[float, float], ...]] = []
        self.documents: list[Document] = []
        self.failures: list[tuple[str, Exception]] = []
        self.images: list[tuple[TileRequest, QImage]] = []
        self.tile_failures: list[tuple[TileRequest, Exception]] = []
        self.order: list[str] = []
        self.threads: set[QThread] = set()
        service.reading_progressed.connect(self._on_progress)
        service.pages_known.connect(self._on_pages_known)
        service.document_opened.connect(self._on_opened)
        service.open_failed.connect(self._on_failed)
        service.tile_rendered.connect(self._on_tile)
        service.tile_failed.connect(self._on_tile_failed)

    def _note(self, name: str) -> None:
        self.order.append(name)
        self.threads.add(QThread.currentThread())

    @Slot(str, int, int)
    def _on_progress(self, _path: str, done: int, total: int) -> None:
        self._note("progress")
        self.progress.append((done, total))

    @Slot(str, object)
    def _on_pages_known(self, _path: str, sizes: tuple[tuple[float, float], ...]) -> None:
        self._note("sizes")
        self.sizes.append(sizes)

    @Slot(object)
    def _on_opened(self, document: Document) -> None:
        self._note("opened")
        self.documents.append(document)

    @Slot(str, object)
    def _on_failed(self, path: str, error: Exception) -> None:
        self._note("failed")
        self.failures.append((path, error))

    @Slot(object, object)
    def _on_tile(self, request: TileRequest, image: QImage) -> None:
        self._note("tile")
        self.images.append((request, image))

    @Slot(object, object)
    def _on_tile_failed(self, request: TileRequest, error: Exception) -> None:
        self._note("tile failed")
        self.tile_failures.append((request, error))


def _processes() -> list[psutil.Process]:
    running = psutil.Process().children(recursive=True)
    return [process for process in running if "resource_tracker" not in " ".join(process.cmdline())]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    script = Path(__file__).with_name("document_view") / "pdf_factory.py"
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture
def service(qapp: QApplication) -> Iterator[DocumentService]:
    before = {process.pid for process in _processes()}
    result = DocumentService()
    assert result.thread() is qapp.thread()
    yield result
    result.shutdown()
    assert {process.pid for process in _processes()} <= before


@pytest.fixture
def recorder(service: DocumentService) -> Recorder:
    return Recorder(service)


def test_a_document_is_read_with_progress_and_its_sizes_are_known_early(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    path = str(made / "long.pdf")
    service.warm_up()
    service.open(path)
    qtbot.waitUntil(lambda: bool(recorder.documents), timeout=TIMEOUT_MS)

    assert recorder.documents[0].num_pages == 1_000
    assert recorder.documents[0].path == path
    assert "page 1000 speaks" in recorder.documents[0].pages[999].text
    assert recorder.sizes == [((595.0, 842.0),) * 1_000]
    assert recorder.order.index("sizes") < recorder.order.index("opened") == len(recorder.order) - 1
    assert recorder.progress[0] == (0, 1_000)
    assert recorder.progress[-1] == (1_000, 1_000)
    assert recorder.progress == sorted(recorder.progress)
    assert recorder.threads == {service.thread()}
    assert not recorder.failures


def test_the_window_goes_on_while_a_long_document_is_read(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    """What is measured is the reading; a tenth of the ticks leaves room for other tests beside this one."""
    ticks: list[float] = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(time.monotonic()))
    service.open(str(made / "long.pdf"))
    qtbot.waitUntil(lambda: bool(recorder.sizes), timeout=TIMEOUT_MS)
    started = time.monotonic()
    timer.start(TICK_MS)
    qtbot.waitUntil(lambda: bool(recorder.documents), timeout=TIMEOUT_MS)
    timer.stop()
    elapsed_ms = 1000 * (time.monotonic() - started)
    assert elapsed_ms > 20 * TICK_MS, "too short to tell"
    assert len(ticks) > elapsed_ms / TICK_MS / 10


def test_helpers_of_a_long_reading_are_let_go(
    qtbot: QtBot, recorder: Recorder, service: DocumentService, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service._rest_timer.setInterval(200)
    monkeypatch.setattr(service._reader, "worker", DocumentWorker(Limits(max_processes=2)))
    before = len(_processes())
    service.open(str(made / "long.pdf"))
    qtbot.waitUntil(lambda: bool(recorder.documents), timeout=TIMEOUT_MS)
    qtbot.waitUntil(lambda: len(_processes()) == before + 2, timeout=TIMEOUT_MS)
    service.open(str(made / "long.pdf"))
    qtbot.waitUntil(lambda: len(recorder.documents) == 2, timeout=TIMEOUT_MS)


def test_a_file_that_is_no_document_fails_once_with_words_for_the_user(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    for name in ("junk.pdf", "missing.pdf"):
        recorder.failures.clear()
        service.open(str(made / name))
        qtbot.waitUntil(lambda: bool(recorder.failures), timeout=TIMEOUT_MS)
        [(path, error)] = recorder.failures
        assert path == str(made / name)
        assert isinstance(error, DocumentError)
    assert not recorder.documents
    assert not recorder.sizes


def test_a_password_is_asked_for_and_remembered_for_the_pages(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    path = str(made / "locked.pdf")
    for password, expected in ((None, PasswordRequiredError), ("guess", WrongPasswordError)):
        recorder.failures.clear()
        service.open(path, password)
        qtbot.waitUntil(lambda: bool(recorder.failures), timeout=TIMEOUT_MS)
        assert isinstance(recorder.failures[0][1], expected)

    service.open(path, "open sesame")
    qtbot.waitUntil(lambda: bool(recorder.documents), timeout=TIMEOUT_MS)
    service.request_tile(TileRequest(path, 0, 1.0, PixelRect(0, 0, 200, 200)))
    qtbot.waitUntil(lambda: bool(recorder.images), timeout=TIMEOUT_MS)
    assert recorder.images[0][1].size().toTuple() == (200, 200)


def test_a_page_of_a_locked_file_cannot_be_rendered_without_its_password(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    service.request_tile(TileRequest(str(made / "locked.pdf"), 0, 1.0, PixelRect(0, 0, 200, 200)))
    qtbot.waitUntil(lambda: bool(recorder.tile_failures), timeout=TIMEOUT_MS)
    assert isinstance(recorder.tile_failures[0][1], PasswordRequiredError)


def test_cancelling_ends_in_one_cancelled_error_and_the_next_document_opens(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    service.open(str(made / "long.pdf"))
    qtbot.waitUntil(lambda: len(recorder.progress) > 2, timeout=TIMEOUT_MS)
    time.sleep(0.2)  # reports pile up behind this thread; none may come through after the cancel
    service.cancel()
    service.cancel()
    num_reports = len(recorder.progress)
    service.open(str(made / "plain.pdf"))
    qtbot.waitUntil(lambda: bool(recorder.documents), timeout=TIMEOUT_MS)

    [(path, error)] = recorder.failures
    assert path == str(made / "long.pdf")
    assert isinstance(error, CancelledError)
    assert recorder.documents[0].num_pages == 12
    assert all(total == 12 for _, total in recorder.progress[num_reports:])


def test_opening_another_document_replaces_the_one_being_read_silently(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    service.open(str(made / "long.pdf"))
    qtbot.waitUntil(lambda: len(recorder.progress) > 2, timeout=TIMEOUT_MS)
    service.open(str(made / "plain.pdf"))
    qtbot.waitUntil(lambda: bool(recorder.documents), timeout=TIMEOUT_MS)
    qtbot.wait(100)
    assert [document.name for document in recorder.documents] == ["plain.pdf"]
    assert not recorder.failures


def test_a_tile_has_the_same_pixels_as_that_part_of_the_whole_page(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    path, scale = str(made / "plain.pdf"), 1.37
    areas = [PixelRect(0, 0, 256, 256), PixelRect(96, 111, 300, 180), PixelRect(700, 1_100, 116, 54)]
    for area in areas:
        service.request_tile(TileRequest(path, 2, scale, area))
    qtbot.waitUntil(lambda: len(recorder.images) == len(areas), timeout=TIMEOUT_MS)
    with DocumentWorker() as worker:
        whole = worker.render(path, 2, scale)
    page = QImage(whole.rgb, whole.width, whole.height, whole.stride, QImage.Format.Format_RGB888)
    page = page.convertToFormat(QImage.Format.Format_RGB32)
    assert page.size().toTuple() == (816, 1_154)
    for (request, image), area in zip(recorder.images, areas, strict=True):
        assert request.area == area
        assert image == page.copy(area.x, area.y, area.width, area.height)


def test_the_service_ends_in_time_in_the_middle_of_everything(
    qtbot: QtBot, service: DocumentService, recorder: Recorder, made: Path
) -> None:
    service.open(str(made / "long.pdf"))
    qtbot.waitUntil(lambda: len(recorder.progress) > 2 and bool(recorder.sizes), timeout=TIMEOUT_MS)
    for process in _processes():
        process.suspend()
    for page_index in range(50):
        service.request_tile(TileRequest(str(made / "long.pdf"), page_index, 2.0, PixelRect(0, 0, 700, 700)))
    qtbot.wait(50)

    started = time.monotonic()
    service.shutdown()
    assert time.monotonic() - started < SHUTDOWN_LIMIT_S
    assert not _processes()

    num_signals = len(recorder.order)
    service.open(str(made / "plain.pdf"))
    service.request_tile(TileRequest(str(made / "plain.pdf"), 0, 1.0, PixelRect(0, 0, 100, 100)))
    service.cancel()
    service.shutdown()
    qtbot.wait(100)
    assert recorder.order[num_signals:] == []
    assert not _processes()
