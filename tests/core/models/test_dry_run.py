"""Models out of the engine's reach are refused before any weight is read."""

from typing import Any

import pytest
import torch
from transformers import AutoConfig
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
from transformers.models.deepseek_v3.modeling_deepseek_v3 import DeepseekV3Attention

from core.bench.tiny_models import TINY_CONFIGS, tiny_config
from core.errors import ModelError
from core.models.dry_run import dry_run

NUM_TIERED = {"llama": 4, "qwen3": 4, "ministral3": 4, "smollm3": 4}
LATENT = ["deepseek_v2", "deepseek_v3", "glm4_moe_lite"]


@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_supported_architectures_are_reached(name: str) -> None:
    reach = dry_run(tiny_config(name))
    assert reach.num_tiered_layers == (4 if name in LATENT else NUM_TIERED.get(name, 2))
    if name in LATENT:
        assert reach.kv_values_per_token == 4 * (24 + 8)
        return
    head_dim = 32 if name == "gemma4_text" else 16
    assert reach.kv_values_per_token == reach.num_tiered_layers * 2 * 2 * head_dim


@pytest.mark.parametrize("name", ["falcon", "bloom", "mpt"])
def test_models_with_attention_of_their_own_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match=name):
        dry_run(AutoConfig.for_model(name))


@pytest.mark.parametrize("name", ["deepseek_v32", "glm_moe_dsa"])
def test_models_whose_cache_also_holds_an_index_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match="indexed_attention"):
        dry_run(AutoConfig.for_model(name))


def test_attention_that_reads_something_else_than_the_cache_keeps_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Latents that are expanded in a way the engine does not know."""
    monkeypatch.delattr(DeepseekV3Attention, "expand_kv")
    monkeypatch.setattr(DeepseekV3Attention, "forward", _forward_with_latents_of_its_own)
    with pytest.raises(ModelError, match="something else than what its cache keeps"):
        dry_run(tiny_config("deepseek_v3"))


def _forward_with_latents_of_its_own(
    self: DeepseekV3Attention, hidden_states: torch.Tensor, **kwargs: Any
) -> tuple[torch.Tensor, None]:
    shape = (1, self.num_heads, hidden_states.shape[1], 16)
    states = hidden_states.new_empty(shape)
    latent, rope = states[:, :1], states[:, :1, :, :8]
    kwargs["cache"].update(latent, rope, self.layer_idx, kwargs=kwargs)
    attention = ALL_ATTENTION_FUNCTIONS[self.config._attn_implementation]
    attention(self, states, states, states, None, **kwargs)
    return hidden_states, None


def test_a_large_latent_model_counts_its_latents() -> None:
    assert dry_run(AutoConfig.for_model("deepseek_v3")).kv_values_per_token == 61 * (512 + 64)


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
