"""The composition root: makes every part of the program once, hands each what it needs, and ends them all."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from app import i18n, theme
from app.background import Background
from app.controller import Controller
from app.core_backend import CoreBackend
from app.document_service import DocumentService
from app.document_view.view import DocumentView
from app.downloads.downloader import Downloader
from app.engine_backend import EngineBackend
from app.engine_choices import carried_over, engine_settings, profile_of, sampling_settings
from app.engine_thread import EngineThread
from app.error_router import ErrorRouter
from app.history import History
from app.library_service import LibraryService
from app.load_gate import LoadGate
from app.log_file import start_log
from app.main_window import Dialogs, MainWindow
from app.opener import Opener
from app.preferences import MemoryChoices, Preferences, load_preferences, preferences_path, save_preferences
from app.probes import Probes
from app.recent_files import RecentFiles, recent_files_path
from app.recorder import Recorder
from app.review_controller import ReviewController
from app.self_test import SelfTest
from app.state import ClosingReason, StateStore
from app.telemetry_thread import TelemetryThread
from app.widgets import icons
from core import __version__
from core.documents.layout import Document
from core.errors import LecternError
from core.library.errors import LibraryError
from core.planning.profile_files import find_profile
from core.planning.profile_settings import asks_of_gpus
from core.settings import EngineSettings
from core.settings_change import Effect, effect_of
from core.telemetry import Sample

_ENGINE_END_S = 8.0
_DOWNLOAD_END_S = 2.0
_LIBRARY_END_S = 3.0
_SWITCH_INTERVAL_S = 0.001

_log = logging.getLogger(__name__)


class Program(QObject):
    """All parts of the running program. `shutdown` ends every thread and process, in bounded time."""

    def __init__(
        self,
        preferences: Preferences,
        make_backend: Callable[[], EngineBackend] = CoreBackend,
        settings: EngineSettings | None = None,
        documents: DocumentService | None = None,
        probes: Probes | None = None,
        downloader: Downloader | None = None,
    ) -> None:
        super().__init__()
        self.preferences = preferences
        self._probes = probes or Probes()
        self._num_gpus: int | None = None
        self._files: list[str] = []
        self.store = StateStore(parent=self)
        self.router = ErrorRouter(self)
        self.recent = RecentFiles(recent_files_path(), self)
        self.documents = documents or DocumentService(self)
        self.background = Background(self)
        self.background.failed.connect(self.router.route)
        self.gate = LoadGate(self._probes, frozenset(preferences.loaded_anyway))
        self.engine = EngineThread(make_backend, self, self.gate.check)
        self.telemetry = TelemetryThread(self)
        self.downloader = downloader or Downloader(self)
        self._chosen = self._settings_of(preferences)
        chosen = settings or self._chosen
        self.opener = Opener(self.documents, self.router, self.recent, self)
        self.library = LibraryService(self)
        self.recorder, self.history = Recorder(self.library, self), History(self.library, self)
        self.controller = Controller(
            self.store, self.opener, self.engine, self.router, chosen, self.recorder, self
        )
        self.review = ReviewController(
            self.controller, self.engine, self.store, self.library, self.background, self.router, self
        )
        dialogs = Dialogs(self.background, self._probes, self.downloader)
        with theme.unstyled(theme.running_app()):
            self.window = MainWindow(
                self.controller,
                self.opener,
                self.store,
                self.router,
                self.recent,
                DocumentView(self.documents),
                dialogs,
                self.history,
                self.review,
            )
        self._use_recognition()
        self._connect_dialogs()
        self._connect_library()
        self.telemetry.sampled.connect(self._on_sampled)

    def start(self, files: Sequence[str]) -> None:
        """Show the window, then begin with what takes time."""
        self._files = list(files)
        self.window.show()
        QTimer.singleShot(0, self._on_shown)

    def shutdown(self) -> bool:
        """False if something did not end in time; the process must be left at once then."""
        self.controller.close()
        self.downloader.stop()
        self.documents.shutdown()
        self.background.shutdown()
        ended = [
            self.downloader.shutdown(_DOWNLOAD_END_S),
            self.telemetry.shutdown(),
            self.library.shutdown(_LIBRARY_END_S),
            self.engine.shutdown(_ENGINE_END_S),
        ]
        self.router.uninstall()
        return all(ended)

    def _on_shown(self) -> None:
        self.telemetry.start()
        self.documents.warm_up()
        self.history.refresh()
        profile = find_profile(self.preferences.profile)
        if profile.error is not None:
            self.router.route(profile.error)
        self.controller.open_files(self._files)
        if self.preferences.needs_setup:
            self._on_setup_wanted()

    def _on_sampled(self, sample: Sample) -> None:
        self.store.update(sample=sample)

    def _connect_dialogs(self) -> None:
        window = self.window
        window.settings_wanted.connect(self._on_settings_wanted)
        window.check_wanted.connect(self._on_check_wanted)
        window.setup_wanted.connect(self._on_setup_wanted)
        window.setup_finished.connect(self._on_setup_finished)
        window.setup_skipped.connect(self._on_setup_skipped)
        window.download_strip.use_wanted.connect(self._on_model_wanted)
        window.download_strip.show_model(self.preferences.model)
        window.settings_dialog.preferences_chosen.connect(self._on_preferences_chosen)
        window.fit_dialog.settings_wanted.connect(self._on_settings_wanted)
        window.fit_dialog.memory_taken.connect(self._on_memory_taken)
        window.fit_dialog.loaded_anyway.connect(self._on_loaded_anyway)
        self.controller.room_missing.connect(self._on_room_missing)
        window.fit_dialog.reading_wanted.connect(window.reading.action.trigger)
        window.reading.model_wanted.connect(self._on_settings_wanted)
        window.reading.codec_wanted.connect(self._on_codec_wanted)
        window.reading.own_length_wanted.connect(self._on_own_length_wanted)

    def _connect_library(self) -> None:
        self.library.noted.connect(self._on_library_noted)
        self.library.failed.connect(self.router.route)
        self.recorder.conversation_changed.connect(self.history.refresh)
        self.recorder.conversation_changed.connect(self._on_conversation_changed)
        self.controller.conversation_restored.connect(self._on_conversation_changed)
        self.controller.conversation_cleared.connect(self._on_conversation_changed)

    def _on_library_noted(self, note: str) -> None:
        self.router.route(LibraryError("The library was damaged", note))

    def _on_conversation_changed(self, *_: object) -> None:
        self.window.history_panel.show_current(self.recorder.conversation_id)

    def _settings_of(self, preferences: Preferences) -> EngineSettings:
        """The machine is looked at only where the profile asks something of its GPUs."""
        profile = profile_of(preferences.profile)
        if self._num_gpus is None and asks_of_gpus(profile):
            self._num_gpus = len(self._probes.machine().gpus)
        try:
            return engine_settings(preferences, self._num_gpus or 0, profile)
        except LecternError as error:
            self.router.route(error)
            return EngineSettings(model=preferences.model, sampling=sampling_settings(preferences))

    def _on_settings_wanted(self) -> None:
        self.window.settings_dialog.edit(self.preferences, self._num_gpus or 0)

    def _on_check_wanted(self) -> None:
        self.window.check_dialog.check(self.controller.settings)

    def _on_setup_wanted(self) -> None:
        self.window.setup_wizard.begin(self.preferences)

    def _on_setup_skipped(self) -> None:
        self._keep(replace(self.preferences, needs_setup=False))

    def _on_setup_finished(self, chosen: Preferences) -> None:
        if chosen.model != self.preferences.model:
            chosen = replace(chosen, memory=replace(chosen.memory, max_seq_len=None))
        if effect_of(self._chosen, self._settings_of(chosen)) >= Effect.READ_AGAIN:
            self.controller.once_agreed(ClosingReason.MODEL, partial(self._on_preferences_chosen, chosen))
        else:
            self._on_preferences_chosen(chosen)

    def _on_model_wanted(self, name: str) -> None:
        self._on_setup_finished(replace(self.preferences, model=name))

    def _on_room_missing(self, settings: EngineSettings, documents: tuple[Document, ...]) -> None:
        self.window.fit_dialog.ask(settings, self.preferences.memory, documents, self.store.state.reading)

    def _on_memory_taken(self, memory: MemoryChoices) -> None:
        self._on_preferences_chosen(replace(self.preferences, memory=memory))

    def _on_codec_wanted(self, codec: str) -> None:
        self._on_memory_taken(replace(self.preferences.memory, codec=codec))

    def _on_own_length_wanted(self) -> None:
        self._on_memory_taken(replace(self.preferences.memory, max_seq_len=None))

    def _on_loaded_anyway(self, model: str) -> None:
        names = dict.fromkeys((*self.preferences.loaded_anyway, model))
        self._keep(replace(self.preferences, loaded_anyway=tuple(names)))
        self.controller.prepare_again()

    def _on_preferences_chosen(self, chosen: Preferences) -> None:
        before = self.preferences
        self._keep(chosen)
        app = theme.running_app()
        if chosen.language != before.language:
            i18n.install(app, chosen.language)
        if chosen.scheme is not before.scheme:
            theme.apply(app, chosen.scheme)
        old, new = self._chosen, self._settings_of(chosen)
        self._chosen = new
        if new != old:
            self.controller.use_settings(carried_over(self.controller.settings, old, new))

    def _keep(self, preferences: Preferences) -> None:
        self.preferences = preferences
        self.gate.allowed = frozenset(preferences.loaded_anyway)
        self.window.download_strip.show_model(preferences.model)
        self._use_recognition()
        save_preferences(preferences_path(), preferences)

    def _use_recognition(self) -> None:
        self.documents.use_recognition(self.preferences.recognition)
        self.window.document_view.use_recognition(self.preferences.recognition)


def run(
    files: Sequence[str],
    *,
    language: str | None = None,
    model: str | None = None,
    is_self_test: bool = False,
) -> int:
    """The program from start to end; returns the exit code."""
    start_log()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    app = make_application()
    preferences = load_preferences(preferences_path())
    theme.apply(app, preferences.scheme)
    i18n.install(app, language or preferences.language)
    program = Program(preferences)
    if model is not None:
        program.controller.use_settings(replace(program.controller.settings, model=model))
    if is_self_test:
        SelfTest(program.store, program.controller, program.router, program)
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
