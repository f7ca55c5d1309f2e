"""Requests about a whole document that does not fit: notes on each part, then an answer from them."""

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from core.cancel import CancelToken
from core.conversation import Conversation
from core.documents.citations import find_citations
from core.documents.layout import Document, Page
from core.documents.notices import describe_warnings, name_pages
from core.documents.page_range import PageSelection
from core.documents.passages import closest_passage
from core.documents.quote_index import QuoteIndex
from core.documents.section_search import pack_pages
from core.documents.sections import find_sections, max_section_tokens
from core.documents.token_map import render_for_model
from core.errors import CancelledError, DoesNotFitError
from core.events import Event, Finished, FinishReason, PageRef, PartProgress, Progress, Stage, Token
from core.session import DocumentSession, EngineParts
from core.settings import SamplingSettings

_NOTES_QUESTION = (
    "These pages are one part of a longer document. Write down briefly what they say that matters for this "
    "request, with names, dates and amounts: {request}"
)
_NOTES_SHARE = 6
_MAX_NOTES_TOKENS = 256
_MIN_NOTES_TOKENS = 24
_MAX_ROUNDS = 6
_WRITING_COST = 8
"""How many tokens can be read in the time that one is written, roughly."""


def notes_question(request: str) -> str:
    """What is asked about each part so that `request` can be answered from the notes."""
    return _NOTES_QUESTION.format(request=request.strip())


