"""The key-value part of a GGUF file's header, as the fields of a `config.json`.

The layout is that of the GGUF specification, versions 2 and 3; tensors and long lists are skipped over.
"""

import struct
from pathlib import Path
from typing import IO, Any

from core.errors import ModelError

_MAGIC = b"GGUF"
_STRING, _ARRAY = 8, 9
_FORMATS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_LONGEST_KEPT_LIST = 4096
_LONGEST_STRING = 1 << 24
_MOST_PAIRS = 1 << 16
_MOST_DIMS = 8
_MODEL_TYPES = {
    "gpt-oss": "gpt_oss",
    "gemma3": "gemma3_text",
    "qwen3moe": "qwen3_moe",
    "qwen2moe": "qwen2_moe",
    "qwen3next": "qwen3_next",
    "qwen35": "qwen3_5_text",
    "granitehybrid": "granitemoehybrid",
    "deepseek2": "deepseek_v2",
}
_NAMES = {
    "block_count": "num_hidden_layers",
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.key_length": "head_dim",
    "attention.value_length": "v_head_dim",
    "attention.sliding_window": "sliding_window",
    "attention.kv_lora_rank": "kv_lora_rank",
    "attention.q_lora_rank": "q_lora_rank",
    "rope.dimension_count": "rope_dimension_count",
    "expert_count": "num_experts",
    "expert_used_count": "num_experts_per_tok",
    "expert_feed_forward_length": "moe_intermediate_size",
    "expert_shared_feed_forward_length": "shared_expert_intermediate_size",
    "full_attention_interval": "full_attention_interval",
    "leading_dense_block_count": "first_k_dense_replace",
    "shortconv.l_cache": "conv_L_cache",
    "ssm.conv_kernel": "mamba_d_conv",
    "ssm.state_size": "mamba_d_state",
    "ssm.group_count": "mamba_n_groups",
    "vocab_size": "vocab_size",
}


def read_gguf_config(path: Path) -> dict[str, Any]:
    """The configuration in the header of `path`. Raises `ModelError` if it is no complete GGUF header."""
    try:
        with path.open("rb") as file:
            return _as_config(_Header(file).pairs())
    except OSError as error:
        raise ModelError("The model cannot be read", f"{path}: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, MemoryError) as error:
        raise ModelError(
            "The model is damaged", f"{path} is no complete GGUF file: {error}. Download it again."
        ) from error


class _Header:
    """Reads the header's pairs one after the other."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def pairs(self) -> dict[str, Any]:
        """Every key with its value; of a long list only its length, as `key.length`."""
        if self._file.read(4) != _MAGIC:
            raise ValueError("it does not begin with GGUF")
        version, num_tensors, num_pairs = self._unpack("IQQ")
        if version not in (2, 3) or num_pairs > _MOST_PAIRS:
            raise ValueError(f"version {version} with {num_pairs} entries is not known")
        pairs: dict[str, Any] = {"tensors.length": num_tensors}
        for _ in range(num_pairs):
            key = self._string()
            (kind,) = self._unpack("I")
            if kind == _ARRAY:
                pairs |= self._array(key)
            else:
                pairs[key] = self._scalar(kind)
        pairs |= {f"tensor.{name}": True for name in self._tensor_names(num_tensors)}
        return pairs

    def _array(self, key: str) -> dict[str, Any]:
        kind, length = self._unpack("IQ")
        if kind == _ARRAY:
            raise ValueError("it holds lists of lists")
        if kind != _STRING and length > _LONGEST_KEPT_LIST:
            self._file.seek(length * struct.calcsize("<" + _FORMATS[kind]), 1)
            return {f"{key}.length": length}
        if length > _LONGEST_KEPT_LIST:
            for _ in range(length):
                self._skip_string()
            return {f"{key}.length": length}
        return {key: [self._scalar(kind) for _ in range(length)], f"{key}.length": length}

    def _tensor_names(self, num_tensors: int) -> list[str]:
        if num_tensors > _MOST_PAIRS:
            raise ValueError(f"{num_tensors} tensors are too many")
        names = []
        for _ in range(num_tensors):
            names.append(self._string())
            (num_dims,) = self._unpack("I")
            if num_dims > _MOST_DIMS:
                raise ValueError(f"a tensor of {num_dims} dimensions is not known")
            self._unpack(f"{num_dims}Q")
            self._unpack("IQ")
        return names

    def _scalar(self, kind: int) -> Any:
        return self._string() if kind == _STRING else self._unpack(_FORMATS[kind])[0]

    def _string(self) -> str:
        length = self._string_length()
        data = self._file.read(length)
        if len(data) < length:
            raise ValueError("it ends too early")
        return data.decode("utf-8", "replace")

    def _skip_string(self) -> None:
        self._file.seek(self._string_length(), 1)

    def _string_length(self) -> int:
        (length,) = self._unpack("Q")
        if length > _LONGEST_STRING:
            raise ValueError("a text in it is too long")
        return int(length)

    def _unpack(self, layout: str) -> tuple[Any, ...]:
        size = struct.calcsize("<" + layout)
        data = self._file.read(size)
        if len(data) < size:
            raise ValueError("it ends too early")
        return struct.unpack("<" + layout, data)


def _as_config(pairs: dict[str, Any]) -> dict[str, Any]:
    architecture = str(pairs.get("general.architecture", "unknown"))
    config: dict[str, Any] = {"model_type": _MODEL_TYPES.get(architecture, architecture)}
    for key, name in _NAMES.items():
        if (value := pairs.get(f"{architecture}.{key}")) is not None:
            config[name] = value
    config.setdefault("vocab_size", pairs.get("tokenizer.ggml.tokens.length"))
    config["tie_word_embeddings"] = "tensor.output.weight" not in pairs
    config |= _per_layer(config)
    config |= _latents(config)
    scaling = pairs.get(f"{architecture}.rope.scaling.type")
    if scaling not in (None, "none"):
        factor = pairs.get(f"{architecture}.rope.scaling.factor", 1.0)
        config["rope_scaling"] = {"rope_type": scaling, "factor": factor}
    return config


def _per_layer(config: dict[str, Any]) -> dict[str, Any]:
    """Hybrid models give the heads of each layer: 0 where it does not attend."""
    changed: dict[str, Any] = {}
    heads = config.get("num_key_value_heads")
    if isinstance(heads, list):
        changed["num_key_value_heads"] = max(heads, default=0)
        rest = "conv" if "conv_L_cache" in config else "linear_attention"
        changed["layer_types"] = ["full_attention" if count else rest for count in heads]
    for name in ("intermediate_size", "num_attention_heads"):
        if isinstance(config.get(name), list):
            changed[name] = max(config[name], default=0)
    return changed


def _latents(config: dict[str, Any]) -> dict[str, Any]:
    """DeepSeek's latents: the rotary part is what `rope.dimension_count` says."""
    if "kv_lora_rank" not in config or "rope_dimension_count" not in config:
        return {}
    rope_dim = config["rope_dimension_count"]
    plain_dim = max(1, config.get("head_dim", 192) - rope_dim)
    return {"qk_rope_head_dim": rope_dim, "qk_nope_head_dim": plain_dim}
