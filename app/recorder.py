"""Writes the conversation on screen to the library while it happens, so that nothing of it can be lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.library_service import LibraryService
from app.saved_conversation import SavedConversation
from app.widgets.texts import shortened
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING, ReadingChoice
from core.events import Finished, FinishReason
from core.library.errors import NotInLibraryError
from core.library.library import Library
from core.library.records import StoredAnswer

STEP_MS = 1000
_PATIENCE_S = 0.05
_TITLE_CHARACTERS = 80


@dataclass
class _Place:
    """Where the conversation stands in the library; only the library's thread looks into it.

    `replaced_id` is the turn that goes when this one has its first words.
    """

    documents: tuple[Document, ...]
    reading: ReadingChoice = EVERYTHING
    conversation_id: int | None = None
    turn_id: int | None = None
    replaced_id: int | None = None


class Recorder(QObject):
    """Follows one conversation after the other. Nothing here waits for a slow disk.

    A question and a whole answer are on the disk when `ask` and `finish` return, unless the disk takes more
    than a moment; an answer that is coming is written once a second. `conversation_changed` carries the id of
    the conversation after a question or an answer was written.
    """

    conversation_changed = Signal(int)

    def __init__(self, service: LibraryService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._place = _Place(())
        self._question, self._text = "", ""
        self._model, self._mode = "", ""
        self._is_unsaved = False
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._on_timeout)
        self.conversation_id: int | None = None

    @property
    def is_keeping(self) -> bool:
        """Whether what is asked and answered can be found again later."""
        return self._service.is_available

    def begin(self, documents: Sequence[Document], reading: ReadingChoice = EVERYTHING) -> None:
        """What comes is about these documents, in a conversation that begins with the first question."""
        self.pause()
        self._place, self.conversation_id = _Place(tuple(documents), reading), None
        if documents:
            self._service.run(partial(_note_places, tuple(documents)))

    def resume(self, saved: SavedConversation, documents: Sequence[Document]) -> None:
        """Go on with a conversation of the library."""
        self.pause()
        last = saved.turns[-1] if saved.turns else None
        self.conversation_id = saved.conversation.conversation_id
        turn_id = last.turn_id if last else None
        reading = saved.conversation.reading
        self._place = _Place(tuple(documents), reading, self.conversation_id, turn_id)

    def forget(self, conversation_id: int) -> None:
        """The conversation is being deleted: write nothing more of it."""
        if self.conversation_id == conversation_id:
            self._timer.stop()
            self._is_unsaved = False
            self.begin(self._place.documents, self._place.reading)

    def ask(self, question: str) -> None:
        self._start(question)
        self._write(partial(_add_turn, self._place, question))

    def ask_instead(self, question: str) -> None:
        """The question takes the place of the last one as soon as its answer begins."""
        self._start(question)
        self._write(partial(_add_turn, self._place, question, is_replacement=True))

    def answer_again(self, question: str) -> None:
        """The answer that is there stays until another one begins."""
        self._start(question)

    def grow(self, text: str, model: str, mode: str) -> None:
        self._text += text
        self._model, self._mode = model, mode
        self._is_unsaved = True
        if not self._timer.isActive():
            self._save_text()
            self._timer.start()

    def finish(self, finished: Finished, model: str) -> None:
        """Keep the whole answer; one without words leaves what was there."""
        self._timer.stop()
        self._is_unsaved = False
        if finished.metrics.new_tokens:
            self._write(partial(_answer, self._place, self._question, StoredAnswer.of(finished, model)))
        else:
            self._write(partial(_take_back, self._place))

    def stop(self) -> None:
        """No more of the answer comes: keep what there is of it."""
        if self._text:
            self.pause()
        else:
            self._write(partial(_take_back, self._place))

    def pause(self) -> None:
        """Write what has not been written yet."""
        self._timer.stop()
        if self._is_unsaved:
            self._save_text()

    def _start(self, question: str) -> None:
        self.pause()
        self._question, self._text = question, ""

    def _save_text(self) -> None:
        self._is_unsaved = False
        reason = FinishReason.CANCELLED.value
        answer = StoredAnswer(self._text.strip(), self._model, self._mode, reason)
        self._service.run(partial(_answer, self._place, self._question, answer))

    def _write(self, work: Callable[[Library], int | None]) -> None:
        self._service.run(work, self._on_written)
        self._service.settle(_PATIENCE_S)

    def _on_written(self, conversation_id: int | None) -> None:
        if conversation_id is not None and conversation_id == self._place.conversation_id:
            self.conversation_id = conversation_id
            self.conversation_changed.emit(conversation_id)

    def _on_timeout(self) -> None:
        if self._is_unsaved:
            self._save_text()
        else:
            self._timer.stop()


def _note_places(documents: Sequence[Document], library: Library) -> None:
    """Documents that the library knows are where they were opened just now."""
    for one in documents:
        if library.documents.find(one.sha256) is not None:
            library.documents.add(one.sha256, one.path, one.name, one.num_pages)


def _add_turn(place: _Place, question: str, library: Library, *, is_replacement: bool = False) -> int | None:
    replaced_id = (place.replaced_id or place.turn_id) if is_replacement else None
    place.turn_id, place.replaced_id = None, replaced_id
    try:
        return _insert(place, question, library)
    except NotInLibraryError:  # it was deleted elsewhere, but people go on talking here
        place.conversation_id = None
        return _insert(place, question, library)


def _insert(place: _Place, question: str, library: Library) -> int:
    if place.conversation_id is None:
        ids = [
            library.documents.add(one.sha256, one.path, one.name, one.num_pages).document_id
            for one in place.documents
        ]
        title = shortened(question, _TITLE_CHARACTERS)
        place.conversation_id = library.conversations.create(title, ids, place.reading).conversation_id
    place.turn_id = library.conversations.add_turn(place.conversation_id, question).turn_id
    return place.conversation_id


def _answer(place: _Place, question: str, answer: StoredAnswer, library: Library) -> int | None:
    """Also where the question could not be written when it was asked."""
    if place.turn_id is None:
        _insert(place, question, library)
        assert place.turn_id is not None
    try:
        library.conversations.answer_turn(place.turn_id, answer)
    except NotInLibraryError:  # deleted elsewhere while the answer came: that was meant
        return None
    replaced_id, place.replaced_id = place.replaced_id, None
    if replaced_id is not None:
        library.conversations.delete_turn(replaced_id)
    return place.conversation_id


def _take_back(place: _Place, library: Library) -> int | None:
    """A question that was to take the place of another one goes; any other stays, without an answer."""
    if place.replaced_id is not None:
        if place.turn_id is not None:
            library.conversations.delete_turn(place.turn_id)
        place.turn_id, place.replaced_id = place.replaced_id, None
    return place.conversation_id
