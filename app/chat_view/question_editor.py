"""The last question while it is being changed."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.chat_view.composer import QuestionField
from app.theme import SPACE


class QuestionEditor(QWidget):
    """Enter asks, Esc leaves the question as it was."""

    submitted = Signal(str)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QuestionField()
        self.ask_button, self.cancel_button = QPushButton(), QPushButton()
        self.ask_button.setProperty("kind", "primary")
        self.field.submitted.connect(self._on_submitted)
        self.field.textChanged.connect(self._refresh)
        self.field.installEventFilter(self)
        self.ask_button.clicked.connect(self._on_submitted)
        self.cancel_button.clicked.connect(self.cancelled)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE.s)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.ask_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, SPACE.xs)
        column.setSpacing(SPACE.s)
        column.addWidget(self.field)
        column.addLayout(buttons)
        self._retranslate()

    def edit(self, question: str) -> None:
        self.field.setPlainText(question)
        self.field.moveCursor(QTextCursor.MoveOperation.End)
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_key = event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if is_key and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # else Esc would stop what the program is doing
            if event.type() is QEvent.Type.KeyPress:
                self.cancelled.emit()
            return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _refresh(self) -> None:
        self.ask_button.setEnabled(bool(self.field.toPlainText().strip()))

    def _retranslate(self) -> None:
        self.field.setAccessibleName(self.tr("Change the question"))
        self.ask_button.setText(self.tr("Ask this instead"))
        self.cancel_button.setText(self.tr("Cancel"))

    def _on_submitted(self) -> None:
        words = self.field.toPlainText().strip()
        if words:
            self.submitted.emit(words)
