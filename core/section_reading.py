"""Questions about documents that do not fit the model: the parts that matter are read, and which is said."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import cached_property

from core.cancel import CancelToken
from core.conversation import Conversation
from core.documents.layout import Document, Page, with_unique_names
from core.documents.notices import name_selection
from core.documents.search_terms import related_terms, search_terms
from core.documents.section_search import (
    SectionChoice,
    SectionIndex,
    choose_sections,
    is_about_everything,
)
from core.documents.sections import DEFAULT_BUDGET_TOKENS, Section, find_sections, max_section_tokens
from core.documents.token_map import render_for_model, require_text
from core.errors import DoesNotFitError, UsageError
from core.events import Event, Finished, Progress, Stage
from core.related_words import related_words
from core.session import MIN_ANSWER_TOKENS, SYSTEM_PROMPT, DocumentSession, EngineParts
from core.settings import SamplingSettings
from core.summarising import Summariser, notes_question

_RELATED_WEIGHT = 0.3
_MIN_BUDGET_TOKENS = 128


class SectionReader:
    """Answers about documents of any length from the sections that a question is about.

    `budget_tokens` bounds what is read of them at once; it is lowered where the model reads less. Pages are
    read whole, nothing is cut. Raises `DocumentError` if no page has text.
    """

    def __init__(
        self, parts: EngineParts, documents: Sequence[Document], budget_tokens: int | None = None
    ) -> None:
        require_text(documents)
        self.parts = replace(parts, shelf=None)  # each choice of sections is read once
        self.documents = with_unique_names(documents)
        self._wanted_budget = budget_tokens or DEFAULT_BUDGET_TOKENS

    def ask(
        self, question: str, sampling: SamplingSettings, cancel: CancelToken
    ) -> Generator[Event, None, None]:
        """Answer `question`; the last event is `Finished`, whose notes say what was read.

        A request for a summary reads all sections, one after another, and puts the notes on them together. A
        cancel before the answer has begun raises `CancelledError`. Raises `DoesNotFitError` if the model
        cannot read a single page.
        """
        if not question.strip():
            raise UsageError("No question", "Write a question first.")
        if is_about_everything(question):
            budget = self.budget_tokens(notes_question(question), sampling)
            yield from Summariser(self.parts, self.documents, budget).ask(question, sampling, cancel)
            return
        yield Progress(Stage.CHOOSING_SECTIONS, 0, 1, "sections")
        choice = self.choose(question, sampling, cancel)
        session = DocumentSession(self.parts, self.documents, choice.pages)
        conversation = Conversation(session)
        try:
            for event in conversation.ask(question, sampling, cancel):
                yield self._told(event, session, choice) if isinstance(event, Finished) else event
        finally:
            conversation.close()
            session.close()

    def choose(self, question: str, sampling: SamplingSettings, cancel: CancelToken) -> SectionChoice:
        """What `ask` would read for `question`: `Engine.open_document` takes its `pages`.

        The model is asked for related words, which are searched for beside those of the question.
        """
        budget = self.budget_tokens(question, sampling)
        sections = self._sections(budget)
        terms = search_terms(question)
        words = related_words(self.parts, question, cancel)
        terms = (*terms, *related_terms(words, terms, _RELATED_WEIGHT))
        with SectionIndex(self.documents, sections) as index:
            hits = index.search(terms)
        cancel.raise_if_cancelled()
        choice = choose_sections(hits, sections, self.documents, self._count_tokens, budget)
        if not choice.sections:
            raise no_page_fits(self.parts, budget)
        return choice

    def budget_tokens(self, question: str, sampling: SamplingSettings) -> int:
        """How many tokens of the documents are read at once: as asked for, or what the model has room for."""
        tokenizer = self.parts.loaded.tokenizer
        frame = tokenizer.frame(SYSTEM_PROMPT)
        around = frame.before_document + frame.before_question + frame.before_answer
        headings = "".join(f"[document: {document.name}]\n" for document in self.documents)
        answer_tokens = max(MIN_ANSWER_TOKENS, min(sampling.max_new_tokens, self.parts.max_seq_len // 4))
        used = len(tokenizer.encode_frame(around)) + len(tokenizer.encode_data(question + headings))
        room = self.parts.max_seq_len - used - answer_tokens
        if room < _MIN_BUDGET_TOKENS:
            raise no_page_fits(self.parts, max(0, room))
        return min(self._wanted_budget, room)

    def _sections(self, budget_tokens: int) -> tuple[Section, ...]:
        return find_sections(self.documents, self._count_tokens, max_section_tokens(budget_tokens))

    def _count_tokens(self, page: Page) -> int:
        return self._page_tokens[id(page)]

    @cached_property
    def _page_tokens(self) -> dict[int, int]:
        """What each page costs as `DocumentSession` reads it, its marker included."""
        encode = self.parts.loaded.tokenizer.encode_data
        costs = {}
        for document in self.documents:
            text = render_for_model([document])
            pages = {page.page_index: page for page in document.pages}
            for span in text.page_spans:
                costs[id(pages[span.page_index])] = len(encode(text.text[span.start : span.end]))
        return costs

    def _told(self, finished: Finished, session: DocumentSession, choice: SectionChoice) -> Finished:
        if not session.page_refs(read=False):
            return finished
        note = (
            "Only the sections that match the question best were read: "
            f"{name_selection(self.documents, choice.pages)}. Other pages may say more."
        )
        return replace(finished, warnings=(*finished.warnings, note), notes=(*finished.notes, note))


def no_page_fits(parts: EngineParts, budget_tokens: int) -> DoesNotFitError:
    return DoesNotFitError(
        "No page fits",
        f"{budget_tokens:,} tokens may be read at once and no page that matters is that short; "
        f"{parts.loaded.name} reads {parts.max_seq_len:,} with question and answer. Raise --section-budget, "
        "allow a shorter answer or choose a model with a longer context.",
    )
