"""Appearance and language."""

from dataclasses import replace

from PySide6.QtWidgets import QComboBox, QWidget

from app.i18n import LANGUAGES, SYSTEM_LANGUAGE
from app.preferences import Preferences
from app.settings_dialog.page import SettingsPage, add_row, choose, form_layout, set_words
from app.theme import Scheme
from app.widgets.texts import plain_label


class AppearancePage(SettingsPage):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scheme_label, self.language_label = plain_label(), plain_label()
        self.scheme_box, self.language_box = QComboBox(), QComboBox()
        for scheme in Scheme:
            self.scheme_box.addItem("", scheme.value)
        for language in (SYSTEM_LANGUAGE, *LANGUAGES):
            self.language_box.addItem(LANGUAGES.get(language, ""), language)
        form = form_layout()
        add_row(form, self.scheme_label, self.scheme_box)
        add_row(form, self.language_label, self.language_box)
        self.column.addLayout(form)
        self.column.addStretch(1)
        self.retranslate()

    def show_preferences(self, preferences: Preferences) -> None:
        choose(self.scheme_box, preferences.scheme.value)
        choose(self.language_box, preferences.language)

    def taken(self, preferences: Preferences) -> Preferences:
        return replace(
            preferences,
            scheme=Scheme(self.scheme_box.currentData()),
            language=self.language_box.currentData(),
        )

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Appearance and language"))
        self.scheme_label.setText(self.tr("Appearance"))
        self.scheme_box.setAccessibleName(self.tr("Appearance"))
        self.language_label.setText(self.tr("Language"))
        self.language_box.setAccessibleName(self.tr("Language"))
        set_words(
            self.scheme_box,
            {
                Scheme.SYSTEM.value: self.tr("As the system"),
                Scheme.LIGHT.value: self.tr("Light"),
                Scheme.DARK.value: self.tr("Dark"),
            },
        )
        set_words(self.language_box, {SYSTEM_LANGUAGE: self.tr("As the system", "language")})
