"""The plan against the memory that loading and reading really take, in processes of their own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from core.bench.planned import growth_rows
from core.cancel import CancelToken
from core.settings import EngineSettings
from tests.core.planning.growing_models import CONTEXTS, MODELS, noise, save_growing_model

MOST_DEVIATION = 0.06
"""A little more than `bench planned` allows: other tests run beside this one."""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks and counts memory as Linux does")
def test_resident_memory_grows_as_planned(tmp_path: Path, repository: Path) -> None:
    folders = [str(save_growing_model(name, tmp_path / name)) for name in MODELS]
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.planning.growing_models", *folders],
        cwd=repository,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["model"], row["tokens"]) for row in rows] == [
        (name, num_tokens) for name in MODELS for num_tokens in CONTEXTS
    ], done.stderr
    for row in rows:
        assert row["measured_to_planned"] == pytest.approx(1, abs=MOST_DEVIATION), row


@pytest.mark.gpu
@pytest.mark.parametrize("name", sorted(MODELS))
def test_gpu_memory_grows_as_planned(name: str, tmp_path: Path) -> None:
    folder = save_growing_model(name, tmp_path / name)
    settings = EngineSettings(model=str(folder), hot_budget_bytes=8 << 20)
    for row in growth_rows(settings, CONTEXTS, CancelToken(), noise):
        assert row["measured_to_planned"] == pytest.approx(1, abs=MOST_DEVIATION), row
        torch.cuda.empty_cache()
