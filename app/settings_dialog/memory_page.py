"""How the cache is kept: on the device, in host memory, in how many bits."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.engine_choices import profile_of
from app.fit_view.words import codec_names, mode_names, mode_sentence
from app.preferences import MemoryChoices, Preferences
from app.settings_dialog.memory_words import effect_words, field_words, policy_names, strategy_names
from app.settings_dialog.page import SettingsPage, add_row, choose, form_layout, set_words
from app.system_check.finding_row import FindingRow
from app.theme import SPACE
from app.widgets.optional_spin_box import OptionalSpinBox
from app.widgets.texts import plain_label
from core.planning.profile_settings import SETTING_OF_CHOICE
from core.planning.profiles import EngineChoices
from core.planning.system_facts import Finding, Severity
from core.settings import CPU_MEMORY_POLICIES, CPU_MEMORY_STRATEGIES, MAX_THREADS, EngineSettings
from core.settings_change import effect_of
from core.units import format_size

MIB = 1 << 20
MOST_MIB = 1 << 22
MOST_TOKENS = 1 << 24
_HOST_MEMORY = (
    *("huge pages", "transparent huge pages", "kind of memory", "pinned memory"),
    *("locked memory", "memory nodes"),
)
"""The findings that are about the choice of host memory."""


class MemoryPage(SettingsPage):
    """What is left open is the profile's; the boxes say what that is."""

    profile_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = plain_label("muted")
        self.budget_box = OptionalSpinBox(0, MOST_MIB, step=256, start=1024)
        self.window_box = OptionalSpinBox(0, MOST_TOKENS, step=256, start=1024)
        self.interval_box = OptionalSpinBox(1, MOST_TOKENS, step=256, start=1024)
        self.chunk_box = OptionalSpinBox(1, MOST_TOKENS, step=256, start=512)
        self.threads_box = OptionalSpinBox(1, MAX_THREADS, step=1, start=4)
        self.context_box = OptionalSpinBox(1, MOST_TOKENS, step=1024, start=8192)
        self.codec_box, self.mode_box = QComboBox(), QComboBox()
        self.strategy_box, self.policy_box = QComboBox(), QComboBox()
        self.mode_hint = plain_label("caption")
        self.labels: dict[QWidget, QLabel] = {}
        self.effects: dict[QWidget, QLabel] = {}
        self.rows: list[FindingRow] = []
        self.name_field, self.save_button, self.reset_button = QLineEdit(), QPushButton(), QPushButton()
        self._engine = EngineChoices()
        for box, names in (
            (self.codec_box, (None, *codec_names())),
            (self.mode_box, tuple(mode_names())),
            (self.strategy_box, (None, *CPU_MEMORY_STRATEGIES)),
            (self.policy_box, (None, *CPU_MEMORY_POLICIES)),
        ):
            for name in names:
                box.addItem("", name)
        self._lay_out()
        self.retranslate()
        self._connect()

    def show_preferences(self, preferences: Preferences) -> None:
        self.show_memory(preferences.memory)
        self.show_profile(preferences.profile)

    def show_memory(self, memory: MemoryChoices) -> None:
        for box, number in (
            (self.budget_box, None if memory.hot_budget_bytes is None else memory.hot_budget_bytes // MIB),
            (self.window_box, memory.active_window),
            (self.interval_box, memory.migration_interval),
            (self.chunk_box, memory.prefill_chunk),
            (self.threads_box, memory.threads),
            (self.context_box, memory.max_seq_len),
        ):
            box.blockSignals(True)
            box.set_number(number)
            box.blockSignals(False)
        choose(self.codec_box, memory.codec)
        choose(self.mode_box, memory.mode)
        choose(self.strategy_box, memory.strategy)
        choose(self.policy_box, memory.policy)
        self.mode_hint.setText(mode_sentence(memory.mode))

    def show_profile(self, name: str, engine: EngineChoices | None = None) -> None:
        """Say what is chosen where nothing is chosen here; `engine` stands in for what the file says."""
        self._engine = engine or profile_of(name).engine
        self.retranslate()

    def show_effects(self, before: EngineSettings, after: EngineSettings) -> None:
        """Say under each choice that differs what it costs to apply it."""
        for box, field in self._fields().items():
            setting = SETTING_OF_CHOICE.get(field, field)
            alone = replace(before, **{setting: getattr(after, setting)})
            words = effect_words(effect_of(before, alone))
            self.effects[box].setText(words)
            self.effects[box].setVisible(bool(words))

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """What the host memory that is chosen needs of this system."""
        wanted = [
            finding
            for finding in findings
            if finding.name in _HOST_MEMORY and finding.severity is not Severity.OK
        ]
        if [row.finding for row in self.rows] == wanted:
            return
        for row in self.rows:
            self._findings.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        self.rows = [FindingRow(finding) for finding in wanted]
        for row in self.rows:
            self._findings.addWidget(row)

    @property
    def memory(self) -> MemoryChoices:
        budget = self.budget_box.number
        return MemoryChoices(
            hot_budget_bytes=None if budget is None else budget * MIB,
            active_window=self.window_box.number,
            migration_interval=self.interval_box.number,
            codec=self.codec_box.currentData(),
            mode=self.mode_box.currentData(),
            strategy=self.strategy_box.currentData(),
            policy=self.policy_box.currentData(),
            prefill_chunk=self.chunk_box.number,
            threads=self.threads_box.number,
            max_seq_len=self.context_box.number,
        )

    def taken(self, preferences: Preferences) -> Preferences:
        return replace(preferences, memory=self.memory)

    def retranslate(self) -> None:
        engine = self._engine
        self.heading.setText(self.tr("Memory"))
        self.words.setText(
            self.tr("What you leave open is chosen by the profile. Each change says what it costs.")
        )
        words = field_words()
        for box, field in self._fields().items():
            self.labels[box].setText(words[field])
            box.setAccessibleName(words[field])
        budget = None if engine.kv_hot_budget is None else format_size(engine.kv_hot_budget)
        for spin_box, value, suffix in (
            (self.budget_box, budget, self.tr(" MiB")),
            (self.window_box, _count(engine.kv_active_window), self.tr(" tokens")),
            (self.interval_box, _count(engine.kv_migration_interval), self.tr(" tokens")),
            (self.chunk_box, _count(engine.prefill_chunk), self.tr(" tokens")),
            (self.threads_box, _count(engine.threads), ""),
        ):
            spin_box.setSpecialValueText(self._by_profile(value))
            spin_box.setSuffix(suffix)
        self.context_box.setSpecialValueText(self.tr("All that the model reads"))
        self.context_box.setSuffix(self.tr(" tokens"))
        set_words(self.codec_box, codec_names())
        self.codec_box.setItemText(0, self._by_profile(codec_names()[engine.kv_compression]))
        set_words(self.mode_box, mode_names())
        self.mode_hint.setText(mode_sentence(self.mode_box.currentData()))
        strategies, policies = strategy_names(), policy_names()
        set_words(self.strategy_box, strategies)
        self.strategy_box.setItemText(0, self._by_profile(strategies[engine.cpu_memory_strategy]))
        set_words(self.policy_box, policies)
        self.policy_box.setItemText(0, self._by_profile(policies[engine.cpu_memory_policy]))
        self.reset_button.setText(self.tr("Leave all to the profile"))
        self.save_button.setText(self.tr("Save as a profile"))
        self.name_field.setPlaceholderText(self.tr("Name of a new profile"))
        self.name_field.setAccessibleName(self.tr("Name of a new profile"))

    def _fields(self) -> dict[QWidget, str]:
        """The boxes in the order of the page, each with the field that it chooses."""
        return {
            self.mode_box: "mode",
            self.context_box: "max_seq_len",
            self.codec_box: "kv_compression",
            self.budget_box: "kv_hot_budget",
            self.window_box: "kv_active_window",
            self.interval_box: "kv_migration_interval",
            self.chunk_box: "prefill_chunk",
            self.threads_box: "threads",
            self.strategy_box: "cpu_memory_strategy",
            self.policy_box: "cpu_memory_policy",
        }

    def _by_profile(self, value: str | None) -> str:
        if value is None:
            return self.tr("By the profile: automatic")
        return self.tr("By the profile: {value}").format(value=value)

    def _lay_out(self) -> None:
        self.words.setWordWrap(True)
        self.mode_hint.setWordWrap(True)
        form = form_layout()
        for box in self._fields():
            self.labels[box], self.effects[box] = plain_label(), plain_label("caption")
            self.effects[box].hide()
            hints = [self.mode_hint] if box is self.mode_box else []
            add_row(form, self.labels[box], box, [*hints, self.effects[box]])
        self._findings = QVBoxLayout()
        self._findings.setSpacing(SPACE.m)
        saving = QHBoxLayout()
        saving.setSpacing(SPACE.s)
        saving.addWidget(self.name_field, 1)
        saving.addWidget(self.save_button)
        for button in (self.reset_button, self.save_button):
            button.setAutoDefault(False)
        self.save_button.setEnabled(False)
        self.column.addWidget(self.words)
        self.column.addLayout(form)
        self.column.addLayout(self._findings)
        self.column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addLayout(saving)
        self.column.addStretch(1)

    def _connect(self) -> None:
        for box in self._fields():
            if isinstance(box, QComboBox):
                box.currentIndexChanged.connect(self._on_changed)
            elif isinstance(box, OptionalSpinBox):
                box.valueChanged.connect(self._on_changed)
        self.name_field.textChanged.connect(self._on_name_changed)
        self.save_button.clicked.connect(self._on_save_clicked)
        self.reset_button.clicked.connect(self._on_reset_clicked)

    def _on_changed(self, _value: object = None) -> None:
        self.mode_hint.setText(mode_sentence(self.mode_box.currentData()))
        self.changed.emit()

    def _on_name_changed(self, text: str) -> None:
        self.save_button.setEnabled(bool(text.strip()))

    def _on_save_clicked(self) -> None:
        self.profile_wanted.emit(self.name_field.text().strip())

    def _on_reset_clicked(self) -> None:
        self.show_memory(MemoryChoices(mode=self.mode_box.currentData()))
        self.changed.emit()


def _count(number: int | None) -> str | None:
    return None if number is None else f"{number:,}"
