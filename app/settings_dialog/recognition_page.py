"""Text recognition on pages whose text is missing or damaged."""

from dataclasses import replace

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QListWidget, QListWidgetItem, QWidget

from app.core_texts import translated
from app.preferences import RECOGNITION_TIMES, Preferences, RecognitionChoices
from app.settings_dialog.page import SettingsPage, add_row, choose, form_layout, set_words
from app.widgets.texts import plain_label
from core.documents.language_data import install_command, language_folders, languages_in, missing_data

_LIST_HEIGHT = 220
_EXAMPLE = "eng"
_NAMES = {"eng": "English", "chi_sim": "简体中文", "chi_tra": "繁體中文"}


class RecognitionPage(SettingsPage):
    """Applies from the next document on. Languages that were chosen stay in the list without their data."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: frozenset[str] = frozenset()
        self.words, self.data_words = plain_label("muted"), plain_label("caption")
        self.when_label, self.languages_label = plain_label(), plain_label()
        self.when_box, self.system_box, self.list = QComboBox(), QCheckBox(), QListWidget()
        for when in RECOGNITION_TIMES:
            self.when_box.addItem("", when)
        for label in (self.words, self.data_words):
            label.setWordWrap(True)
        self.data_words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.list.setMaximumHeight(_LIST_HEIGHT)
        form = form_layout()
        add_row(form, self.when_label, self.when_box)
        add_row(form, self.languages_label, self.system_box, [self.list, self.data_words])
        self.system_box.toggled.connect(self.list.setDisabled)
        self.when_box.currentIndexChanged.connect(self._on_changed)
        self.system_box.toggled.connect(self._on_changed)
        self.list.itemChanged.connect(self._on_changed)
        self.column.addWidget(self.words)
        self.column.addLayout(form)
        self.column.addStretch(1)
        self.retranslate()

    def show_preferences(self, preferences: Preferences) -> None:
        chosen = preferences.recognition
        names = tuple(chosen.languages.split("+")) if chosen.languages is not None else ()
        choose(self.when_box, chosen.when)
        self._found = frozenset[str]().union(*map(languages_in, language_folders()))
        self.list.blockSignals(True)
        self.list.clear()
        for name in [*names, *sorted(self._found - set(names))]:
            item = QListWidgetItem()
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setCheckState(Qt.CheckState.Checked if name in names else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.system_box.blockSignals(True)
        self.system_box.setChecked(chosen.languages is None)
        self.system_box.blockSignals(False)
        self.list.setDisabled(chosen.languages is None)
        self.list.setVisible(self.list.count() > 0)
        self.retranslate()

    def taken(self, preferences: Preferences) -> Preferences:
        languages = None if self.system_box.isChecked() else "+".join(self.languages) or None
        chosen = RecognitionChoices(self.when_box.currentData(), languages)
        return replace(preferences, recognition=chosen)

    @property
    def languages(self) -> tuple[str, ...]:
        """Those that are ticked."""
        items = [self.list.item(row) for row in range(self.list.count())]
        ticked = [item for item in items if item.checkState() is Qt.CheckState.Checked]
        return tuple(str(item.data(Qt.ItemDataRole.UserRole)) for item in ticked)

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Text recognition"))
        self.words.setText(
            self.tr(
                "Pages that are pictures, or whose text is damaged, can be read with text recognition (OCR). "
                "It takes a few seconds a page, and its results are kept on this disk."
            )
        )
        self.when_label.setText(self.tr("Recognise text"))
        self.when_box.setAccessibleName(self.tr("Recognise text"))
        words = {
            "ask": self.tr("When I ask for it"),
            "always": self.tr("Always, on pages without a sound text"),
            "never": self.tr("Never, and do not offer it"),
        }
        set_words(self.when_box, words)
        self.languages_label.setText(self.tr("Languages"))
        self.system_box.setText(self.tr("The language of the system, and English"))
        self.list.setAccessibleName(self.tr("Languages of the documents"))
        self.list.blockSignals(True)
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setText(self._item_text(str(item.data(Qt.ItemDataRole.UserRole))))
        self.list.blockSignals(False)
        self.data_words.setText(self._data_text())

    def _item_text(self, name: str) -> str:
        words = f"{language_name(name)} ({name})"
        return words if name in self._found else self.tr("{language}: no data").format(language=words)

    def _data_text(self) -> str:
        if not self._found:
            return translated(missing_data([_EXAMPLE]).message)
        words = self.tr("More languages come with Tesseract's data, for example: {command}")
        return words.format(command=install_command(["deu"]))

    def _on_changed(self, _value: object) -> None:
        self.changed.emit()


def language_name(name: str) -> str:
    """What the language calls itself: `Deutsch` for `deu`; `name` itself where that is not known."""
    if name in _NAMES:
        return _NAMES[name]
    language = QLocale.codeToLanguage(name.partition("_")[0])
    if language is QLocale.Language.AnyLanguage:
        return name
    return QLocale(language).nativeLanguageName() or QLocale.languageToString(language)
