"""The window with the real engine and the starter model: from the dropped file to the marked words."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ending import end
from app.preferences import Preferences
from app.startup import Program
from app.theme import LIGHT
from core.catalogue.starter import starter_gguf
from core.paths import models_dir
from core.samples import default_sample

MODEL_MS, READ_MS, ANSWER_MS = 60_000, 240_000, 240_000
CLOSE_LIMIT_S = 30

pytestmark = pytest.mark.slow

CLOSE_WHILE_LOADING = """
import sys
from PySide6.QtCore import QObject, QTimer, Slot
from app import startup
from app.main_window import MainWindow
from core.samples import default_sample

class Closer(QObject):
    def __init__(self):
        super().__init__()
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.look)
        self.timer.start(20)

    @Slot()
    def look(self):
        if "torch" in sys.modules:
            print("loading")
            next(w for w in startup.QApplication.topLevelWidgets() if isinstance(w, MainWindow)).close()
            self.timer.stop()

make = startup.make_application
def make_with_closer():
    app = make()
    app.closer = Closer()
    return app
startup.make_application = make_with_closer
sys.exit(startup.run([str(default_sample().path)]))
"""


@pytest.fixture(autouse=True)
def _starter() -> None:
    if starter_gguf(models_dir()) is None:
        pytest.skip(f"the starter model is not in {models_dir()}: packaging/dev.py fetches it")


@pytest.fixture
def real_program(themed: QApplication) -> Iterator[Program]:
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    program = Program(Preferences())
    program.window.resize(1200, 800)
    program.window.show()
    yield program
    assert end(program, themed)
    after = psutil.Process().children(recursive=True)
    left = [process for process in after if process.pid not in before]
    assert [process for process in left if "resource_tracker" not in " ".join(process.cmdline())] == []


def wait_until(qtbot: QtBot, program: Program, condition: Callable[[], bool], limit_ms: int) -> None:
    """As qtbot's own, but ends with the words of an error that the window shows."""
    dialog = program.window.error_dialog
    qtbot.waitUntil(lambda: condition() or dialog.isVisible(), timeout=limit_ms)
    assert condition(), f"{dialog.title.text()}: {dialog.message.text()}"


def num_marked_pixels(program: Program) -> int:
    image = program.window.document_view.pages.grab().toImage()
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    wanted = QColor(LIGHT.highlight)
    return sum(
        abs(color.red() - wanted.red()) < 40
        and abs(color.green() - wanted.green()) < 40
        and color.blue() < 160
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
        for color in [image.pixelColor(x, y)]
    )


def test_drop_ask_and_see_the_words(qtbot: QtBot, real_program: Program) -> None:
    program, sample = real_program, default_sample()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(sample.path))])
    keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copy = Qt.DropAction.CopyAction
    QApplication.sendEvent(program.window, QDragEnterEvent(QPoint(300, 300), copy, data, *keys))
    drop = QDropEvent(QPointF(300, 300), copy, data, *keys)
    QApplication.sendEvent(program.window, drop)
    wait_until(qtbot, program, lambda: program.store.state.model is not None, MODEL_MS)
    wait_until(qtbot, program, lambda: program.store.state.is_read, READ_MS)
    pieces: list[str] = []
    program.window.chat.text_shown.connect(pieces.append)
    program.window.chat.question_submitted.emit(sample.questions[0].text)
    turn = program.window.chat.last_turn
    assert turn is not None
    wait_until(qtbot, program, lambda: turn.finished is not None, ANSWER_MS)
    assert len(pieces) > 1
    assert sample.questions[0].expected in turn.answer.source
    usage = program.store.state.usage
    assert usage is not None
    assert 0 < usage.hot_tokens <= usage.total_tokens
    assert program.window.gauges.first_token.value != "–"
    view = program.window.document_view
    view.go_to(2)
    qtbot.waitUntil(lambda: view.is_settled, timeout=20_000)
    before = num_marked_pixels(program)
    assert turn.chips.chips, "a verified quote or a closest passage"
    qtbot.mouseClick(turn.chips.chips[0], Qt.MouseButton.LeftButton)
    assert view.current_page == sample.questions[0].page_index
    qtbot.waitUntil(lambda: view.is_settled, timeout=20_000)
    assert num_marked_pixels(program) > before + 50


def test_closing_while_torch_loads_leaves_nothing(repository: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CLOSE_WHILE_LOADING],
        cwd=repository,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "LECTERN_DATA_DIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=CLOSE_LIMIT_S,
    )
    assert done.returncode == 0, done.stderr
    assert "loading" in done.stdout
    assert "Traceback" not in done.stderr
