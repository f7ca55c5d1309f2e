"""A conversation out of the library, handed to a real engine with a tiny model."""

from pathlib import Path

from app.core_backend import CoreBackend
from app.saved_conversation import SavedConversation
from core.cancel import CancelToken
from core.documents.layout import Document
from core.events import CacheOutcome, Finished
from core.library.library import Library
from core.library.records import StoredAnswer
from core.settings import EngineSettings, SamplingSettings

SAMPLING = SamplingSettings(max_new_tokens=6)


def ask(backend: CoreBackend, question: str) -> Finished:
    *_, last = backend.ask(question, SAMPLING, CancelToken())
    assert isinstance(last, Finished)
    return last


def test_the_model_goes_on_as_if_it_had_never_been_away(
    tiny_folder: Path, pdfs: Path, known_documents: dict[str, Document], tmp_path: Path
) -> None:
    backend, document = CoreBackend(), known_documents[str(pdfs / "lease.pdf")]
    settings = EngineSettings(model=str(tiny_folder), kv_dtype="float32")
    with Library.open(tmp_path / "library.db") as library:
        conversation_id = library.conversations.create("Rent", []).conversation_id
        try:
            backend.open_model(settings, lambda _progress: None, CancelToken())
            backend.open_document([document])
            for question in ("How much is the rent?", "And the barge?"):
                answer = StoredAnswer.of(ask(backend, question), "tiny")
                library.conversations.add_turn(conversation_id, question, answer)
            library.conversations.add_turn(conversation_id, "Never answered?")
            expected = ask(backend, "Since when?")
            backend.open_document([document])
            saved = SavedConversation.load(library, conversation_id)
            backend.start_conversation(saved.past_turns)
            list(backend.read(CancelToken()))
            again = ask(backend, "Since when?")
        finally:
            backend.close()
    assert again.token_ids == expected.token_ids
    assert again.metrics.prompt_tokens == expected.metrics.prompt_tokens
    assert again.metrics.cache is CacheOutcome.HIT
