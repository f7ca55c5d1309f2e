"""A button whose text breaks over lines."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.theme import SPACE
from app.widgets.texts import plain_label


class WrappingButton(QPushButton):
    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = plain_label()
        self._label.setWordWrap(True)
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.m, SPACE.s, SPACE.m, SPACE.s)
        column.addWidget(self._label)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_words(words)

    def set_words(self, words: str) -> None:
        self.words = words
        self._label.setText(words)
        self.setAccessibleName(words)
        self.updateGeometry()

    def say(self, words: str) -> None:
        """Other words in place of those before."""
        self.words = words
        self._label.setText(words)
        self.setAccessibleName(words)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        inside = width - 2 * SPACE.m
        return self._label.heightForWidth(inside) + 2 * SPACE.s

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(200, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(120, self.width())))
