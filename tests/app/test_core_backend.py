"""The real engine behind the window's thread, with a tiny model."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.core_backend import CoreBackend
from core.cancel import CancelToken
from core.documents.layout import Document
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.errors import DocumentError, DocumentsTooLargeError, DoesNotFitError
from core.events import CacheOutcome, Finished, Progress, RowFinished
from core.review.question import Question
from core.settings import EngineSettings, RopeScaling, SamplingSettings

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


def test_settings_change_under_an_open_document(
    tiny_folder: Path, pdfs: Path, known_documents: dict[str, Document]
) -> None:
    backend, document = CoreBackend(), known_documents[str(pdfs / "lease.pdf")]
    settings = EngineSettings(model=str(tiny_folder))
    try:
        backend.open_model(settings, lambda _progress: None, CancelToken())
        num_tokens = backend.open_document([document])
        assert list(backend.read(CancelToken()))
        ask(backend, "How much is the rent?")
        model = backend.change_settings(replace(settings, mode="sparse", max_seq_len=num_tokens + 1000))
        assert model is not None
        assert model.context_length == num_tokens + 1000
        assert list(backend.read(CancelToken())) == []
        *_, again = backend.regenerate(SAMPLING, CancelToken())
        assert isinstance(again, Finished)
        assert (again.mode, again.metrics.cache) == ("sparse", CacheOutcome.HIT)
        with pytest.raises(DoesNotFitError):
            backend.change_settings(replace(settings, max_seq_len=num_tokens))
        assert ask(backend, "And the barge?").metrics.cache is CacheOutcome.HIT
        assert backend.change_settings(replace(settings, kv_compression="int8")) is not None
        backend.open_document([document])
        assert ask(backend, "How much is the rent?").metrics.cache is CacheOutcome.MISS
        assert backend.change_settings(replace(settings, quantization="nf4")) is None
    finally:
        backend.close()


def test_a_review_of_one_of_two_documents_leaves_the_conversation(
    tiny_folder: Path, pdfs: Path, known_documents: dict[str, Document]
) -> None:
    first, second = (known_documents[str(pdfs / name)] for name in ("lease.pdf", "R&D <b>lease.pdf"))
    questions = [Question("rent", "How much is the rent?"), Question("term", "How long?")]
    backend = CoreBackend()
    try:
        backend.open_model(EngineSettings(model=str(tiny_folder)), lambda _progress: None, CancelToken())
        backend.open_document([first, second])
        list(backend.read(CancelToken()))
        asked = ask(backend, "How much is the rent?")
        events = list(backend.review(second, questions, SAMPLING, CancelToken()))
        finished = {event.row_id: event.finished for event in events if isinstance(event, RowFinished)}
        assert {page.document for page in finished["rent"].pages_read} == {second.name}
        assert finished.keys() == {"rent", "term"}
        assert list(backend.read(CancelToken())) == [], "the session of both documents is as it was"
        again = ask(backend, "And the barge?")
        assert again.metrics.prompt_tokens > asked.metrics.prompt_tokens
        backend.open_document([first])
        list(backend.read(CancelToken()))
        events = list(backend.review(first, questions, SAMPLING, CancelToken()))
        assert not any(isinstance(event, Progress) for event in events), "it is read already"
    finally:
        backend.close()


def test_a_document_that_is_left_out_is_neither_read_nor_reviewed(
    tiny_folder: Path, pdfs: Path, known_documents: dict[str, Document]
) -> None:
    pair = [known_documents[str(pdfs / name)] for name in ("lease.pdf", "R&D <b>lease.pdf")]
    questions, backend = [Question("rent", "How much is the rent?")], CoreBackend()
    try:
        backend.open_model(EngineSettings(model=str(tiny_folder)), lambda _progress: None, CancelToken())
        both = backend.open_document(pair)
        assert backend.open_document(pair, ReadingChoice(ReadingKind.PAGES, ("none", ""))) < both
        finished = ask(backend, "How much is the rent?")
        assert {page.document for page in finished.pages_read} == {pair[1].name}
        assert {page.document for page in finished.pages_unread} == {pair[0].name}
        assert "Left out and not read: lease.pdf. What was not read may say more." in finished.notes
        with pytest.raises(DocumentError, match="left out of what is read"):
            list(backend.review(pair[0], questions, SAMPLING, CancelToken()))
        reviewed = list(backend.review(pair[1], questions, SAMPLING, CancelToken()))
        assert isinstance(reviewed[-1], RowFinished)
    finally:
        backend.close()


def test_part_of_a_document_is_read_where_not_all_of_it_fits(
    tiny_folder: Path, sample_path: str, known_documents: dict[str, Document]
) -> None:
    backend, document = CoreBackend(), known_documents[sample_path]
    settings = EngineSettings(model=str(tiny_folder))
    try:
        backend.open_model(settings, lambda _progress: None, CancelToken())
        whole, pages = backend.measure([document]), ReadingChoice(ReadingKind.PAGES, ("3",))
        assert whole.needed_tokens(EVERYTHING) > whole.limit
        most = whole.needed_tokens(pages) + 500
        backend.change_settings(replace(settings, max_seq_len=most))
        sizes = backend.measure([document])
        assert (sizes.limit, sizes.page_tokens) == (most, whole.page_tokens)
        with pytest.raises(DocumentsTooLargeError):
            backend.open_document([document])
        assert backend.open_document([document], pages) < most
        finished = ask(backend, "What is it?")
        assert [page.page_index for page in finished.pages_read] == [2]
        assert [page.page_index for page in finished.pages_unread] == [0, 1]
        assert "Only these pages were read: page 3 of 3. Other pages may say more." in finished.notes
        assert backend.open_document([document], ReadingChoice(ReadingKind.SECTIONS)) == 0
        assert list(backend.read(CancelToken())) == []
        first = ask(backend, "Which percentage of the revenues does HPS pay?")
        assert first.pages_unread
        assert backend.change_settings(replace(settings, max_seq_len=most, mode="sparse")) is not None
        *_, again = backend.regenerate(SAMPLING, CancelToken())
        assert isinstance(again, Finished)
        assert again.mode == "sparse"
        assert again.pages_read == first.pages_read
        backend.start_conversation()
        assert backend.open_document([document], pages) < most, "nothing is left of the sections"
    finally:
        backend.close()


def test_a_stretched_model_tells_what_it_was_made_for(
    tiny_folder: Path, sample_path: str, known_documents: dict[str, Document]
) -> None:
    backend, document = CoreBackend(), known_documents[sample_path]
    settings = EngineSettings(model=str(tiny_folder))
    try:
        native = backend.open_model(settings, lambda _progress: None, CancelToken()).context_length
        stretched = replace(settings, rope_scaling=RopeScaling("yarn", 2))
        assert backend.change_settings(stretched) is None, "positions come with the weights"
        backend.open_model(stretched, lambda _progress: None, CancelToken())
        sizes = backend.measure([document])
        assert (sizes.context_length, sizes.limit, sizes.stretch) == (native, 2 * native, 2)
    finally:
        backend.close()
