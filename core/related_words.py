"""Words that a document may use where a question uses others; asked of the model, used for searching only."""

from core.cancel import CancelToken
from core.generation.generator import generate
from core.kv.cache import TieredCache
from core.session import EngineParts
from core.settings import SamplingSettings

_PROMPT = (
    "You help to search a document. The user asks a question. Reply with one line of up to ten single words "
    "that the passage with the answer may contain: synonyms and related terms, in the language of the "
    "question, separated by commas. Do not answer the question."
)
_MAX_NEW_TOKENS = 40
_GREEDY = SamplingSettings(temperature=0.0, max_new_tokens=_MAX_NEW_TOKENS)


def related_words(parts: EngineParts, question: str, cancel: CancelToken) -> str:
    """A short text of related words; whatever it says, it is fit for nothing but to be searched for.

    Empty if the question is too long for that. Raises `CancelledError`.
    """
    tokenizer = parts.loaded.tokenizer
    frame = tokenizer.frame(_PROMPT)
    prompt_ids = [
        *tokenizer.encode_frame(frame.before_document + frame.before_question),
        *tokenizer.encode_data(question.strip()),
        *tokenizer.encode_frame(frame.before_answer),
    ]
    if len(prompt_ids) + _MAX_NEW_TOKENS > parts.max_seq_len:
        return ""
    cache = TieredCache(parts.loaded.model.config, parts.store)
    try:
        events = generate(
            parts.runner,
            cache,
            prompt_ids,
            decode=tokenizer.decode,
            stop_ids=tokenizer.stop_ids,
            sampling=_GREEDY,
            max_new_tokens=_MAX_NEW_TOKENS,
            chunk_tokens=parts.settings.prefill_chunk,
            cancel=cancel,
        )
        while True:
            try:
                next(events)
            except StopIteration as end:
                text: str = end.value.text
                cancel.raise_if_cancelled()
                return text
    finally:
        cache.close()
