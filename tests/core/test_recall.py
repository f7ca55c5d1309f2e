"""A model that can only recall finds all needles in exact and sparse mode, those in view in window mode."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
import torch
from transformers import PreTrainedModel

from core.bench.recall import (
    VOCAB_SIZE,
    Haystack,
    found_needles,
    make_haystack,
    measure,
    read_haystack,
    recall_model,
    recall_rate,
)
from core.cancel import CancelToken
from core.errors import CancelledError, UsageError
from core.kv.cache import TieredCache
from core.kv.sparse import SparseIndex, SparseSettings
from core.kv.store import KvSettings
from core.kv.window import WindowSettings
from core.settings import KV_CODECS
from tests.reference import stock_logits

NUM_TOKENS = 4096
BLOCK = 64
SMALL = SparseSettings(budget=512)


def kv(codec: str = "none") -> KvSettings:
    return KvSettings(block_tokens=BLOCK, dtype=torch.bfloat16, codec=codec)


@pytest.fixture(scope="module")
def model() -> PreTrainedModel:
    return recall_model()


@pytest.fixture(scope="module")
def haystack() -> Haystack:
    return make_haystack(NUM_TOKENS, 20)


@pytest.fixture(scope="module")
def prefix(model: PreTrainedModel, haystack: Haystack) -> Iterator[TieredCache]:
    prefix = read_haystack(model, haystack, kv=kv())
    yield prefix
    prefix.close()
    prefix.store.check_integrity()


def sparse_branch(prefix: TieredCache, settings: SparseSettings = SMALL) -> TieredCache:
    branch = prefix.branch()
    branch.decode_sparsely(settings)
    return branch


def test_needles_stand_once_and_at_all_depths(haystack: Haystack) -> None:
    positions = [needle.position for needle in haystack.needles]
    assert positions[0] == 1
    assert positions[-1] == NUM_TOKENS - 2
    assert max(b - a for a, b in pairwise(positions)) < NUM_TOKENS / 18
    for needle in haystack.needles:
        assert haystack.token_ids.count(needle.key_token) == haystack.token_ids.count(needle.value_token) == 1
        assert haystack.token_ids[needle.position + 1] == needle.value_token
    assert len(set(haystack.token_ids)) > VOCAB_SIZE / 2


def test_the_model_recalls_without_the_engine() -> None:
    """Stock attention over everything at once: the weights recall, not our cache."""
    stock, haystack = recall_model(attention="eager"), make_haystack(600, 10)
    for needle in haystack.needles:
        logits = stock_logits(stock, torch.tensor([*haystack.token_ids, needle.key_token]))
        assert int(logits[-1].argmax()) == needle.value_token


def test_exact_mode_finds_every_needle(
    model: PreTrainedModel, prefix: TieredCache, haystack: Haystack
) -> None:
    assert recall_rate(model, prefix, haystack.needles) == 1.0


def test_sparse_mode_finds_needles_that_its_budget_could_not_hold(
    model: PreTrainedModel, prefix: TieredCache, haystack: Haystack
) -> None:
    branch = sparse_branch(prefix)
    assert branch.tiered_layers[2].sparse is not None
    assert recall_rate(model, branch, haystack.needles) >= 0.95
    branch.close()


def test_a_random_choice_of_the_same_budget_finds_few(
    model: PreTrainedModel, prefix: TieredCache, haystack: Haystack, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = torch.Generator().manual_seed(4)

    def choose_blindly(index: SparseIndex, _query: torch.Tensor, region: range, _scaling: float) -> object:
        num_units = len(region) * BLOCK // index.settings.unit
        chosen = torch.randperm(num_units, generator=generator)[
            : index.settings.budget // index.settings.unit
        ]
        return chosen.sort().values.unsqueeze(0)

    monkeypatch.setattr(SparseIndex, "choose", choose_blindly)
    branch = sparse_branch(prefix)
    assert recall_rate(model, branch, haystack.needles) < 0.6
    branch.close()


@pytest.mark.parametrize("codec", [name for name in KV_CODECS if name != "none"])
def test_encoded_kv_recalls_as_well(model: PreTrainedModel, haystack: Haystack, codec: str) -> None:
    prefix = read_haystack(model, haystack, kv=kv(codec))
    assert recall_rate(model, prefix, haystack.needles) == 1.0
    prefix.decode_sparsely(SMALL)
    assert recall_rate(model, prefix, haystack.needles) >= 0.95
    prefix.close()


def test_window_mode_finds_what_is_in_view_and_nothing_else(
    model: PreTrainedModel, haystack: Haystack
) -> None:
    window = WindowSettings(window=1024)
    prefix = read_haystack(model, haystack, kv=kv(), window=window)
    found = found_needles(model, prefix, haystack.needles)
    in_view = [
        needle.position < window.sinks or needle.position >= NUM_TOKENS - window.window
        for needle in haystack.needles
    ]
    assert found == in_view
    assert 0 < sum(found) < len(found) / 2
    prefix.close()


def test_the_bench_judges_every_mode() -> None:
    result = measure(6144, CancelToken(), num_needles=20)
    assert [(row["mode"], row["tokens"], row["budget"]) for row in result.rows] == [
        ("exact", 6144, 6144),
        ("sparse", 6144, 4096),
        ("window", 6144, 1024),
    ]
    assert all(target.is_met for target in result.targets)
    assert 0 < result.rows[2]["found"] < result.rows[2]["of"] / 2


def test_the_bench_stops_when_asked_and_refuses_a_context_without_room() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        measure(2048, cancel)
    with pytest.raises(UsageError, match="too short"):
        measure(999, CancelToken())
