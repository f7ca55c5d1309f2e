"""How the words of an answer are chosen."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QSpinBox, QWidget

from app.preferences import HIGHEST_TEMPERATURE, MOST_NEW_TOKENS, Preferences
from app.settings_dialog.page import SettingsPage, add_row, form_layout
from app.widgets.optional_spin_box import OptionalSpinBox, align_text
from app.widgets.texts import plain_label

_HIGHEST_SEED = (1 << 31) - 1


class GenerationPage(SettingsPage):
    """Applies from the next answer on; nothing is loaded anew for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = plain_label("muted")
        self.words.setWordWrap(True)
        self.temperature_label, self.temperature_box = plain_label(), QDoubleSpinBox()
        self.temperature_hint, self.length_hint, self.seed_hint = (plain_label("caption") for _ in range(3))
        self.length_label, self.length_box = plain_label(), QSpinBox()
        self.seed_label = plain_label()
        self.seed_box = OptionalSpinBox(0, _HIGHEST_SEED, step=1, start=0)
        self.evidence_box, self.evidence_hint = QCheckBox(), plain_label("caption")
        self.evidence_hint.setWordWrap(True)
        self.temperature_box.setRange(0, HIGHEST_TEMPERATURE)
        self.temperature_box.setSingleStep(0.1)
        self.temperature_box.setDecimals(2)
        self.length_box.setRange(1, MOST_NEW_TOKENS)
        self.length_box.setSingleStep(64)
        self.length_box.setGroupSeparatorShown(True)
        align_text(self.temperature_box)
        align_text(self.length_box)
        form = form_layout()
        for label, field, hint in (
            (self.temperature_label, self.temperature_box, self.temperature_hint),
            (self.length_label, self.length_box, self.length_hint),
            (self.seed_label, self.seed_box, self.seed_hint),
        ):
            hint.setWordWrap(True)
            add_row(form, label, field, [hint])
        self.column.addWidget(self.words)
        self.column.addLayout(form)
        self.column.addWidget(self.evidence_box)
        self.column.addWidget(self.evidence_hint)
        self.column.addStretch(1)
        self.retranslate()

    def show_preferences(self, preferences: Preferences) -> None:
        self.temperature_box.setValue(preferences.temperature)
        self.length_box.setValue(preferences.max_new_tokens)
        self.seed_box.set_number(preferences.seed)
        self.evidence_box.setChecked(preferences.shows_evidence)

    def taken(self, preferences: Preferences) -> Preferences:
        return replace(
            preferences,
            temperature=round(self.temperature_box.value(), 2),
            max_new_tokens=self.length_box.value(),
            seed=self.seed_box.number,
            shows_evidence=self.evidence_box.isChecked(),
        )

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Answers"))
        self.words.setText(self.tr("These apply from the next answer on; the model stays loaded."))
        self.temperature_label.setText(self.tr("Temperature"))
        self.temperature_box.setAccessibleName(self.tr("Temperature"))
        self.temperature_hint.setText(
            self.tr("0 always takes the likeliest word; more brings variety and mistakes.")
        )
        self.length_label.setText(self.tr("Longest answer"))
        self.length_box.setAccessibleName(self.tr("Longest answer"))
        self.length_box.setSuffix(self.tr(" tokens"))
        self.length_hint.setText(self.tr("An answer that is cut there says so."))
        self.seed_label.setText(self.tr("Seed"))
        self.seed_box.setAccessibleName(self.tr("Seed"))
        self.seed_box.setSpecialValueText(self.tr("Another one each time"))
        self.seed_hint.setText(
            self.tr("With a number, the same question gets the same answer; it matters above temperature 0.")
        )
        self.evidence_box.setText(self.tr("Show which pages an answer looked at"))
        self.evidence_box.setAccessibleName(self.tr("Show which pages an answer looked at"))
        self.evidence_hint.setText(
            self.tr("After each answer its attention is looked up once more, which takes a moment.")
        )
