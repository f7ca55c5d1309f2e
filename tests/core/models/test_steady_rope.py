"""Positions of text that was read never change: longrope is decided once, dynamic scaling is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel

from core.attention.tiered import register
from core.bench.tiny_models import TINY_CONFIGS, VOCAB_SIZE, tiny_config
from core.errors import ModelError
from core.models.loader import LoadOptions, load_model
from core.models.steady_rope import hold_rope_still
from tests.core.models.test_rope_scaling import CPU, FP32
from tests.reference import stock_logits, tiered_logits, tiny_cache
from tests.tiny_folder import save_tiny_model

register()

ORIGINAL_LENGTH, CONTEXT_LENGTH = 64, 512
SHORT = [1.0 + 0.02 * index for index in range(8)]
LONG = [1.0 + 0.9 * index for index in range(8)]
TOKENS = torch.randint(3, VOCAB_SIZE, (150,), generator=torch.Generator().manual_seed(0))
CHUNKS = (50, 30, 40)
"""The second chunk goes across the original length."""


def phi3_config(**factors: list[float]) -> PreTrainedConfig:
    rope = {"rope_type": "longrope", "rope_theta": 10000.0, "short_factor": SHORT, "long_factor": LONG}
    sizes = {name: value for name, value in TINY_CONFIGS["llama"].items() if name != "head_dim"}
    changes: dict[str, Any] = {
        "hidden_size": 96,
        "max_position_embeddings": CONTEXT_LENGTH,
        "original_max_position_embeddings": ORIGINAL_LENGTH,
        "rope_parameters": rope | factors,
    }
    return AutoConfig.for_model("phi3", **sizes | changes)


def model_of(config: PreTrainedConfig, attention: str) -> PreTrainedModel:
    torch.manual_seed(0)
    model: PreTrainedModel = AutoModelForCausalLM.from_config(config, attn_implementation=attention)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "qkv_proj" in name:
                parameter.mul_(8.0)
    model.eval()
    return model


def held_still(max_tokens: int) -> PreTrainedModel:
    config = phi3_config()
    hold_rope_still(config, max_tokens)
    return model_of(config, "tiered")


def test_a_long_text_is_read_with_the_long_factors_from_its_first_token() -> None:
    tiered = held_still(CONTEXT_LENGTH)
    expected = stock_logits(model_of(phi3_config(short_factor=LONG), "eager"), TOKENS)
    logits = tiered_logits(tiered, tiny_cache(tiered), TOKENS, CHUNKS)
    assert (logits - expected).abs().max() < 1e-5
    whole = stock_logits(model_of(phi3_config(), "eager"), TOKENS)
    assert (logits - whole).abs().max() < 1e-5, "transformers reads a long text in one piece so, too"


def test_without_the_decision_the_switch_would_spoil_what_was_read() -> None:
    stock = model_of(phi3_config(), "tiered")
    spoilt = tiered_logits(stock, tiny_cache(stock), TOKENS, CHUNKS)
    expected = stock_logits(model_of(phi3_config(), "eager"), TOKENS)
    assert (spoilt - expected).abs().max() > 1e-3


def test_a_sequence_that_must_stay_short_is_read_as_transformers_does() -> None:
    tiered, short = held_still(ORIGINAL_LENGTH), TOKENS[:ORIGINAL_LENGTH]
    expected = stock_logits(model_of(phi3_config(), "eager"), short)
    assert (tiered_logits(tiered, tiny_cache(tiered), short, (40, 20)) - expected).abs().max() < 1e-5
    long = held_still(CONTEXT_LENGTH)
    assert (tiered_logits(long, tiny_cache(long), short, (40, 20)) - expected).abs().max() > 1e-3


def test_the_scale_of_a_mixture_of_experts_is_decided_with_the_factors() -> None:
    config = tiny_config("llama")
    config.rope_parameters = {
        "rope_type": "longrope",
        "short_factor": [1.0],
        "long_factor": [2.0],
        "short_mscale": 1.1,
        "long_mscale": 1.3,
        "original_max_position_embeddings": 64,
    }
    (note,) = hold_rope_still(config, 65)
    assert "up to 64 tokens" in note
    parameters = config.rope_parameters
    assert parameters["short_factor"] == parameters["long_factor"] == [2.0]
    assert parameters["short_mscale"] == parameters["long_mscale"] == 1.3


@pytest.mark.parametrize("max_seq_len", [None, ORIGINAL_LENGTH])
def test_loading_decides_by_the_longest_sequence(tmp_path: Path, max_seq_len: int | None) -> None:
    folder = save_tiny_model(tmp_path / "phi", config=phi3_config())
    loaded = load_model(folder, "phi", CPU, FP32, LoadOptions(max_seq_len=max_seq_len))
    factors = loaded.model.config.rope_parameters
    assert factors["short_factor"] == factors["long_factor"] == (SHORT if max_seq_len else LONG)
    assert any("another for longer ones" in note for note in loaded.notes) is (max_seq_len is None)
    assert loaded.context_length == CONTEXT_LENGTH


def test_dynamic_scaling_is_refused_before_weights_are_read(tmp_path: Path) -> None:
    folder = save_tiny_model(tmp_path / "dynamic")
    path = folder / "config.json"
    rope = {"rope_parameters": {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 10000.0}}
    path.write_text(json.dumps(json.loads(path.read_text()) | rope))
    (folder / "model.safetensors").write_bytes(b"not read")
    with pytest.raises(ModelError, match="dynamically") as caught:
        load_model(folder, "dynamic", CPU, FP32)
    assert "rope_type to default" in caught.value.message
    assert "8,192" in caught.value.message


@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_other_models_stay_as_they_are(name: str) -> None:
    config = tiny_config(name)
    before = json.dumps(config.to_dict(), default=str)
    assert hold_rope_still(config, 100_000) == []
    assert json.dumps(config.to_dict(), default=str) == before
