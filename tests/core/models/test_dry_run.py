"""Models out of the engine's reach are refused before any weight is read."""

import pytest
from transformers import AutoConfig

from core.bench.tiny_models import TINY_CONFIGS, tiny_config
from core.errors import ModelError
from core.models.dry_run import dry_run

NUM_TIERED = {"llama": 4, "qwen3": 4, "ministral3": 4, "smollm3": 4}


@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_supported_architectures_are_reached(name: str) -> None:
    reach = dry_run(tiny_config(name))
    assert reach.num_tiered_layers == NUM_TIERED.get(name, 2)
    head_dim = 32 if name == "gemma4_text" else 16
    assert reach.kv_values_per_token == reach.num_tiered_layers * 2 * 2 * head_dim


@pytest.mark.parametrize("name", ["falcon", "bloom", "mpt"])
def test_models_with_attention_of_their_own_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match=name):
        dry_run(AutoConfig.for_model(name))


def test_a_large_model_is_tried_without_memory() -> None:
    config = AutoConfig.for_model(
        "qwen3",
        hidden_size=8192,
        intermediate_size=29568,
        num_hidden_layers=80,
        num_attention_heads=64,
        num_key_value_heads=8,
        head_dim=128,
    )
    assert dry_run(config).kv_values_per_token == 80 * 2 * 8 * 128


def test_the_configuration_is_left_as_it_was() -> None:
    config = tiny_config("llama")
    before = config.to_dict(), config._attn_implementation
    dry_run(config)
    assert (config.to_dict(), config._attn_implementation) == before
