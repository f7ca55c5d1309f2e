"""The real engine behind the window's thread, with a tiny model."""

from pathlib import Path

from app.engine_thread import CoreBackend
from core.cancel import CancelToken
from core.documents.layout import Document
from core.events import CacheOutcome, Finished
from core.settings import EngineSettings, SamplingSettings

SAMPLING = SamplingSettings(max_new_tokens=4)


def ask(backend: CoreBackend, question: str) -> Finished:
    *_, last = backend.ask(question, SAMPLING, CancelToken())
    assert isinstance(last, Finished)
    return last


def test_a_new_conversation_reads_nothing_again(
    tiny_folder: Path, pdfs: Path, known_documents: dict[str, Document]
) -> None:
    backend = CoreBackend()
    try:
        backend.open_model(EngineSettings(model=str(tiny_folder)), lambda _progress: None, CancelToken())
        backend.open_document([known_documents[str(pdfs / "lease.pdf")]])
        assert list(backend.read(CancelToken()))
        first = ask(backend, "How much is the rent?")
        second = ask(backend, "And the barge?")
        assert second.metrics.prompt_tokens > first.metrics.prompt_tokens + first.metrics.new_tokens
        backend.start_conversation()
        assert list(backend.read(CancelToken())) == []
        again = ask(backend, "How much is the rent?")
        assert again.metrics.cache is CacheOutcome.HIT
        assert again.metrics.prefill_tokens == 0
        assert (again.answer, again.metrics.prompt_tokens) == (first.answer, first.metrics.prompt_tokens)
    finally:
        backend.close()
