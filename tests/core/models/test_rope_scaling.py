"""Rope scaling gives what transformers gives for the same parameters, and is refused where it cannot work."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig

from core.bench.tiny_models import tiny_config
from core.cli import _parse
from core.errors import ModelError, UsageError
from core.kv.cache import TieredCache
from core.models.loader import LoadedModel, LoadOptions, load_model
from core.models.rope_scaling import require_scaled, scale_rope
from core.settings import EngineSettings, RopeScaling
from tests.reference import stock_logits, tiered_logits
from tests.tiny_folder import save_tiny_model

CPU, FP32 = torch.device("cpu"), torch.float32
NATIVE_LENGTH = 128
NUM_TOKENS = 300
TOKENS = torch.randint(3, 200, (NUM_TOKENS,), generator=torch.Generator().manual_seed(0))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("rope"), context_length=NATIVE_LENGTH)


def load(folder: Path, scaling: RopeScaling | None) -> LoadedModel:
    return load_model(folder, "tiny", CPU, FP32, LoadOptions(rope_scaling=scaling))


def of_transformers(folder: Path, rope_parameters: dict[str, Any]) -> torch.Tensor:
    """Logits of transformers' own model with `rope_parameters` written into its configuration."""
    config = AutoConfig.from_pretrained(folder, rope_parameters=rope_parameters)
    model = AutoModelForCausalLM.from_pretrained(
        folder, config=config, attn_implementation="eager", dtype=FP32
    )
    model.eval()
    return stock_logits(model, TOKENS)


def of_ours(loaded: LoadedModel) -> torch.Tensor:
    cache = TieredCache(loaded.model.config)
    logits = tiered_logits(loaded.model, cache, TOKENS, [100, 150, NUM_TOKENS - 250])
    cache.close()
    return logits


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("yarn:4", {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": NATIVE_LENGTH}),
        ("linear:2.5", {"rope_type": "linear", "factor": 2.5}),
    ],
)
def test_logits_equal_those_of_transformers(folder: Path, text: str, parameters: dict[str, Any]) -> None:
    loaded = load(folder, RopeScaling.parse(text))
    expected = of_transformers(folder, parameters | {"rope_theta": 10000.0})
    assert (of_ours(loaded) - expected).abs().max() < 1e-5
    unscaled = of_ours(load(folder, None))
    assert (unscaled - expected).abs().max() > 1e-3, "scaling must show"


def test_the_context_grows_and_a_note_says_what_it_costs(folder: Path) -> None:
    assert load(folder, None).context_length == NATIVE_LENGTH
    loaded = load(folder, RopeScaling("yarn", 4))
    assert loaded.context_length == 4 * NATIVE_LENGTH
    (note,) = loaded.notes
    assert "4 times" in note
    assert f"{NATIVE_LENGTH} tokens" in note
    assert "lose precision" in note


def test_the_length_that_the_model_was_trained_on_counts(folder: Path, tmp_path: Path) -> None:
    stretched = Path(shutil.copytree(folder, tmp_path / "stretched"))
    path = stretched / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"original_max_position_embeddings": 64}))
    assert load(stretched, RopeScaling("yarn", 4)).context_length == 256


@pytest.mark.parametrize("name", ["qwen3", "qwen3_5_text", "smollm3", "olmo3", "gemma3_text"])
def test_architectures_take_it_over(name: str) -> None:
    config, scaling = tiny_config(name), RopeScaling("yarn", 4)
    scale_rope(config, scaling)
    assert config.max_position_embeddings == 8192
    scaled = AutoModelForCausalLM.from_config(config)
    require_scaled(scaled, scaling)
    with pytest.raises(ModelError, match="without regard"):
        require_scaled(AutoModelForCausalLM.from_config(tiny_config(name)), scaling)


def test_a_sliding_window_of_its_own_rope_keeps_it() -> None:
    config = tiny_config("gemma3_text")
    before = dict(config.rope_parameters["sliding_attention"])
    scale_rope(config, RopeScaling("linear", 4))
    assert config.rope_parameters["sliding_attention"] == before
    assert config.rope_parameters["full_attention"]["rope_type"] == "linear"


def own_scaling() -> PreTrainedConfig:
    config = tiny_config("llama")
    config.rope_parameters = {"rope_type": "llama3", "factor": 8.0, "rope_theta": 10000.0}
    return config


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (own_scaling(), "already scales them .llama3."),
        (tiny_config("ministral3"), "already scales them .yarn."),
        (tiny_config("gemma4_text"), "already scales them .proportional."),
        (AutoConfig.for_model("gpt2"), "no rotary positions"),
    ],
)
def test_models_that_cannot_be_scaled_say_why(config: PreTrainedConfig, reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        scale_rope(config, RopeScaling("yarn", 4))


def test_what_can_be_written() -> None:
    assert RopeScaling.parse("yarn:4") == RopeScaling("yarn", 4.0)
    assert RopeScaling.parse(" Linear:1.5 ") == RopeScaling("linear", 1.5)
    assert str(RopeScaling.parse("yarn:4.0")) == "yarn:4"
    assert EngineSettings(rope_scaling=RopeScaling("yarn", 2)).rope_scaling is not None


@pytest.mark.parametrize(
    "text", ["", "yarn", "yarn:", "yarn:x", "4", "magic:2", "yarn:1", "yarn:nan", "yarn:1000"]
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        RopeScaling.parse(text)


def test_dynamic_scaling_is_refused_with_the_reason() -> None:
    with pytest.raises(UsageError, match="already read"):
        RopeScaling.parse("dynamic:2")


def test_the_command_line_takes_it(capsys: pytest.CaptureFixture[str]) -> None:
    question = ["ask", "lease.pdf", "--question", "How long?"]
    assert _parse([*question, "--rope-scaling", "yarn:4"]).rope_scaling == RopeScaling("yarn", 4)
    with pytest.raises(SystemExit) as caught:
        _parse([*question, "--rope-scaling", "dynamic:2"])
    assert caught.value.code == UsageError.exit_code
    assert "already read" in capsys.readouterr().err
