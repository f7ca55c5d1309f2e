"""The right side of the window: the conversation about the documents on the left."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.chat_view.composer import Composer
from app.chat_view.progress_row import ProgressRow
from app.chat_view.turn_scroller import TurnScroller
from app.chat_view.turn_view import TurnView
from app.engine_backend import ModelInfo
from app.error_router import ErrorText
from app.saved_conversation import Differences, SavedConversation, finished_of
from app.state import Activity, AppState
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label
from app.widgets.wrapping_button import WrappingButton
from core.events import Finished, Progress

_HEADER_HEIGHT = 41
_ICON = QSize(20, 20)


class ChatView(QFrame):
    """Shows what it is told. `answer_shown` comes after the window has changed for a finished answer.

    `evidence_chosen` is that of `TurnScroller`.
    """

    question_submitted = Signal(str)
    stop_clicked = Signal()
    regenerate_clicked = Signal()
    question_edited = Signal(str)
    new_conversation_clicked = Signal()
    place_clicked = Signal(object)
    evidence_chosen = Signal(object)
    text_shown = Signal(str)
    answer_shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chat_panel")
        self.turns: list[TurnView] = []
        self._names_documents, self._can_go_on = False, True
        self._suggestions: list[WrappingButton] = []
        self.heading, self.badge = plain_label("title"), plain_label("badge")
        self.new_button = QToolButton()
        self.new_button.setIconSize(_ICON)
        self.new_button.clicked.connect(self.new_conversation_clicked)
        icons.set_icon(self.new_button, "new-conversation", "text_muted")
        self.hint = plain_label("muted")
        self.hint.setWordWrap(True)
        self.differences = plain_label("warning")
        self.differences.setWordWrap(True)
        self.differences.hide()
        self._shown_differences = Differences()
        self.review_note = plain_label("caption")
        self.review_note.setWordWrap(True)
        self.progress_row = ProgressRow()
        self.composer = Composer()
        self.composer.question_submitted.connect(self.question_submitted)
        self.composer.stop_clicked.connect(self.stop_clicked)
        self._list = QWidget()
        self._list.setObjectName("turn_list")
        self.scroll_area = QScrollArea()
        self._lay_out()
        self._scroller = TurnScroller(self.scroll_area, self.turns, self)
        self._scroller.evidence_chosen.connect(self.evidence_chosen)
        self._retranslate()

    @property
    def last_turn(self) -> TurnView | None:
        return self.turns[-1] if self.turns else None

    def add_turn(self, question: str) -> None:
        """A new question, for which an answer will come."""
        if self.turns:
            self.turns[-1].set_last(False)
        turn = TurnView(question, names_documents=self._names_documents)
        turn.place_clicked.connect(self.place_clicked)
        turn.evidence_chosen.connect(self._scroller.look_at)
        turn.regenerate_clicked.connect(self.regenerate_clicked)
        turn.question_edited.connect(self.question_edited)
        turn.new_conversation_clicked.connect(self._on_question_moved)
        self.turns.append(turn)
        self._column.insertWidget(self._column.count() - 1, turn)
        self.composer.clear()
        self._show_hints(False)
        self._scroller.follow(turn)

    def show_conversation(self, saved: SavedConversation, differences: Differences) -> None:
        """A conversation of an earlier time, in place of the one on screen."""
        self.clear()
        self._names_documents = len(saved.documents) > 1
        for stored in saved.turns:
            self.add_turn(stored.question)
            if stored.answer is not None:
                self.turns[-1].finish(finished_of(stored.answer))
            else:
                self.turns[-1].leave_unanswered()
        self._mark_last()
        self._scroller.renew()
        self._shown_differences = differences
        self._show_differences()

    def show_turn(self, index: int) -> None:
        """Bring a question and its answer into view once everything has its place."""
        if 0 <= index < len(self.turns):
            self._scroller.go_to(self.turns[index])

    def change_question(self, question: str) -> None:
        """Another question is asked in place of the last one."""
        if self.turns:
            self.turns[-1].restart(question)
            self._scroller.renew()

    def restart_answer(self) -> None:
        if self.turns:
            self.turns[-1].restart()
            self._scroller.renew()

    def append_text(self, text: str) -> None:
        if self.turns:
            self.turns[-1].append(text)
            self.text_shown.emit(text)

    def finish_answer(self, finished: Finished) -> None:
        if self.turns:
            self.turns[-1].finish(finished)
            self._scroller.renew()
            self.answer_shown.emit()

    def stop_answer(self) -> None:
        if self.turns:
            self.turns[-1].stop()
            self._scroller.renew()
            self.answer_shown.emit()

    def fail_answer(self, error: ErrorText) -> None:
        if self.turns:
            self.turns[-1].fail(error, has_history=len(self.turns) > 1)
            self._scroller.renew()
            self.answer_shown.emit()

    def mark_restart(self) -> None:
        """From here on the model knows nothing of the answers above."""
        if self.turns:
            self.turns[-1].end_conversation()

    def clear(self) -> None:
        for turn in self.turns:
            self._column.removeWidget(turn)
            turn.setParent(None)
            turn.deleteLater()
        self.turns.clear()
        self._scroller.read(None)
        self._shown_differences = Differences()
        self._show_differences()
        self._show_hints(True)
        self.focus_question()

    def suggest(self, questions: Sequence[str]) -> None:
        """Questions to begin with; a click asks."""
        for button in self._suggestions:
            self._column.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self._suggestions = []
        for i, question in enumerate(questions):
            button = WrappingButton(question)
            button.setProperty("kind", "passage")
            button.clicked.connect(self._on_suggestion_clicked)
            self._suggestions.append(button)
            self._column.insertWidget(1 + i, button)
        self._show_hints(not self.turns)

    def show_state(self, state: AppState) -> None:
        """Everything that depends on what the program is doing."""
        self._names_documents = len(state.documents) > 1
        self._can_go_on = bool(state.documents)
        self._mark_last()
        is_busy = state.activity is not Activity.IDLE
        can_ask = bool(state.documents) and state.activity in (Activity.IDLE, Activity.PREPARING)
        self.composer.show_work(can_ask=can_ask, is_busy=is_busy)
        self.new_button.setEnabled(state.can_start_conversation)
        self.review_note.setVisible(state.activity is Activity.REVIEWING)
        self.show_progress(state.progress if is_busy else None)
        self.show_model(state.model, state.mode)

    def show_progress(self, progress: Progress | None) -> None:
        self.progress_row.show_progress(progress)

    def show_model(self, model: ModelInfo | None, mode: str) -> None:
        names = {"exact": self.tr("exact"), "sparse": self.tr("sparse"), "window": self.tr("window")}
        self.badge.setVisible(model is not None)
        if model is not None:
            self.badge.setText(f"{model.name} · {names.get(mode, mode)}")
            words = self.tr("Model and mode. It reads {count} tokens at most.")
            self.badge.setToolTip(words.format(count=f"{model.context_length:,}"))

    def focus_question(self) -> None:
        self.composer.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        header = QFrame()
        header.setObjectName("chat_header")
        header.setFixedHeight(_HEADER_HEIGHT)
        row = QHBoxLayout(header)
        row.setContentsMargins(SPACE.l, 0, SPACE.s, 0)
        row.setSpacing(SPACE.xs)
        row.addWidget(self.heading)
        row.addStretch(1)
        row.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.new_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._column = QVBoxLayout(self._list)
        self._column.setContentsMargins(SPACE.l, SPACE.l, SPACE.l, SPACE.l)
        self._column.setSpacing(SPACE.l)
        self._column.addWidget(self.hint)
        self._column.addWidget(self.differences)
        self._column.addStretch(1)
        self.scroll_area.setWidget(self._list)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        foot = QVBoxLayout()
        foot.setContentsMargins(SPACE.l, SPACE.s, SPACE.l, SPACE.l)
        foot.setSpacing(SPACE.m)
        foot.addWidget(self.review_note)
        foot.addWidget(self.progress_row)
        foot.addWidget(self.composer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(self.scroll_area, 1)
        column.addLayout(foot)

    def _retranslate(self) -> None:
        self.heading.setText(self.tr("Conversation"))
        self.hint.setText(
            self.tr("Ask anything about the document. The answer names its pages; a click shows the words.")
        )
        self.review_note.setText(self.tr("A review is under way. Ask when it is over, or stop it (Esc)."))
        self.scroll_area.setAccessibleName(self.tr("Conversation"))
        self.new_button.setToolTip(self.tr("New conversation about the same documents (Ctrl+N)"))
        self.new_button.setAccessibleName(self.tr("New conversation"))
        self._show_differences()

    def _show_differences(self) -> None:
        missing, changed = self._shown_differences.missing, self._shown_differences.changed
        words = []
        if missing:
            said = self.tr("Not open, because it was moved, deleted or cannot be read: {names}.")
            words.append(said.format(names=", ".join(missing)))
        if changed:
            said = self.tr("Changed since these questions were asked: {names}. Marked places may be others.")
            words.append(said.format(names=", ".join(changed)))
        if words and not self._can_go_on:
            words.append(
                self.tr("The conversation can be read, and goes on once the document is there again.")
            )
        self.differences.setText(" ".join(words))
        self.differences.setVisible(bool(words))

    def _mark_last(self) -> None:
        """The last question can be answered anew, unless there is nothing to answer from."""
        if self.turns:
            self.turns[-1].set_last(self._can_go_on)

    def _show_hints(self, is_empty: bool) -> None:
        self.hint.setVisible(is_empty)
        for button in self._suggestions:
            button.setVisible(is_empty)

    def _on_suggestion_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, WrappingButton):
            self.question_submitted.emit(sender.words)

    def _on_question_moved(self) -> None:
        """The question that found no room waits in the new conversation."""
        question = self.turns[-1].question.text()
        self.new_conversation_clicked.emit()
        if not self.turns:
            self.composer.suggest(question)
