"""Where questions are written: grows with the text, sends with Enter, offers Stop while work goes on."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QToolButton, QWidget

from app.theme import SPACE
from app.widgets import icons
from app.widgets.keys import is_enter

_MAX_LINES = 6
_ICON = QSize(20, 20)


class QuestionField(QPlainTextEdit):
    """Enter and Ctrl+Enter send, Shift+Enter breaks the line."""

    submitted = Signal()
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptDrops(False)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(SPACE.xs)
        self.textChanged.connect(self._on_text_changed)
        self._on_text_changed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event) and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.submitted.emit()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._on_text_changed()

    def _on_text_changed(self) -> None:
        lines = min(_MAX_LINES, max(2, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 2 * SPACE.xs + 2)


class Composer(QFrame):
    """`question_submitted` carries what was written; the field is emptied by whoever takes it."""

    question_submitted = Signal(str)
    stop_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.field = QuestionField()
        self.send_button, self.stop_button = QToolButton(), QToolButton()
        self._can_ask = False
        for button, name in ((self.send_button, "send"), (self.stop_button, "stop")):
            button.setProperty("kind", "primary")
            button.setIconSize(_ICON)
            icons.set_icon(button, name, "accent_text")
        self.field.submitted.connect(self._on_submitted)
        self.field.textChanged.connect(self._refresh)
        self.field.focus_changed.connect(self._on_focus_changed)
        self.send_button.clicked.connect(self._on_submitted)
        self.stop_button.clicked.connect(self.stop_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.s, SPACE.xs, SPACE.s, SPACE.xs)
        row.addWidget(self.field, 1)
        row.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.stop_button, 0, Qt.AlignmentFlag.AlignBottom)
        self.show_work(can_ask=False, is_busy=False)
        self._retranslate()

    def show_work(self, *, can_ask: bool, is_busy: bool) -> None:
        """Whether a question may be sent now, and whether there is something to stop."""
        self._can_ask = can_ask
        self.stop_button.setVisible(is_busy)
        self.send_button.setVisible(can_ask or not is_busy)
        self._refresh()

    def clear(self) -> None:
        self.field.clear()

    def suggest(self, question: str) -> None:
        """Write the question into the field, unless something else stands there."""
        if not self.field.toPlainText().strip():
            self.field.setPlainText(question)
            self.field.moveCursor(QTextCursor.MoveOperation.End)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _refresh(self) -> None:
        self.send_button.setEnabled(self._can_ask and bool(self.field.toPlainText().strip()))

    def _retranslate(self) -> None:
        self.field.setPlaceholderText(self.tr("Ask about the document"))
        self.field.setAccessibleName(self.tr("Your question"))
        for button, words in (
            (self.send_button, self.tr("Send (Enter)")),
            (self.stop_button, self.tr("Stop (Esc)")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)

    def _on_submitted(self) -> None:
        text = self.field.toPlainText().strip()
        if self._can_ask and text:
            self.question_submitted.emit(text)

    def _on_focus_changed(self, has_focus: bool) -> None:
        self.setProperty("focused", has_focus)
        self.style().unpolish(self)
        self.style().polish(self)
