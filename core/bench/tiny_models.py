"""Tiny random models, one for each architecture that the engine promises to run exactly."""

from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel

VOCAB_SIZE = 128

_DENSE: dict[str, Any] = {
    "vocab_size": VOCAB_SIZE,
    "hidden_size": 48,
    "intermediate_size": 64,
    "num_hidden_layers": 4,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 2048,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_SHARPENED = ("q_proj", "k_proj", "q_b_proj", "kv_a_proj", "kv_b_proj")
_SLIDING_AND_FULL = ["sliding_attention", "full_attention"] * 2
_LATENT: dict[str, Any] = _DENSE | {
    "num_key_value_heads": 6,
    "head_dim": 8,
    "kv_lora_rank": 24,
    "q_lora_rank": 32,
    "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 8,
    "v_head_dim": 12,
    "moe_intermediate_size": 40,
    "n_routed_experts": 6,
    "num_experts_per_tok": 2,
    "n_shared_experts": 1,
    "n_group": 2,
    "topk_group": 1,
}

TINY_CONFIGS: dict[str, dict[str, Any]] = {
    "llama": _DENSE,
    "qwen3": _DENSE,
    "qwen3_5_text": _DENSE
    | {
        "layer_types": ["linear_attention", "full_attention"] * 2,
        "linear_key_head_dim": 8,
        "linear_value_head_dim": 8,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "linear_conv_kernel_dim": 4,
    },
    "gpt_oss": _DENSE
    | {
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "sliding_window": 24,
        "layer_types": _SLIDING_AND_FULL,
        "rope_scaling": None,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
    },
    "gemma3_text": _DENSE | {"sliding_window": 24, "layer_types": _SLIDING_AND_FULL},
    "gemma4_text": _DENSE
    | {
        "num_hidden_layers": 6,
        "num_attention_heads": 4,
        "sliding_window": 24,
        "layer_types": ["sliding_attention", "full_attention"] * 3,
        "num_kv_shared_layers": 2,
        "global_head_dim": 32,
        "hidden_size_per_layer_input": 8,
        "vocab_size_per_layer_input": VOCAB_SIZE,
    },
    "olmo3": _DENSE | {"sliding_window": 24, "layer_types": _SLIDING_AND_FULL},
    "ministral3": _DENSE,
    "granitemoehybrid": _DENSE
    | {
        "layer_types": ["mamba", "attention"] * 2,
        "mamba_n_heads": 6,
        "mamba_d_head": 16,
        "mamba_d_state": 16,
        "mamba_expand": 2,
        "mamba_n_groups": 1,
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "shared_intermediate_size": 32,
        "position_embedding_type": "rope",
    },
    "lfm2": _DENSE | {"layer_types": ["conv", "full_attention"] * 2},
    "deepseek_v2": _LATENT | {"first_k_dense_replace": 1, "topk_method": "group_limited_greedy"},
    "deepseek_v3": _LATENT | {"first_k_dense_replace": 1},
    "glm4_moe_lite": _LATENT,
    "smollm3": _DENSE | {"no_rope_layers": [1, 0, 1, 0]},
}


def tiny_config(name: str, **changes: Any) -> PreTrainedConfig:
    return AutoConfig.for_model(name, **TINY_CONFIGS[name] | changes)


def tiny_model(
    name: str, *, attention: str, device: str = "cpu", seed: int = 0, **changes: Any
) -> PreTrainedModel:
    """A model with random fp32 weights; the same seed gives the same weights whatever the attention.

    `changes` are changes to its configuration.
    """
    torch.manual_seed(seed)
    config = tiny_config(name, **changes)
    model: PreTrainedModel = AutoModelForCausalLM.from_config(
        config, attn_implementation=attention, dtype=torch.float32
    )
    _sharpen(model)
    torch.nn.Module.to(model, device)
    model.eval()
    return model


def _sharpen(model: PreTrainedModel) -> None:
    """Freshly initialised attention is almost uniform; larger weights make which keys are read matter."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if any(part in name for part in _SHARPENED) and parameter.ndim == 2:
                parameter.mul_(12.0)
            if name.endswith("sinks"):
                parameter.uniform_(-1.0, 2.0)
