"""The thread in which the engine lives: requests go in, events come out in batches.

The window never waits for the thread: events pile up in an outbox that a timer of the window's thread
empties.
"""

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias, assert_never

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from app.engine_backend import EngineBackend, ModelInfo
from app.jobs import Doubt, Job, JobEnded, JobKind, Message, SessionOpened, Text, merge
from core.documents.layout import Document
from core.errors import LecternError
from core.events import (
    Event,
    Finished,
    Progress,
    ReviewEvent,
    RowFailed,
    RowFinished,
    RowStarted,
    RowToken,
    TierUsage,
    Token,
)
from core.past_turn import PastTurn
from core.review.question import Question
from core.settings import EngineSettings, SamplingSettings
from core.settings_change import Effect, effect_of

BATCH_MS = 40

CheckRoom: TypeAlias = Callable[[EngineSettings, Sequence[Document]], LecternError | None]


class EngineThread(QObject):
    """The window's side of the engine. All signals are emitted in the thread that made this object.

    `row_changed` carries the job of a review and what happened to one of its rows. After `abandoned` nothing
    more is heard of the jobs before it.
    """

    model_opened = Signal(object)
    session_opened = Signal(int)
    doubted = Signal(object)
    progressed = Signal(object)
    tokens_arrived = Signal(str, int)
    usage_changed = Signal(object)
    answered = Signal(object)
    row_changed = Signal(object, object)
    abandoned = Signal()
    job_ended = Signal(object)

    _job_requested = Signal(object)
    _conversation_requested = Signal(object)
    _close_requested = Signal()

    def __init__(
        self,
        make_backend: Callable[[], EngineBackend],
        parent: QObject | None = None,
        check_room: CheckRoom | None = None,
    ) -> None:
        """`check_room` is called in the engine's thread before a model is loaded or documents are read again.

        It refuses by raising; what it returns is told by `doubted`, and the work goes on.
        """
        super().__init__(parent)
        self._outbox: deque[tuple[int, Message]] = deque()
        self._job_ids = itertools.count(1)
        self._jobs: dict[int, Job] = {}
        self._abandoned: set[int] = set()
        self._thread = QThread()
        self._thread.setObjectName("lectern-engine")
        self._worker = _Worker(make_backend, self._outbox, check_room)
        self._worker.moveToThread(self._thread)
        self._job_requested.connect(self._worker.on_job_requested)
        self._conversation_requested.connect(self._worker.on_conversation_requested)
        self._close_requested.connect(self._worker.on_close_requested)
        self._timer = QTimer(self)
        self._timer.setInterval(BATCH_MS)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def is_busy(self) -> bool:
        return any(job_id not in self._abandoned for job_id in self._jobs)

    @property
    def is_answering(self) -> bool:
        """Whether a question is being answered or waits for its turn."""
        return self._is_at(JobKind.ASK, JobKind.REGENERATE)

    @property
    def is_reviewing(self) -> bool:
        """Whether a review is going on or waits for its turn."""
        return self._is_at(JobKind.REVIEW)

    def prepare(
        self, settings: EngineSettings, documents: Sequence[Document], history: Sequence[PastTurn] = ()
    ) -> None:
        """Load the model, and read the documents with it, and the history that belongs to them."""
        self._request(JobKind.PREPARE, settings, documents, history=history)

    def ask(
        self,
        settings: EngineSettings,
        documents: Sequence[Document],
        question: str,
        sampling: SamplingSettings,
        history: Sequence[PastTurn] = (),
    ) -> None:
        self._request(JobKind.ASK, settings, documents, question, sampling, history)

    def regenerate(
        self,
        settings: EngineSettings,
        documents: Sequence[Document],
        question: str,
        sampling: SamplingSettings,
        history: Sequence[PastTurn] = (),
    ) -> None:
        """Answer `question` in place of the last one, which may be the same."""
        self._request(JobKind.REGENERATE, settings, documents, question, sampling, history)

    def review(
        self,
        settings: EngineSettings,
        documents: Sequence[Document],
        reviewed: Document,
        questions: Sequence[Question],
    ) -> None:
        """Put the questions to `reviewed`, which is one of the documents."""
        self._request(JobKind.REVIEW, settings, documents, reviewed=reviewed, questions=tuple(questions))

    def start_conversation(self, history: Sequence[PastTurn] = ()) -> None:
        """Forget all questions and answers before the next job and go on from `history`; the documents stay
        read.

        No job, as it must not be stopped: the window has cleared its side already.
        """
        self._conversation_requested.emit(tuple(history))

    def stop(self) -> None:
        """End all jobs at their next safe point; they still tell how they ended."""
        for job in self._jobs.values():
            job.cancel.cancel()

    def abandon(self) -> None:
        """End all jobs and hear nothing more of them."""
        self.stop()
        self._abandoned.update(self._jobs)
        self.abandoned.emit()

    def shutdown(self, timeout_s: float) -> bool:
        """End the thread; False if it still works after `timeout_s` seconds."""
        self.abandon()
        self._timer.stop()
        if not self._thread.isRunning():
            return True
        self._close_requested.emit()
        return self._thread.wait(round(timeout_s * 1000))

    def _request(
        self,
        kind: JobKind,
        settings: EngineSettings,
        documents: Sequence[Document],
        question: str = "",
        sampling: SamplingSettings | None = None,
        history: Sequence[PastTurn] = (),
        reviewed: Document | None = None,
        questions: tuple[Question, ...] = (),
    ) -> None:
        job = Job(
            next(self._job_ids),
            kind,
            settings,
            tuple(documents),
            question,
            sampling or settings.sampling,
            history=tuple(history),
            reviewed=reviewed,
            questions=questions,
        )
        self._jobs[job.job_id] = job
        if not self._thread.isRunning():
            self._thread.start(QThread.Priority.LowPriority)
        self._timer.start()
        self._job_requested.emit(job)

    def _is_at(self, *kinds: JobKind) -> bool:
        return any(job.kind in kinds for job in self._jobs.values() if job.job_id not in self._abandoned)

    def _on_timeout(self) -> None:
        batch = []
        while self._outbox:
            batch.append(self._outbox.popleft())
        for job_id, message in merge(batch):
            if job_id not in self._abandoned:
                self._announce(job_id, message)
            elif isinstance(message, JobEnded):
                self._jobs.pop(job_id, None)
                self._abandoned.discard(job_id)
        if not self._jobs and not self._outbox:
            self._timer.stop()

    def _announce(self, job_id: int, message: Message) -> None:  # noqa: C901 - one case for each kind
        match message:
            case Progress():
                self.progressed.emit(message)
            case Token():
                self.tokens_arrived.emit(message.text, 1)
            case Text():
                self.tokens_arrived.emit(message.text, message.num_tokens)
            case TierUsage():
                self.usage_changed.emit(message)
            case Finished():
                self.answered.emit(message)
            case ModelInfo():
                self.model_opened.emit(message)
            case SessionOpened():
                self.session_opened.emit(message.num_tokens)
            case Doubt():
                self.doubted.emit(message.error)
            case RowStarted() | RowToken() | RowFinished() | RowFailed():
                self.row_changed.emit(self._jobs[job_id], message)
            case JobEnded():
                self._jobs.pop(job_id, None)
                self.job_ended.emit(message)
            case _:
                assert_never(message)


