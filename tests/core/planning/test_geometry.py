"""What a configuration says about a model's memory, against published figures and the models themselves."""

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModelForCausalLM

from core.attention.tiered import IMPLEMENTATION_NAME, register
from core.bench.tiny_models import TINY_CONFIGS, tiny_config, tiny_model
from core.errors import LecternError, ModelError
from core.kv.cache import TieredCache
from core.models.dry_run import dry_run
from core.models.forward import ForwardSignature
from core.planning.geometry import ModelGeometry, RopeFacts, read_geometry
from core.planning.layers import LayerKind
from core.planning.machine import Gpu, Machine
from core.planning.planner import plan
from core.planning.reach import Engine
from core.planning.request import PlanRequest

CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"


@dataclass(frozen=True)
class Row:
    """Published facts; `kv_bytes` is what a token adds for good, in 16-bit values."""

    name: str
    attention: str
    growing: int
    layers: int
    kv_heads: int
    k_dim: int
    v_dim: int
    context: int
    kv_bytes: int
    billions: float
    engine: Engine


SUPPORTED, UNSUPPORTED = Engine.SUPPORTED, Engine.UNSUPPORTED
ROWS = [
    Row("llama-2-7b", "MHA", 32, 32, 32, 128, 128, 4096, 524288, 6.738, SUPPORTED),
    Row("llama-3.1-8b", "GQA", 32, 32, 8, 128, 128, 131072, 131072, 8.030, SUPPORTED),
    Row("mistral-7b-v0.1", "GQA", 0, 32, 8, 128, 128, 32768, 0, 7.242, UNSUPPORTED),
    Row("falcon-7b", "MQA", 32, 32, 1, 64, 64, 2048, 8192, 6.922, UNSUPPORTED),
    Row("qwen2-72b", "GQA", 80, 80, 8, 128, 128, 131072, 327680, 72.706, SUPPORTED),
    Row("qwen3-4b-instruct-2507", "GQA", 36, 36, 8, 128, 128, 262144, 147456, 4.022, SUPPORTED),
    Row("qwen3-30b-a3b-instruct-2507", "GQA", 48, 48, 4, 128, 128, 262144, 98304, 30.532, SUPPORTED),
    Row("qwen3.5-9b", "GQA", 8, 32, 4, 256, 256, 262144, 32768, 8.954, SUPPORTED),
    Row("gpt-oss-20b", "GQA", 12, 24, 8, 64, 64, 131072, 24576, 20.915, SUPPORTED),
    Row("gemma-3-4b", "GQA", 5, 34, 4, 256, 256, 131072, 20480, 3.880, SUPPORTED),
    Row("deepseek-moe-16b", "MHA", 28, 28, 16, 128, 128, 4096, 229376, 16.376, UNSUPPORTED),
    Row("deepseek-v3", "MLA", 61, 61, 1, 512, 64, 163840, 70272, 671.026, SUPPORTED),
    Row("smollm2-135m", "GQA", 30, 30, 3, 64, 64, 8192, 23040, 0.134515, SUPPORTED),
    Row("granite-4.0-h-micro", "GQA", 4, 40, 8, 64, 64, 131072, 8192, 3.191, SUPPORTED),
    Row("llama-3.2-3b", "GQA", 28, 28, 8, 128, 128, 131072, 114688, 3.212750, SUPPORTED),
    Row("smollm3-3b", "GQA", 36, 36, 4, 128, 128, 65536, 73728, 3.075099, SUPPORTED),
    Row("gemma-3-12b", "GQA", 8, 48, 8, 256, 256, 131072, 65536, 11.766, SUPPORTED),
    Row("gpt-oss-120b", "GQA", 18, 36, 8, 64, 64, 131072, 36864, 116.83, SUPPORTED),
    Row("lfm2-1.2b", "GQA", 6, 16, 8, 64, 64, 128000, 12288, 1.170, SUPPORTED),
]


def geometry(name: str) -> ModelGeometry:
    return read_geometry(CONFIGS / f"{name}.json", name)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_published_facts(row: Row) -> None:
    model = geometry(row.name)
    assert model.attention == row.attention
    assert (len(model.growing_layers), len(model.layers)) == (row.growing, row.layers)
    with_kv = [layer for layer in model.layers if layer.num_kv_heads]
    assert {(layer.num_kv_heads, layer.k_dim, layer.v_dim) for layer in with_kv} == {
        (row.kv_heads, row.k_dim, row.v_dim)
    }
    assert model.native_context == row.context
    assert model.kv_bytes_per_token(2) == row.kv_bytes
    assert model.parameters.total == pytest.approx(row.billions * 1e9, rel=0.001)
    assert model.reach.engine is row.engine
    assert bool(model.reach.reason) is (row.engine is Engine.UNSUPPORTED)


def test_every_configuration_has_its_row() -> None:
    assert {path.stem for path in CONFIGS.glob("*.json")} == {row.name for row in ROWS}


