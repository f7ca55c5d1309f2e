"""What the pages of the settings have in common."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.preferences import Preferences
from app.theme import SPACE
from app.widgets.texts import plain_label

_LABEL_WIDTH = 150
_FIELD_WIDTH = 420


class SettingsPage(QWidget):
    """Shows some of the preferences and takes them back; `changed` comes when the user changes one."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = plain_label("title")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, SPACE.m, 0)
        self.column.setSpacing(SPACE.l)
        self.column.addWidget(self.heading)

    def show_preferences(self, preferences: Preferences) -> None:
        """Fill the page; emits nothing."""
        raise NotImplementedError

    def taken(self, preferences: Preferences) -> Preferences:
        """`preferences` with what is chosen on this page."""
        raise NotImplementedError

    def retranslate(self) -> None:
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


def scrolling(widget: QWidget) -> QScrollArea:
    """The widget in an area that scrolls up and down only."""
    area = QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


def form_layout() -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(SPACE.l)
    form.setVerticalSpacing(SPACE.m)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form


def add_row(form: QFormLayout, label: QLabel, field: QWidget, below: Sequence[QWidget] = ()) -> None:
    """A field with its label as buddy, and what explains it under it."""
    label.setBuddy(field)
    field.setMaximumWidth(_FIELD_WIDTH)
    label.setMinimumWidth(_LABEL_WIDTH)
    if not below:
        form.addRow(label, field)
        return
    column = QVBoxLayout()
    column.setSpacing(SPACE.xs)
    for widget in (field, *below):
        column.addWidget(widget)
    form.addRow(label, column)


def choose(box: QComboBox, data: object) -> None:
    """Select the entry with `data` without a signal; the first one if there is none."""
    box.blockSignals(True)
    box.setCurrentIndex(max(0, box.findData(data)))
    box.blockSignals(False)


def set_words(box: QComboBox, words: dict[str, str]) -> None:
    """Name the entries whose data are the keys."""
    for data, text in words.items():
        index = box.findData(data)
        if index >= 0:
            box.setItemText(index, text)
