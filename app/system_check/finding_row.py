"""One finding of the system check: how grave it is, what is so, why it matters, and what mends it."""

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app import theme
from app.core_texts import translated
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label
from core.planning.system_facts import Finding, Severity

ICONS = {
    Severity.OK: ("check", "success"),
    Severity.HINT: ("hint", "accent"),
    Severity.WARNING: ("warning", "warning"),
    Severity.PROBLEM: ("problem", "error"),
}
_ICON_SIZE = 20


def severity_name(severity: Severity) -> str:
    return {
        Severity.OK: QCoreApplication.translate("FindingRow", "In order"),
        Severity.HINT: QCoreApplication.translate("FindingRow", "Hint"),
        Severity.WARNING: QCoreApplication.translate("FindingRow", "Warning"),
        Severity.PROBLEM: QCoreApplication.translate("FindingRow", "Problem"),
    }[severity]


def finding_title(name: str) -> str:
    """What a finding is about."""
    titles = {
        "memory": QCoreApplication.translate("FindingRow", "Memory"),
        "swap": QCoreApplication.translate("FindingRow", "Swap space"),
        "overcommit": QCoreApplication.translate("FindingRow", "Promised memory"),
        "GPU driver": QCoreApplication.translate("FindingRow", "GPU driver"),
        "GPU memory": QCoreApplication.translate("FindingRow", "GPU memory"),
        "PCIe": QCoreApplication.translate("FindingRow", "Bus to the GPU"),
        "transparent huge pages": QCoreApplication.translate("FindingRow", "Transparent huge pages"),
        "huge pages": QCoreApplication.translate("FindingRow", "Reserved huge pages"),
        "locked memory": QCoreApplication.translate("FindingRow", "Locked memory"),
        "memory nodes": QCoreApplication.translate("FindingRow", "Memory nodes"),
        "page file": QCoreApplication.translate("FindingRow", "Page file"),
        "kind of memory": QCoreApplication.translate("FindingRow", "Kind of memory"),
        "pinned memory": QCoreApplication.translate("FindingRow", "Pinned memory"),
        "disk": QCoreApplication.translate("FindingRow", "Disk space"),
        "disk speed": QCoreApplication.translate("FindingRow", "Speed of the disk"),
        "text recognition": QCoreApplication.translate("FindingRow", "Text recognition"),
    }
    return titles.get(name, name)


class FindingRow(QWidget):
    """The copy button puts the command on the clipboard; nothing is ever run."""

    def __init__(self, finding: Finding, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.finding = finding
        self._icon = QLabel()
        self.title, self.what = plain_label("heading"), plain_label()
        self.why, self.command = plain_label("muted"), plain_label("command")
        self.copy_button = QToolButton()
        for label in (self.what, self.why, self.command):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.command.setFont(theme.fixed_font(theme.Type.caption))
        self.command.setText(finding.command or "")
        icons.set_icon(self.copy_button, "copy", "text_muted")
        self.copy_button.setIconSize(QSize(16, 16))
        self.copy_button.clicked.connect(self._on_copy_clicked)
        self.why.setVisible(bool(finding.why))
        self.command.setVisible(finding.command is not None)
        self.copy_button.setVisible(finding.command is not None)
        self._lay_out()
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        command_row = QHBoxLayout()
        command_row.setSpacing(SPACE.xs)
        command_row.addWidget(self.command, 1)
        command_row.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(SPACE.xs)
        column.addWidget(self.title)
        column.addWidget(self.what)
        column.addWidget(self.why)
        column.addLayout(command_row)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.m)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    def _retranslate(self) -> None:
        name, role = ICONS[self.finding.severity]
        self._icon.setPixmap(icons.pixmap(name, _ICON_SIZE, role))
        self._icon.setToolTip(severity_name(self.finding.severity))
        icons.set_icon(self.copy_button, "copy", "text_muted")
        self.title.setText(finding_title(self.finding.name))
        self.what.setText(translated(self.finding.what))
        self.why.setText(translated(self.finding.why))
        self.copy_button.setToolTip(self.tr("Copy the command"))
        self.copy_button.setAccessibleName(self.tr("Copy the command"))
        self.copy_button.setAccessibleDescription(self.finding.command or "")
        self.setAccessibleName(
            f"{severity_name(self.finding.severity)}: {self.title.text()}. {self.what.text()}"
        )

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.finding.command or "")
        self.copy_button.setToolTip(self.tr("Copied"))
        icons.set_icon(self.copy_button, "check", "success")
