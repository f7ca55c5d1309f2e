"""The system check as a dialog: what could be set up better for the model in use, gravest first."""

from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.probes import Probes
from app.system_check.finding import find_for, gravest_first
from app.system_check.finding_row import FindingRow
from app.theme import SPACE
from app.widgets.dialogs import ok_button
from app.widgets.texts import plain_label
from core.planning.system_facts import Finding, Severity
from core.settings import EngineSettings

_SIZE = (720, 640)


class CheckDialog(QDialog):
    """Looks at the system away from the window's thread. Changes nothing on it."""

    def __init__(self, background: Background, probes: Probes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("check_dialog")
        self._background, self._probes = background, probes
        self._settings = EngineSettings()
        self.rows: list[FindingRow] = []
        self._is_looking = False
        self.heading, self.words, self.summary = plain_label("title"), plain_label("muted"), plain_label()
        self.words.setWordWrap(True)
        self._list, self.area = QWidget(), QScrollArea()
        self.again_button = QPushButton()
        self.again_button.setAutoDefault(False)
        self.again_button.clicked.connect(self._on_again_clicked)
        self.buttons = QDialogButtonBox()
        self._close_button = ok_button(self.buttons)
        self.buttons.addButton(self.again_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.buttons.accepted.connect(self.accept)
        self._lay_out()
        self._retranslate()

    @property
    def is_looking(self) -> bool:
        return self._is_looking

    def check(self, settings: EngineSettings) -> None:
        """Show what is found for a model used with `settings`."""
        self._settings = settings
        self.open()
        self._look()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(SPACE.l, SPACE.l, SPACE.l, SPACE.l)
        self._column.setSpacing(SPACE.m)
        self._column.addStretch(1)
        self._list.setObjectName("finding_list")
        self.area.setObjectName("finding_area")
        self.area.setWidget(self._list)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
        column.setSpacing(SPACE.m)
        column.addWidget(self.heading)
        column.addWidget(self.words)
        column.addWidget(self.summary)
        column.addWidget(self.area, 1)
        column.addWidget(self.buttons)
        self.resize(*_SIZE)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("System check"))
        self.heading.setText(self.tr("System check"))
        self.words.setText(
            self.tr(
                "What could be set up better for the chosen model. Lectern changes nothing: copy a command, "
                "read it, and run it yourself if you agree."
            )
        )
        self.again_button.setText(self.tr("Check again"))
        self._close_button.setText(self.tr("Close"))
        self.area.setAccessibleName(self.tr("Findings"))
        self._show_summary()

    def _show_summary(self) -> None:
        if self._is_looking:
            self.summary.setText(self.tr("Looking at this machine…"))
            return
        severe = sum(row.finding.severity in (Severity.PROBLEM, Severity.WARNING) for row in self.rows)
        hints = sum(row.finding.severity is Severity.HINT for row in self.rows)
        words = self.tr("{severe} to mend, {hints} hints, {fine} in order")
        self.summary.setText(
            words.format(severe=severe, hints=hints, fine=len(self.rows) - severe - hints)
            if self.rows
            else ""
        )

    def _look(self) -> None:
        if not self._is_looking:
            self._is_looking = True
            self.again_button.setEnabled(False)
            self._show_summary()
            self._background.run(partial(find_for, self._settings, self._probes), self._on_looked)

    def _on_again_clicked(self) -> None:
        self._look()

    def _on_looked(self, findings: tuple[Finding, ...]) -> None:
        self._is_looking = False
        self.again_button.setEnabled(True)
        for row in self.rows:
            row.setParent(None)
            row.deleteLater()
        for line in self._list.findChildren(QFrame, "finding_line"):
            line.setParent(None)
            line.deleteLater()
        self.rows = [FindingRow(finding) for finding in gravest_first(findings)]
        for i, row in enumerate(self.rows):
            if i:
                self._column.insertWidget(self._column.count() - 1, _line())
            self._column.insertWidget(self._column.count() - 1, row)
        self._show_summary()


def _line() -> QLabel:
    line = QLabel()
    line.setObjectName("finding_line")
    line.setProperty("kind", "line")
    return line
