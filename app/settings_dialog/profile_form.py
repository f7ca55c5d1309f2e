"""The values of a profile, one row each."""

import re
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QRegularExpression, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from app.fit_view.words import codec_names
from app.settings_dialog.machine_form import MachineForm
from app.settings_dialog.memory_page import MIB, MOST_MIB, MOST_TOKENS
from app.settings_dialog.memory_words import (
    device_names,
    dtype_names,
    field_words,
    policy_names,
    quantization_names,
    sharding_names,
    strategy_names,
)
from app.settings_dialog.page import add_row, choose, form_layout, set_words
from app.theme import SPACE
from app.widgets.optional_spin_box import OptionalSpinBox, align_text
from app.widgets.texts import plain_label
from core.planning.profiles import Profile
from core.settings import MAX_THREADS

_MOST_TITLE = 120


class ProfileForm(QWidget):
    """Shows a profile and takes it back; `changed` comes when the user changes a value."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title_field, self.model_field, self.gpus_field = QLineEdit(), QLineEdit(), QLineEdit()
        self.title_field.setMaxLength(_MOST_TITLE)
        self.gpus_field.setValidator(
            QRegularExpressionValidator(QRegularExpression(r"[0-9]{1,3}(, ?[0-9]{1,3})*"))
        )
        self.numbers: dict[str, OptionalSpinBox] = {
            "recommended_context": OptionalSpinBox(1, MOST_TOKENS, step=1024, start=8192),
            "kv_hot_budget": OptionalSpinBox(0, MOST_MIB, step=256, start=1024),
            "kv_active_window": OptionalSpinBox(0, MOST_TOKENS, step=256, start=1024),
            "kv_migration_interval": OptionalSpinBox(1, MOST_TOKENS, step=256, start=1024),
            "threads": OptionalSpinBox(1, MAX_THREADS, step=1, start=4),
        }
        self.chunk_box = QSpinBox()
        self.chunk_box.setRange(1, MOST_TOKENS)
        self.chunk_box.setSingleStep(256)
        self.chunk_box.setGroupSeparatorShown(True)
        align_text(self.chunk_box)
        self.choices: dict[str, QComboBox] = {name: QComboBox() for name in _names_of_choices()}
        for field, names in _names_of_choices().items():
            for name in names:
                self.choices[field].addItem("", name)
        self.machine = MachineForm()
        self._labels: dict[QWidget, QLabel] = {}
        self._lay_out()
        self.retranslate()
        self._connect()

    def show_profile(self, profile: Profile, *, is_own: bool) -> None:
        """Fill the form; only the user's own profiles can be changed. Emits nothing."""
        for widget in self._rows():
            widget.blockSignals(True)
            widget.setEnabled(is_own)
        engine = profile.engine
        self.title_field.setText(profile.title)
        self.model_field.setText(profile.recommended_model)
        self.gpus_field.setText(", ".join(map(str, engine.gpu_ids)))
        for field, box in self.numbers.items():
            box.set_number(self._number(profile, field))
        self.chunk_box.setValue(engine.prefill_chunk)
        for field, combo in self.choices.items():
            choose(combo, getattr(engine, field))
        for widget in self._rows():
            widget.blockSignals(False)
        self.machine.show_machine(profile.machine, is_own=is_own)

    def taken(self, profile: Profile) -> Profile:
        """`profile` with what is chosen here; a number that still reads the same stays as exact as it was."""
        changes: dict[str, Any] = {}
        for field, box in self.numbers.items():
            if box.number != self._number(profile, field):
                changes[field] = box.number
        if changes.get("kv_hot_budget") is not None:
            changes["kv_hot_budget"] *= MIB
        top = {"recommended_context": changes.pop("recommended_context", profile.recommended_context)}
        changes |= {field: combo.currentData() for field, combo in self.choices.items()}
        changes["gpu_ids"] = tuple(int(number) for number in re.findall(r"\d+", self.gpus_field.text()))
        changes["prefill_chunk"] = self.chunk_box.value()
        return replace(
            profile,
            title=self.title_field.text().strip() or profile.name,
            recommended_model=self.model_field.text().strip() or profile.recommended_model,
            engine=replace(profile.engine, **changes),
            machine=None if profile.machine is None else self.machine.taken(profile.machine),
            **top,
        )

    def retranslate(self) -> None:
        words = field_words()
        words |= {
            "title": self.tr("Title"),
            "recommended_model": self.tr("Recommended model"),
            "recommended_context": self.tr("Recommended context"),
        }
        for widget, field in self._rows().items():
            self._labels[widget].setText(words[field])
            widget.setAccessibleName(words[field])
        for field, box in self.numbers.items():
            box.setSpecialValueText(self.tr("Automatic"))
            box.setSuffix(self._suffix(field))
        self.numbers["recommended_context"].setSpecialValueText(self.tr("All that the model reads"))
        self.chunk_box.setSuffix(self.tr(" tokens"))
        for field, names in _names_of_choices().items():
            set_words(self.choices[field], names)
        self.gpus_field.setPlaceholderText(self.tr("Automatic; or numbers such as 0, 1"))
        self.machine.retranslate()

    def _suffix(self, field: str) -> str:
        if field == "threads":
            return ""
        return self.tr(" MiB") if field == "kv_hot_budget" else self.tr(" tokens")

    @staticmethod
    def _number(profile: Profile, field: str) -> int | None:
        """A value as its box shows it."""
        source: object = profile if field == "recommended_context" else profile.engine
        value: int | None = getattr(source, field)
        return value // MIB if value is not None and field == "kv_hot_budget" else value

    def _rows(self) -> dict[QWidget, str]:
        """Every widget in the order of the form, with its field."""
        ordered: list[tuple[QWidget, str]] = [(self.title_field, "title")]
        ordered += [(self.choices["kv_compression"], "kv_compression")]
        names = ("kv_hot_budget", "kv_active_window", "kv_migration_interval")
        ordered += [(self.numbers[name], name) for name in names]
        ordered += [(self.chunk_box, "prefill_chunk"), (self.numbers["threads"], "threads")]
        ordered += [(box, name) for name, box in self.choices.items() if name != "kv_compression"]
        ordered += [(self.gpus_field, "gpu_ids"), (self.model_field, "recommended_model")]
        ordered += [(self.numbers["recommended_context"], "recommended_context")]
        return dict(ordered)

    def _lay_out(self) -> None:
        form = form_layout()
        for widget in self._rows():
            self._labels[widget] = plain_label()
            add_row(form, self._labels[widget], widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.l)
        column.addLayout(form)
        column.addWidget(self.machine)

    def _connect(self) -> None:
        for field in (self.title_field, self.model_field, self.gpus_field):
            field.textEdited.connect(self._on_changed)
        for box in (*self.numbers.values(), self.chunk_box):
            box.valueChanged.connect(self._on_changed)
        for combo in self.choices.values():
            combo.currentIndexChanged.connect(self._on_changed)
        self.machine.changed.connect(self.changed)

    def _on_changed(self, _value: object = None) -> None:
        self.changed.emit()


def _names_of_choices() -> dict[str, dict[str, str]]:
    """What can be chosen of each field, with its name."""
    return {
        "kv_compression": codec_names(),
        "cpu_memory_strategy": strategy_names(),
        "cpu_memory_policy": policy_names(),
        "kv_sharding_strategy": sharding_names(),
        "kv_cache_device": device_names(),
        "kv_dtype": dtype_names(),
        "quantization": quantization_names(),
    }
