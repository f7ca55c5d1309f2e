"""A conversation out of the library, and what has become of its documents since."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.documents.layout import Document
from core.documents.reading_choice import ReadingChoice, ReadingKind
from core.events import CacheOutcome, Finished, FinishReason, Metrics
from core.library.library import Library
from core.library.records import StoredAnswer, StoredConversation, StoredDocument, StoredTurn
from core.past_turn import PastTurn

_NO_METRICS = Metrics(0, 0, 0, None, None, None, 0, 0, 0, 0.0, 0.0, CacheOutcome.HIT)


@dataclass(frozen=True)
class Differences:
    """Names of documents that are not open, or whose content is another than when they were asked about."""

    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True)
class SavedConversation:
    """`shown_turn_id` is the turn that was looked for, if one was."""

    conversation: StoredConversation
    documents: tuple[StoredDocument, ...]
    turns: tuple[StoredTurn, ...]
    shown_turn_id: int | None = None

    @classmethod
    def load(
        cls, library: Library, conversation_id: int, shown_turn_id: int | None = None
    ) -> "SavedConversation":
        """Raises `NotInLibraryError`."""
        conversation = library.conversations.get(conversation_id)
        documents = tuple(map(library.documents.get, conversation.document_ids))
        return cls(conversation, documents, library.conversations.turns(conversation_id), shown_turn_id)

    @property
    def past_turns(self) -> tuple[PastTurn, ...]:
        """What the model is to know of it."""
        return tuple(
            PastTurn(turn.question, turn.answer.text, turn.answer.token_ids)
            for turn in self.turns
            if turn.answer is not None and turn.answer.text
        )

    @property
    def present_paths(self) -> list[str]:
        """Where documents are, as far as they are there."""
        return [document.path for document in self.documents if Path(document.path).is_file()]

    def is_about(self, documents: Sequence[Document]) -> bool:
        """Whether these are its documents, unchanged and in their order."""
        return [one.sha256 for one in documents] == [one.sha256 for one in self.documents]

    def reading_of(self, documents: Sequence[Document]) -> ReadingChoice:
        """What was read of those that are there."""
        reading = self.conversation.reading
        if reading.kind is not ReadingKind.PAGES or len(documents) == len(self.documents):
            return reading
        places = [self._place_of(document) for document in documents]
        pages = dict(enumerate(reading.pages))
        return replace(reading, pages=tuple(pages.get(place, "") for place in places))

    def _place_of(self, opened: Document) -> int:
        """Which of the documents it is; -1 if none."""
        path = Path(opened.path).absolute()
        same = (one.sha256 == opened.sha256 or Path(one.path).absolute() == path for one in self.documents)
        return next((place for place, is_same in enumerate(same) if is_same), -1)

    def differences(self, opened: Sequence[Document]) -> Differences:
        digests = {document.sha256 for document in opened}
        paths = {Path(document.path).absolute() for document in opened}
        others = [document for document in self.documents if document.sha256 not in digests]
        is_there = [bool(one.path) and Path(one.path).absolute() in paths for one in others]
        return Differences(
            missing=tuple(one.name for one, there in zip(others, is_there, strict=True) if not there),
            changed=tuple(one.name for one, there in zip(others, is_there, strict=True) if there),
        )


def finished_of(answer: StoredAnswer) -> Finished:
    """An answer of the library as it was when it came."""
    known = {reason.value for reason in FinishReason}
    return Finished(
        answer=answer.text,
        reason=FinishReason(answer.reason) if answer.reason in known else FinishReason.CANCELLED,
        mode=answer.mode,
        warnings=answer.warnings,
        citations=answer.citations,
        closest_passage=answer.closest_passage,
        pages_read=(),
        pages_unread=(),
        metrics=answer.metrics or _NO_METRICS,
        notes=answer.notes,
        token_ids=answer.token_ids,
        evidence=answer.evidence,
    )
