"""The first steps as a dialog over the window: this computer, a profile, a model, the first document."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.background import Background
from app.core_texts import translated
from app.downloads.download_strip import DownloadStrip
from app.downloads.downloader import Downloader
from app.engine_choices import profile_of
from app.model_list.model_planner import ModelAnswer, ModelPlanner, ModelQuestion
from app.model_list.model_words import title_words
from app.preferences import Preferences
from app.probes import Probes
from app.setup_wizard.machine_page import MachinePage
from app.setup_wizard.model_choice_page import ModelChoicePage
from app.setup_wizard.profile_page import ProfilePage
from app.setup_wizard.ready_page import ReadyPage
from app.setup_wizard.setup_look import SetupLook, look
from app.setup_wizard.setup_page import SetupPage
from app.setup_wizard.step_bar import StepBar
from app.theme import SPACE
from app.widgets import icons

_SIZE = QSize(820, 660)


class SetupWizard(QDialog):
    """Never blocks the caller and stores nothing itself.

    `finished_with` carries the preferences as chosen, `skipped` comes when the user wants none of it. If the
    dialog is merely closed, or the program ends, nothing is heard: the steps are still to be taken.
    """

    finished_with = Signal(object)
    skipped = Signal()
    open_wanted = Signal()
    sample_wanted = Signal()

    def __init__(
        self,
        background: Background,
        probes: Probes,
        downloader: Downloader,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("setup_wizard")
        self._background, self._probes = background, probes
        self._before, self._model = Preferences(), Preferences().model
        self._look: SetupLook | None = None
        self.planner = ModelPlanner(background, self)
        self.machine, self.profile = MachinePage(), ProfilePage()
        self.model, self.ready = ModelChoicePage(downloader), ReadyPage()
        self.steps, self.stack = StepBar(len(self.pages)), QStackedWidget()
        self.strip, self._strip_place = DownloadStrip(downloader), QWidget()
        self.skip_button, self.back_button, self.next_button = QPushButton(), QPushButton(), QPushButton()
        self._lay_out()
        self._connect()
        self._retranslate()
        self._show_page(0)

    @property
    def pages(self) -> tuple[SetupPage, ...]:
        return self.machine, self.profile, self.model, self.ready

    @property
    def is_looking(self) -> bool:
        return self._look is None

    def begin(self, preferences: Preferences) -> None:
        """Take the first step, with what is chosen now."""
        if self.isVisible():
            return
        self._before, self._look = preferences, None
        self.machine.show_look(None)
        self.profile.show_profile(preferences.profile)
        self.profile.show_items(())
        self.model.models.show_items(())
        self._choose_model(preferences.model)
        self.planner.look_again()
        self._show_page(0)
        self.open()
        self.next_button.setFocus()
        self._background.run(partial(look, self._probes), self._on_looked)

    def taken(self) -> Preferences:
        """What is chosen now."""
        return replace(self._before, profile=self.profile.profile, model=self._model, needs_setup=False)

    def leave(self) -> None:
        """Go without a word; the steps are still to be taken."""
        self.hide()

    def reject(self) -> None:
        super().reject()
        self.skipped.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        elif event.type() == QEvent.Type.PaletteChange:
            icons.refresh(self)
        super().changeEvent(event)

    def _lay_out(self) -> None:
        for page in self.pages:
            self.stack.addWidget(page)
        for button in (self.skip_button, self.back_button):
            button.setAutoDefault(False)
        self.skip_button.setProperty("kind", "link")
        self.next_button.setProperty("kind", "primary")
        self.next_button.setDefault(True)
        place = QVBoxLayout(self._strip_place)
        place.setContentsMargins(0, 0, 0, 0)
        place.addWidget(self.strip)
        foot = QHBoxLayout()
        foot.setSpacing(SPACE.s)
        foot.addWidget(self.skip_button)
        foot.addStretch(1)
        foot.addWidget(self.back_button)
        foot.addWidget(self.next_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
        column.setSpacing(SPACE.l)
        column.addWidget(self.steps)
        column.addWidget(self.stack, 1)
        column.addWidget(self._strip_place)
        column.addLayout(foot)
        self.resize(_SIZE)

    def _connect(self) -> None:
        self.skip_button.clicked.connect(self.reject)
        self.back_button.clicked.connect(self._on_back_wanted)
        self.next_button.clicked.connect(self._on_next_wanted)
        QShortcut(QKeySequence("Alt+Left"), self).activated.connect(self._on_back_wanted)
        QShortcut(QKeySequence("Alt+Right"), self).activated.connect(self._on_forward_wanted)
        self.profile.profile_chosen.connect(self._on_profile_chosen)
        self.model.models.model_chosen.connect(self._choose_model)
        self.strip.use_wanted.connect(self._choose_model)
        self.planner.answered.connect(self._on_planned)
        self.ready.open_clicked.connect(self._on_open_clicked)
        self.ready.sample_clicked.connect(self._on_sample_clicked)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Set up Lectern"))
        names = (self.tr("This computer"), self.tr("Profile"), self.tr("Model"), self.tr("Ready"))
        self.steps.set_names(names)
        self.skip_button.setText(self.tr("Skip"))
        self.skip_button.setToolTip(self.tr("Skip these steps (Esc)"))
        self.back_button.setText(self.tr("Back"))
        self.back_button.setToolTip(self.tr("Back (Alt+Left)"))
        self._show_foot()
        self._show_choices()

    def _show_page(self, index: int) -> None:
        self.stack.setCurrentIndex(index)
        self.steps.show_step(index)
        self._strip_place.setVisible(self.pages[index] is not self.model)
        self._show_foot()
        self._show_choices()
        (self.pages[index].first_control or self.next_button).setFocus()

    def _show_foot(self) -> None:
        index = self.stack.currentIndex()
        is_last = index == len(self.pages) - 1
        self.back_button.setEnabled(index > 0)
        self.next_button.setText(self.tr("Finish") if is_last else self.tr("Next"))
        self.next_button.setToolTip("" if is_last else self.tr("Next (Alt+Right)"))

    def _show_choices(self) -> None:
        titles = {row.item.name: title_words(row.item) for row in self.model.models.rows}
        profile = translated(profile_of(self.profile.profile).title)
        self.ready.show_choices(profile, titles.get(self._model, self._model))

    def _finish(self) -> None:
        self.accept()
        self.finished_with.emit(self.taken())

    def _choose_model(self, name: str) -> None:
        self._model = name
        self.model.models.show_chosen(name)
        self.strip.show_model(name)
        self._show_choices()

    def _on_looked(self, found: SetupLook) -> None:
        self._look = found
        self.machine.show_look(found)
        self.planner.ask(ModelQuestion(self.profile.profile, found.machine))

    def _on_profile_chosen(self, name: str) -> None:
        self._show_choices()
        if self._look is not None:
            self.planner.ask(ModelQuestion(name, self._look.machine))

    def _on_planned(self, answer: ModelAnswer) -> None:
        self.profile.show_items(answer.items)
        self.model.models.show_items(answer.items)
        self._show_choices()

    def _on_back_wanted(self) -> None:
        if self.stack.currentIndex() > 0:
            self._show_page(self.stack.currentIndex() - 1)

    def _on_forward_wanted(self) -> None:
        if self.stack.currentIndex() < len(self.pages) - 1:
            self._show_page(self.stack.currentIndex() + 1)

    def _on_next_wanted(self) -> None:
        if self.stack.currentIndex() == len(self.pages) - 1:
            self._finish()
        else:
            self._on_forward_wanted()

    def _on_open_clicked(self) -> None:
        self._finish()
        self.open_wanted.emit()

    def _on_sample_clicked(self) -> None:
        self._finish()
        self.sample_wanted.emit()