class Summariser:
    """Reads `documents` in parts of up to `budget_tokens`, each in a session of its own.

    Where the answer comes from notes, no attention tells what it looked at in the documents.
    """

    def __init__(self, parts: EngineParts, documents: Sequence[Document], budget_tokens: int) -> None:
        self._parts = parts
        self._note_parts = replace(parts, settings=replace(parts.settings, evidence=False))
        self._documents = tuple(documents)
        self._budget_tokens = budget_tokens

    def ask(
        self, request: str, sampling: SamplingSettings, cancel: CancelToken
    ) -> Generator[Event, None, None]:
        """Progress in parts and within each, then the answer of a conversation.

        Its quotes are looked up in the documents.

        Raises `CancelledError` while notes are taken and `DoesNotFitError` if a page is longer than a part.
        """
        documents, num_parts = self._documents, 0
        for _ in range(_MAX_ROUNDS):
            groups = self._groups(documents)
            if len(groups) == 1:
                break
            num_parts = num_parts or len(groups)
            documents = yield from self._take_notes(documents, groups, request, sampling, cancel)
        else:
            raise self._never_fits()
        session = DocumentSession(self._note_parts if num_parts else self._parts, documents, None)
        conversation = Conversation(session)
        try:
            for event in conversation.ask(request, sampling, cancel):
                is_from_notes = isinstance(event, Finished) and num_parts > 0
                yield self._about_documents(event, request, num_parts) if is_from_notes else event  # type: ignore[arg-type]
        finally:
            conversation.close()
            session.close()

    def _groups(self, documents: Sequence[Document]) -> list[PageSelection]:
        sections = find_sections(documents, self._count_tokens, max_section_tokens(self._budget_tokens))
        groups = pack_pages(sections, documents, self._count_tokens, self._budget_tokens)
        if groups is None:
            raise self._never_fits()
        return groups

    def _take_notes(
        self,
        documents: Sequence[Document],
        groups: Sequence[PageSelection],
        request: str,
        sampling: SamplingSettings,
        cancel: CancelToken,
    ) -> Generator[Event, None, tuple[Document, ...]]:
        """Documents whose pages are the notes, each with the number of the first page that it is about."""
        clock = _Clock(len(groups))
        yield clock.told(0)
        notes: dict[str, list[Page]] = {document.name: [] for document in documents}
        for number, group in enumerate(groups):
            text = yield from clock.during(
                number, self._notes_on(documents, group, request, sampling, cancel)
            )
            for document in documents:
                wanted = group.of_document(document.name)
                read = [page for page in document.pages if page.page_index in wanted]
                if read:
                    notes[document.name].append(_as_page(read, text))
            yield clock.told(number + 1)
        return tuple(
            replace(document, pages=tuple(notes[document.name]), outline=(), warnings=())
            for document in documents
            if notes[document.name]
        )

    def _notes_on(
        self,
        documents: Sequence[Document],
        group: PageSelection,
        request: str,
        sampling: SamplingSettings,
        cancel: CancelToken,
    ) -> Generator[PartProgress, None, str]:
        size = max(_MIN_NOTES_TOKENS, min(_MAX_NOTES_TOKENS, self._budget_tokens // _NOTES_SHARE))
        short = replace(sampling, max_new_tokens=min(size, sampling.max_new_tokens))
        session = DocumentSession(self._note_parts, documents, group)
        conversation = Conversation(session)
        try:
            with closing(conversation.ask(notes_question(request), short, cancel)) as events:
                finished = yield from _within_part(events, session.num_prefix_tokens, short.max_new_tokens)
        finally:
            conversation.close()
            session.close()
        if finished.reason is FinishReason.CANCELLED:
            raise CancelledError
        return finished.answer

    def _about_documents(self, finished: Finished, request: str, num_parts: int) -> Finished:
        """What was answered from notes, told of the documents themselves."""
        index = QuoteIndex(self._documents)
        citations = find_citations(finished.answer, index)
        has_proof = any(citation.verified for citation in citations)
        note = (
            f"The documents were read in {num_parts:,} parts, each by itself, and this answer was put "
            "together from notes on them. What connects parts that are far from each other may be missing."
        )
        notes = (*finished.notes, note)
        return replace(
            finished,
            citations=citations,
            closest_passage=None if has_proof else closest_passage(request, finished.answer, index),
            pages_read=tuple(self._page_refs(has_text=True)),
            pages_unread=tuple(self._page_refs(has_text=False)),
            warnings=(*describe_warnings(self._documents), *notes),
            notes=notes,
        )

    def _page_refs(self, *, has_text: bool) -> Iterator[PageRef]:
        for document in self._documents:
            for page in document.pages:
                if page.has_text is has_text:
                    yield PageRef(document.name, page.page_index, page.label)

    def _count_tokens(self, page: Page) -> int:
        document = Document("", "", "", (page,))
        return len(self._parts.loaded.tokenizer.encode_data(render_for_model([document]).text))

    def _never_fits(self) -> DoesNotFitError:
        return DoesNotFitError(
            "The pages are too long to be read one by one",
            f"{self._budget_tokens:,} tokens may be read at once and a page, or the notes on all parts, need "
            "more. Raise --section-budget or choose a model with a longer context.",
        )


class _Clock:
    """Tells how far the parts are; the time left is known once a whole part has been timed."""

    def __init__(self, num_parts: int) -> None:
        self._num_parts = num_parts
        self._started = time.perf_counter()

    def told(self, done: int, part: PartProgress | None = None) -> Progress:
        progress = Progress(Stage.READING_TOKENS, done, self._num_parts, "parts", part=part)
        if not done:
            return progress
        elapsed_s = time.perf_counter() - self._started
        return replace(progress, eta_s=elapsed_s * (1 - progress.share) / progress.share)

    def during(self, done: int, news: Generator[PartProgress, None, str]) -> Generator[Event, None, str]:
        """The news of the part after those done, and what it ends with."""
        while True:
            try:
                part = next(news)
            except StopIteration as end:
                text: str = end.value
                return text
            yield self.told(done, part)


def _within_part(
    events: Iterable[Event], num_read: int, num_written: int
) -> Generator[PartProgress, None, Finished]:
    """How far a part of `num_read` tokens is, about which up to `num_written` are written."""
    work, written = num_read + _WRITING_COST * num_written, 0
    for event in events:
        if isinstance(event, Progress):
            yield PartProgress(event.done, event.total, False, event.done / work, event.rate)
        elif isinstance(event, Token) and written < num_written:
            written += 1
            share = 1 - _WRITING_COST * (num_written - written) / work
            yield PartProgress(written, num_written, True, share)
        elif isinstance(event, Finished):
            return event
    raise AssertionError("a conversation ends with it")


def _as_page(read: Sequence[Page], notes: str) -> Page:
    first = read[0]
    text = f"Notes on {name_pages([page.page_index for page in read])}: {notes}"
    return replace(first, text=text, blocks=(), fragments=(), warnings=())
