"""The composition root: makes every part of the program once, hands each what it needs, and ends them all."""

import logging
import logging.handlers
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from app import i18n, theme
from app.controller import Controller
from app.document_service import DocumentService
from app.document_view.view import DocumentView
from app.engine_backend import EngineBackend
from app.engine_thread import CoreBackend, EngineThread
from app.error_router import ErrorRouter
from app.main_window import MainWindow
from app.opener import Opener
from app.preferences import Preferences, load_preferences, preferences_path, save_preferences
from app.recent_files import RecentFiles, recent_files_path
from app.state import StateStore
from app.telemetry_thread import TelemetryThread
from app.widgets import icons
from core import __version__
from core.paths import data_dir
from core.settings import EngineSettings
from core.telemetry import Sample

_ENGINE_END_S = 8.0
_SWITCH_INTERVAL_S = 0.001
_LOG_BYTES = 1 << 20

_log = logging.getLogger(__name__)


class Program(QObject):
    """All parts of the running program. `shutdown` ends every thread and process, in bounded time."""

    def __init__(
        self,
        preferences: Preferences,
        make_backend: Callable[[], EngineBackend] = CoreBackend,
        settings: EngineSettings | None = None,
        documents: DocumentService | None = None,
    ) -> None:
        super().__init__()
        self.preferences = preferences
        self._files: list[str] = []
        self.store = StateStore(parent=self)
        self.router = ErrorRouter(self)
        self.recent = RecentFiles(recent_files_path(), self)
        self.documents = documents or DocumentService(self)
        self.engine = EngineThread(make_backend, self)
        self.telemetry = TelemetryThread(self)
        engine_settings = settings or EngineSettings(model=preferences.model)
        self.opener = Opener(self.documents, self.router, self.recent, self)
        self.controller = Controller(self.store, self.opener, self.engine, self.router, engine_settings, self)
        view = DocumentView(self.documents)
        self.window = MainWindow(self.controller, self.opener, self.store, self.router, self.recent, view)
        self.window.settings_wanted.connect(self._on_settings_wanted)
        self.window.settings_dialog.preferences_chosen.connect(self._on_preferences_chosen)
        self.controller.settings_adopted.connect(self._on_settings_adopted)
        self.telemetry.sampled.connect(self._on_sampled)

    def start(self, files: Sequence[str]) -> None:
        """Show the window, then begin with what takes time."""
        self._files = list(files)
        self.window.show()
        QTimer.singleShot(0, self._on_shown)

    def shutdown(self) -> bool:
        """False if something did not end in time; the process must be left at once then."""
        self.controller.close()
        self.documents.shutdown()
        ended = [self.telemetry.shutdown(), self.engine.shutdown(_ENGINE_END_S)]
        self.router.uninstall()
        return all(ended)

    def _on_shown(self) -> None:
        self.telemetry.start()
        self.documents.warm_up()
        self.controller.open_files(self._files)

    def _on_sampled(self, sample: Sample) -> None:
        self.store.update(sample=sample)

    def _on_settings_wanted(self) -> None:
        self.window.settings_dialog.edit(self.preferences)

    def _on_preferences_chosen(self, chosen: Preferences) -> None:
        before = self.preferences
        self._keep(replace(chosen, model=before.model))
        app = theme.running_app()
        if chosen.language != before.language:
            i18n.install(app, chosen.language)
        if chosen.scheme is not before.scheme:
            theme.apply(app, chosen.scheme)
        if chosen.model != before.model:
            self.controller.use_settings(replace(self.controller.settings, model=chosen.model))

    def _on_settings_adopted(self, settings: EngineSettings) -> None:
        """A model is kept once it is used: the user may prefer the conversation to it."""
        self._keep(replace(self.preferences, model=settings.model))

    def _keep(self, preferences: Preferences) -> None:
        self.preferences = preferences
        save_preferences(preferences_path(), preferences)


def run(files: Sequence[str], *, language: str | None = None, model: str | None = None) -> int:
    """The program from start to end; returns the exit code."""
    _start_log()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    app = make_application()
    preferences = load_preferences(preferences_path())
    theme.apply(app, preferences.scheme)
    i18n.install(app, language or preferences.language)
    settings = EngineSettings(model=model or preferences.model)
    program = Program(preferences, settings=settings)
    program.router.install()
    signal.signal(signal.SIGTERM, _quit)
    program.start(files)
    exit_code = app.exec()
    if not program.shutdown():
        _log.error("something was still at work after the window had closed")
        logging.shutdown()
        os._exit(exit_code)
    return exit_code


def _quit(_number: int, _frame: object) -> None:
    QApplication.quit()


def make_application() -> QApplication:
    app = QApplication(sys.argv[:1])
    app.setApplicationName("lectern")
    app.setApplicationDisplayName("Lectern")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("lectern")
    app.setWindowIcon(icons.icon("lectern", "accent"))
    return app


def _start_log() -> None:
    """Into a file that the error dialog speaks of; never on the way of the program itself."""
    try:
        folder = data_dir()
        folder.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            folder / "lectern.log", maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8"
        )
    except OSError:
        handler = logging.StreamHandler()
    logging.basicConfig(
        level=logging.INFO, handlers=[handler], format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
