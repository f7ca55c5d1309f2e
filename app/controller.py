"""What happens when the user does something: opens documents, asks, stops. Decides; shows nothing itself."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from app.changes import Changes
from app.consent import Consent
from app.engine_backend import ModelInfo
from app.engine_desk import EngineDesk
from app.engine_thread import EngineThread
from app.error_router import ErrorRouter
from app.jobs import Job, JobEnded, JobKind
from app.opener import Opener
from app.recorder import Recorder
from app.saved_conversation import SavedConversation
from app.sessions import Sessions
from app.state import Activity, ClosingReason, StateStore, activity_of
from app.talk import Talk
from core.documents.citations import Citation
from core.documents.layout import Document
from core.documents.passages import ClosestPassage
from core.documents.reading_choice import ReadingChoice
from core.documents.sizes import DocumentSizes
from core.errors import CancelledError, DocumentsTooLargeError, ModelTooLargeError
from core.events import EvidencePage, Progress, ReviewEvent
from core.review.question import Question
from core.settings import EngineSettings


class Controller(QObject):
    """Lives in the window's thread and owns no widget. `store` is the only place where its results are.

    What would close a conversation waits for `give_consent`, which `consent_wanted` asks for. The signals of
    the conversation are those of `Talk`. `room_missing` carries settings and documents that the planner sees
    no room for; `choice_wanted` the error of documents of which only a part fits.
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
    choice_wanted = Signal(object)
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
        self._store, self._engine = store, engine
        self._router, self._recorder = router, recorder
        self._desk = EngineDesk(engine, store, settings)
        self._talk = Talk(self._desk, store, recorder, self)
        self._consent = Consent(store, recorder, self)
        self._sessions = Sessions(
            store, opener, self._desk, self._talk, recorder, self._consent, router, self
        )
        store.update(mode=settings.mode)
        self._changes = Changes(store, self._desk, self._talk, self)
        self._pass_on_signals()
        self._connect()

    def _pass_on_signals(self) -> None:
        talk = self._talk
        for ours, its in (
            (self.question_asked, talk.question_asked),
            (self.question_changed, talk.question_changed),
            (self.answer_restarted, talk.answer_restarted),
            (self.answer_grew, talk.answer_grew),
            (self.answer_finished, talk.answer_finished),
            (self.answer_stopped, talk.answer_stopped),
            (self.answer_failed, talk.answer_failed),
            (self.conversation_cleared, talk.cleared),
            (self.conversation_restarted, talk.restarted),
            (self.conversation_restored, talk.restored),
            (self.turn_wanted, talk.turn_wanted),
            (self.consent_wanted, self._consent.wanted),
        ):
            its.connect(ours)
        self._sessions.pages_known.connect(self.pages_known)
        for signal in (talk.begun, self._sessions.changed, self._changes.made):
            signal.connect(self._refresh_activity)

    def _connect(self) -> None:
        engine = self._engine
        engine.model_opened.connect(self._on_model_opened)
        engine.documents_measured.connect(self._on_documents_measured)
        engine.progressed.connect(self._on_progressed)
        engine.row_changed.connect(self._on_row_changed)
        engine.job_ended.connect(self._on_job_ended)
        engine.doubted.connect(self._router.route)

    @property
    def settings(self) -> EngineSettings:
        return self._desk.settings

    def open_files(self, paths: Sequence[str]) -> None:
        """Open the files as one session in place of the one on screen, which stays until they are read."""
        self._sessions.open_files(paths)

    def open_again(self) -> None:
        """Read the session's files again, with text recognition those that were read so."""
        self._sessions.open_again()

    def recognise_shown(self) -> None:
        """Read the session's files again, the one on screen with text recognition."""
        self._sessions.recognise_shown()

    def open_sample(self) -> None:
        """Open the document that comes with the program."""
        self._sessions.open_sample()

    def ask(self, question: str) -> None:
        """Ask about the session's documents; waits by itself until they are read."""
        self._talk.ask(question)

    def regenerate(self) -> None:
        self._talk.regenerate()

    def edit(self, question: str) -> None:
        self._talk.edit(question)

    def open_conversation(self, saved: SavedConversation) -> None:
        """Bring a conversation of the library on screen with its documents, ready to go on.

        Documents that are open already stay read; one that is not there any more leaves the rest readable.
        """
        self._sessions.open_conversation(saved)

    def forget_conversation(self, conversation_id: int) -> None:
        """The conversation is about to be deleted: if it is on screen, it goes."""
        if self._recorder.conversation_id == conversation_id:
            self._recorder.forget(conversation_id)
            self._desk.abandon()
            self._talk.begin()
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
        self._desk.review(reviewed, questions)
        self._refresh_activity()
        return True

    def start_conversation(self) -> None:
        """Put the answers away and begin anew about the same documents, which stay read."""
        state = self._store.state
        if state.can_start_conversation:
            self._recorder.begin(state.documents, state.reading)
            self._talk.begin()

    def stop(self) -> None:
        """End what is going on; what came so far stays."""
        self._sessions.stop()
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
        self._changes.use_settings(settings)

    def use_reading(self, reading: ReadingChoice) -> None:
        """Have other parts of the documents read from now on.

        The answers stay on screen; the next question begins a conversation about what is read then.
        """
        self._changes.use_reading(reading)

    def prepare_again(self) -> None:
        """Try once more to load the model and to read the documents, after something has changed."""
        if self._store.state.documents:
            self._desk.prepare()
            self._refresh_activity()

    def once_agreed(self, reason: ClosingReason, action: Callable[[], None]) -> None:
        """Do it, if there is a conversation that it would close only once the user agrees."""
        self._consent.once_agreed(reason, action)

    def give_consent(self, is_given: bool) -> None:
        """The answer to `consent_wanted`; False keeps the conversation."""
        self._consent.give(is_given)

    def close(self) -> None:
        """End all work without a word; nothing is shown any more."""
        self._recorder.pause()
        self._sessions.stop()
        self._desk.abandon()

    def _refresh_activity(self) -> None:
        engine = self._engine
        activity = activity_of(
            is_opening=self._sessions.is_opening,
            is_engine_busy=engine.is_busy,
            is_answering=engine.is_answering,
            is_reviewing=engine.is_reviewing,
        )
        progress = self._store.state.progress if activity is not Activity.IDLE else None
        self._store.update(activity=activity, progress=progress)

    def _on_model_opened(self, model: ModelInfo) -> None:
        self._store.update(model=model)

    def _on_documents_measured(self, sizes: DocumentSizes) -> None:
        self._store.update(sizes=self._desk.without_stretch(sizes))

    def _on_progressed(self, progress: Progress) -> None:
        self._desk.progress = progress
        if not self._sessions.is_opening:
            self._store.update(progress=progress)

    def _on_row_changed(self, _job: Job, _event: ReviewEvent) -> None:
        self._store.update(progress=None, is_read=True)

    def _on_job_ended(self, ended: JobEnded) -> None:
        is_answer = ended.job.kind in (JobKind.ASK, JobKind.REGENERATE)
        self._desk.progress = None
        if ended.error is None and ended.job.documents:
            self._store.update(is_read=True)
        if isinstance(ended.error, CancelledError):
            if is_answer:
                self._talk.stop_answer()
        elif ended.error is not None:
            self._tell(ended.error, ended.job)
        self._refresh_activity()

    def _tell(self, error: Exception, job: Job) -> None:
        """An answer's error stands where the answer would; others have the dialog.

        What waits behind a failed preparation, a question or a document, will fail for the same reason and
        say so itself.
        """
        is_choice = isinstance(error, ModelTooLargeError | DocumentsTooLargeError) and bool(job.documents)
        if is_choice and isinstance(error, ModelTooLargeError):
            self.room_missing.emit(job.settings, job.documents)
        elif is_choice:
            self.choice_wanted.emit(error)
        if job.kind is JobKind.REVIEW:
            return  # its rows say so
        if job.kind is not JobKind.PREPARE:
            self._talk.fail_answer(error)
        elif (
            job.documents
            and not is_choice
            and not self._engine.is_answering
            and not self._engine.is_reviewing
        ):
            self._router.route(error)