class _Worker(QObject):
    """Lives in the engine's thread; its slots run there, one job after the other."""

    def __init__(
        self,
        make_backend: Callable[[], EngineBackend],
        outbox: deque[tuple[int, Message]],
        check_room: CheckRoom | None,
    ) -> None:
        super().__init__()
        self._make_backend, self._check_room = make_backend, check_room
        self._outbox = outbox
        self._backend: EngineBackend | None = None
        self._settings: EngineSettings | None = None
        self._documents: tuple[Document, ...] | None = None

    @Slot(object)
    def on_job_requested(self, job: Job) -> None:
        error: Exception | None = None
        try:
            job.cancel.raise_if_cancelled()
            self._run(job)
        except Exception as caught:  # noqa: BLE001 - the router in the window's thread says what it was
            error = caught
        self._post(job, JobEnded(job, error))

    @Slot(object)
    def on_conversation_requested(self, history: tuple[PastTurn, ...]) -> None:
        if self._backend is not None and self._documents is not None:
            self._backend.start_conversation(history)

    @Slot()
    def on_close_requested(self) -> None:
        """The last slot of this thread: it ends its own event loop, so that no request is skipped."""
        try:
            if self._backend is not None:
                self._backend.close()
        finally:
            self._backend = None
            QThread.currentThread().quit()

    def _run(self, job: Job) -> None:
        backend = self._ready(job)
        events: Iterator[Event | ReviewEvent]
        if job.kind is JobKind.ASK:
            events = backend.ask(job.question, job.sampling, job.cancel)
        elif job.kind is JobKind.REGENERATE:
            events = backend.regenerate(job.sampling, job.cancel, job.question)
        elif job.reviewed is not None:
            events = backend.review(job.reviewed, job.questions, job.sampling, job.cancel)
        else:
            return
        for event in events:
            self._post(job, event)

    def _ready(self, job: Job) -> EngineBackend:
        if self._backend is None:
            self._backend = self._make_backend()
        backend = self._backend
        wanted = replace(job.settings, sampling=SamplingSettings())  # how an answer is chosen loads nothing
        if self._settings != wanted and not self._change_settings(backend, job):
            if self._settings is not None:
                backend.close()  # a model that is there must not stand in the way of the next one
            self._settings = self._documents = None
            self._require_room(job)
            self._post(job, backend.open_model(job.settings, lambda news: self._post(job, news), job.cancel))
        self._settings = wanted
        job.cancel.raise_if_cancelled()
        if job.documents and not self._has_open(job.documents):
            self._documents = None
            self._post(job, SessionOpened(backend.open_document(job.documents)))
            if job.history:
                backend.start_conversation(job.history)
            self._documents = job.documents
        if job.documents:
            for progress in backend.read(job.cancel):
                self._post(job, progress)
        return backend

    def _change_settings(self, backend: EngineBackend, job: Job) -> bool:
        """False if the model has to be loaded with them."""
        if self._settings is None:
            return False
        effect = effect_of(self._settings, job.settings)
        if effect is Effect.LOAD_AGAIN:
            return False
        if effect is Effect.READ_AGAIN:
            self._require_room(job)
            self._documents = None
        model = backend.change_settings(job.settings)
        if model is not None:
            self._post(job, model)
        return model is not None

    def _require_room(self, job: Job) -> None:
        doubt = self._check_room(job.settings, job.documents) if self._check_room is not None else None
        if doubt is not None:
            self._post(job, Doubt(doubt))

    def _has_open(self, documents: tuple[Document, ...]) -> bool:
        opened = self._documents
        if opened is None or len(opened) != len(documents):
            return False
        return all(a is b for a, b in zip(opened, documents, strict=True))

    def _post(self, job: Job, message: Message) -> None:
        self._outbox.append((job.job_id, message))
