"""What an answer looked at: true shares of attention, summed by page, beyond what any question gets."""

from collections.abc import Iterator
from pathlib import Path

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
from core.evidence import attention_mass, page_shares, watch
from core.generation.runner import ModelRunner
from core.kv.cache import TieredCache, num_tiered_layers
from core.kv.store import KvSettings, KvStore
from core.kv.window import WindowSettings
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
    computed = []
    for question in ("What is the rent?", "What is the rent?"):
        before = engine.parts.runner.num_computed_tokens
        *_, finished = conversation.ask(question, SHORT, CancelToken())
        computed.append(engine.parts.runner.num_computed_tokens - before)
        assert isinstance(finished, Finished)
        masses = [page.mass for page in finished.evidence]
        assert masses == sorted(masses, reverse=True)
        assert 0.9 < sum(masses) < 1.01
        assert {page.page_index for page in finished.evidence} <= set(range(8))
        assert {page.document for page in finished.evidence} == {"lease.pdf"}
    assert computed[1] < computed[0] - session.num_prefix_tokens
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
