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


_TESTED = frozenset(
    {
        "llama", "qwen3", "qwen3_5", "qwen3_5_text", "gpt_oss", "gemma3", "gemma3_text", "gemma4",
        "gemma4_text", "olmo3", "ministral3", "granitemoehybrid", "lfm2", "smollm3", "deepseek_v2",
        "deepseek_v3", "glm4_moe_lite",
    }
)  # fmt: skip
"""Architectures whose answers are tested to be exact."""

_OWN_ATTENTION = "it computes attention in code of its own, which the engine cannot reach"
_OTHER_CACHE = "its layers keep the past in a form that cannot be tiered"
_OWN_CODE = "it needs Python code from its own folder, which is never run"
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
    | dict.fromkeys(("deepseek", "chatglm", "baichuan", "qwen", "internlm2"), _OWN_CODE)
)  # fmt: skip
"""By model type, as the trial run found them."""


def reach_of(model_type: str, layers: tuple[LayerGeometry, ...]) -> EngineReach:
    """What is known of `model_type` with these layers."""
    if model_type in _UNREACHED:
        return EngineReach(Engine.UNSUPPORTED, _UNREACHED[model_type])
    kinds = {layer.kind for layer in layers}
    if LayerKind.UNTIERABLE in kinds:
        return EngineReach(Engine.UNSUPPORTED, _OTHER_CACHE)
    if LayerKind.FULL not in kinds:
        return EngineReach(Engine.UNSUPPORTED, _NO_GROWTH)
    return EngineReach(Engine.SUPPORTED if model_type in _TESTED else Engine.UNKNOWN)
