"""`lectern-app --self-test FILE`: one question through the window's own path, told as a line of JSON.

It is how an installed program proves that it works: the window stands, the file opens, the engine's thread
loads the model and answers, and the answer leads to a page.
"""

import json
import logging
import os
import sys
import time
from dataclasses import asdict, dataclass, replace

import psutil
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.controller import Controller
from app.engine_backend import ModelInfo
from app.error_router import ErrorRouter, ErrorText
from app.look_report import LookReport, look_of
from app.state import StateStore
from app.terminal import question_for
from app.theme import running_app
from core import __version__
from core.documents.layout import Document
from core.events import Finished
from core.settings import EngineSettings

_LIMIT_S = 600
_LOOK_MS = 5
_MAX_NEW_TOKENS = 48
_LIBRARY_PATHS = ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SelfTestReport:
    """`*_s` are seconds since the process began, None for what was not reached.

    `verified` counts the quotes of the answer that were found on a page; `closest_page_index` is that of the
    closest passage. `look` is taken when the window stands. `inherited` is what a program started by this one
    would find in its environment.
    """

    ok: bool = False
    error: str | None = None
    version: str = __version__
    document: str | None = None
    question: str | None = None
    answer: str | None = None
    verified: int = 0
    closest_page_index: int | None = None
    window_s: float | None = None
    model_s: float | None = None
    answer_s: float | None = None
    look: LookReport | None = None
    inherited: tuple[tuple[str, str], ...] = ()


class SelfTest(QObject):
    """Waits for the documents, asks, and ends the program with 0 if the answer leads to a page, else 1."""

    def __init__(
        self, store: StateStore, controller: Controller, router: ErrorRouter, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._report = SelfTestReport(inherited=_inherited())
        self._is_over = False
        controller.use_settings(_short_answers(controller.settings))
        store.documents_changed.connect(self._on_documents_changed)
        store.model_changed.connect(self._on_model_changed)
        controller.answer_finished.connect(self._on_answer_finished)
        controller.answer_failed.connect(self._on_error)
        controller.room_missing.connect(self._on_room_missing)
        router.error_described.connect(self._on_error)
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._on_look)
        self._look.start()
        QTimer.singleShot(_LIMIT_S * 1000, self._on_late)

    @Slot()
    def _on_look(self) -> None:
        if any(window.isExposed() for window in QGuiApplication.topLevelWindows()):
            self._look.stop()
            self._report = replace(self._report, window_s=_age_s())
            self._report = replace(self._report, look=look_of(running_app()))

    def _on_documents_changed(self, documents: tuple[Document, ...]) -> None:
        if documents and self._report.question is None:
            question = question_for([document.path for document in documents])
            self._report = replace(self._report, document=documents[0].name, question=question)
            QTimer.singleShot(0, self._on_turn)

    @Slot()
    def _on_turn(self) -> None:
        self._controller.ask(self._report.question or "")

    def _on_model_changed(self, model: ModelInfo | None) -> None:
        if model is not None and self._report.model_s is None:
            self._report = replace(self._report, model_s=_age_s())

    def _on_answer_finished(self, finished: Finished) -> None:
        verified = sum(citation.verified for citation in finished.citations)
        closest = finished.closest_passage
        self._end(
            replace(
                self._report,
                ok=bool(finished.answer.strip()) and (verified > 0 or closest is not None),
                answer=finished.answer,
                verified=verified,
                closest_page_index=closest.page_index if closest is not None else None,
                answer_s=_age_s(),
            )
        )

    def _on_error(self, text: ErrorText) -> None:
        self._end(replace(self._report, error=f"{text.title}: {text.message}"))

    def _on_room_missing(self, _settings: EngineSettings, _documents: object) -> None:
        self._end(replace(self._report, error="The planner sees no room for the model on this machine."))

    @Slot()
    def _on_late(self) -> None:
        self._end(replace(self._report, error=f"There was no answer within {_LIMIT_S} seconds."))

    def _end(self, report: SelfTestReport) -> None:
        if self._is_over:
            return
        self._is_over = True
        line = json.dumps({"event": "self_test", **asdict(report), "inherited": dict(report.inherited)})
        _log.info("%s", line)
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        QApplication.exit(0 if report.ok else 1)


def _short_answers(settings: EngineSettings) -> EngineSettings:
    """Greedy, so that the same program gives the same answer."""
    sampling = replace(settings.sampling, temperature=0.0, max_new_tokens=_MAX_NEW_TOKENS)
    return replace(settings, sampling=sampling)


def _inherited() -> tuple[tuple[str, str], ...]:
    return tuple((name, os.environ[name]) for name in _LIBRARY_PATHS if name in os.environ)


def _age_s() -> float:
    created = float(psutil.Process().create_time())
    return round(time.time() - created, 2)
