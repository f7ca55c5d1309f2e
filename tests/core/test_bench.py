"""Benchmarks run, count right and know when a target is missed."""

import json
from pathlib import Path

import pytest

from core.bench import sample
from core.bench.exactness import largest_difference
from core.bench.result import Target
from core.cancel import CancelToken
from core.settings import EngineSettings
from tests.command_line import lectern


def test_targets_have_a_good_side() -> None:
    assert Target("speed", 2.0, 1.5, at_least=True).is_met
    assert not Target("speed", 1.0, 1.5, at_least=True).is_met
    assert Target("error", 1e-6, 1e-5, at_least=False).is_met
    assert not Target("error", 1e-4, 1e-5, at_least=False).is_met


def test_exactness_measures_a_real_difference() -> None:
    assert 0 < largest_difference("gemma4_text") < 1e-5


def test_the_tiers_keep_up_with_transformers_on_the_starter(starter_folder: Path) -> None:
    """A miniature of `bench sample`: a thousand tokens, and a bound loose enough for a busy machine."""
    result = sample.measure(EngineSettings(model=str(starter_folder)), 1024, CancelToken())
    assert [row["tokens"] for row in result.rows] == [1024, 1024]
    for target in result.targets:
        print(f"{target.name}: {target.value:.2f}")
        assert target.value > 0.4, target.name


@pytest.mark.slow
def test_bench_prints_rows_and_targets() -> None:
    result = lectern("bench", "exactness", "--json")
    assert result.returncode == 0, result.stderr
    *rows, finished = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == 14
    assert finished["targets"]["largest difference of logits"]["met"] is True
