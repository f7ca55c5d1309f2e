"""Miniatures of the benchmarks of long contexts: they measure what they say, and notice a miss."""

from pathlib import Path

import pytest
import torch

from core.bench import decode, memory, prefill, review, sparse, traffic
from core.bench.filled import real_source
from core.bench.plot import require_plotting, write_chart
from core.bench.result import Chart
from core.bench.table import table_lines
from core.bench.tiny_models import tiny_config
from core.cancel import CancelToken
from core.engine import open_model
from core.errors import UsageError
from core.kv.cache import TieredCache
from core.settings import EngineSettings
from tests.tiny_folder import save_tiny_model


def test_a_cache_filled_by_repetition_attends_to_all_of_it(
    tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same keys twice weigh as much as once: attention over a whole repetition stays what it was."""
    monkeypatch.setattr("core.bench.filled.MAX_REAL_TOKENS", 64)
    monkeypatch.setattr("core.bench.filled._SOURCE_TOKENS", 64)
    settings = EngineSettings(model=str(tiny_folder), block_tokens=16, kv_dtype="float32")
    with open_model(settings) as engine:
        parts = engine.parts
        once = real_source(parts.loaded, list(range(3, 67)), CancelToken())
        twice = real_source(parts.loaded, list(range(3, 67)) * 2, CancelToken())
        assert (once.is_tiled, twice.is_tiled) == (False, True)
        outs = []
        for source in (once, twice):
            cache = TieredCache(parts.loaded.model.config, parts.store)
            source.fill_tiers(cache, parts.store)
            assert cache.num_tokens == source.num_tokens
            layer = cache.tiered_layers[0]
            shape = parts.store.layers[0].shape
            query = torch.ones(1, shape.num_kv_heads, 1, shape.k_dim)
            outs.append(layer._attend_sealed(query, 0.25, None, is_decode=True))
            cache.close()
    torch.testing.assert_close(outs[0][0], outs[1][0], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(outs[0][1] + torch.log(torch.tensor(2.0)), outs[1][1], atol=1e-5, rtol=1e-4)


def test_decode_of_a_long_context_keeps_up_with_transformers(
    starter_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A miniature of `bench decode`; its targets need 32K tokens and a quiet machine."""
    monkeypatch.setattr("core.bench.filled.MAX_REAL_TOKENS", 256)
    monkeypatch.setattr("core.bench.filled._SOURCE_TOKENS", 256)
    settings = EngineSettings(model=str(starter_folder), sparse_budget=1024)
    result = decode.measure(settings, 12_000, CancelToken(), num_rounds=2)
    times = {row["cache"]: row["times_dynamic_cache"] for row in result.rows}
    print(times)
    assert result.rows[0]["filled"] == "by repetition"
    assert times["tiered, exact"] > 0.7
    assert times["tiered, sparse"] > 1.0


def test_many_questions_read_cold_bytes_as_one(tiny_folder: Path) -> None:
    """A miniature of `bench review`; how fast it is shows on a real model and a quiet machine."""
    settings = EngineSettings(model=str(tiny_folder), block_tokens=32, kv_dtype="float32", hot_budget_bytes=0)
    result = review.measure(settings, 600, CancelToken(), num_alone=3, new_tokens=12)
    together, alone = result.rows
    assert (together["answers"], alone["answers"]) == (41, 3)
    assert together["same_answers"] == 1.0
    fewer_bytes, faster_decode, faster = result.targets
    cold_mib_a_pass = together["cold_mib_an_answer"] * 41 / together["passes"]
    assert alone["cold_mib_an_answer"] == pytest.approx(12 * cold_mib_a_pass, rel=0.2)
    assert fewer_bytes.value > 10
    assert faster_decode.value > 1
    assert faster.value > 1


def test_sparse_decoding_moves_its_budget_and_exact_decoding_everything(tiny_folder: Path) -> None:
    settings = EngineSettings(model=str(tiny_folder), block_tokens=32)
    result = traffic.measure(settings, 1900, CancelToken())
    assert all(target.is_met for target in result.targets), result.targets
    shares = {(row["mode"], row["codec"]): row["share_of_cold"] for row in result.rows}
    assert shares["exact", "int4"] == pytest.approx(1.0, rel=0.03)
    assert 0 < shares["sparse", "none"] < 1 / 8
    sizes = {row["codec"]: row["kv_mib"] for row in result.rows}
    assert sizes["none"] > sizes["int8"] > sizes["k8v4"] > sizes["int4"]


def test_the_digest_beats_random_choice_and_comes_near_the_oracle(starter_folder: Path) -> None:
    settings = EngineSettings(model=str(starter_folder))
    result = sparse.measure(settings, 1536, CancelToken(), shares=(8,), num_judged=8)
    kl = {(row["chosen_by"], row["every_token"]): row["kl"] for row in result.rows}
    assert kl["digest", True] < 0.5 * kl["random", True]
    assert kl["digest", True] < 10 * kl["oracle", True] + 1e-3
    assert kl["digest", False] < 0.2
    assert next(target for target in result.targets if target.name.startswith("digest")).is_met


def test_reading_takes_little_more_memory_than_the_encoded_kv(tmp_path: Path) -> None:
    """A miniature of `bench memory`: a model with much KV for its size; KV held twice would be above 2."""
    config = tiny_config(
        "llama",
        num_hidden_layers=8,
        num_attention_heads=4,
        num_key_value_heads=4,
        head_dim=128,
        max_position_embeddings=16_384,
    )
    folder = save_tiny_model(tmp_path / "model", config=config)
    result = memory._reading(EngineSettings(model=str(folder)), 8192, CancelToken())
    assert result.rows[0]["encoded_kv_mib"] == 128
    assert 0.9 < result.targets[0].value < 1.8


def test_prefill_is_timed_for_both_caches(tiny_folder: Path) -> None:
    result = prefill.measure(EngineSettings(model=str(tiny_folder)), 300, CancelToken())
    assert [row["cache"] for row in result.rows] == ["tiered", "transformers DynamicCache"]
    assert result.chart is not None
    assert set(result.chart.bars) == {row["cache"] for row in result.rows}


def test_tables_line_up() -> None:
    lines = table_lines([{"name": "a", "n": 12_000, "x": 0.12345}, {"name": "long", "n": 3, "y": True}])
    assert lines == ["name       n      x    y", "a     12,000  0.123    -", "long       3      -  yes"]


def test_a_chart_becomes_a_picture_and_bad_names_are_told_first(tmp_path: Path) -> None:
    path = tmp_path / "chart.png"
    require_plotting(path)
    write_chart(Chart("Title", "tokens a second", {"one": 1.0, "two": 2.5}), path)
    assert path.read_bytes().startswith(b"\x89PNG")
    for bad in (tmp_path / "chart.txt", tmp_path / "missing" / "chart.png"):
        with pytest.raises(UsageError, match="folder that exists"):
            require_plotting(bad)
