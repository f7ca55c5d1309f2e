"""What happens in the engine's thread: jobs become calls of the back end, its words become messages."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from PySide6.QtCore import QObject, QThread, Slot

from app.engine_backend import EngineBackend
from app.jobs import Doubt, Job, JobEnded, JobKind, Message, SessionOpened
from core.documents.layout import Document, are_same
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.errors import LecternError
from core.events import Event, ReviewEvent
from core.past_turn import PastTurn
from core.settings import EngineSettings, SamplingSettings
from core.settings_change import Effect, effect_of

CheckRoom: TypeAlias = Callable[[EngineSettings, Sequence[Document], ReadingChoice], LecternError | None]


class EngineWorker(QObject):
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
        self._measured: tuple[Document, ...] | None = None
        self._reading = EVERYTHING

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
            self._settings = self._documents = self._measured = None
            self._require_room(job)
            self._post(job, backend.open_model(job.settings, lambda news: self._post(job, news), job.cancel))
        self._settings = wanted
        job.cancel.raise_if_cancelled()
        if job.documents:
            self._open(backend, job)
            for progress in backend.read(job.cancel):
                self._post(job, progress)
        return backend

    def _open(self, backend: EngineBackend, job: Job) -> None:
        if not are_same(self._measured or (), job.documents):
            self._post(job, backend.measure(job.documents))
            self._measured = job.documents
        if are_same(self._documents or (), job.documents) and self._reading == job.reading:
            return
        self._documents = None
        self._post(job, SessionOpened(backend.open_document(job.documents, job.reading)))
        if job.history:
            backend.start_conversation(job.history)
        self._documents, self._reading = job.documents, job.reading

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
        self._measured = None
        model = backend.change_settings(job.settings)
        if model is not None:
            self._post(job, model)
        return model is not None

    def _require_room(self, job: Job) -> None:
        if self._check_room is None:
            return
        doubt = self._check_room(job.settings, job.documents, job.reading)
        if doubt is not None:
            self._post(job, Doubt(doubt))

    def _post(self, job: Job, message: Message) -> None:
        self._outbox.append((job.job_id, message))
