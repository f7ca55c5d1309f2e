"""What happens when the user does something: opens documents, asks, stops. Decides; shows nothing itself."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.engine_backend import ModelInfo
from app.engine_choices import needs_reload
from app.engine_thread import EngineThread
from app.error_router import ErrorRouter, ErrorText, describe
from app.jobs import Job, JobEnded, JobKind
from app.opener import Opener
from app.state import Activity, ClosingReason, Speed, StateStore
from core.documents.citations import Citation
from core.documents.layout import Document
from core.documents.passages import ClosestPassage
from core.errors import CancelledError, LecternError, ModelTooLargeError
from core.events import Finished, Progress, TierUsage
from core.samples import default_sample
from core.settings import EngineSettings

_RATE_WINDOW_S = 3.0
_VARIED_TEMPERATURE = 0.7
_NUM_SUGGESTIONS = 3


@dataclass
class _Turn:
    """The question that is being answered or was answered last."""

    question: str
    asked_at: float
    is_in_conversation: bool = False
    arrivals: deque[tuple[float, int]] = field(default_factory=deque)


class Controller(QObject):
    """Lives in the window's thread and owns no widget. `store` is the only place where its results are.

    What would close a conversation waits for `give_consent`, which `consent_wanted` asks for. After
    `conversation_restarted` the answers stay on screen and the model knows nothing of them.
    `room_missing` carries settings and documents that the planner sees no room for.
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
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store, self._opener, self._engine = store, opener, engine
        self._router, self._settings = router, settings
        self._turn: _Turn | None = None
        self._held_back: Callable[[], None] | None = None
        self._engine_progress: Progress | None = None
        opener.documents_opened.connect(self._on_documents_opened)
        opener.progressed.connect(self._on_files_progressed)
        opener.pages_known.connect(self._on_pages_known)
        engine.model_opened.connect(self._on_model_opened)
        engine.progressed.connect(self._on_progressed)
        engine.tokens_arrived.connect(self._on_tokens_arrived)
        engine.usage_changed.connect(self._on_usage_changed)
        engine.answered.connect(self._on_answered)
        engine.job_ended.connect(self._on_job_ended)
        engine.doubted.connect(router.route)

    @property
    def settings(self) -> EngineSettings:
        return self._settings

    def open_files(self, paths: Sequence[str]) -> None:
        """Open the files as one session in place of the one on screen, which stays until they are read."""
        if paths:
            self.once_agreed(ClosingReason.DOCUMENTS, partial(self._open_files, paths))

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
        if not text or not state.documents or state.activity is Activity.ANSWERING:
            return
        self._turn = _Turn(text, time.perf_counter())
        self._store.update(has_conversation=True)
        self.question_asked.emit(text)
        self._engine.ask(self._settings, state.documents, text, self._settings.sampling)
        self._begin_answer()

    def regenerate(self) -> None:
        """Answer the last question anew, with some chance in it, so that the answer may be another one."""
        state = self._store.state
        if self._turn is None or not state.documents or state.activity is Activity.ANSWERING:
            return
        sampling = self._settings.sampling
        sampling = replace(sampling, temperature=max(sampling.temperature, _VARIED_TEMPERATURE))
        again = self._engine.regenerate if self._turn.is_in_conversation else self._engine.ask
        self._turn = _Turn(self._turn.question, time.perf_counter())
        self.answer_restarted.emit()
        again(self._settings, state.documents, self._turn.question, sampling)
        self._begin_answer()

    def start_conversation(self) -> None:
        """Put the answers away and begin anew about the same documents, which stay read."""
        if self._store.state.can_start_conversation:
            self._engine.start_conversation()
            self._clear_conversation()

    def stop(self) -> None:
        """End what is going on; what came so far stays."""
        self._opener.stop()
        self._engine.stop()
        self._refresh_activity()

    def show_document(self, index: int) -> None:
        if 0 <= index < len(self._store.state.documents):
            self._store.update(shown_document=index)

    def show_place(self, place: Citation | ClosestPassage) -> None:
        """Bring the page of a citation on screen, and its words if they were found."""
        names = [document.name for document in self._store.state.documents]
        if place.document in names:
            self.show_document(names.index(place.document))
            self.place_chosen.emit(place.page_index, place.rects)

    def use_settings(self, settings: EngineSettings) -> None:
        """Work with other engine settings from now on.

        If they need the model loaded anew, the documents are read again; the answers stay on screen.
        """
        before, self._settings = self._settings, settings
        if needs_reload(before, settings):
            self._reload()

    def prepare_again(self) -> None:
        """Try once more to load the model and to read the documents, after something has changed."""
        if self._store.state.documents:
            self._engine.prepare(self._settings, self._store.state.documents)
            self._refresh_activity()

    def once_agreed(self, reason: ClosingReason, action: Callable[[], None]) -> None:
        """Do it, if there is a conversation that it would close only once the user agrees."""
        if self._store.state.has_conversation:
            self._held_back = action
            self.consent_wanted.emit(reason)
        else:
            action()

    def give_consent(self, is_given: bool) -> None:
        """The answer to `consent_wanted`; False keeps the conversation."""
        action, self._held_back = self._held_back, None
        if is_given and action is not None:
            action()

    def close(self) -> None:
        """End all work without a word; nothing is shown any more."""
        self._opener.stop()
        self._engine.abandon()

    def _open_files(self, paths: Sequence[str]) -> None:
        if self._store.state.model is None and not self._engine.is_busy:
            self._engine.prepare(self._settings, ())
        self._opener.open(paths)
        self._refresh_activity()

    def _reload(self) -> None:
        """The old model and what it has read go with the next job."""
        if self._store.state.activity is Activity.ANSWERING:
            self.answer_stopped.emit()
        self._engine.abandon()
        self._engine_progress = None
        self._store.update(model=None, is_read=False, progress=None, usage=None)
        if self._turn is not None:
            self._turn.is_in_conversation = False
            self.conversation_restarted.emit()
        self.prepare_again()
        self._refresh_activity()

    def _clear_conversation(self) -> None:
        self._turn = None
        self.conversation_cleared.emit()
        self._store.update(has_conversation=False, usage=None, speed=Speed())

    def _begin_session(self, documents: tuple[Document, ...]) -> None:
        if self._store.state.documents:
            self._engine.abandon()
            self._engine_progress = None
        self._clear_conversation()
        self._store.update(
            documents=documents,
            shown_document=0,
            is_read=False,
            progress=self._engine_progress,
            suggestions=_suggestions(documents),
        )
        self._engine.prepare(self._settings, documents)
        self._refresh_activity()

    def _begin_answer(self) -> None:
        self._store.update(speed=Speed())
        self._refresh_activity()

    def _refresh_activity(self) -> None:
        if self._opener.is_busy:
            activity = Activity.OPENING
        elif not self._engine.is_busy:
            activity = Activity.IDLE
        elif self._engine.is_answering:
            activity = Activity.ANSWERING
        else:
            activity = Activity.PREPARING
        progress = self._store.state.progress if activity is not Activity.IDLE else None
        self._store.update(activity=activity, progress=progress)

    def _on_documents_opened(self, documents: tuple[Document, ...]) -> None:
        if documents:
            self._begin_session(documents)
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
        now = time.perf_counter()
        speed = self._store.state.speed
        ttft_s = speed.ttft_s if speed.ttft_s is not None else now - self._turn.asked_at
        rate = _rate(self._turn.arrivals, now, num_tokens)
        self._store.update(
            progress=None, is_read=True, speed=replace(speed, ttft_s=ttft_s, tokens_per_s=rate)
        )
        self.answer_grew.emit(text)

    def _on_usage_changed(self, usage: TierUsage) -> None:
        speed = replace(self._store.state.speed, bytes_per_token=float(usage.host_to_device_bytes))
        self._store.update(usage=usage, speed=speed)

    def _on_answered(self, finished: Finished) -> None:
        if self._turn is not None:
            self._turn.is_in_conversation = finished.metrics.new_tokens > 0
        metrics = finished.metrics
        speed = Speed(metrics.tokens_per_s, metrics.ttft_s, metrics.host_to_device_bytes_per_token)
        self._store.update(mode=finished.mode, speed=speed)
        self.answer_finished.emit(finished)

    def _on_job_ended(self, ended: JobEnded) -> None:
        is_answer = ended.job.kind is not JobKind.PREPARE
        self._engine_progress = None
        if ended.error is None and ended.job.documents:
            self._store.update(is_read=True)
        if isinstance(ended.error, CancelledError):
            if is_answer:
                self.answer_stopped.emit()
        elif ended.error is not None:
            self._tell(ended.error, ended.job)
        self._refresh_activity()

    def _tell(self, error: Exception, job: Job) -> None:
        """An answer's error stands where the answer would; others have the dialog.

        What waits behind a failed preparation, a question or a document, will fail for the same reason and
        say so itself.
        """
        if isinstance(error, ModelTooLargeError) and job.documents:
            self.room_missing.emit(job.settings, job.documents)
            if job.kind is JobKind.PREPARE:
                return
        if job.kind is not JobKind.PREPARE:
            text = describe(error)
            assert isinstance(text, ErrorText), "a cancel is no error"
            self.answer_failed.emit(text)
        elif job.documents and not self._engine.is_answering:
            self._router.route(error)


def _suggestions(documents: Sequence[Document]) -> tuple[str, ...]:
    """Questions to begin with: known for the sample only."""
    try:
        sample = default_sample()
    except LecternError:
        return ()
    if len(documents) != 1 or Path(documents[0].path) != sample.path:
        return ()
    return tuple(question.text for question in sample.questions[:_NUM_SUGGESTIONS])


def _rate(arrivals: deque[tuple[float, int]], now: float, num_tokens: int) -> float | None:
    """Tokens a second over the last few seconds; the first batch only starts the clock."""
    arrivals.append((now, num_tokens))
    while len(arrivals) > 2 and now - arrivals[0][0] > _RATE_WINDOW_S:
        arrivals.popleft()
    elapsed_s = now - arrivals[0][0]
    return sum(count for _, count in list(arrivals)[1:]) / elapsed_s if elapsed_s > 0 else None
