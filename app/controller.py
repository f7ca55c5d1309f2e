"""What happens when the user does something: opens documents, asks, stops. Decides; shows nothing itself."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.engine_backend import ModelInfo
from app.engine_thread import EngineThread
from app.error_router import ErrorRouter, ErrorText, describe
from app.jobs import Job, JobEnded, JobKind
from app.opener import Opener
from app.recorder import Recorder
from app.saved_conversation import SavedConversation
from app.state import Activity, ClosingReason, Speed, StateStore, activity_of
from app.suggestions import suggestions_for
from app.turn import Turn
from core.documents.citations import Citation
from core.documents.layout import Document
from core.documents.passages import ClosestPassage
from core.errors import CancelledError, LecternError, ModelTooLargeError
from core.events import EvidencePage, Finished, Progress, ReviewEvent, TierUsage
from core.past_turn import PastTurn
from core.review.question import Question
from core.samples import default_sample
from core.settings import EngineSettings
from core.settings_change import Effect, effect_of

_VARIED_TEMPERATURE = 0.7
_AT_QUESTIONS = (Activity.ANSWERING, Activity.REVIEWING)
"""What a question does not interrupt and does not wait for."""


class Controller(QObject):
    """Lives in the window's thread and owns no widget. `store` is the only place where its results are.

    What would close a conversation waits for `give_consent`, which `consent_wanted` asks for. After
    `conversation_restarted` the answers stay on screen and the model knows nothing of them.
    `room_missing` carries settings and documents that the planner sees no room for. `conversation_restored`
    carries a `SavedConversation` and the `Differences` of its documents.
    """

    question_asked = Signal(str)
    answer_restarted = Signal()
    answer_grew = Signal(str)
    answer_finished = Signal(object)
    answer_stopped = Signal()
    answer_failed = Signal(object)
    conversation_cleared = Signal()
    consent_wanted = Signal(object)
    conversation_restarted = Signal()
    conversation_restored = Signal(object, object)
    question_changed = Signal(str)
    turn_wanted = Signal(int)
    room_missing = Signal(object, object)
    place_chosen = Signal(int, object)
    pages_known = Signal(str, object)

    def __init__(
        self,
        store: StateStore,
        opener: Opener,
        engine: EngineThread,
        router: ErrorRouter,
        settings: EngineSettings,
        recorder: Recorder,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._opener, self._engine = store, opener, engine
        self._router, self._settings, self._recorder = router, settings, recorder
        self._history: tuple[PastTurn, ...] = ()
        self._restoring: SavedConversation | None = None
        self._is_as_saved = False
        self._turn: Turn | None = None
        self._held_back: Callable[[], None] | None = None
        self._engine_progress: Progress | None = None
        self._recognised: frozenset[str] = frozenset()
        store.update(mode=settings.mode)
        opener.documents_opened.connect(self._on_documents_opened)
        opener.progressed.connect(self._on_files_progressed)
        opener.pages_known.connect(self._on_pages_known)
        engine.model_opened.connect(self._on_model_opened)
        engine.progressed.connect(self._on_progressed)
        engine.tokens_arrived.connect(self._on_tokens_arrived)
        engine.usage_changed.connect(self._on_usage_changed)
        engine.answered.connect(self._on_answered)
        engine.row_changed.connect(self._on_row_changed)
        engine.job_ended.connect(self._on_job_ended)
        engine.doubted.connect(router.route)

    @property
    def _model_name(self) -> str:
        model = self._store.state.model
        return model.name if model is not None else ""

    @property
    def settings(self) -> EngineSettings:
        return self._settings

    def open_files(self, paths: Sequence[str]) -> None:
        """Open the files as one session in place of the one on screen, which stays until they are read."""
        if paths:
            self.once_agreed(ClosingReason.DOCUMENTS, partial(self._open_files, paths))

    def recognise_shown(self) -> None:
        """Read the session's files again, the one on screen with text recognition."""
        state = self._store.state
        if state.documents:
            shown = state.documents[state.shown_document].path
            self.open_again(self._recognised | {shown})

    def open_again(self, recognised: frozenset[str] | None = None) -> None:
        """Read the session's files again; `recognised` with text recognition, None for those that were."""
        paths = [document.path for document in self._store.state.documents]
        chosen = self._recognised if recognised is None else recognised
        if paths:
            self.once_agreed(ClosingReason.DOCUMENTS, partial(self._open_files, paths, chosen, is_again=True))

    def open_sample(self) -> None:
        """Open the document that comes with the program."""
        try:
            sample = default_sample()
        except LecternError as error:
            self._router.route(error)
            return
        self.open_files([str(sample.path)])

    def ask(self, question: str) -> None:
        """Ask about the session's documents; waits by itself until they are read."""
        text = question.strip()
        state = self._store.state
        if not text or not state.documents or state.activity in _AT_QUESTIONS:
            return
        self._turn, self._is_as_saved = Turn(text), False
        self._recorder.ask(text)
        self._store.update(has_conversation=True)
        self.question_asked.emit(text)
        self._engine.ask(self._settings, state.documents, text, self._settings.sampling, self._history)
        self._begin_answer()

    def regenerate(self) -> None:
        """Answer the last question anew, with some chance in it, so that the answer may be another one.

        The answer that is there goes when the first words of the other one come.
        """
        state = self._store.state
        if self._turn is None or not state.documents or state.activity in _AT_QUESTIONS:
            return
        sampling = self._settings.sampling
        sampling = replace(sampling, temperature=max(sampling.temperature, _VARIED_TEMPERATURE))
        again = self._engine.regenerate if self._turn.is_in_conversation else self._engine.ask
        self._turn = Turn(self._turn.question, is_in_conversation=self._turn.is_in_conversation)
        self._is_as_saved = False
        self._recorder.answer_again(self._turn.question)
        self.answer_restarted.emit()
        again(self._settings, state.documents, self._turn.question, sampling, self._history)
        self._begin_answer()

    def edit(self, question: str) -> None:
        """Ask something else in place of the last question.

        Until the answer begins, the old question and its answer can still come back.
        """
        text, state, last = question.strip(), self._store.state, self._turn
        if last is None or not text or not state.documents or state.activity in _AT_QUESTIONS:
            return
        if text == last.question:
            self.regenerate()
            return
        again = self._engine.regenerate if last.is_in_conversation else self._engine.ask
        self._turn = Turn(text, is_in_conversation=last.is_in_conversation, replaced=last.question)
        self._is_as_saved = False
        self._recorder.ask_instead(text)
        self.question_changed.emit(text)
        again(self._settings, state.documents, text, self._settings.sampling, self._history)
        self._begin_answer()

    def open_conversation(self, saved: SavedConversation) -> None:
        """Bring a conversation of the library on screen with its documents, ready to go on.

        Documents that are open already stay read; one that is not there any more leaves the rest readable.
        """
        if saved.conversation.conversation_id == self._recorder.conversation_id:
            self._show_turn(saved)
        elif self._recorder.is_keeping:
            self._open_conversation(saved)
        else:
            self.once_agreed(ClosingReason.DOCUMENTS, partial(self._open_conversation, saved))

    def forget_conversation(self, conversation_id: int) -> None:
        """The conversation is about to be deleted: if it is on screen, it goes."""
        if self._recorder.conversation_id == conversation_id:
            self._recorder.forget(conversation_id)
            self._engine.abandon()
            self._engine_progress = None
            self._start_conversation(())
            self.prepare_again()
            self._refresh_activity()

    def review(self, reviewed: Document, questions: Sequence[Question]) -> bool:
        """Put the questions to one of the session's documents, after what is under review already.

        False, and nothing happens, while a question is being answered. The engine's `row_changed` and
        `job_ended` tell what becomes of them.
        """
        state = self._store.state
        if not any(document is reviewed for document in state.documents) or self._engine.is_answering:
            return False
        self._engine.review(self._settings, state.documents, reviewed, questions)
        self._refresh_activity()
        return True

    def start_conversation(self) -> None:
        """Put the answers away and begin anew about the same documents, which stay read."""
        if self._store.state.can_start_conversation:
            self._recorder.begin(self._store.state.documents)
            self._start_conversation(())

    def stop(self) -> None:
        """End what is going on; what came so far stays."""
        self._restoring = None
        self._opener.stop()
        self._engine.stop()
        self._refresh_activity()

    def show_document(self, index: int) -> None:
        if 0 <= index < len(self._store.state.documents):
            self._store.update(shown_document=index)

    def show_place(self, place: Citation | ClosestPassage | EvidencePage) -> None:
        """Bring a page that an answer speaks of or looked at on screen, and its words if they were found."""
        names = [document.name for document in self._store.state.documents]
        if place.document in names:
            self.show_document(names.index(place.document))
            self.place_chosen.emit(place.page_index, place.rects)

    def use_settings(self, settings: EngineSettings) -> None:
        """Work with other engine settings from now on, at the cost that `core.settings_change` tells.

        If the documents are read again for them, the answers stay on screen.
        """
        effect = effect_of(self._settings, settings)
        self._settings = settings
        self._store.update(mode=settings.mode)
        if effect is Effect.AT_ONCE:
            self._apply()
        elif effect is not Effect.NOTHING:
            self._begin_anew(keeps_model=effect is Effect.READ_AGAIN)

    def prepare_again(self) -> None:
        """Try once more to load the model and to read the documents, after something has changed."""
        if self._store.state.documents:
            self._engine.prepare(self._settings, self._store.state.documents, self._history)
            self._refresh_activity()

    def once_agreed(self, reason: ClosingReason, action: Callable[[], None]) -> None:
        """Do it, if there is a conversation that it would close only once the user agrees."""
        if self._store.state.has_conversation:
            self._held_back = action
            is_unkept = reason is ClosingReason.DOCUMENTS and not self._recorder.is_keeping
            self.consent_wanted.emit(ClosingReason.UNKEPT if is_unkept else reason)
        else:
            action()

    def give_consent(self, is_given: bool) -> None:
        """The answer to `consent_wanted`; False keeps the conversation."""
        action, self._held_back = self._held_back, None
        if is_given and action is not None:
            action()

    def close(self) -> None:
        """End all work without a word; nothing is shown any more."""
        self._recorder.pause()
        self._opener.stop()
        self._engine.abandon()

    def _open_files(
        self, paths: Sequence[str], recognised: frozenset[str] = frozenset(), *, is_again: bool = False
    ) -> None:
        self._restoring = None
        self._recognised = recognised
        if self._store.state.model is None and not self._engine.is_busy:
            self._engine.prepare(self._settings, ())
        self._opener.open(paths, recognised, is_again=is_again)
        self._refresh_activity()

    def _open_conversation(self, saved: SavedConversation) -> None:
        documents = self._store.state.documents
        if documents and saved.is_about(documents):
            self._opener.stop()
            self._engine.abandon()
            self._engine_progress = None
            self._start_conversation(saved.past_turns)
            self._show_saved(saved, documents)
            self.prepare_again()
        elif saved.present_paths:
            self._open_files(saved.present_paths)
            self._restoring = saved
        else:
            self._opener.stop()
            self._begin_session((), saved)

    def _start_conversation(self, history: tuple[PastTurn, ...]) -> None:
        self._history = history
        self._engine.start_conversation(history)
        self._clear_conversation()

    def _show_saved(self, saved: SavedConversation, documents: tuple[Document, ...]) -> None:
        self._recorder.resume(saved, documents)
        if saved.turns:
            last = saved.turns[-1]
            is_answered = last.answer is not None and bool(last.answer.text)
            self._turn = Turn(last.question, is_in_conversation=is_answered)
        self._is_as_saved = True
        self._store.update(has_conversation=True)
        self.conversation_restored.emit(saved, saved.differences(documents))
        self._show_turn(saved)

    def _show_turn(self, saved: SavedConversation) -> None:
        ids = [turn.turn_id for turn in saved.turns]
        if saved.shown_turn_id in ids:
            self.turn_wanted.emit(ids.index(saved.shown_turn_id))

    def _apply(self) -> None:
        """An answer ends with the settings that it began with; reading goes on where it is."""
        if self._store.state.activity is Activity.PREPARING:
            self._engine.abandon()
            self._engine_progress = None
        self.prepare_again()

    def _begin_anew(self, *, keeps_model: bool) -> None:
        """What was read goes with the next job, and so does the model unless it is kept."""
        if self._store.state.activity is Activity.ANSWERING:
            self._stop_answer()
        self._engine.abandon()
        self._engine_progress = None
        model = self._store.state.model if keeps_model else None
        self._store.update(model=model, is_read=False, progress=None, usage=None)
        if self._turn is not None and not self._is_as_saved:
            self._turn.is_in_conversation = False
            self._history = ()
            self._recorder.begin(self._store.state.documents)
            self.conversation_restarted.emit()
        self.prepare_again()
        self._refresh_activity()

    def _clear_conversation(self) -> None:
        self._turn, self._is_as_saved = None, False
        self.conversation_cleared.emit()
        self._store.update(has_conversation=False, usage=None, speed=Speed())

    def _begin_session(self, documents: tuple[Document, ...], saved: SavedConversation | None = None) -> None:
        if self._store.state.documents:
            self._engine.abandon()
            self._engine_progress = None
        self._recorder.begin(documents)
        self._history = saved.past_turns if saved is not None else ()
        self._clear_conversation()
        self._store.update(
            documents=documents,
            shown_document=0,
            is_read=False,
            progress=self._engine_progress,
            suggestions=suggestions_for(documents),
        )
        if saved is not None:
            self._show_saved(saved, documents)
        self.prepare_again()
        self._refresh_activity()

    def _begin_answer(self) -> None:
        self._store.update(speed=Speed())
        self._refresh_activity()

    def _refresh_activity(self) -> None:
        engine = self._engine
        activity = activity_of(
            is_opening=self._opener.is_busy,
            is_engine_busy=engine.is_busy,
            is_answering=engine.is_answering,
            is_reviewing=engine.is_reviewing,
        )
        progress = self._store.state.progress if activity is not Activity.IDLE else None
        self._store.update(activity=activity, progress=progress)

    def _on_documents_opened(self, documents: tuple[Document, ...]) -> None:
        saved, self._restoring = self._restoring, None
        if documents or saved is not None:
            self._begin_session(documents, saved)
        else:
            self._refresh_activity()

    def _on_files_progressed(self, progress: Progress) -> None:
        self._store.update(progress=progress)

    def _on_pages_known(self, path: str, sizes: object) -> None:
        """Pages come on screen at once, unless other documents are there until these are read."""
        if not self._store.state.documents:
            self.pages_known.emit(path, sizes)

    def _on_model_opened(self, model: ModelInfo) -> None:
        self._store.update(model=model)

    def _on_progressed(self, progress: Progress) -> None:
        self._engine_progress = progress
        if not self._opener.is_busy:
            self._store.update(progress=progress)

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

    def _on_row_changed(self, _job: Job, _event: ReviewEvent) -> None:
        self._store.update(progress=None, is_read=True)

    def _on_answered(self, finished: Finished) -> None:
        if self._turn is not None:
            self._turn.bring_back()
            self._turn.is_in_conversation |= finished.metrics.new_tokens > 0
        self._recorder.finish(finished, self._model_name)
        metrics = finished.metrics
        speed = Speed(metrics.tokens_per_s, metrics.ttft_s, metrics.host_to_device_bytes_per_token)
        self._store.update(speed=speed)
        self.answer_finished.emit(finished)

    def _on_job_ended(self, ended: JobEnded) -> None:
        is_answer = ended.job.kind in (JobKind.ASK, JobKind.REGENERATE)
        self._engine_progress = None
        if ended.error is None and ended.job.documents:
            self._store.update(is_read=True)
        if isinstance(ended.error, CancelledError):
            if is_answer:
                self._stop_answer()
        elif ended.error is not None:
            self._tell(ended.error, ended.job)
        self._refresh_activity()

    def _stop_answer(self) -> None:
        self._recorder.stop()
        if self._turn is not None:
            self._turn.bring_back()
        self.answer_stopped.emit()

    def _tell(self, error: Exception, job: Job) -> None:
        """An answer's error stands where the answer would; others have the dialog.

        What waits behind a failed preparation, a question or a document, will fail for the same reason and
        say so itself.
        """
        if isinstance(error, ModelTooLargeError) and job.documents:
            self.room_missing.emit(job.settings, job.documents)
            if job.kind is JobKind.PREPARE:
                return
        if job.kind is JobKind.REVIEW:
            return  # its rows say so
        if job.kind is not JobKind.PREPARE:
            text = describe(error)
            assert isinstance(text, ErrorText), "a cancel is no error"
            self._recorder.stop()
            if self._turn is not None:
                self._turn.bring_back()
            self.answer_failed.emit(text)
        elif job.documents and not (self._engine.is_answering or self._engine.is_reviewing):
            self._router.route(error)
