"""What an answer looked at: true shares of attention, summed by page, beyond what any question gets."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.attention.query_tap import QueryTap
from core.attention.tiered import register
from core.bench.evidence import recall_row
from core.bench.recall import make_haystack, recall_model
from core.bench.tiny_models import tiny_model
from core.cancel import CancelToken
from core.documents.layout import Document, Page
from core.engine import Engine, open_model
from core.events import Event, Finished, FinishReason, Token
from core.evidence import attention_mass, page_shares, strongest_window, watch
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache, num_tiered_layers
from core.kv.store import KvSettings, KvStore
from core.kv.window import WindowSettings
from core.session import DocumentSession
from core.settings import EngineSettings, SamplingSettings

SHORT = SamplingSettings(max_new_tokens=8)
BLOCK = 16


def test_the_mass_of_a_token_is_its_share_of_the_softmax() -> None:
    torch.manual_seed(0)
    query, keys = torch.randn(1, 6, 5, 8), torch.randn(2, 40, 8)
    scores = query[0].reshape(2, 15, 8) @ keys.transpose(-1, -2) * 0.3
    tap = QueryTap(rows_per_call=5)
    tap.record(query, scores.logsumexp(-1).reshape(1, 6, 5), scaling=0.3, softcap=None)
    positions = torch.arange(40)
    pieces = [(positions[start : start + 7], keys[:, start : start + 7]) for start in range(0, 40, 7)]
    mass = tap.token_mass(iter(pieces), 30)
    assert mass is not None
    assert torch.allclose(mass, scores.softmax(-1).mean((0, 1))[:30], atol=1e-6)


def test_calls_beyond_what_is_kept_are_thinned_out_evenly() -> None:
    tap, keys = QueryTap(), torch.eye(4).unsqueeze(0)
    for number in range(300):
        query = 50.0 * torch.eye(4)[number * 4 // 300].view(1, 1, 1, 4)
        tap.record(query, torch.full((1, 1, 1), 50.0), scaling=1.0, softcap=None)
    mass = tap.token_mass(iter([(torch.arange(4), keys)]), 4)
    assert mass is not None
    assert torch.allclose(mass, torch.full((4,), 0.25), atol=0.03)


def watched(name: str, codec: str, window: WindowSettings | None = None) -> torch.Tensor:
    """The mass of all tokens after one decoded token, its own included."""
    register()
    model = tiny_model(name, attention="tiered")
    kv = KvSettings(block_tokens=BLOCK, dtype=torch.float32, codec=codec)
    cache = TieredCache(model.config, KvStore(kv, num_tiered_layers(model.config)))
    cache.attend_within(window)
    runner = ModelRunner(model)
    runner.step(torch.arange(3, 103), cache)
    watch(cache)
    runner.step(torch.tensor([5]), cache)
    mass = attention_mass(cache, cache.num_tokens)
    cache.close()
    assert mass is not None
    return mass


@pytest.mark.parametrize("name", ["llama", "gemma3_text", "gemma4_text", "deepseek_v3"])
@pytest.mark.parametrize("codec", ["none", "k8v4"])
def test_the_shares_of_all_tokens_sum_to_one(name: str, codec: str) -> None:
    mass = watched(name, codec)
    assert mass.shape == (101,)
    assert float(mass.sum()) == pytest.approx(1.0, abs=1e-3)
    assert float(mass.std()) > 1e-4, "attention is not uniform"


def test_what_is_out_of_view_has_no_mass() -> None:
    mass = watched("llama", "none", WindowSettings(window=32, sinks=BLOCK))
    assert float(mass.sum()) == pytest.approx(1.0, abs=1e-4)
    assert float(mass[BLOCK : 4 * BLOCK].sum()) == 0.0
    assert float(mass[:BLOCK].sum()) > 0.0


def test_pages_get_what_exceeds_the_neutral_question() -> None:
    pages = [range(4, 6), range(6, 8), range(8, 10)]
    answer = torch.tensor([9.0, 0, 0, 0, 0.2, 0.2, 0.1, 0.3, 0.1, 0.1])
    assert page_shares(answer, None, pages) == pytest.approx([0.4, 0.4, 0.2])
    neutral = torch.tensor([5.0, 0, 0, 0, 0.1, 0.1, 0.0, 0.1, 0.05, 0.05])
    assert page_shares(answer, neutral, pages) == pytest.approx([0.0, 1.0, 0.0])
    assert page_shares(answer, answer, pages) == [0.0, 0.0, 0.0]


def test_a_miniature_of_the_bench() -> None:
    """Sixty pages, twenty needles: the page of the needle is among the three with most mass."""
    row = recall_row(recall_model(), make_haystack(3840, 20), CancelToken(), page_tokens=64)
    assert row["pages"] == 60
    assert row["in_top_3"] >= 0.95


DOCUMENT = Document(
    "/documents/lease.pdf",
    "lease.pdf",
    "0" * 64,
    tuple(
        Page(i, str(i + 1), 600, 800, f"Page {i} says that the rent is {i * 100} dollars.", (), ())
        for i in range(8)
    ),
)


@pytest.fixture(scope="module")
def engine(tiny_folder: Path) -> Iterator[Engine]:
    settings = EngineSettings(model=str(tiny_folder), kv_dtype="float32", max_seq_len=2048, sampling=SHORT)
    with open_model(settings) as engine:
        yield engine


def test_an_answer_ends_with_pages_and_asks_the_neutral_question_once(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    neutral = []
    for question in ("What is the rent?", "What is the rent?"):
        *_, finished = conversation.ask(question, SHORT, CancelToken())
        neutral.append(session.evidence._neutral)
        assert isinstance(finished, Finished)
        masses = [page.mass for page in finished.evidence]
        assert masses == sorted(masses, reverse=True)
        assert 0.9 < sum(masses) < 1.01
        assert {page.page_index for page in finished.evidence} <= set(range(8))
        assert {page.document for page in finished.evidence} == {"lease.pdf"}
    assert neutral[0] is not None
    assert neutral[1] is neutral[0]
    conversation.close()
    session.close()
    engine.parts.store.check_integrity()


def test_a_stopped_answer_has_no_evidence(engine: Engine) -> None:
    session = engine.open_document([DOCUMENT])
    conversation, cancel = engine.converse(session), CancelToken()
    events: list[Event] = []
    for event in conversation.ask("What is the rent?", SHORT, cancel):
        events.append(event)
        if isinstance(event, Token):
            cancel.cancel()
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert finished.reason is FinishReason.CANCELLED
    assert finished.evidence == ()
    conversation.close()
    session.close()


def test_the_strongest_window_is_the_best_of_all_windows() -> None:
    torch.manual_seed(1)
    mass = torch.randn(50)
    sums = [float(mass[start : start + 8].sum()) for start in range(43)]
    best = strongest_window(mass, 8)
    assert (best.start, len(best)) == (sums.index(max(sums)), 8)
    assert strongest_window(mass[:5], 8) == range(5)
    assert len(strongest_window(mass[:0], 8)) == 0


def finished_of(engine: Engine, cancel: CancelToken, *, stop_at_keys: bool = False) -> Finished:
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    events = []
    for event in conversation.ask("What is the rent on page 3?", SHORT, cancel):
        events.append(event)
        if stop_at_keys and sum(isinstance(one, Token) for one in events) == SHORT.max_new_tokens:
            break_off_at_keys(session, cancel)
    conversation.close()
    session.close()
    finished = events[-1]
    assert isinstance(finished, Finished)
    return finished


def break_off_at_keys(session: DocumentSession, cancel: CancelToken) -> None:
    """Cancel when the neutral question is asked, between two of the passes that evidence takes."""
    ask_nothing = session.evidence._ask_nothing

    def cancelling() -> torch.Tensor | None:
        cancel.cancel()
        return ask_nothing()

    session.evidence._ask_nothing = cancelling  # type: ignore[method-assign]


def test_each_page_comes_with_words_that_stand_on_it(engine: Engine) -> None:
    for page in finished_of(engine, CancelToken()).evidence:
        text = DOCUMENT.pages[page.page_index].text
        assert page.page_label == str(page.page_index + 1)
        assert page.passage
        assert " ".join(text[page.start : page.end].split()) == page.passage


def test_a_cancel_while_evidence_is_looked_up_leaves_the_answer_whole(engine: Engine) -> None:
    finished = finished_of(engine, CancelToken(), stop_at_keys=True)
    assert finished.reason is FinishReason.LENGTH
    assert finished.metrics.new_tokens == SHORT.max_new_tokens
    assert finished.evidence == ()


def test_switched_off_it_costs_nothing_and_says_nothing(engine: Engine) -> None:
    usual = engine.parts.settings
    engine.change(replace(usual, evidence=False))
    session = engine.open_document([DOCUMENT])
    conversation = engine.converse(session)
    *_, finished = conversation.ask("What is the rent?", SHORT, CancelToken())
    session.evidence.get_ready(CancelToken())
    assert isinstance(finished, Finished)
    assert finished.evidence == ()
    assert session.evidence.seconds < 0.01, "nothing was looked up"
    assert all(layer.tap is None for layer in conversation.turns[-1].cache.tiered_layers)  # type: ignore[union-attr]
    conversation.close()
    session.close()
    engine.change(usual)


def test_what_is_made_ready_is_the_same_and_counts_as_nothing_read(engine: Engine) -> None:
    lazy = finished_of(engine, CancelToken())
    session = engine.open_document([DOCUMENT])
    for _ in session.read(CancelToken()):
        pass
    num_computed = engine.parts.runner.num_computed_tokens
    session.evidence.get_ready(CancelToken())
    assert engine.parts.runner.num_computed_tokens == num_computed
    conversation = engine.converse(session)
    *_, finished = conversation.ask("What is the rent on page 3?", SHORT, CancelToken())
    assert isinstance(finished, Finished)
    assert finished.evidence == lazy.evidence
    conversation.close()
    session.close()


def test_the_neutral_question_is_asked_once_for_documents_kept_on_the_disk(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = EngineSettings(
        model=str(tiny_folder),
        kv_dtype="float32",
        max_seq_len=2048,
        cache_root=tmp_path,
        document_caches=True,
    )
    found = []
    with open_model(settings) as engine:
        found.append(finished_of(engine, CancelToken()).evidence)
        num_asked: list[ModelRunner] = []
        monkeypatch.setattr(ModelRunner, "step", counting(ModelRunner.step, num_asked))
        found.append(finished_of(engine, CancelToken()).evidence)
        assert num_asked == [engine.parts.runner] * len(num_asked), "no other runner was at work"
        [kept] = tmp_path.rglob("beside-evidence*")
        kept.write_bytes(kept.read_bytes()[:-4] + b"\xff\xff\xff\x7f")
        found.append(finished_of(engine, CancelToken()).evidence)
        assert num_asked[-1] is not engine.parts.runner, "what is damaged is asked again"
    assert found[0]
    assert found == [found[0]] * 3


def counting(step: Callable[..., torch.Tensor], runners: list[ModelRunner]) -> Callable[..., torch.Tensor]:
    def counted(runner: ModelRunner, *arguments: Any) -> torch.Tensor:
        runners.append(runner)
        return step(runner, *arguments)

    return counted
