"""Which profile and which model."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QHBoxLayout, QPushButton, QWidget

from app.core_texts import translated
from app.downloads.downloader import Downloader
from app.engine_choices import profile_of, title_of
from app.fit_view.fit_planner import FitAnswer
from app.model_list.model_list import ModelList
from app.model_list.profile_words import profile_words
from app.preferences import Preferences
from app.settings_dialog.page import SettingsPage, add_row, choose, form_layout
from app.theme import SPACE
from app.widgets.texts import plain_label
from core.catalogue.locate import STARTER_NAME
from core.planning.loading import memory_shortfalls
from core.planning.models import bundled_names
from core.planning.profiles import AUTO, profile_names


class ModelPage(SettingsPage):
    """`setup_wanted` asks for the first steps once more."""

    setup_wanted = Signal()

    def __init__(self, downloader: Downloader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.profile_label, self.profile_box, self.profile_hint = (
            plain_label(),
            QComboBox(),
            plain_label("caption"),
        )
        self.model_label, self.model_box, self.model_hint = plain_label(), QComboBox(), plain_label("caption")
        self.facts_label, self.facts = plain_label(), plain_label()
        self.anyway_box = QCheckBox()
        self.folder_button, self.file_button, self.setup_button = QPushButton(), QPushButton(), QPushButton()
        self.models_heading, self.models_hint = plain_label("heading"), plain_label("caption")
        self.models = ModelList(downloader)
        self._answer: FitAnswer | None = None
        self._loaded_anyway: tuple[str, ...] = ()
        self.model_box.setEditable(True)
        self.model_box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.model_box.addItems([STARTER_NAME, *bundled_names()])
        for label in (self.profile_hint, self.model_hint, self.models_hint, self.facts):
            label.setWordWrap(True)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for button in (self.folder_button, self.file_button, self.setup_button):
            button.setAutoDefault(False)
        self._lay_out()
        self.retranslate()
        self.profile_box.activated.connect(self._on_profile_activated)
        self.model_box.editTextChanged.connect(self._on_model_changed)
        self.anyway_box.clicked.connect(self._on_anyway_clicked)
        self.folder_button.clicked.connect(self._on_folder_clicked)
        self.file_button.clicked.connect(self._on_file_clicked)
        self.setup_button.clicked.connect(self.setup_wanted)
        self.models.model_chosen.connect(self.model_box.setCurrentText)

    @property
    def profile(self) -> str:
        return self.profile_box.currentData() or AUTO

    @property
    def model(self) -> str:
        return self.model_box.currentText().strip() or Preferences().model

    def show_preferences(self, preferences: Preferences) -> None:
        self._loaded_anyway = preferences.loaded_anyway
        self._fill_profiles()
        choose(self.profile_box, preferences.profile)
        self.model_box.blockSignals(True)
        self.model_box.setCurrentText(preferences.model)
        self.model_box.blockSignals(False)
        self._answer = None
        self.models.show_chosen(self.model)
        self._show_profile()
        self._show_facts()

    def taken(self, preferences: Preferences) -> Preferences:
        return replace(
            preferences,
            profile=self.profile,
            model=self.model,
            loaded_anyway=self._loaded_anyway,
        )

    def show_answer(self, answer: FitAnswer) -> None:
        """What is known about the model now."""
        self._answer = answer
        self._show_facts()

    def choose_profile(self, name: str) -> None:
        """Select a profile that may be new."""
        self._fill_profiles()
        choose(self.profile_box, name)
        self._show_profile()

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Profile and model"))
        self.profile_label.setText(self.tr("Profile"))
        self.profile_box.setAccessibleName(self.tr("Profile"))
        self.model_label.setText(self.tr("Model"))
        self.model_box.setAccessibleName(self.tr("Model"))
        self.model_hint.setText(
            self.tr(
                "“starter”, a folder with config.json and safetensors files, or a .gguf file. The models "
                "below can be planned for before they are downloaded."
            )
        )
        self.folder_button.setText(self.tr("Folder…"))
        self.file_button.setText(self.tr("GGUF file…"))
        self.facts_label.setText(self.tr("What it is"))
        self.anyway_box.setText(self.tr("Load this model even if it does not fit"))
        self.models_heading.setText(self.tr("Models to download"))
        self.models_hint.setText(
            self.tr(
                "With this profile on this computer. Times and rates are estimated. They come from the "
                "Hugging Face Hub, are checked, and stay on this computer."
            )
        )
        self.setup_button.setText(self.tr("Set up again…"))
        self._fill_profiles()
        self._show_profile()
        self._show_facts()

    def _lay_out(self) -> None:
        buttons = QWidget()
        row = QHBoxLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.s)
        row.addWidget(self.folder_button)
        row.addWidget(self.file_button)
        row.addStretch(1)
        form = form_layout()
        add_row(form, self.profile_label, self.profile_box, [self.profile_hint])
        add_row(form, self.model_label, self.model_box, [buttons, self.model_hint])
        form.addRow(self.facts_label, self.facts)
        self.column.addLayout(form)
        self.column.addWidget(self.anyway_box)
        for widget in (self.models_heading, self.models_hint, self.models):
            self.column.addWidget(widget)
        self.column.addWidget(self.setup_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)

    def _fill_profiles(self) -> None:
        chosen = self.profile_box.currentData()
        self.profile_box.blockSignals(True)
        self.profile_box.clear()
        for name in sorted(profile_names(), key=lambda name: (name != AUTO, name)):
            self.profile_box.addItem(translated(title_of(name)), name)
        self.profile_box.blockSignals(False)
        choose(self.profile_box, chosen)

    def _show_profile(self) -> None:
        self.profile_hint.setText(profile_words(profile_of(self.profile)))

    def _show_facts(self) -> None:
        geometry = self._answer.geometry if self._answer is not None else None
        is_known = geometry is not None
        self.facts.setVisible(is_known)
        self.facts_label.setVisible(is_known)
        if geometry is not None:
            words = self.tr(
                "{parameters} billion parameters, {layers} layers ({attention}); reads {count} tokens."
            )
            self.facts.setText(
                words.format(
                    parameters=f"{geometry.parameters.total / 1e9:.2f}",
                    layers=len(geometry.layers),
                    attention=geometry.attention,
                    count=f"{geometry.native_context:,}",
                )
            )
        plan = self._answer.plan if self._answer is not None else None
        is_remembered = self.model in self._loaded_anyway
        self.anyway_box.setChecked(is_remembered)
        self.anyway_box.setVisible(is_remembered or (plan is not None and bool(memory_shortfalls(plan))))

    def _on_profile_activated(self, _index: int) -> None:
        self._show_profile()
        self.changed.emit()

    def _on_model_changed(self, _text: str) -> None:
        self.models.show_chosen(self.model)
        self._show_facts()
        self.changed.emit()

    def _on_anyway_clicked(self, is_checked: bool) -> None:
        others = tuple(name for name in self._loaded_anyway if name != self.model)
        self._loaded_anyway = (*others, self.model) if is_checked else others
        self.changed.emit()

    def _on_folder_clicked(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Choose a model's folder"))
        if chosen:
            self.model_box.setCurrentText(str(Path(chosen)))

    def _on_file_clicked(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a model"), "", self.tr("GGUF models (*.gguf)")
        )
        if chosen:
            self.model_box.setCurrentText(str(Path(chosen)))
