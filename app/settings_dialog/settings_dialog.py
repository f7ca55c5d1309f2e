"""Model, appearance and language."""

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.i18n import LANGUAGES, SYSTEM_LANGUAGE
from app.preferences import Preferences
from app.theme import SPACE, Scheme
from app.widgets.dialogs import cancel_button, fit_height, ok_button
from app.widgets.texts import plain_label

_WIDTH = 540


class SettingsDialog(QDialog):
    """Never blocks the caller; `preferences_chosen` comes when the user says OK."""

    preferences_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings_dialog")
        self.heading = plain_label("title")
        self.model_label, self.scheme_label, self.language_label = plain_label(), plain_label(), plain_label()
        self.model_hint = plain_label("caption")
        self.model_hint.setWordWrap(True)
        self.model_field, self.browse_button = QLineEdit(), QPushButton()
        self.scheme_box, self.language_box = QComboBox(), QComboBox()
        for scheme in Scheme:
            self.scheme_box.addItem("", scheme.value)
        for language in (SYSTEM_LANGUAGE, *LANGUAGES):
            self.language_box.addItem(LANGUAGES.get(language, ""), language)
        self.buttons = QDialogButtonBox()
        self._ok_button, self._cancel_button = ok_button(self.buttons), cancel_button(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.browse_button.setAutoDefault(False)
        self.browse_button.clicked.connect(self._on_browse_clicked)
        self._lay_out()
        self._retranslate()

    def edit(self, preferences: Preferences) -> None:
        self.model_field.setText(preferences.model)
        self.scheme_box.setCurrentIndex(self.scheme_box.findData(preferences.scheme.value))
        self.language_box.setCurrentIndex(self.language_box.findData(preferences.language))
        self.open()

    def accept(self) -> None:
        super().accept()
        chosen = Preferences(
            language=self.language_box.currentData(),
            scheme=Scheme(self.scheme_box.currentData()),
            model=self.model_field.text().strip() or Preferences().model,
        )
        self.preferences_chosen.emit(chosen)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        model_row = QHBoxLayout()
        model_row.setSpacing(SPACE.s)
        model_row.addWidget(self.model_field, 1)
        model_row.addWidget(self.browse_button)
        model_column = QVBoxLayout()
        model_column.setSpacing(SPACE.xs)
        model_column.addLayout(model_row)
        model_column.addWidget(self.model_hint)
        form = QFormLayout()
        form.setHorizontalSpacing(SPACE.l)
        form.setVerticalSpacing(SPACE.l)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.model_label, model_column)
        form.addRow(self.scheme_label, self.scheme_box)
        form.addRow(self.language_label, self.language_box)
        for label, field in (
            (self.model_label, self.model_field),
            (self.scheme_label, self.scheme_box),
            (self.language_label, self.language_box),
        ):
            label.setBuddy(field)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
        column.setSpacing(SPACE.xl)
        column.addWidget(self.heading)
        column.addLayout(form)
        column.addWidget(self.buttons)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Settings"))
        self.heading.setText(self.tr("Settings"))
        self.model_label.setText(self.tr("Model"))
        self.model_field.setAccessibleName(self.tr("Model"))
        self.model_hint.setText(
            self.tr("“starter”, a folder with config.json and safetensors files, or a .gguf file.")
        )
        self.browse_button.setText(self.tr("Browse…"))
        self.scheme_label.setText(self.tr("Appearance"))
        self.scheme_box.setAccessibleName(self.tr("Appearance"))
        self.language_label.setText(self.tr("Language"))
        self.language_box.setAccessibleName(self.tr("Language"))
        words = {
            Scheme.SYSTEM: self.tr("As the system"),
            Scheme.LIGHT: self.tr("Light"),
            Scheme.DARK: self.tr("Dark"),
        }
        for scheme, text in words.items():
            self.scheme_box.setItemText(self.scheme_box.findData(scheme.value), text)
        self.language_box.setItemText(
            self.language_box.findData(SYSTEM_LANGUAGE), self.tr("As the system", "language")
        )
        self._ok_button.setText(self.tr("OK"))
        self._cancel_button.setText(self.tr("Cancel"))
        fit_height(self, _WIDTH)

    def _on_browse_clicked(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a model"), "", self.tr("Models (*.gguf config.json)")
        )
        if chosen:
            path = Path(chosen)
            self.model_field.setText(str(path.parent if path.name == "config.json" else path))