def test_a_window_in_every_layer_stops_growing_at_its_length() -> None:
    mistral = geometry("mistral-7b-v0.1")
    assert mistral.num_layers(LayerKind.SLIDING) == 32
    assert [mistral.bounded_bytes(tokens, 2) for tokens in (1, 4096, 32768)] == [131072, 536870912, 536870912]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("gpt-oss-20b", {LayerKind.SLIDING: 12, LayerKind.FULL: 12}),
        ("gemma-3-4b", {LayerKind.SLIDING: 29, LayerKind.FULL: 5}),
        ("qwen3.5-9b", {LayerKind.RECURRENT: 24, LayerKind.FULL: 8}),
        ("granite-4.0-h-micro", {LayerKind.RECURRENT: 36, LayerKind.FULL: 4}),
        ("lfm2-1.2b", {LayerKind.CONV: 10, LayerKind.FULL: 6}),
        ("qwen2-72b", {LayerKind.FULL: 80}),
    ],
)
def test_layers_by_kind(name: str, kinds: dict[LayerKind, int]) -> None:
    model = geometry(name)
    assert {kind: model.num_layers(kind) for kind in LayerKind if model.num_layers(kind)} == kinds


def test_which_layers_are_mixtures_of_experts() -> None:
    assert sum(layer.is_moe for layer in geometry("qwen3-30b-a3b-instruct-2507").layers) == 48
    assert [layer.is_moe for layer in geometry("deepseek-v3").layers] == [False] * 3 + [True] * 58
    assert not any(layer.is_moe for layer in geometry("granite-4.0-h-micro").layers)


@pytest.mark.parametrize(
    ("name", "billions"),
    [("qwen3-30b-a3b-instruct-2507", 3.3), ("gpt-oss-20b", 3.6), ("deepseek-v3", 37.0)],
)
def test_active_parameters_are_those_of_the_model_card(name: str, billions: float) -> None:
    parameters = geometry(name).parameters
    assert parameters.read_per_token == pytest.approx(billions * 1e9, rel=0.08)


@pytest.mark.parametrize(
    ("name", "rope"),
    [
        ("llama-3.1-8b", RopeFacts("llama3", 8.0)),
        ("gpt-oss-20b", RopeFacts("yarn", 32.0)),
        ("gemma-3-4b", RopeFacts("linear", 8.0)),
        ("deepseek-v3", RopeFacts("yarn", 40.0)),
        ("qwen3-4b-instruct-2507", None),
    ],
)
def test_rope_scaling_of_the_configuration(name: str, rope: RopeFacts | None) -> None:
    assert geometry(name).rope == rope


@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_real_models_have_the_layers_and_parameters_that_were_counted(name: str) -> None:
    config = tiny_config(name)
    model = ModelGeometry.from_config(config.to_dict(), name)
    with torch.device("meta"):
        real = AutoModelForCausalLM.from_config(config)
    assert model.parameters.total == pytest.approx(sum(p.numel() for p in real.parameters()), rel=0.02)
    reach = dry_run(config)
    assert len(model.growing_layers) == reach.num_tiered_layers
    assert model.kv_values_per_token == reach.kv_values_per_token
    assert model.reach.engine is Engine.SUPPORTED


@pytest.mark.parametrize("name", sorted(TINY_CONFIGS))
def test_windows_and_states_have_the_bytes_of_the_real_ones(name: str) -> None:
    config = tiny_config(name)
    model = ModelGeometry.from_config(config.to_dict(), name)
    cache = TieredCache(config)
    register()
    real = tiny_model(name, attention=IMPLEMENTATION_NAME)
    with torch.inference_mode():
        ForwardSignature(real).run(real, torch.zeros(1, 64, dtype=torch.long), cache, first_position=0)
    kept = sum(_bytes_of(layer) for layer in cache.layers if layer not in cache.tiered_layers)
    assert model.bounded_bytes(64, 4) == pytest.approx(kept, rel=0.05)


def _bytes_of(layer: Any) -> int:
    """All tensors of one of transformers' own cache layers."""
    found = 0
    for value in vars(layer).values():
        held = value.values() if isinstance(value, dict) else [value]
        found += sum(item.nbytes for item in held if isinstance(item, torch.Tensor) and item.dim() > 1)
    return found


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"model_type": "llama", "num_hidden_layers": 2},
        {"model_type": "llama", "num_hidden_layers": -1, "hidden_size": 8, "vocab_size": 8},
        {"model_type": "llama", "num_hidden_layers": "two", "hidden_size": 8, "vocab_size": 8},
    ],
)
def test_a_configuration_that_says_too_little_is_an_error_in_words(config: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="no usable"):
        ModelGeometry.from_config(config, "x")


ODD_VALUES = (None, 0, -1, 1, 2, 3, 7, "x", [], {}, [1, 2], True, False, 1.5, 10**9, float("nan"))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_configuration_does_more_harm_than_an_error_in_words(data: st.DataObject) -> None:
    """Whatever stands in a file, a plan comes out or words for the user do."""
    path = data.draw(st.sampled_from(sorted(CONFIGS.glob("*.json"))))
    config = json.loads(path.read_text(encoding="utf-8"))
    part = config.get("text_config", config)
    for name in data.draw(st.lists(st.sampled_from(sorted(part)), min_size=1, max_size=3)):
        part[name] = data.draw(st.sampled_from(ODD_VALUES))
    machine = Machine("x", 32 << 30, 29 << 30, gpus=(Gpu("RTX 3060", 12 << 30, 11 << 30),))
    with contextlib.suppress(LecternError):
        plan(machine, ModelGeometry.from_config(config, "x"), PlanRequest(5000, mode="sparse"))


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00"])
def test_a_damaged_configuration_is_an_error_in_words(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.json").write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match=r"config\.json"):
        read_geometry(tmp_path)


def test_layers_that_keep_the_past_in_another_form_are_unsupported() -> None:
    config = tiny_config("llama").to_dict() | {"layer_types": ["hybrid"] * 4}
    model = ModelGeometry.from_config(config, "x")
    assert model.reach.engine is Engine.UNSUPPORTED
