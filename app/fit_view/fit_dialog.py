"""Stops before a model is loaded that has no room, with the numbers and what would help."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.fit_view.fit_planner import FitAnswer, FitPlanner
from app.fit_view.fit_view import FitView
from app.preferences import MemoryChoices
from app.probes import Probes
from app.theme import SPACE
from app.widgets import icons
from app.widgets.dialogs import ICON_SIZE, cancel_button, lay_out, ok_button
from app.widgets.texts import plain_label
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.planning.loading import is_stopped, least_tokens_read
from core.settings import EngineSettings

_SIZE = QSize(640, 740)


class FitDialog(QDialog):
    """Choices are tried out here; `memory_taken` comes when one of them that fits is to be used.

    `loaded_anyway` carries the name of a model that the user wants whatever the plan says, `reading_wanted`
    asks to choose what of the documents is read.
    """

    memory_taken = Signal(object)
    loaded_anyway = Signal(str)
    settings_wanted = Signal()
    reading_wanted = Signal()

    def __init__(self, background: Background, probes: Probes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fit_dialog")
        self._settings, self._asked, self._memory = EngineSettings(), EngineSettings(), MemoryChoices()
        self._icon, self.heading, self.words = QLabel(), plain_label("title"), plain_label()
        self.heading.setWordWrap(True)
        self.words.setWordWrap(True)
        self.planner = FitPlanner(background, probes, self)
        self.fit = FitView(self.planner)
        self.buttons = QDialogButtonBox()
        self.use_button = ok_button(self.buttons)
        self.anyway_button, self.settings_button = QPushButton(), QPushButton()
        self.reading_button = QPushButton()
        self.cancel_button = cancel_button(self.buttons)
        for button in (self.anyway_button, self.settings_button, self.reading_button):
            button.setAutoDefault(False)
            self.buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        self.anyway_button.clicked.connect(self._on_anyway_clicked)
        self.settings_button.clicked.connect(self._on_settings_clicked)
        self.reading_button.clicked.connect(self._on_reading_clicked)
        self.buttons.accepted.connect(self._on_use_clicked)
        self.buttons.rejected.connect(self.reject)
        self.fit.memory_chosen.connect(self._on_memory_chosen)
        self.fit.answer_shown.connect(self._on_answer_shown)
        self._lay_out()
        self._retranslate()

    def ask(
        self,
        settings: EngineSettings,
        memory: MemoryChoices,
        documents: Sequence[Document],
        reading: ReadingChoice = EVERYTHING,
    ) -> None:
        """Say what is missing for `settings` and the documents, `memory` being what the user chose."""
        if self.isVisible():
            return
        self._settings = self._asked = settings
        self._memory = memory
        self.use_button.setEnabled(False)
        self.reading_button.setVisible(bool(documents))
        self._retranslate()
        self.planner.look_again()
        self.fit.show_settings(settings, memory, least_tokens_read(documents, reading))
        self.open()
        self.cancel_button.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        area = QScrollArea()
        area.setWidget(self.fit)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, SPACE.m, 0, 0)
        column.addWidget(area)
        lay_out(self, self._icon, (self.heading, self.words, below), self.buttons)
        self.resize(_SIZE)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        words = self.tr("There is no room for “{model}”")
        self.heading.setText(words.format(model=self._asked.model))
        self.words.setText(
            self.tr(
                "Nothing was loaded. A machine whose memory is full stands still for minutes. Choose a "
                "change that makes it fit, or load it anyway; Lectern will remember that for this model."
            )
        )
        self.use_button.setText(self.tr("Use this"))
        self.anyway_button.setText(self.tr("Load anyway"))
        self.settings_button.setText(self.tr("Settings…"))
        self.reading_button.setText(self.tr("Read less…"))
        self.cancel_button.setText(self.tr("Cancel"))
        self._icon.setPixmap(icons.pixmap("warning", ICON_SIZE, "error"))
        self.setAccessibleName(self.heading.text())
        self.setAccessibleDescription(self.words.text())

    def _on_memory_chosen(self, memory: MemoryChoices) -> None:
        """Try it: what is chosen in the view goes before what was asked for."""
        changes: dict[str, object] = {"mode": memory.mode}
        if memory.codec is not None:
            changes["kv_compression"] = memory.codec
        if memory.hot_budget_bytes is not None:
            changes["hot_budget_bytes"] = memory.hot_budget_bytes
        if memory.active_window is not None:
            changes["active_window"] = memory.active_window
        self._memory = memory
        self._settings = replace(self._asked, **changes)  # type: ignore[arg-type]
        self.fit.show_settings(self._settings, memory)

    def _on_answer_shown(self, answer: FitAnswer) -> None:
        has_room = answer.plan is not None and not is_stopped(answer.plan)
        self.use_button.setEnabled(has_room and answer.question.settings != self._asked)

    def _on_use_clicked(self) -> None:
        self.accept()
        self.memory_taken.emit(self._memory)

    def _on_anyway_clicked(self) -> None:
        self.accept()
        self.loaded_anyway.emit(self._asked.model)

    def _on_reading_clicked(self) -> None:
        self.reject()
        self.reading_wanted.emit()

    def _on_settings_clicked(self) -> None:
        self.reject()
        self.settings_wanted.emit()
