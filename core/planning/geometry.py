"""The shape of a model as far as memory and time depend on it, from its configuration alone."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import ModelError
from core.planning.config_facts import ConfigFacts
from core.planning.gguf_header import read_gguf_config
from core.planning.layers import LayerGeometry, LayerKind, head_dim, layers_of
from core.planning.moe import experts_of
from core.planning.parameters import ParameterCount, count_parameters, dense_width
from core.planning.reach import EngineReach, reach_of


@dataclass(frozen=True)
class RopeFacts:
    """Scaling of positions that the configuration itself asks for; `kind` as transformers names it."""

    kind: str
    factor: float


@dataclass(frozen=True)
class ModelGeometry:
    """A model's layers and sizes; made from a configuration, no weights are read.

    `attention` is `MHA`, `GQA`, `MQA`, `MLA` or `none`. `native_context` is in tokens, as the configuration
    states it, 0 if it does not. `mlp_activation` and `attention_activation` count the values that a token
    takes in these parts of a layer, `expanded_v_dim` is the width of a value that MLA makes of a latent (0
    without it). `stored_quantization` is how the weights are quantised on disk.
    """

    name: str
    model_type: str
    layers: tuple[LayerGeometry, ...]
    attention: str
    num_heads: int
    head_dim: int
    hidden_size: int
    vocab_size: int
    native_context: int
    mlp_activation: int
    attention_activation: int
    parameters: ParameterCount
    reach: EngineReach
    rope: RopeFacts | None = None
    has_rope: bool = True
    expanded_v_dim: int = 0
    stored_quantization: str | None = None

    @classmethod
    def from_config(cls, config: Mapping[str, Any], name: str) -> "ModelGeometry":
        """From the content of a `config.json`. Raises `ModelError` if that says too little."""
        facts = ConfigFacts(config)
        layers = layers_of(facts)
        num_heads = facts.count("num_attention_heads", "n_head", "n_heads", default=0)
        return cls(
            name=name,
            model_type=facts.model_type,
            layers=layers,
            attention=_attention(facts, layers, num_heads),
            num_heads=num_heads,
            head_dim=_query_dim(facts) if num_heads else 0,
            hidden_size=facts.need("hidden_size", "n_embd", "d_model"),
            vocab_size=facts.need("vocab_size"),
            native_context=facts.count(
                "max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx", default=0
            ),
            mlp_activation=_mlp_activation(facts),
            attention_activation=_attention_activation(facts, num_heads),
            parameters=count_parameters(facts, layers),
            reach=reach_of(facts.model_type, layers, _rope_kinds(facts)),
            rope=_rope(facts),
            has_rope=not facts.flag("alibi") and facts.model_type not in ("bloom", "gpt2", "opt"),
            expanded_v_dim=facts.count("v_head_dim", default=0) if facts.number("kv_lora_rank") else 0,
            stored_quantization=_stored_quantization(config, facts),
        )

    @property
    def growing_layers(self) -> tuple[LayerGeometry, ...]:
        """Layers whose keys and values grow with the context: those that the tiers hold."""
        return tuple(layer for layer in self.layers if layer.kind is LayerKind.FULL)

    @property
    def kv_values_per_token(self) -> int:
        """Numbers that a token adds to the KV of all growing layers."""
        return sum(layer.kv_values_per_token for layer in self.growing_layers)

    def kv_bytes_per_token(self, value_bytes: int) -> int:
        """What a token adds to the growing KV, uncompressed."""
        return self.kv_values_per_token * value_bytes

    def bounded_bytes(self, num_tokens: int, value_bytes: int) -> int:
        """Windows and states of one sequence of `num_tokens`: what does not grow without bound."""
        return sum(layer.bounded_bytes(num_tokens, value_bytes) for layer in self.layers)

    def num_layers(self, kind: LayerKind) -> int:
        return sum(layer.kind is kind for layer in self.layers)


def read_geometry(path: Path, name: str | None = None) -> ModelGeometry:
    """The geometry of a model folder, of a `config.json` or of a `.gguf` file.

    Raises `ModelError` if it cannot be read.
    """
    if path.suffix.lower() == ".gguf":
        return ModelGeometry.from_config(read_gguf_config(path), name or path.stem)
    file = path / "config.json" if path.is_dir() else path
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            "The model is damaged", f"{file} cannot be read: {error}. Download it again."
        ) from error
    if not isinstance(config, dict):
        raise ModelError("The model is damaged", f"{file} holds no configuration. Download it again.")
    return ModelGeometry.from_config(config, name or file.parent.name)


def _attention(facts: ConfigFacts, layers: tuple[LayerGeometry, ...], num_heads: int) -> str:
    with_kv = [layer for layer in layers if layer.num_kv_heads]
    if not with_kv:
        return "none"
    if facts.number("kv_lora_rank"):
        return "MLA"
    num_kv_heads = with_kv[-1].num_kv_heads
    if num_kv_heads == num_heads:
        return "MHA"
    return "MQA" if num_kv_heads == 1 else "GQA"


def _query_dim(facts: ConfigFacts) -> int:
    if facts.number("kv_lora_rank"):
        return facts.need("qk_nope_head_dim") + facts.need("qk_rope_head_dim")
    return head_dim(facts)


def _mlp_activation(facts: ConfigFacts) -> int:
    """Gate, up and their product, of the experts that a token runs through where there are some."""
    hidden = facts.need("hidden_size", "n_embd", "d_model")
    experts = experts_of(facts)
    widths = [3 * dense_width(facts)]
    if experts is not None:
        widths.append(3 * (experts.active * experts.width + experts.shared_width) + experts.active * hidden)
    return max(widths) + 2 * hidden


def _attention_activation(facts: ConfigFacts, num_heads: int) -> int:
    """Queries, keys, values and what comes out of them."""
    hidden = facts.need("hidden_size", "n_embd", "d_model")
    return 4 * num_heads * (_query_dim(facts) if num_heads else 0) + 2 * hidden


def _rope(facts: ConfigFacts) -> RopeFacts | None:
    """The scaling of the layers whose KV grows, under its old name or its new one."""
    stated = facts.value("rope_scaling") or facts.value("rope_parameters")
    if not isinstance(stated, dict):
        return None
    if isinstance(stated.get("full_attention"), dict):
        stated = stated["full_attention"]
    kind = _rope_kind(stated)
    if kind == "default":
        return None
    factor = stated.get("factor")
    return RopeFacts(kind, float(factor) if isinstance(factor, int | float) else 1.0)


def _rope_kind(stated: Mapping[str, Any]) -> str:
    return str(stated.get("rope_type", stated.get("type", "default")))


def _rope_kinds(facts: ConfigFacts) -> frozenset[str]:
    """Of all layers, also where layers of one type scale their positions differently from others."""
    stated = [
        value for name in ("rope_scaling", "rope_parameters") if isinstance(value := facts.value(name), dict)
    ]
    parts = [part for value in stated for part in value.values() if isinstance(part, dict)]
    return frozenset(map(_rope_kind, [*stated, *parts]))


def _stored_quantization(config: Mapping[str, Any], facts: ConfigFacts) -> str | None:
    stored = config.get("quantization_config") or facts.value("quantization_config")
    if not isinstance(stored, dict):
        return None
    if stored.get("load_in_4bit") or stored.get("load_in_8bit"):
        return "bitsandbytes"
    return str(stored.get("quant_method", "unknown"))
