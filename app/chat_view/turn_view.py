"""One question with its answer, and what can be done with it."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.chat_view.answer_text import AnswerText
from app.chat_view.citation_chips import CitationChips, Place
from app.chat_view.evidence_list import EvidenceList
from app.chat_view.question_editor import QuestionEditor
from app.core_texts import translated
from app.error_router import ErrorText
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label
from core.events import Finished, FinishReason


class TurnStatus(StrEnum):
    WAITING = "waiting"
    STREAMING = "streaming"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    UNANSWERED = "unanswered"


@dataclass(frozen=True)
class _Answer:
    """A question and its answer that stay until the first words of another answer come."""

    question: str
    status: TurnStatus
    finished: Finished | None
    error: ErrorText | None
    has_ended: bool


class TurnView(QWidget):
    """Grows while the answer comes. What came stays until another answer begins to take its place.

    `evidence_chosen` carries this turn when the list of what its answer looked at is opened, and before one
    of its pages is gone to.
    """

    place_clicked = Signal(object)
    evidence_chosen = Signal(object)
    regenerate_clicked = Signal()
    new_conversation_clicked = Signal()
    question_edited = Signal(str)

    def __init__(self, question: str, *, names_documents: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.status = TurnStatus.WAITING
        self.finished: Finished | None = None
        self._error: ErrorText | None = None
        self._old: _Answer | None = None
        self._names_documents = names_documents
        self._is_last, self._has_history = True, False
        self.question = plain_label("", question)
        self.editor = QuestionEditor()
        self.editor.submitted.connect(self._on_edited)
        self.editor.cancelled.connect(self.end_edit)
        self.editor.hide()
        self.answer = AnswerText()
        self.note = plain_label("caption")
        self.error_title, self.error_message = plain_label("error"), plain_label()
        self.error_frame = QFrame()
        self.error_frame.setObjectName("inline_error")
        self.new_button = QPushButton()
        self.new_button.clicked.connect(self.new_conversation_clicked)
        icons.set_icon(self.new_button, "new-conversation")
        self.chips = CitationChips()
        self.chips.place_clicked.connect(self.place_clicked)
        self.evidence = EvidenceList()
        self.evidence.chosen.connect(self._on_evidence_chosen)
        self.evidence.page_clicked.connect(self.place_clicked)
        self.copy_button, self.regenerate_button = QToolButton(), QToolButton()
        self.edit_button = QToolButton()
        self.edit_button.clicked.connect(self.begin_edit)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        self.regenerate_button.clicked.connect(self.regenerate_clicked)
        self.facts = plain_label("caption")
        self.ending = plain_label("caption")
        self.ending.hide()
        self._lay_out()
        self._retranslate()
        self._refresh()

    def restart(self, question: str = "") -> None:
        """Wait for another answer, or for one to another question; what is there stays until it comes."""
        has_ended = self.ending.isVisibleTo(self)
        self._old = _Answer(self.question.text(), self.status, self.finished, self._error, has_ended)
        self.question.setText(question or self.question.text())
        self.status = TurnStatus.WAITING
        self.end_edit()
        self.ending.hide()
        self._refresh()

    def append(self, text: str) -> None:
        if self._old is not None:
            self._old = self.finished = self._error = None
            self.answer.show_markdown("")
            self.chips.clear()
            self.evidence.show_pages(())
        self.status = TurnStatus.STREAMING
        self.answer.show_markdown(self.answer.source + text)
        self._refresh()

    def finish(self, finished: Finished) -> None:
        """The whole answer with its places; also after a stop in the middle."""
        if self._old is not None and not finished.metrics.new_tokens:
            self._bring_back(self._old)
            return
        self._old, self.finished = None, finished
        was_stopped = finished.reason is FinishReason.CANCELLED
        self.status = TurnStatus.STOPPED if was_stopped else TurnStatus.DONE
        self.answer.show_markdown(finished.answer)
        places: list[Place] = [citation for citation in finished.citations if citation.verified]
        places += [citation for citation in finished.citations if not citation.verified]
        if finished.closest_passage is not None:
            places.insert(0, finished.closest_passage)
        self.chips.show_places(places, names_documents=self._names_documents)
        self.evidence.show_pages(finished.evidence, names_documents=self._names_documents)
        self._refresh()

    def stop(self) -> None:
        if self._old is not None:
            self._bring_back(self._old)
            return
        self.status = TurnStatus.STOPPED
        self._refresh()

    def fail(self, error: ErrorText, *, has_history: bool) -> None:
        """`has_history` says whether there are turns before this one, which a new conversation would drop.

        An answer that was to be replaced stays over the words about the error, with its own question.
        """
        if self._old is not None:
            self._bring_back(self._old)
        self.status = TurnStatus.FAILED
        self._error, self._has_history = error, has_history
        self._refresh()

    def leave_unanswered(self) -> None:
        """The question is from an earlier time, and no answer to it was kept."""
        self.status = TurnStatus.UNANSWERED
        self._refresh()

    def begin_edit(self) -> None:
        self._edit(self.question.text())

    def end_edit(self) -> None:
        self.editor.hide()
        self.question.show()

    def end_conversation(self) -> None:
        """Say that the model has begun anew since then and knows nothing of this."""
        self.ending.show()

    def set_last(self, is_last: bool) -> None:
        """Only the last question can be answered anew."""
        self._is_last = is_last
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._refresh()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        for label in (self.question, self.error_title, self.error_message, self.note, self.ending):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        bubble = QFrame()
        bubble.setObjectName("question_bubble")
        inside = QVBoxLayout(bubble)
        inside.setContentsMargins(SPACE.m, SPACE.s, SPACE.m, SPACE.s)
        inside.addWidget(self.question)
        inside.addWidget(self.editor)
        inside = QVBoxLayout(self.error_frame)
        inside.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
        inside.setSpacing(SPACE.xs)
        inside.addWidget(self.error_title)
        inside.addWidget(self.error_message)
        inside.addSpacing(SPACE.xs)
        inside.addWidget(self.new_button, 0, Qt.AlignmentFlag.AlignLeft)
        actions = QHBoxLayout()
        actions.setSpacing(0)
        actions.setContentsMargins(-6, 0, 0, 0)
        for button, name in (
            (self.copy_button, "copy"),
            (self.regenerate_button, "regenerate"),
            (self.edit_button, "edit"),
        ):
            icons.set_icon(button, name, "text_muted")
            actions.addWidget(button)
        actions.addSpacing(SPACE.xs)
        actions.addWidget(self.facts)
        actions.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.m)
        column.addWidget(bubble)
        for widget in (self.answer, self.note, self.error_frame, self.chips, self.evidence):
            column.addWidget(widget)
        column.addLayout(actions)
        column.addWidget(self.ending)

    def _bring_back(self, old: _Answer) -> None:
        self._old = None
        self.status, self.finished, self._error = old.status, old.finished, old.error
        self.ending.setVisible(old.has_ended)
        asked, was = self.question.text(), old.question
        self.question.setText(was)
        self._refresh()
        if asked != was:
            self._edit(asked)

    def _edit(self, words: str) -> None:
        self.question.hide()
        self.editor.edit(words)

    def _on_edited(self, words: str) -> None:
        self.end_edit()
        self.question_edited.emit(words)

    def _refresh(self) -> None:
        is_over = self.status not in (TurnStatus.WAITING, TurnStatus.STREAMING)
        has_text = bool(self.answer.source.strip())
        self.answer.setVisible(has_text)
        self.error_frame.setVisible(self.status is TurnStatus.FAILED)
        if self._error is not None:
            self.error_title.setText(translated(self._error.title))
            self.error_message.setText(translated(self._error.message))
            is_solved_anew = self._error.is_conversation_full and self._has_history
            self.new_button.setVisible(is_solved_anew and self._is_last)
        self.copy_button.setVisible(is_over and has_text)
        self.regenerate_button.setVisible(is_over and self._is_last)
        self.edit_button.setVisible(is_over and self._is_last)
        if not self.edit_button.isVisibleTo(self):
            self.end_edit()
        self.facts.setVisible(is_over and self.finished is not None)
        self.facts.setText(self._facts_words())
        note = self._note_words()
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _note_words(self) -> str:
        if self.status is TurnStatus.WAITING:
            return self.tr("Thinking…") if self._old is None else self.tr("Another answer is coming…")
        words = []
        if self.status is TurnStatus.UNANSWERED:
            words.append(self.tr("Not answered yet."))
        if self.status is TurnStatus.STOPPED:
            kept, nothing = (
                self.tr("Stopped. What came so far is kept."),
                self.tr("Stopped before anything was written."),
            )
            words.append(kept if self.answer.source.strip() else nothing)
        if self.finished is not None:
            words += [translated(note) for note in self.finished.notes]
        return " ".join(words)

    def _retranslate(self) -> None:
        for button, words in (
            (self.copy_button, self.tr("Copy the answer")),
            (self.regenerate_button, self.tr("Answer again")),
            (self.edit_button, self.tr("Edit the question")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)
        self.new_button.setText(self.tr("New conversation"))
        self.ending.setText(
            self.tr("From here on with other settings: the model does not know what stands above.")
        )
        self.question.setAccessibleName(self.tr("Question"))
        self.answer.setAccessibleName(self.tr("Answer"))

    def _facts_words(self) -> str:
        if self.finished is None or not self.finished.metrics.new_tokens:
            return ""
        metrics = self.finished.metrics
        words = [self.tr("{count} tokens").format(count=f"{metrics.new_tokens:,}")]
        if metrics.tokens_per_s is not None:
            words.append(self.tr("{rate} tokens/s").format(rate=f"{metrics.tokens_per_s:.1f}"))
        return " · ".join(words)

    def _on_evidence_chosen(self, _pages: object) -> None:
        self.evidence_chosen.emit(self)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.answer.source)
