"""What a question and its answer have in common wherever they are asked: alone, in turn, or many at once."""

from dataclasses import dataclass

from core.documents.citations import find_citations
from core.documents.notices import describe_warnings
from core.documents.passages import closest_passage
from core.errors import ConversationFullError
from core.events import CacheOutcome, Finished, FinishReason, Metrics
from core.generation.generator import Generation
from core.generation.relief import notes_of
from core.session import MIN_ANSWER_TOKENS, DocumentSession

SPARSE_NOTE = (
    "This answer was made in sparse mode: for each word the model looked at the {budget:,} tokens of the "
    "document that seemed to matter most, not at all of them. Ask again in exact mode to be sure."
)
WINDOW_NOTE = (
    "This answer was made in window mode: the model saw only the beginning of the document and the newest "
    "{window:,} tokens. Of a document longer than that, most was not looked at. Ask again in exact mode to "
    "be sure."
)


@dataclass(frozen=True)
class AnswerStart:
    """What was known when a question was asked, for the figures in the end."""

    asked_at: float
    outcome: CacheOutcome
    prefill_seconds: float
    prefill_tokens: int
    num_reliefs: int


def question_ids(session: DocumentSession, question: str, lead_in: str | None = None) -> list[int]:
    """A question as the model reads it, up to where its answer begins; `lead_in` is what stands before it,
    None after the documents."""
    tokenizer, frame = session.parts.loaded.tokenizer, session.frame
    return [
        *tokenizer.encode_frame(frame.before_question if lead_in is None else lead_in),
        *tokenizer.encode_data(question.strip()),
        *tokenizer.encode_frame(frame.before_answer),
    ]


def require_room(session: DocumentSession, num_prompt_tokens: int) -> int:
    """How many tokens an answer may have after a prompt of so many.

    Raises `ConversationFullError` before anything is computed if that is too little.
    """
    parts = session.parts
    room = parts.max_seq_len - num_prompt_tokens
    if room < MIN_ANSWER_TOKENS:
        raise ConversationFullError(
            "No room for an answer",
            f"Documents, conversation and question are {num_prompt_tokens:,} tokens and "
            f"{parts.loaded.name} takes {parts.max_seq_len:,}. Start a new conversation or ask shorter.",
        )
    return room


def finish_answer(
    session: DocumentSession,
    question: str,
    num_prompt_tokens: int,
    generation: Generation,
    start: AnswerStart,
    *,
    cut: bool,
    mode: str | None = None,
) -> Finished:
    """The end of an answer: quotes verified, notes gathered, figures made.

    `cut` says that the context leaves less room than was asked for; `mode` is how the answer was really made
    where that is not what the settings say.
    """
    answer, settings = generation.text.strip(), session.parts.settings
    mode = mode or settings.mode
    citations = find_citations(answer, session.quote_index)
    has_proof = any(citation.verified for citation in citations)
    passage = None if has_proof else closest_passage(question, answer, session.quote_index)
    warnings = describe_warnings(session.documents, session.wanted)
    notes = [*session.parts.loaded.notes, *session.parts.store.notes]
    notes += notes_of(session.parts.runner.reliefs[start.num_reliefs :])
    notes += [*session.take_notes(), *session.notes]
    if mode == "sparse":
        notes.append(SPARSE_NOTE.format(budget=settings.sparse_budget))
    if mode == "window":
        notes.append(WINDOW_NOTE.format(window=settings.window_tokens))
    if generation.reason is FinishReason.LENGTH:
        limit = "the model's context is full" if cut else "the limit of new tokens was reached"
        notes.append(f"The answer ends early: {limit}.")
    return Finished(
        answer=answer,
        reason=generation.reason,
        mode=mode,
        warnings=(*warnings, *notes),
        notes=tuple(notes),
        token_ids=tuple(generation.token_ids),
        citations=citations,
        closest_passage=passage,
        pages_read=session.page_refs(read=True),
        pages_unread=session.page_refs(read=False),
        metrics=_metrics(session, num_prompt_tokens, generation, start),
    )


def _metrics(
    session: DocumentSession, num_prompt_tokens: int, generation: Generation, start: AnswerStart
) -> Metrics:
    steps = max(1, len(generation.token_ids) - 1)
    first = generation.first_token_at
    return Metrics(
        prompt_tokens=num_prompt_tokens,
        new_tokens=len(generation.token_ids),
        prefill_tokens=start.prefill_tokens,
        prefill_tokens_per_s=start.prefill_tokens / start.prefill_seconds if start.prefill_tokens else None,
        ttft_s=None if first is None else first - start.asked_at,
        tokens_per_s=generation.tokens_per_s,
        hot_bytes_peak=generation.hot_bytes_peak,
        cold_bytes=session.parts.store.cold_bytes,
        disk_bytes=session.disk_bytes,
        host_to_device_bytes_per_token=generation.decode_host_to_device_bytes / steps,
        device_to_host_bytes_per_token=generation.decode_device_to_host_bytes / steps,
        cache=start.outcome,
        hot_share=session.parts.store.scheduler.hot_share,
    )
