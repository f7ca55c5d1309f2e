"""What is known beforehand about whether the engine can run an architecture; the trial run decides."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from core.planning.layers import LayerGeometry, LayerKind


class Engine(StrEnum):
    """`UNKNOWN` is found out when the model is opened, before its weights are read."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class EngineReach:
    """`reason` says, in words for the user, why a model is out of reach; empty otherwise."""

    engine: Engine
    reason: str = ""


_REACHED = frozenset(
    {
        "apertus", "arcee", "aria_text", "bitnet", "cohere", "cohere2", "cohere2_moe", "cwm", "deepseek_v2",
        "deepseek_v3", "diffllama", "ernie4_5", "ernie4_5_moe", "exaone", "exaone4", "exaone_moe",
        "flex_olmo", "gemma", "gemma2", "gemma3", "gemma3_text", "gemma4", "gemma4_text", "glm", "glm4",
        "glm4_moe", "glm4_moe_lite", "gpt2", "gpt_bigcode", "gpt_neox", "gpt_oss", "gptj", "granite",
        "granitemoe", "granitemoehybrid", "granitemoeshared", "helium", "hy_v3", "hyperclovax", "internlm3",
        "jais2", "lfm2", "llama", "llama4_text", "mimo_v2_flash", "minicpm3", "minimax_m2", "ministral3",
        "mistral", "mixtral", "modernbert-decoder", "nanochat", "nemotron_h", "olmo", "olmo2", "olmo3",
        "olmo_hybrid", "olmoe", "opt", "persimmon", "phi", "phi3", "phimoe", "qwen2", "qwen2_moe", "qwen3",
        "qwen3_5", "qwen3_5_moe", "qwen3_5_moe_text", "qwen3_5_text", "qwen3_moe", "qwen3_next", "seed_oss",
        "smollm3", "solar_open", "stablelm", "starcoder2", "vaultgemma", "youtu",
    }
)  # fmt: skip
"""Architectures that the trial run reaches and whose KV has the bytes that are planned."""

_OWN_ATTENTION = "it computes attention in code of its own, which the engine cannot reach"
_OTHER_CACHE = "its layers keep the past in a form that cannot be tiered"
_OWN_CODE = "it needs Python code from its own folder, which is never run"
_OWN_PAST = "its code keeps the past in a cache of its own"
_CANNOT_TRY = "its code chooses by computed numbers, so that it cannot be tried before its weights are loaded"
_NO_CLASS = "it is a part of a larger model and cannot be loaded as a language model"
_MOVING_ROPE = (
    "its rotary positions are scaled dynamically, so that they change for everything already read whenever "
    "the text grows"
)
_NO_GROWTH = "no layer of it keeps keys and values that grow with the context"

_UNREACHED: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(
        (
            "bloom", "cpmant", "falcon", "gpt_neox_japanese", "mllama", "mpt", "mvp", "openai-gpt",
            "prophetnet", "reformer", "rwkv", "trocr", "xglm", "xlm", "xlnet", "xlstm",
        ),
        _OWN_ATTENTION,
    )
    | dict.fromkeys(
        (
            "axk2", "deepseek_v32", "deepseek_v4", "dots3_note", "dots3_note_text", "falcon_h1",
            "glm_moe_dsa", "hy_v4", "inkling2_loop_text", "inkling2_text", "inkling_text", "zamba",
            "zamba2", "zaya",
        ),
        _OTHER_CACHE,
    )
    | dict.fromkeys(("gemma3n", "gemma3n_text", "jetmoe", "longcat_flash"), _CANNOT_TRY)
    | {"minimax": _OWN_PAST, "mistral4": _NO_CLASS}
    | dict.fromkeys(("deepseek", "chatglm", "baichuan", "qwen", "internlm2"), _OWN_CODE)
)  # fmt: skip
"""By model type, as the trial run found them."""


def reached_architectures() -> tuple[str, ...]:
    """The model types that are known to run."""
    return tuple(sorted(_REACHED))


def unreached_architectures() -> tuple[str, ...]:
    """The model types that are known not to."""
    return tuple(sorted(_UNREACHED))


def reach_of(
    model_type: str, layers: tuple[LayerGeometry, ...], rope_kinds: frozenset[str] = frozenset()
) -> EngineReach:
    """What is known of `model_type` with these layers and these kinds of scaled positions."""
    if model_type in _UNREACHED:
        return EngineReach(Engine.UNSUPPORTED, _UNREACHED[model_type])
    kinds = {layer.kind for layer in layers}
    if LayerKind.UNTIERABLE in kinds:
        return EngineReach(Engine.UNSUPPORTED, _OTHER_CACHE)
    if LayerKind.FULL not in kinds:
        return EngineReach(Engine.UNSUPPORTED, _NO_GROWTH)
    if any("dynamic" in kind for kind in rope_kinds):
        return EngineReach(Engine.UNSUPPORTED, _MOVING_ROPE)
    return EngineReach(Engine.SUPPORTED if model_type in _REACHED else Engine.UNKNOWN)
