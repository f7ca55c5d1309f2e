"""The planner before the engine: it stops what has no room, with numbers, and nothing else."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core import planning_commands
from core.console import Console, JsonConsole, TextConsole
from core.documents.worker import DocumentWorker
from core.errors import ModelTooLargeError
from core.planning.geometry import ModelGeometry
from core.planning.loading import (
    is_stopped,
    least_tokens,
    memory_shortfalls,
    plan_loading,
    request_of_settings,
)
from core.planning.machine import Gpu, Machine
from core.planning.models import find_geometry
from core.planning.reach import Engine, EngineReach
from core.samples import default_sample
from core.settings import EngineSettings

GIB = 1 << 30
SMALL = Machine("small", ram_total_bytes=8 * GIB, ram_available_bytes=6 * GIB)
LARGE = Machine("large", ram_total_bytes=512 * GIB, ram_available_bytes=500 * GIB)
SETTINGS = EngineSettings(model="qwen3-4b-instruct-2507")


@pytest.fixture
def qwen() -> ModelGeometry:
    return find_geometry(SETTINGS.model, Path("nowhere"))


def test_there_is_room_or_not(qwen: ModelGeometry) -> None:
    assert not is_stopped(plan_loading(LARGE, qwen, SETTINGS, 10_000))
    stopped = plan_loading(SMALL, qwen, SETTINGS, 10_000)
    assert is_stopped(stopped)
    (short,) = memory_shortfalls(stopped)
    assert short.place == "ram"
    assert short.needed > 16 * GIB > short.usable


def test_a_model_that_is_not_known_is_never_stopped(qwen: ModelGeometry) -> None:
    for engine in (Engine.UNKNOWN, Engine.UNSUPPORTED):
        geometry = replace(qwen, reach=EngineReach(engine))
        plan = plan_loading(SMALL, geometry, SETTINGS, 10_000)
        assert memory_shortfalls(plan)
        assert not is_stopped(plan)


def test_a_document_that_is_too_long_is_left_to_the_engine(qwen: ModelGeometry) -> None:
    plan = plan_loading(LARGE, qwen, SETTINGS, 1_000_000)
    assert plan.request.context == qwen.native_context
    assert not memory_shortfalls(plan)


def test_the_context_is_the_documents_the_models_or_the_users(qwen: ModelGeometry) -> None:
    capped = replace(SETTINGS, max_seq_len=4096)
    assert plan_loading(LARGE, qwen, SETTINGS, 9000).request.context == 9000
    assert plan_loading(LARGE, qwen, SETTINGS).request.context == 262_144
    assert plan_loading(LARGE, qwen, capped).request.context == 4096
    assert plan_loading(LARGE, qwen, capped, 9000).request.context == 4096


def test_devices_that_are_not_there_are_not_planned_for() -> None:
    settings = EngineSettings(
        quantization="nf4", gpu_ids=(0, 3), kv_sharding_strategy="layer_wise", kv_cache_device="multi_gpu"
    )
    without = request_of_settings(settings, LARGE, 100)
    assert (without.quantization, without.gpu_ids, without.cache_device) == ("none", (), "auto")
    one = replace(LARGE, gpus=(Gpu("one", 12 * GIB, 11 * GIB),))
    assert request_of_settings(settings, one, 100).gpu_ids == (0,)


def test_the_sample_is_at_least_as_long_as_said() -> None:
    with DocumentWorker() as worker:
        document = worker.read(default_sample().path)
    assert 64 < least_tokens([document]) < 2721, "the starter counts 2,721 tokens"


@pytest.mark.parametrize("console", [TextConsole(), JsonConsole()])
def test_ask_stops_with_numbers_and_offers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], console: Console
) -> None:
    middle = Machine("middle", ram_total_bytes=32 * GIB, ram_available_bytes=28 * GIB)
    monkeypatch.setattr(planning_commands, "probe_machine", lambda _folder: middle)
    with pytest.raises(ModelTooLargeError) as stopped:
        planning_commands.require_room(SETTINGS, 100_000, console, is_forced=False)
    assert stopped.value.exit_code == 4
    for words in ("100,000 tokens", "GiB usable", "--kv-compression int8", "--force"):
        assert words in stopped.value.message
    planning_commands.require_room(SETTINGS, 100_000, console, is_forced=True)
    said = capsys.readouterr()
    assert "may not fit" in said.err + said.out
    planning_commands.require_room(replace(SETTINGS, kv_compression="int8"), 1000, console, is_forced=False)
    assert capsys.readouterr() == ("", "")


def test_what_cannot_be_planned_is_not_stopped(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}), encoding="utf-8")
    settings = EngineSettings(model=str(tmp_path))
    planning_commands.require_room(settings, 100, TextConsole(), is_forced=False)
