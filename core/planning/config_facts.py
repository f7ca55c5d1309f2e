"""Reading a model's `config.json`, whose fields have several names and whose usual values are left out."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.errors import ModelError

_TEXT_PARTS = ("text_config", "language_config", "llm_config")
_GEMMA = {"head_dim": 256, "tie_word_embeddings": True, "rms_norms_per_layer": 4}
_GEMMA3 = _GEMMA | {
    "vocab_size": 262_208,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "max_position_embeddings": 131_072,
    "sliding_window_pattern": 6,
    "qk_norm": True,
}
_LARGEST = 1 << 31
_UNGATED = (
    *("apertus", "arcee", "codegen", "fuyu", "gpt_bigcode", "gpt_neox", "gptj", "jais2", "nanochat"),
    *("nemotron", "nemotron_h", "opt", "persimmon", "phi"),
)
_DEFAULTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {model_type: {"is_gated": False} for model_type in _UNGATED}
    | {
        "bloom": {"tie_word_embeddings": True, "is_gated": False, "attention_bias": True},
        "cohere": {"tie_word_embeddings": True},
        "cohere2": {"tie_word_embeddings": True, "sliding_window_pattern": 4},
        "falcon": {
            "tie_word_embeddings": True,
            "is_gated": False,
            "max_position_embeddings": 2048,
        },
        "gemma": _GEMMA | {"rms_norms_per_layer": 2},
        "gemma2": _GEMMA | {"sliding_window_pattern": 2},
        "gemma3": _GEMMA3,
        "gemma3_text": _GEMMA3,
        "gemma4": _GEMMA | {"qk_norm": True},
        "gemma4_text": _GEMMA | {"qk_norm": True},
        "gpt2": {"tie_word_embeddings": True, "is_gated": False, "attention_bias": True},
        "gpt_oss": {"attention_bias": True, "has_sinks": True, "sliding_window_pattern": 2},
        "granitemoehybrid": {"has_shared_mlp": True},
        "lfm2": {"tie_word_embeddings": True, "qk_norm": True, "block_auto_adjust_ff_dim": True},
        "llama4_text": {"num_shared_experts": 1},
        "mistral": {"num_key_value_heads": 8},
        "mpt": {"tie_word_embeddings": True, "is_gated": False},
        "olmo2": {"qk_norm_wide": True},
        "olmo3": {"qk_norm_wide": True, "sliding_window_pattern": 4},
        "qwen2": {"qkv_bias": True},
        "qwen2_moe": {"qkv_bias": True},
        "qwen3": {"qk_norm": True},
        "qwen3_5": {"qk_norm": True, "is_query_gated": True, "full_attention_interval": 4},
        "qwen3_5_moe": {"qk_norm": True, "is_query_gated": True, "full_attention_interval": 4},
        "qwen3_5_moe_text": {"qk_norm": True, "is_query_gated": True, "full_attention_interval": 4},
        "qwen3_5_text": {"qk_norm": True, "is_query_gated": True, "full_attention_interval": 4},
        "qwen3_moe": {"qk_norm": True},
        "qwen3_next": {"qk_norm": True, "is_query_gated": True, "full_attention_interval": 4},
        "smollm3": {"tie_word_embeddings": True},
        "starcoder2": {"tie_word_embeddings": True, "is_gated": False, "attention_bias": True},
    }
)
"""What the model's class fills in where `config.json` is silent, and what only its code says."""


class ConfigFacts:
    """The language model's part of a configuration; looked up under any of several names."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        parts = [part for name in _TEXT_PARTS if isinstance(part := raw.get(name), dict)]
        text: Mapping[str, Any] = parts[0] if parts else {}
        self._own = {name: value for name, value in {**raw, **text}.items() if value is not None}
        self.model_type = str(self._own.get("model_type", "unknown"))
        self._defaults = _DEFAULTS.get(self.model_type, {})

    def at_layer(self, index: int) -> "ConfigFacts":
        """The facts of one layer, where the configuration lets layers differ (`per_layer_config`)."""
        exceptions = self._own.get("per_layer_config")
        if not isinstance(exceptions, dict):
            return self
        own = exceptions.get(f"{index:02d}", exceptions.get(str(index)))
        if not isinstance(own, dict):
            return self
        return ConfigFacts({**self._own, **own, "per_layer_config": None})

    def value(self, *names: str) -> Any:
        """The first of `names` that is stated; else the model type's default; else None."""
        for place in (self._own, self._defaults):
            for name in names:
                if name in place:
                    return place[name]
        return None

    def number(self, *names: str) -> int | None:
        """A whole number; None if none of `names` has one."""
        value = self.value(*names)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def count(self, *names: str, default: int) -> int:
        """A number that may be left out."""
        value = self.number(*names)
        return default if value is None else value

    def decimal(self, name: str, *, default: float) -> float:
        """A finite number that may be left out."""
        value = self.value(name)
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return float(value) if is_number else default

    def need(self, *names: str) -> int:
        """A number of 1 or more that cannot be left out. Raises `ModelError`."""
        value = self.number(*names)
        if value is None or not 1 <= value <= _LARGEST:
            raise ModelError(
                "The model's configuration is incomplete",
                f"Its config.json has no usable {names[0]}, so nothing can be planned. Download it again or "
                "choose another model.",
            )
        return value

    def flag(self, *names: str, default: bool = False) -> bool:
        value = self.value(*names)
        return default if value is None else bool(value)

    def listing(self, *names: str) -> list[Any] | None:
        value = self.value(*names)
        return list(value) if isinstance(value, list | tuple) else None
