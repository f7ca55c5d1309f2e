"""What the planner says of an architecture is what the trial run finds."""

from typing import Any

import pytest
from transformers import AutoConfig, PreTrainedConfig

from core.bench.tiny_models import TINY_CONFIGS, tiny_config
from core.errors import ModelError
from core.models.dry_run import dry_run
from core.models.steady_rope import hold_rope_still
from core.planning.geometry import ModelGeometry
from core.planning.reach import Engine, reached_architectures, unreached_architectures

WHOLE_MODELS = {"gemma3", "gemma4", "qwen3_5", "qwen3_5_moe"}
NEEDED: dict[str, dict[str, Any]] = {"mistral": {"sliding_window": None}}
COMMON = (
    "qwen2",
    "qwen2_moe",
    "qwen3_moe",
    "qwen3_next",
    "mistral",
    "mixtral",
    "phi3",
    "granite",
    "glm4_moe",
)
REFUSED = ("bloom", "longcat_flash", "mistral4", "jetmoe", "minimax", "zaya")
"""Of the others the default configuration says too little for a trial run."""


def geometry(config: PreTrainedConfig) -> ModelGeometry:
    return ModelGeometry.from_config(config.to_dict(), config.model_type)


def small(name: str) -> PreTrainedConfig:
    if name in TINY_CONFIGS:
        return tiny_config(name)
    return AutoConfig.for_model(name, num_hidden_layers=4, **NEEDED.get(name, {}))


def assert_reached(name: str) -> None:
    config = small(name)
    reach, model = dry_run(config), geometry(config)
    assert model.reach.engine is Engine.SUPPORTED
    assert (len(model.growing_layers), model.kv_values_per_token) == (
        reach.num_tiered_layers,
        reach.kv_values_per_token,
    )


@pytest.mark.parametrize("name", sorted({*TINY_CONFIGS, *COMMON}))
def test_what_the_trial_run_reaches_is_supported(name: str) -> None:
    assert_reached(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*reached_architectures()} - {*TINY_CONFIGS, *COMMON, *WHOLE_MODELS}))
def test_every_architecture_of_the_list_is_reached(name: str) -> None:
    assert_reached(name)


def test_every_tiny_architecture_is_in_the_list() -> None:
    assert {*TINY_CONFIGS} <= {*reached_architectures()}
    assert {*reached_architectures()}.isdisjoint(unreached_architectures())


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_trial_run_refuses_is_unsupported(name: str) -> None:
    assert name in unreached_architectures()
    config = AutoConfig.for_model(name, num_hidden_layers=4)
    with pytest.raises(ModelError):
        dry_run(config)
    reach = geometry(config).reach
    assert reach.engine is Engine.UNSUPPORTED
    assert reach.reason


@pytest.mark.parametrize("written", ["rope_scaling", "rope_parameters"])
@pytest.mark.parametrize("kind", [{"rope_type": "dynamic"}, {"type": "dynamic"}])
def test_positions_that_move_are_unsupported(written: str, kind: dict[str, str]) -> None:
    config = tiny_config("llama").to_dict()
    config.pop("rope_parameters")
    reach = ModelGeometry.from_config(config | {written: {**kind, "factor": 2.0}}, "x").reach
    assert reach.engine is Engine.UNSUPPORTED
    assert "dynamically" in reach.reason


def test_positions_that_move_are_refused_by_the_engine_too() -> None:
    config = tiny_config("llama", rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4})
    with pytest.raises(ModelError, match="dynamically"):
        hold_rope_still(config, 2048)
    assert geometry(config).reach.engine is Engine.UNSUPPORTED


def test_positions_of_some_layers_that_move_are_unsupported() -> None:
    parts = {"sliding_attention": {"rope_type": "dynamic"}, "full_attention": {"rope_type": "default"}}
    config = tiny_config("gemma3_text").to_dict() | {"rope_parameters": parts}
    assert ModelGeometry.from_config(config, "x").reach.engine is Engine.UNSUPPORTED
