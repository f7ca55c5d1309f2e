"""The bar along the top: open, which document is shown, settings."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QTabBar, QToolButton, QWidget

from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import button_text, shortened, tool_tip
from core.documents.layout import Document

_ICON = QSize(20, 20)
_NAME_CHARACTERS = 56


class TopBar(QFrame):
    recent_clicked = Signal(str)
    clear_recent_clicked = Signal()
    document_clicked = Signal(int)

    def __init__(
        self,
        history_action: QAction,
        open_action: QAction,
        check_action: QAction,
        settings_action: QAction,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("top_bar")
        self.open_button, self.recent_button = QToolButton(), QToolButton()
        self.check_button, self.settings_button = QToolButton(), QToolButton()
        self.menu = QMenu(self)
        self.tabs = QTabBar()
        self._clear_action = QAction(self)
        self._recent: Sequence[str] = ()
        self.history_button = QToolButton()
        self.history_button.setDefaultAction(history_action)
        self.open_button.setDefaultAction(open_action)
        self.open_button.setProperty("kind", "labelled")
        self.open_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.recent_button.setMenu(self.menu)
        self.recent_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        icons.set_icon(self.recent_button, "page-down", "text_muted")
        self.check_button.setDefaultAction(check_action)
        self.settings_button.setDefaultAction(settings_action)
        self.menu.triggered.connect(self._on_triggered)
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.currentChanged.connect(self._on_current_changed)
        self._lay_out()
        self._retranslate()

    def add_action(self, action: QAction) -> None:
        """A button beside the documents."""
        button = QToolButton()
        button.setDefaultAction(action)
        button.setIconSize(_ICON)
        self._row.insertWidget(self._row.indexOf(self.check_button), button)

    def show_documents(self, documents: Sequence[Document]) -> None:
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for i, document in enumerate(documents):
            self.tabs.addTab(button_text(shortened(document.name, _NAME_CHARACTERS)))
            self.tabs.setTabToolTip(i, tool_tip(document.path))
        self.tabs.blockSignals(False)
        self.tabs.setVisible(bool(documents))

    def show_current(self, index: int) -> None:
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(index)
        self.tabs.blockSignals(False)

    def show_recent(self, paths: Sequence[str]) -> None:
        self._recent = paths
        self.menu.clear()
        for path in paths:
            action = self.menu.addAction(button_text(shortened(Path(path).name, _NAME_CHARACTERS)))
            action.setData(path)
            action.setToolTip(path)
        if paths:
            self.menu.addSeparator()
            self.menu.addAction(self._clear_action)
        self.recent_button.setEnabled(bool(paths))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        for button in (self.history_button, self.open_button, self.check_button, self.settings_button):
            button.setIconSize(_ICON)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.s, SPACE.xs, SPACE.s, SPACE.xs)
        row.setSpacing(0)
        row.addWidget(self.history_button)
        row.addSpacing(SPACE.xs)
        row.addWidget(self.open_button)
        row.addWidget(self.recent_button)
        row.addSpacing(SPACE.m)
        row.addWidget(self.tabs, 1)
        row.addStretch()
        row.addWidget(self.check_button)
        row.addWidget(self.settings_button)

    def _retranslate(self) -> None:
        self.recent_button.setToolTip(self.tr("Recent documents"))
        self.recent_button.setAccessibleName(self.tr("Recent documents"))
        self.tabs.setAccessibleName(self.tr("Documents"))
        self._clear_action.setText(self.tr("Clear this list"))

    def _on_triggered(self, action: QAction) -> None:
        if action is self._clear_action:
            self.clear_recent_clicked.emit()
        elif action.data():
            self.recent_clicked.emit(action.data())

    def _on_current_changed(self, index: int) -> None:
        if index >= 0:
            self.document_clicked.emit(index)
