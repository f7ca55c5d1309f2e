"""The thread in which the engine lives: requests go in, events come out in batches.

The window never waits for the thread: events pile up in an outbox that a timer of the window's thread
empties.
"""

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from typing import assert_never

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from app.engine_backend import EngineBackend, ModelInfo
from app.engine_worker import CheckRoom, EngineWorker
from app.jobs import Doubt, Job, JobEnded, JobKind, Message, SessionOpened, Text, merge
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.documents.sizes import DocumentSizes
from core.events import (
    Finished,
    Progress,
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

BATCH_MS = 40


class EngineThread(QObject):
    """The window's side of the engine. All signals are emitted in the thread that made this object.

    `row_changed` carries the job of a review and what happened to one of its rows. After `abandoned` nothing
    more is heard of the jobs before it.
    """

    model_opened = Signal(object)
    session_opened = Signal(int)
    documents_measured = Signal(object)
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
        self._worker = EngineWorker(make_backend, self._outbox, check_room)
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
        self,
        settings: EngineSettings,
        documents: Sequence[Document],
        history: Sequence[PastTurn] = (),
        reading: ReadingChoice = EVERYTHING,
    ) -> None:
        """Load the model, and read with it what is to be read of the documents, and their history."""
        self._request(JobKind.PREPARE, settings, documents, history=history, reading=reading)

    def ask(
        self,
        settings: EngineSettings,
        documents: Sequence[Document],
        question: str,
        sampling: SamplingSettings,
        history: Sequence[PastTurn] = (),
        reading: ReadingChoice = EVERYTHING,
    ) -> None:
        self._request(JobKind.ASK, settings, documents, question, sampling, history, reading)

    def regenerate(
        self,
        settings: EngineSettings,
        documents: Sequence[Document],
        question: str,
        sampling: SamplingSettings,
        history: Sequence[PastTurn] = (),
        reading: ReadingChoice = EVERYTHING,
    ) -> None:
        """Answer `question` in place of the last one, which may be the same."""
        self._request(JobKind.REGENERATE, settings, documents, question, sampling, history, reading)

    def review(
        self,
        settings: EngineSettings,
        documents: Sequence[Document],
        reviewed: Document,
        questions: Sequence[Question],
        reading: ReadingChoice = EVERYTHING,
    ) -> None:
        """Put the questions to `reviewed`, which is one of the documents."""
        asked = tuple(questions)
        self._request(
            JobKind.REVIEW, settings, documents, reading=reading, reviewed=reviewed, questions=asked
        )

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
        reading: ReadingChoice = EVERYTHING,
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
            reading=reading,
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
            case DocumentSizes():
                self.documents_measured.emit(message)
            case Doubt():
                self.doubted.emit(message.error)
            case RowStarted() | RowToken() | RowFinished() | RowFailed():
                self.row_changed.emit(self._jobs[job_id], message)
            case JobEnded():
                self._jobs.pop(job_id, None)
                self.job_ended.emit(message)
            case _:
                assert_never(message)
