"""A strip along the window: what is read of the documents, where that is not everything."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app import theme
from app.reading_view.words import is_missing_room, standing_sentence
from app.state import AppState
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label

_ICON_SIZE = 16
_EDGE = 3


class ReadingStrip(QWidget):
    """Hidden where everything is read."""

    change_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reading_strip")
        self._state = AppState()
        self._icon, self.words, self.change_button = QLabel(), plain_label(), QPushButton()
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.change_button.setProperty("kind", "link")
        self.change_button.clicked.connect(self.change_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        row.setSpacing(SPACE.s)
        row.addWidget(self._icon)
        row.addWidget(self.words, 1)
        row.addWidget(self.change_button)
        self.show_state(self._state)

    def show_state(self, state: AppState) -> None:
        self._state = state
        sentence = standing_sentence(state)
        self.setVisible(bool(sentence))
        self.words.setText(sentence)
        self.setAccessibleName(sentence)
        self.change_button.setText(self.tr("Change…"))
        self.change_button.setAccessibleName(self.tr("Change what is read"))
        self._icon.setPixmap(icons.pixmap("reading", _ICON_SIZE, self._role))
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.PaletteChange):
            self.show_state(self._state)
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("surface_raised"))
        painter.fillRect(0, 0, _EDGE, self.height(), theme.color(self._role))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("border"))
        painter.end()

    @property
    def _role(self) -> str:
        return "warning" if is_missing_room(self._state) else "accent"
