"""The settings: pages beside a list, and what they mean for this machine, live."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.core_texts import translated
from app.downloads.downloader import Download, Downloader, DownloadStatus
from app.engine_choices import engine_choices, engine_settings, needs_reload, profile_of
from app.fit_view.fit_planner import FitAnswer, FitPlanner
from app.fit_view.fit_view import FitView
from app.model_list.model_planner import ModelAnswer, ModelPlanner, ModelQuestion
from app.preferences import MemoryChoices, Preferences
from app.probes import Probes
from app.settings_dialog.appearance_page import AppearancePage
from app.settings_dialog.generation_page import GenerationPage
from app.settings_dialog.memory_page import MemoryPage
from app.settings_dialog.model_page import ModelPage
from app.settings_dialog.page import SettingsPage
from app.settings_dialog.storage_page import StoragePage
from app.theme import SPACE
from app.widgets import icons
from app.widgets.dialogs import cancel_button, ok_button
from app.widgets.texts import plain_label
from core.errors import LecternError
from core.planning.profiles import Profile, save_profile
from core.settings import EngineSettings

_SIZE = QSize(1120, 760)
_LIST_WIDTH = 208
_FIT_WIDTH = 340


class SettingsDialog(QDialog):
    """Never blocks the caller; `preferences_chosen` comes when the user says OK.

    `check_wanted` carries the engine's settings as they would be. `setup_wanted` comes after the dialog has
    gone without a change.
    """

    preferences_chosen = Signal(object)
    check_wanted = Signal(object)
    setup_wanted = Signal()

    def __init__(
        self,
        background: Background,
        probes: Probes,
        downloader: Downloader,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings_dialog")
        self._before, self._num_gpus = Preferences(), 0
        self.planner = FitPlanner(background, probes, self)
        self.fit = FitView(self.planner, has_choices=False)
        self.model_planner = ModelPlanner(background, self)
        self.model, self.memory, self.generation = ModelPage(downloader), MemoryPage(), GenerationPage()
        self.appearance, self.storage = AppearancePage(), StoragePage(background)
        self.list, self.stack, self.fit_panel = QListWidget(), QStackedWidget(), QFrame()
        self.fit_heading, self.note = plain_label("title"), plain_label("caption")
        self.check_button = QPushButton()
        self.check_button.setAutoDefault(False)
        self.buttons = QDialogButtonBox()
        self._ok_button, self._cancel_button = ok_button(self.buttons), cancel_button(self.buttons)
        self._lay_out()
        self._connect()
        downloader.download_changed.connect(self._on_download_changed)
        self._retranslate()

    @property
    def pages(self) -> tuple[SettingsPage, ...]:
        return self.model, self.memory, self.generation, self.appearance, self.storage

    def edit(self, preferences: Preferences, num_gpus: int = 0) -> None:
        """Show the preferences for a change, on a machine with `num_gpus` GPUs as far as is known."""
        self._before, self._num_gpus = preferences, num_gpus
        for page in self.pages:
            page.show_preferences(preferences)
        self.planner.look_again()
        self.model_planner.look_again()
        self.list.setCurrentRow(0)
        self.refresh()
        self.open()
        self.list.setFocus()

    def draft(self) -> Preferences:
        """What is chosen now."""
        chosen = self._before
        for page in self.pages:
            chosen = page.taken(chosen)
        return chosen

    def refresh(self) -> None:
        """Plan for what is chosen now, and say what it costs to apply it."""
        draft = self.draft()
        before, after = self._settings(self._before), self._settings(draft)
        if after is None:
            return
        is_costly = before is None or needs_reload(before, after)
        self.note.setText(self._reload_words() if is_costly else "")
        self.fit.show_settings(after, draft.memory)

    def accept(self) -> None:
        super().accept()
        self.preferences_chosen.emit(self.draft())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            if self.isVisible():
                self.refresh()
        elif event.type() == QEvent.Type.PaletteChange:
            icons.refresh(self)
        super().changeEvent(event)

    def _settings(self, preferences: Preferences) -> EngineSettings | None:
        """None, and a word about it, if the profile contradicts itself."""
        try:
            return engine_settings(preferences, self._num_gpus)
        except LecternError as error:
            self.note.setText(f"{translated(error.title)}: {translated(error.message)}")
            return None

    def _lay_out(self) -> None:
        self.list.setFixedWidth(_LIST_WIDTH)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for page in self.pages:
            self.list.addItem("")
            area = QScrollArea()
            area.setWidget(page)
            area.setWidgetResizable(True)
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.stack.addWidget(area)
        self.fit_panel.setProperty("kind", "card")
        self.fit_panel.setFixedWidth(_FIT_WIDTH)
        inside = QVBoxLayout(self.fit_panel)
        inside.setContentsMargins(SPACE.l, SPACE.l, SPACE.l, SPACE.l)
        inside.setSpacing(SPACE.m)
        inside.addWidget(self.fit_heading)
        fit_area = QScrollArea()
        fit_area.setWidget(self.fit)
        fit_area.setWidgetResizable(True)
        fit_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside.addWidget(fit_area, 1)
        middle = QHBoxLayout()
        middle.setSpacing(SPACE.xl)
        middle.addWidget(self.list)
        middle.addWidget(self.stack, 1)
        middle.addWidget(self.fit_panel)
        self.note.setWordWrap(True)
        foot = QHBoxLayout()
        foot.setSpacing(SPACE.l)
        foot.addWidget(self.check_button)
        foot.addWidget(self.note, 1)
        foot.addWidget(self.buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
        column.setSpacing(SPACE.l)
        column.addLayout(middle, 1)
        column.addLayout(foot)
        icons.set_icon(self.check_button, "system-check")
        self.resize(_SIZE)

    def _connect(self) -> None:
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.list.currentRowChanged.connect(self._on_row_changed)
        self.check_button.clicked.connect(self._on_check_clicked)
        self.fit.answer_shown.connect(self._on_answer_shown)
        self.fit.memory_chosen.connect(self._on_memory_chosen)
        self.model.changed.connect(self._on_model_changed)
        self.model.setup_wanted.connect(self._on_setup_wanted)
        self.model_planner.answered.connect(self._on_models_planned)
        self.memory.changed.connect(self.refresh)
        self.memory.profile_wanted.connect(self._on_profile_wanted)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Settings"))
        names = (
            *(self.tr("Profile and model"), self.tr("Memory"), self.tr("Answers")),
            *(self.tr("Appearance and language"), self.tr("Storage")),
        )
        for row, name in enumerate(names):
            self.list.item(row).setText(name)
        self.list.setAccessibleName(self.tr("Pages of the settings"))
        self.fit_heading.setText(self.tr("On this machine"))
        self.check_button.setText(self.tr("System check…"))
        self._ok_button.setText(self.tr("OK"))
        self._cancel_button.setText(self.tr("Cancel"))

    def _reload_words(self) -> str:
        return self.tr(
            "This loads the model anew and reads the documents again. Your conversation stays on screen."
        )

    def _on_row_changed(self, row: int) -> None:
        self.stack.setCurrentIndex(row)
        self.fit_panel.setVisible(self.pages[max(0, row)] in (self.model, self.memory))

    def _on_model_changed(self) -> None:
        self.memory.show_profile(self.model.taken(self._before).profile)
        self.refresh()

    def _on_memory_chosen(self, memory: MemoryChoices) -> None:
        self.memory.show_memory(memory)
        self.refresh()

    def _on_answer_shown(self, answer: FitAnswer) -> None:
        self.model.show_answer(answer)
        self.memory.show_findings(answer.findings)
        self.model_planner.ask(ModelQuestion(self.model.profile, answer.machine))
        if len(answer.machine.gpus) != self._num_gpus:
            self._num_gpus = len(answer.machine.gpus)
            self.refresh()

    def _on_models_planned(self, answer: ModelAnswer) -> None:
        self.model.models.show_items(answer.items)

    def _on_download_changed(self, download: Download | None) -> None:
        """What has come is planned for as it is, no more as it was expected."""
        is_done = download is not None and download.status is DownloadStatus.DONE
        if is_done and self.isVisible():
            self.planner.look_again()
            self.refresh()

    def _on_setup_wanted(self) -> None:
        self.reject()
        self.setup_wanted.emit()

    def _on_check_clicked(self) -> None:
        settings = self._settings(self.draft())
        if settings is not None:
            self.check_wanted.emit(settings)

    def _on_profile_wanted(self, name: str) -> None:
        draft = self.draft()
        base = profile_of(draft.profile)
        profile = Profile(name, name, engine_choices(base, draft.memory), None, draft.model)
        try:
            save_profile(replace(profile, recommended_context=base.recommended_context))
        except LecternError as error:
            self.note.setText(f"{translated(error.title)}: {translated(error.message)}")
            return
        self.memory.show_memory(MemoryChoices(mode=draft.memory.mode))
        self.memory.show_profile(name)
        self.memory.name_field.clear()
        self.model.choose_profile(name)
        self.refresh()
        self.note.setText(self.tr("The profile “{name}” was saved and is chosen now.").format(name=name))
