"""What the pages of the first steps have in common."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app.theme import SPACE
from app.widgets.texts import plain_label


class SetupPage(QWidget):
    """A heading and a few words over what there is to see or to choose."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading, self.words = plain_label("title"), plain_label("muted")
        self.words.setWordWrap(True)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(SPACE.m)
        self.column.addWidget(self.heading)
        self.column.addWidget(self.words)

    @property
    def first_control(self) -> QWidget | None:
        """What has the focus when the page comes; None leaves it to the button that leads on."""
        return None

    def retranslate(self) -> None:
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


def scrolled(content: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area
