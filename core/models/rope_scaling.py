"""Rotary positions stretched beyond what a model was trained on, so that it reads a longer context."""

import copy
import math
from typing import Any

import torch
from transformers import PreTrainedConfig

from core.errors import ModelError
from core.settings import RopeScaling

_MAX_ADVISED_FACTOR = 4
_UNSCALED = "default"
_FULL_ATTENTION = "full_attention"


def scale_rope(config: PreTrainedConfig, scaling: RopeScaling) -> str:
    """Change `config`, before any model is built from it, so that its rope is scaled; returns a warning.

    The context grows by the factor over what the model was trained on. Layers with a sliding window of
    their own rope (Gemma 3) keep it: their distances do not grow. Raises `ModelError` if the model has no
    rope or scales it in its own way.
    """
    text_config = config.get_text_config(decoder=True)
    native_length = _native_length(text_config)
    parameters: dict[str, Any] | None = getattr(text_config, "rope_parameters", None)
    if not parameters:
        raise _cannot_scale("it has no rotary positions (rope)")
    if text_config.nested_rope_parameter_keys(parameters):
        of_full_attention = parameters.get(_FULL_ATTENTION)
        if not of_full_attention:
            raise _cannot_scale("its full-attention layers have no rotary positions (rope)")
        parameters = parameters | {_FULL_ATTENTION: _scaled(of_full_attention, scaling, native_length)}
    else:
        parameters = _scaled(parameters, scaling, native_length)
    text_config.rope_parameters = parameters
    text_config.max_position_embeddings = int(native_length * scaling.factor)
    text_config.validate_rope()
    return (
        f"The context was stretched {scaling.factor:g} times over the {native_length:,} tokens that the "
        f"model was trained on ({scaling.kind}): answers may lose precision, about short documents too."
    )


def stretch_factor(config: PreTrainedConfig, num_tokens: int) -> int | None:
    """The least whole factor of yarn that makes the model read `num_tokens`; None if that is too much.

    None also if the model has no rope or scales it in its own way.
    """
    text_config = copy.deepcopy(config.get_text_config(decoder=True))
    try:
        factor = math.ceil(num_tokens / _native_length(text_config))
        if not 1 < factor <= _MAX_ADVISED_FACTOR:
            return None
        scale_rope(text_config, RopeScaling("yarn", factor))
    except ModelError:
        return None
    return factor


def require_scaled(model: torch.nn.Module, scaling: RopeScaling) -> None:
    """Raise `ModelError` if none of the model's modules took the scaling over from its configuration."""
    for module in model.modules():
        rope_type = getattr(module, "rope_type", None)
        if rope_type == scaling.kind or (
            isinstance(rope_type, dict) and rope_type.get(_FULL_ATTENTION) == scaling.kind
        ):
            return
    raise _cannot_scale("its code computes positions without regard to rope scaling")


def _scaled(parameters: dict[str, Any], scaling: RopeScaling, native_length: int) -> dict[str, Any]:
    own_type = parameters.get("rope_type", _UNSCALED)
    if own_type != _UNSCALED:
        raise _cannot_scale(f"its configuration already scales them ({own_type})")
    scaled = parameters | {"rope_type": scaling.kind, "factor": scaling.factor}
    if scaling.kind == "yarn":
        scaled["original_max_position_embeddings"] = native_length
    return scaled


def _native_length(text_config: PreTrainedConfig) -> int:
    for name in ("original_max_position_embeddings", "max_position_embeddings"):
        length = getattr(text_config, name, None)
        if isinstance(length, int) and length > 0:
            return length
    raise _cannot_scale("its configuration does not say how long a context it was trained on")


def _cannot_scale(reason: str) -> ModelError:
    return ModelError(
        "The model's positions cannot be scaled",
        f"--rope-scaling does not work with this model: {reason}. Leave it out.",
    )
