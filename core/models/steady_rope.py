"""Rotary positions that change while a text grows, made to stay: cached keys must remain valid."""

from typing import Any

from transformers import PreTrainedConfig

from core.errors import ModelError

_SHORT_AND_LONG = (("short_factor", "long_factor"), ("short_mscale", "long_mscale"))


def hold_rope_still(config: PreTrainedConfig, max_tokens: int) -> list[str]:
    """Change `config`, before any model is built from it, so that no position is rotated anew later.

    Models with "longrope" rotate short texts by one set of factors and texts beyond their original length by
    another, which would spoil every key cached before the switch. Whether `max_tokens`, the longest sequence
    allowed, is beyond that length decides once: both sets become the one that it calls for. Returns what the
    user should know. Raises `ModelError` for "dynamic" scaling, whose rotation depends on the length at
    every step.
    """
    text_config = config.get_text_config(decoder=True)
    notes: dict[str, None] = {}
    for part in _parts(text_config):
        kind = str(part.get("rope_type", "default"))
        if "dynamic" in kind:
            raise _dynamic(text_config.max_position_embeddings)
        if _is_long(part):
            notes |= dict.fromkeys(_pin(part, text_config, max_tokens))
    return list(notes)


def is_held_elsewhere(config: PreTrainedConfig, max_tokens: int, other_max_tokens: int) -> bool:
    """Whether `hold_rope_still` chooses otherwise for `other_max_tokens` than for `max_tokens`."""
    text_config = config.get_text_config(decoder=True)
    lengths = [_original(part, text_config) for part in _parts(text_config) if _is_long(part)]
    return any((max_tokens > length) != (other_max_tokens > length) for length in lengths)


def _parts(text_config: PreTrainedConfig) -> list[dict[str, Any]]:
    """The rotary parameters of each kind of layer, or the only ones."""
    parameters: dict[str, Any] | None = getattr(text_config, "rope_parameters", None)
    if not parameters:
        return []
    nested = text_config.nested_rope_parameter_keys(parameters)
    return [parameters[key] or {} for key in nested] if nested else [parameters]


def _is_long(parameters: dict[str, Any]) -> bool:
    return parameters.get("rope_type") == "longrope"


def _original(parameters: dict[str, Any], text_config: PreTrainedConfig) -> int:
    length: int = parameters.get("original_max_position_embeddings") or getattr(
        text_config, "original_max_position_embeddings", text_config.max_position_embeddings
    )
    return length


def _pin(parameters: dict[str, Any], text_config: PreTrainedConfig, max_tokens: int) -> list[str]:
    """Make the set for short texts and the one for long texts the same, in place."""
    original = _original(parameters, text_config)
    is_long = max_tokens > original
    for short, long in _SHORT_AND_LONG:
        if short in parameters and long in parameters:
            parameters[short] = parameters[long] = parameters[long if is_long else short]
    if not is_long:
        return []
    note = (
        f"This model has one way to read texts of up to {original:,} tokens and another for longer ones; all "
        f"texts are read the second way. For short documents --max-seq-len {original} may be more precise."
    )
    return [note]


def _dynamic(native_length: int) -> ModelError:
    return ModelError(
        "The engine cannot run this model",
        "Its rotary positions are scaled dynamically: they change for all that was already read whenever the "
        "text grows, so that nothing of it could be kept. Choose another model, or set rope_type to default "
        f"in its config.json: it then reads up to {native_length:,} tokens.",
    )
