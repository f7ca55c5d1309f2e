"""The conversation about the session's documents: what is asked, answered, asked again and brought back."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.engine_desk import EngineDesk
from app.error_router import ErrorText, describe
from app.recorder import Recorder
from app.saved_conversation import SavedConversation
from app.state import Activity, Speed, StateStore
from app.turn import Turn
from core.documents.layout import Document
from core.events import Finished, TierUsage
from core.past_turn import PastTurn

_VARIED_TEMPERATURE = 0.7
_AT_QUESTIONS = (Activity.ANSWERING, Activity.REVIEWING)
"""What a question does not interrupt and does not wait for."""


class Talk(QObject):
    """One conversation after the other. `begun` comes after each request for an answer.

    After `restarted` the answers stay on screen and the model knows nothing of them. `restored` carries a
    `SavedConversation` and the `Differences` of its documents.
    """

    question_asked = Signal(str)
    question_changed = Signal(str)
    begun = Signal()
    answer_restarted = Signal()
    answer_grew = Signal(str)
    answer_finished = Signal(object)
    answer_stopped = Signal()
    answer_failed = Signal(object)
    cleared = Signal()
    restarted = Signal()
    restored = Signal(object, object)
    turn_wanted = Signal(int)

    def __init__(
        self, desk: EngineDesk, store: StateStore, recorder: Recorder, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._store, self._recorder = desk, store, recorder
        self._turn: Turn | None = None
        self._is_as_saved = False
        desk.engine.tokens_arrived.connect(self._on_tokens_arrived)
        desk.engine.usage_changed.connect(self._on_usage_changed)
        desk.engine.answered.connect(self._on_answered)

    def ask(self, question: str) -> None:
        text = question.strip()
        if not text or not self._is_free:
            return
        self._turn, self._is_as_saved = Turn(text), False
        self._recorder.ask(text)
        self._store.update(has_conversation=True)
        self.question_asked.emit(text)
        self._desk.ask(text, self._desk.settings.sampling)
        self._begin_answer()

    def regenerate(self) -> None:
        """Answer the last question anew, with some chance in it, so that the answer may be another one.

        The answer that is there goes when the first words of the other one come.
        """
        if self._turn is None or not self._is_free:
            return
        sampling = self._desk.settings.sampling
        sampling = replace(sampling, temperature=max(sampling.temperature, _VARIED_TEMPERATURE))
        is_known = self._turn.is_in_conversation
        self._turn = Turn(self._turn.question, is_in_conversation=is_known)
        self._is_as_saved = False
        self._recorder.answer_again(self._turn.question)
        self.answer_restarted.emit()
        self._desk.ask(self._turn.question, sampling, is_again=is_known)
        self._begin_answer()

    def edit(self, question: str) -> None:
        """Ask something else in place of the last question.

        Until the answer begins, the old question and its answer can still come back.
        """
        text, last = question.strip(), self._turn
        if last is None or not text or not self._is_free:
            return
        if text == last.question:
            self.regenerate()
            return
        self._turn = Turn(text, is_in_conversation=last.is_in_conversation, replaced=last.question)
        self._is_as_saved = False
        self._recorder.ask_instead(text)
        self.question_changed.emit(text)
        self._desk.ask(text, self._desk.settings.sampling, is_again=last.is_in_conversation)
        self._begin_answer()

    def begin(self, history: tuple[PastTurn, ...] = ()) -> None:
        """A new conversation about the documents that are open; they stay read."""
        self._desk.history = history
        self._desk.engine.start_conversation(history)
        self.clear()

    def clear(self) -> None:
        """Nothing has been asked on screen."""
        self._turn, self._is_as_saved = None, False
        self.cleared.emit()
        self._store.update(has_conversation=False, usage=None, speed=Speed())

    def restart(self, *, is_saved_too: bool = False) -> None:
        """What was asked stays on screen, and the next question begins another conversation.

        One that was brought back and not gone on with stays whole, unless `is_saved_too`.
        """
        if self._is_as_saved and not is_saved_too:
            return
        self._desk.history = ()
        self._recorder.begin(self._store.state.documents, self._store.state.reading)
        if self._turn is not None:
            self._turn.is_in_conversation = False
            self.restarted.emit()

    def show_saved(self, saved: SavedConversation, documents: tuple[Document, ...]) -> None:
        """A conversation of the library in place of the one on screen."""
        self._recorder.resume(saved, documents)
        if saved.turns:
            last = saved.turns[-1]
            is_answered = last.answer is not None and bool(last.answer.text)
            self._turn = Turn(last.question, is_in_conversation=is_answered)
        self._is_as_saved = True
        self._store.update(has_conversation=True)
        self.restored.emit(saved, saved.differences(documents))
        self.show_turn(saved)

    def show_turn(self, saved: SavedConversation) -> None:
        ids = [turn.turn_id for turn in saved.turns]
        if saved.shown_turn_id in ids:
            self.turn_wanted.emit(ids.index(saved.shown_turn_id))

    def stop_answer(self) -> None:
        """No more of the answer comes."""
        self._recorder.stop()
        if self._turn is not None:
            self._turn.bring_back()
        self.answer_stopped.emit()

    def fail_answer(self, error: Exception) -> None:
        """An answer's error stands where the answer would."""
        text = describe(error)
        assert isinstance(text, ErrorText), "a cancel is no error"
        self._recorder.stop()
        if self._turn is not None:
            self._turn.bring_back()
        self.answer_failed.emit(text)

    @property
    def _is_free(self) -> bool:
        state = self._store.state
        return bool(state.documents) and state.activity not in _AT_QUESTIONS

    @property
    def _model_name(self) -> str:
        model = self._store.state.model
        return model.name if model is not None else ""

    def _begin_answer(self) -> None:
        self._store.update(speed=Speed())
        self.begun.emit()

    def _on_tokens_arrived(self, text: str, num_tokens: int) -> None:
        if self._turn is None:
            return
        self._turn.is_in_conversation = False  # an old answer is gone, and this one is not complete
        self._turn.replaced = None
        self._recorder.grow(text, self._model_name, self._store.state.mode)
        speed = self._turn.speed_after(self._store.state.speed, num_tokens)
        self._store.update(progress=None, is_read=True, speed=speed)
        self.answer_grew.emit(text)

    def _on_usage_changed(self, usage: TierUsage) -> None:
        speed = replace(self._store.state.speed, bytes_per_token=float(usage.host_to_device_bytes))
        self._store.update(usage=usage, speed=speed)

    def _on_answered(self, finished: Finished) -> None:
        if self._turn is not None:
            self._turn.bring_back()
            self._turn.is_in_conversation |= finished.metrics.new_tokens > 0
        self._recorder.finish(finished, self._model_name)
        metrics = finished.metrics
        speed = Speed(metrics.tokens_per_s, metrics.ttft_s, metrics.host_to_device_bytes_per_token)
        self._store.update(speed=speed)
        self.answer_finished.emit(finished)
