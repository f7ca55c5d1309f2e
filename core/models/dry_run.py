"""Can the engine reach a model's attention? Found out before any weight is loaded.

The model is built on torch's meta device (shapes without memory) and run once over a few tokens with an
attention function that only takes notes. Models that compute attention in their own code never call it.
"""

import copy
from dataclasses import dataclass
from typing import Any

import torch
from transformers import AttentionInterface, AutoModelForCausalLM, PreTrainedConfig
from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS

from core.attention.call import AttentionCall
from core.attention.tiered import TIER_ATTRIBUTE
from core.errors import ModelError
from core.kv.cache import TieredCache
from core.models.forward import ForwardSignature

_NAME = "lectern_dry_run"
_NUM_TOKENS = 3


@dataclass(frozen=True)
class Reach:
    """What the dry run saw: the tiered layers, and how many values a token adds in all of them."""

    num_tiered_layers: int
    kv_values_per_token: int


def dry_run(config: PreTrainedConfig) -> Reach:
    """Build and run `config`'s architecture without memory.

    Raises `ModelError` if a layer whose KV grows is out of the engine's reach.
    """
    notes: dict[int, bool] = {}
    _Recorder.notes = notes
    AttentionInterface.register(_NAME, _Recorder.attention)
    ALL_EXPERTS_FUNCTIONS.register(_NAME, _skip_experts)
    try:
        with torch.device("meta"), torch.inference_mode():
            model = AutoModelForCausalLM.from_config(
                copy.deepcopy(config), attn_implementation=_NAME, experts_implementation=_NAME
            )
            cache = TieredCache(model.config)
            signature = ForwardSignature(model)
            signature.run(model, torch.zeros(1, _NUM_TOKENS, dtype=torch.long), cache, first_position=0)
    except ModelError:
        raise
    except Exception as error:  # any failure inside foreign model code means: not reachable
        raise _unsupported(config, f"its code failed in the trial run ({type(error).__name__})") from error
    layers = cache.tiered_layers
    missed = [layer for layer in layers if id(layer) not in notes]
    if missed or not layers:
        raise _unsupported(
            config, f"{len(missed)} of its {len(layers)} attention layers do not use the shared interface"
        )
    if not all(notes.values()):
        raise _unsupported(config, "its attention reads something else than what its cache keeps")
    return Reach(len(layers), sum(layer.values_per_token for layer in layers))


class _Recorder:
    """Takes the place of attention; `notes` says of each reached tiered layer whether it can serve."""

    notes: dict[int, bool]

    @classmethod
    def attention(
        cls,
        module: torch.nn.Module,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        _attention_mask: torch.Tensor | None,
        *,
        tier_layer: Any = None,
        **_unused: Any,
    ) -> tuple[torch.Tensor, None]:
        layer = tier_layer if tier_layer is not None else getattr(key, TIER_ATTRIBUTE, None)
        if layer is not None:
            served = layer.can_serve(AttentionCall(module, key, value))
            cls.notes[id(layer)] = served and cls.notes.get(id(layer), True)
        batch, num_heads, num_queries, _ = query.shape
        return query.new_empty(batch, num_queries, num_heads, value.shape[-1]), None


def _skip_experts(
    _module: torch.nn.Module, hidden_states: torch.Tensor, *_args: Any, **_kwargs: Any
) -> torch.Tensor:
    """Routing to experts looks at values, which the meta device does not have."""
    return torch.zeros_like(hidden_states)


def _unsupported(config: PreTrainedConfig, reason: str) -> ModelError:
    return ModelError(
        "The engine cannot run this model",
        f"Architecture {config.model_type!r}: {reason}. Choose another model; Llama, Qwen, Gemma, "
        "Mistral, gpt-oss, Granite, OLMo and LFM models work.",
    )
