"""The window with a scripted engine behind it, and the documents that it opens."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import i18n, theme
from app.document_view.tiles import TileRequest
from app.ending import end
from app.preferences import Preferences, RecognitionChoices
from app.probes import Probes
from app.scripted_backend import Script, ScriptedBackend
from app.startup import Program
from core.documents.layout import Document
from core.documents.worker import DocumentWorker
from core.errors import DocumentError, LecternError, PasswordRequiredError, WrongPasswordError
from core.planning.machine import Machine
from core.planning.system_facts import HugePages, SystemFacts
from core.samples import default_sample

TIMEOUT_MS = 10_000
PASSWORD = "open sesame"


class FakeDocumentService(QObject):
    """Knows a few documents by heart and answers from the event loop, as the real service does."""

    reading_progressed = Signal(str, int, int)
    pages_known = Signal(str, object)
    document_opened = Signal(object)
    open_failed = Signal(str, object)
    tile_rendered = Signal(object, object)
    tile_failed = Signal(object, object)
    file_changed = Signal(str, object)

    def __init__(self, known: dict[str, Document]) -> None:
        super().__init__()
        self.known = known
        self.is_slow = False
        self.opened: list[tuple[str, str | None]] = []
        self.recognised: list[str] = []
        self.is_warm = False
        self.recognition = RecognitionChoices()
        self.is_shut_down = False
        self._pending: tuple[str, str | None] | None = None

    def use_recognition(self, choices: RecognitionChoices) -> None:
        self.recognition = choices

    def warm_up(self) -> None:
        self.is_warm = True

    def open(
        self, path: str, password: str | None = None, *, recognises: bool = False, is_again: bool = False
    ) -> None:
        if is_again and password is None:
            password = dict(self.opened).get(path)
        self.opened.append((path, password))
        if recognises:
            self.recognised.append(path)
        self._pending = (path, password)
        if not self.is_slow:
            QTimer.singleShot(0, self.answer)

    def answer(self) -> None:
        if self._pending is None:
            return
        (path, password), self._pending = self._pending, None
        error = self._refusal(path, password)
        if error is not None:
            self.open_failed.emit(path, error)
            return
        document = self.known[path]
        self.pages_known.emit(path, [(page.width, page.height) for page in document.pages])
        self.reading_progressed.emit(path, 1, document.num_pages)
        self.document_opened.emit(document)

    def _refusal(self, path: str, password: str | None) -> LecternError | None:
        if path not in self.known:
            return DocumentError("Not a PDF", f"“{Path(path).name}” is not a PDF file.")
        if Path(path).name == "locked.pdf" and password is None:
            return PasswordRequiredError("Password needed", "It is encrypted.")
        if Path(path).name == "locked.pdf" and password != PASSWORD:
            return WrongPasswordError("Wrong password", "The password does not open it.")
        return None

    def cancel(self) -> None:
        self._pending = None

    def request_tile(self, request: TileRequest) -> None:
        return

    def cancel_tiles(self) -> None:
        return

    def shutdown(self) -> None:
        self.is_shut_down = True


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture(scope="session")
def pdfs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("window")
    script = Path(__file__).with_name("window_pdfs.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture(scope="session")
def sample_path() -> str:
    return str(default_sample().path)


@pytest.fixture(scope="session")
def known_documents(pdfs: Path, sample_path: str) -> dict[str, Document]:
    with DocumentWorker() as worker:
        paths = [sample_path, *map(str, sorted(pdfs.glob("*.pdf")))]
        return {path: worker.read(path, PASSWORD) for path in paths}


@pytest.fixture(scope="session")
def themed(qapp: QApplication) -> QApplication:
    theme.apply(qapp, theme.Scheme.LIGHT)
    i18n.install(qapp, "en")
    return qapp


@pytest.fixture
def service(known_documents: dict[str, Document]) -> FakeDocumentService:
    return FakeDocumentService(known_documents)


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def backend(script: Script) -> ScriptedBackend:
    return ScriptedBackend(script)


class FakeMachine:
    """A machine whose memory tests can change, and a system that is set up well."""

    def __init__(self) -> None:
        self.machine = Machine("this machine", 32 << 30, 28 << 30, num_cores=4, disk_free_bytes=100 << 30)
        self.changes: dict[str, Any] = {}
        self.num_looks = 0
        self.threads: set[str] = set()

    @property
    def probes(self) -> Probes:
        return Probes(self._look, self._look_at_system)

    def _look(self) -> Machine:
        self.num_looks += 1
        self.threads.add(threading.current_thread().name)
        return self.machine

    def _look_at_system(self, measures_disk: bool) -> SystemFacts:
        facts = SystemFacts(
            platform="linux",
            ram_total_bytes=self.machine.ram_total_bytes,
            ram_available_bytes=self.machine.ram_available_bytes,
            thp_mode="madvise",
            huge_pages=HugePages(2 << 20, 0, 0),
            swap_total_bytes=8 << 30,
            overcommit_mode=0,
            gpus=self.machine.gpus,
            cache_folder="/cache",
            disk_free_bytes=self.machine.disk_free_bytes,
            disk_write_bytes_per_s=1e9 if measures_disk else None,
            ocr_languages=("eng",),
        )
        return replace(facts, **self.changes)


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


@pytest.fixture
def program(
    themed: QApplication, backend: ScriptedBackend, service: FakeDocumentService, machine: FakeMachine
) -> Iterator[Program]:
    """The whole program on screen; afterwards it must end with every thread."""
    documents: Any = service
    result = Program(Preferences(), lambda: backend, documents=documents, probes=machine.probes)
    result.window.show()
    yield result
    backend.script.go.set()
    assert end(result, themed)


@pytest.fixture
def open_sample(qtbot: QtBot, program: Program, sample_path: str) -> Callable[[], None]:
    """Opens the sample and waits until the model has read it."""

    def run() -> None:
        with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
            program.controller.open_files([sample_path])
        qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)

    return run


@pytest.fixture
def converse(qtbot: QtBot, program: Program, open_sample: Callable[[], None]) -> Callable[[], None]:
    """Opens the sample and asks one question about it."""

    def run() -> None:
        open_sample()
        with qtbot.waitSignal(program.window.chat.answer_shown, timeout=TIMEOUT_MS):
            program.controller.ask("What is it?")
        qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=TIMEOUT_MS)

    return run
