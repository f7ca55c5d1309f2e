"""The settings: pages beside a list, and what they mean for this machine, live."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.core_texts import error_sentence
from app.downloads.downloader import Download, Downloader, DownloadStatus
from app.engine_choices import engine_settings, profile_of, profile_with_choices
from app.fit_view.fit_planner import FitAnswer, FitPlanner
from app.model_list.model_planner import ModelAnswer, ModelPlanner, ModelQuestion
from app.preferences import MemoryChoices, Preferences
from app.probes import Probes
from app.settings_dialog.appearance_page import AppearancePage
from app.settings_dialog.fit_panel import FitPanel
from app.settings_dialog.foot import Foot
from app.settings_dialog.generation_page import GenerationPage
from app.settings_dialog.memory_page import MemoryPage
from app.settings_dialog.memory_words import effect_sentence
from app.settings_dialog.model_page import ModelPage
from app.settings_dialog.page import SettingsPage, scrolling
from app.settings_dialog.profiles_page import ProfilesPage
from app.settings_dialog.recognition_page import RecognitionPage
from app.settings_dialog.storage_page import StoragePage
from app.theme import SPACE
from app.widgets import icons
from core.errors import LecternError
from core.planning.profile_files import save_profile
from core.planning.profiles import AUTO, Profile, profile_names
from core.settings import EngineSettings
from core.settings_change import Effect, effect_of

_SIZE = QSize(1120, 760)
_LIST_WIDTH = 208


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
        self._profile_before: Profile | None = None
        self._model = self._before.model
        self.planner = FitPlanner(background, probes, self)
        self.model_planner = ModelPlanner(background, self)
        self.model, self.memory, self.generation = ModelPage(downloader), MemoryPage(), GenerationPage()
        self.profiles, self.recognition, self.appearance = ProfilesPage(), RecognitionPage(), AppearancePage()
        self.storage = StoragePage(background)
        self.list, self.stack = QListWidget(), QStackedWidget()
        self.fit_panel = FitPanel(self.planner)
        self.fit, self.fit_heading = self.fit_panel.fit, self.fit_panel.heading
        self.foot = Foot()
        self.note, self.check_button, self.buttons = self.foot.note, self.foot.check_button, self.foot.buttons
        self._lay_out()
        self._connect()
        downloader.download_changed.connect(self._on_download_changed)
        self._retranslate()

    @property
    def pages(self) -> tuple[SettingsPage, ...]:
        first = self.model, self.memory, self.profiles, self.generation
        return *first, self.recognition, self.appearance, self.storage

    def edit(self, preferences: Preferences, num_gpus: int = 0) -> None:
        """Show the preferences for a change, on a machine with `num_gpus` GPUs as far as is known."""
        self._before, self._num_gpus, self._model = preferences, num_gpus, preferences.model
        for page in self.pages:
            page.show_preferences(preferences)
        self._profile_before = self.profiles.draft_of(preferences.profile)
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
        before = self._settings(self._before, self._profile_before)
        after = self._settings(draft, self.profiles.draft_of(draft.profile))
        if after is None:
            return
        self.note.setText(effect_sentence(Effect.LOAD_AGAIN if before is None else effect_of(before, after)))
        self.memory.show_effects(before or after, after)
        if self._is_on_profiles and self.profiles.draft is not None:
            self._plan_profile(draft, self.profiles.draft)
        else:
            self.fit_heading.setText(self.tr("On this machine"))
            self.fit.show_settings(after, draft.memory)

    def accept(self) -> None:
        """Keep what is chosen; a profile that cannot be saved keeps the dialog open."""
        if not self.profiles.save_drafts():
            self.list.setCurrentRow(self.pages.index(self.profiles))
            return
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

    @property
    def _is_on_profiles(self) -> bool:
        return self.list.currentRow() == self.pages.index(self.profiles)

    def _plan_profile(self, draft: Preferences, profile: Profile) -> None:
        """Plan for the profile that is edited, without own choices, on the machine it is made for."""
        memory = MemoryChoices(mode=draft.memory.mode, max_seq_len=draft.memory.max_seq_len)
        machine = profile.machine
        num_gpus = self._num_gpus if machine is None else len(machine.gpus)
        try:
            settings = engine_settings(replace(draft, memory=memory), num_gpus, profile)
        except LecternError as error:
            self.note.setText(error_sentence(error))
            return
        here, there = self.tr("On this machine"), self.tr("On the machine of this profile")
        self.fit_heading.setText(here if machine is None else there)
        self.fit.show_settings(settings, memory, machine=machine)

    def _settings(self, preferences: Preferences, profile: Profile | None) -> EngineSettings | None:
        """None, and a word about it, if the profile contradicts itself."""
        try:
            return engine_settings(preferences, self._num_gpus, profile)
        except LecternError as error:
            self.note.setText(error_sentence(error))
            return None

    def _lay_out(self) -> None:
        self.list.setFixedWidth(_LIST_WIDTH)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for page in self.pages:
            self.list.addItem("")
            self.stack.addWidget(scrolling(page))
        middle = QHBoxLayout()
        middle.setSpacing(SPACE.xl)
        middle.addWidget(self.list)
        middle.addWidget(self.stack, 1)
        middle.addWidget(self.fit_panel)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
        column.setSpacing(SPACE.l)
        column.addLayout(middle, 1)
        column.addWidget(self.foot)
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
        self.storage.changed.connect(self.refresh)
        self.memory.profile_wanted.connect(self._on_profile_wanted)
        self.profiles.changed.connect(self._on_draft_changed)
        self.profiles.profiles_changed.connect(self._on_profiles_changed)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Settings"))
        names = (
            *(self.tr("Profile and model"), self.tr("Memory"), self.tr("Profiles"), self.tr("Answers")),
            *(self.tr("Text recognition"), self.tr("Appearance and language"), self.tr("Storage")),
        )
        for row, name in enumerate(names):
            self.list.item(row).setText(name)
        self.list.setAccessibleName(self.tr("Pages of the settings"))
        self.fit_heading.setText(self.tr("On this machine"))
        self.check_button.setText(self.tr("System check…"))
        self.foot.ok_button.setText(self.tr("OK"))
        self.foot.cancel_button.setText(self.tr("Cancel"))

    def _on_row_changed(self, row: int) -> None:
        self.stack.setCurrentIndex(row)
        page = self.pages[max(0, row)]
        self.fit_panel.setVisible(page in (self.model, self.memory, self.profiles))
        if self.isVisible():
            self.refresh()

    def _on_model_changed(self) -> None:
        """Another model reads texts of another length."""
        draft = self.model.taken(self._before)
        if draft.model != self._model:
            own = self._before.memory.max_seq_len if draft.model == self._before.model else None
            self._model = draft.model
            self.memory.show_memory(replace(self.memory.memory, max_seq_len=own))
        self._show_profile()
        self.refresh()

    def _on_draft_changed(self) -> None:
        self._show_profile()
        self.refresh()

    def _on_profiles_changed(self, before: str | None, after: str | None) -> None:
        """A profile that was renamed stays chosen, one that was deleted cannot."""
        chosen = self.draft().profile
        if chosen == before:
            chosen = after or (chosen if chosen in profile_names() else AUTO)
        self.model.choose_profile(chosen)
        self._on_draft_changed()

    def _show_profile(self) -> None:
        name = self.model.taken(self._before).profile
        profile = self.profiles.draft_of(name)
        self.memory.show_profile(name, profile.engine if profile is not None else None)

    def _on_memory_chosen(self, memory: MemoryChoices) -> None:
        if self._is_on_profiles:
            self.profiles.take(memory)
            memory = replace(self.memory.memory, mode=memory.mode, max_seq_len=memory.max_seq_len)
        self.memory.show_memory(memory)
        self.refresh()

    def _on_answer_shown(self, answer: FitAnswer) -> None:
        self.model.show_answer(answer)
        if answer.question.machine is not None:
            return
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
        draft = self.draft()
        settings = self._settings(draft, self.profiles.draft_of(draft.profile))
        if settings is not None:
            self.check_wanted.emit(settings)

    def _on_profile_wanted(self, name: str) -> None:
        draft = self.draft()
        base = self.profiles.draft_of(draft.profile) or profile_of(draft.profile)
        try:
            save_profile(profile_with_choices(name, base, draft))
        except LecternError as error:
            self.note.setText(error_sentence(error))
            return
        self.profiles.look_again(name)
        self.memory.show_memory(MemoryChoices(mode=draft.memory.mode, max_seq_len=draft.memory.max_seq_len))
        self.memory.show_profile(name)
        self.memory.name_field.clear()
        self.model.choose_profile(name)
        self.refresh()
        self.note.setText(self.tr("The profile “{name}” was saved and is chosen now.").format(name=name))
