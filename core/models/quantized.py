"""Quantised weights: what a folder holds, what it needs to run, and quantising a plain folder on load."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import torch
from transformers import BitsAndBytesConfig, PreTrainedConfig
from transformers.quantizers.auto import AUTO_QUANTIZATION_CONFIG_MAPPING

from core.errors import ModelError, UsageError
from core.units import format_size

_BITSANDBYTES = "bitsandbytes"
_WORTH_SAYING_BYTES = 1 << 30


@dataclass(frozen=True)
class _Needs:
    """What a method needs: modules that can be imported, the packages that bring them, a GPU."""

    modules: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    gpu: bool = False


_NEEDS: Mapping[str, _Needs] = {
    "aqlm": _Needs(("aqlm",), ("aqlm[gpu]",)),
    "auto-round": _Needs(("auto_round",), ("auto-round",)),
    "awq": _Needs(("gptqmodel",), ("gptqmodel",)),
    _BITSANDBYTES: _Needs(("bitsandbytes",), ("bitsandbytes",)),
    "bitnet": _Needs(),
    "compressed-tensors": _Needs(("compressed_tensors",), ("compressed-tensors",)),
    "eetq": _Needs(("kernels",), ("kernels",), gpu=True),
    "fbgemm_fp8": _Needs(("fbgemm_gpu",), ("fbgemm-gpu",), gpu=True),
    "fp8": _Needs(),
    "gptq": _Needs(("gptqmodel", "optimum"), ("gptqmodel", "optimum")),
    "higgs": _Needs(("flute",), ("flute-kernel",), gpu=True),
    "hqq": _Needs(("hqq",), ("hqq",)),
    "mxfp4": _Needs(),
    "mxfp8": _Needs(),
    "quanto": _Needs(("optimum.quanto",), ("optimum-quanto",)),
    "quark": _Needs(("quark",), ("amd-quark",)),
    "spqr": _Needs(("spqr_quant",), ("spqr_quant[gpu]",), gpu=True),
    "torchao": _Needs(("torchao",), ("torchao",)),
    "vptq": _Needs(("vptq",), ("vptq",), gpu=True),
}
"""By `quant_method`; one that is not here is left to transformers, as far as that knows it."""

_DEQUANTIZABLE = ("fp8", "mxfp4", "mxfp8")
"""Methods whose weights transformers turns back to plain ones while it reads them, without a package."""


def stored_method(config: PreTrainedConfig) -> str | None:
    """How the weights in a folder are quantised; None for plain weights."""
    stored = _stored_config(config)
    if stored is None:
        return None
    if stored.get("load_in_4bit") or stored.get("load_in_8bit"):
        return _BITSANDBYTES
    return str(stored.get("quant_method"))


def loading_arguments(
    config: PreTrainedConfig,
    quantization: str,
    *,
    device: torch.device,
    dtype: torch.dtype,
    keeps_experts_on_host: bool,
) -> dict[str, Any]:
    """What `from_pretrained` has to be told about quantisation; checks first that it can work.

    With a `device_map` among them the weights arrive on `device`, else in host memory. May mark `config` so
    that the weights are dequantised. Raises `ModelError` if a package or the GPU is missing, `UsageError`
    if the wishes contradict each other.
    """
    method = stored_method(config)
    if quantization != "none":
        _require_quantizable(method, quantization, keeps_experts_on_host=keeps_experts_on_host)
        _require_device_and_package(quantization, device)
        return {"quantization_config": _on_load(quantization, dtype), "device_map": {"": device}}
    if method is None:
        return {}
    _require_needs(method, device)
    if method in _DEQUANTIZABLE and (method != "mxfp4" or keeps_experts_on_host or device.type == "cpu"):
        _mark_to_dequantize(config)
        return {}
    if keeps_experts_on_host:
        raise UsageError(
            "Quantised experts cannot be kept in host memory",
            f"The model's weights are quantised ({method}); --expert-budget works with plain weights. "
            "Leave it out.",
        )
    return {"device_map": {"": device}}


def dequantised_note(stored_bytes: int, loaded_bytes: int) -> str | None:
    """What dequantising costs, if that is worth a user's attention."""
    if loaded_bytes - stored_bytes < _WORTH_SAYING_BYTES:
        return None
    return (
        f"The model's weights are {format_size(stored_bytes)} on disk and {format_size(loaded_bytes)} in "
        "memory, because they are dequantised."
    )


def _stored_config(config: PreTrainedConfig) -> dict[str, Any] | None:
    for place in (config, config.get_text_config(decoder=True)):
        stored = getattr(place, "quantization_config", None)
        if stored is not None:
            return dict(stored) if isinstance(stored, dict) else dict(stored.to_dict())
    return None


def _mark_to_dequantize(config: PreTrainedConfig) -> None:
    stored = _stored_config(config)
    assert stored is not None, "only quantised weights are dequantised"
    config.quantization_config = stored | {"dequantize": True}


def _require_needs(method: str, device: torch.device) -> None:
    needs = _NEEDS.get(method, _Needs())
    if method not in _NEEDS and method not in AUTO_QUANTIZATION_CONFIG_MAPPING:
        raise ModelError(
            "Unknown quantisation",
            f"The model's weights are quantised in a way that transformers does not know ({method!r}). "
            "Choose another model.",
        )
    if needs.gpu and device.type == "cpu":
        raise ModelError(
            "The model needs a GPU",
            f"Its weights are quantised ({method}) for a GPU, and torch finds none. Choose a GGUF file or a "
            "plain folder.",
        )
    if not all(_is_importable(module) for module in needs.modules):
        raise _missing_package(f"The model's weights are quantised ({method}); reading them", needs)


def _missing_package(what: str, needs: _Needs) -> ModelError:
    or_extra = ", or install Lectern with its extra gpu" if _BITSANDBYTES in needs.packages else ""
    return ModelError(
        "A package is missing",
        f"{what} needs {' and '.join(needs.packages)}. Install with: pip install "
        f"{shlex.join(needs.packages)}{or_extra}.",
    )


def _require_quantizable(method: str | None, quantization: str, *, keeps_experts_on_host: bool) -> None:
    if method is not None:
        raise UsageError(
            "The model is quantised already",
            f"Its weights are stored as {method}; --quantization {quantization} works with plain weights. "
            "Leave it out.",
        )
    if keeps_experts_on_host:
        raise UsageError(
            "Two ways to save memory that do not go together",
            "--quantization and --expert-budget both change where weights lie. Choose one of them.",
        )


def _require_device_and_package(quantization: str, device: torch.device) -> None:
    if device.type != "cuda":
        raise ModelError(
            "Quantising needs a GPU",
            f"--quantization {quantization} works on an NVIDIA GPU, and torch finds none. Leave it out, or "
            "choose a model that is small enough.",
        )
    if not _is_importable(_BITSANDBYTES):
        raise _missing_package(f"--quantization {quantization}", _NEEDS[_BITSANDBYTES])


def _on_load(quantization: str, dtype: torch.dtype) -> BitsAndBytesConfig:
    if quantization == "int8":
        return BitsAndBytesConfig(load_in_8bit=True)
    assert quantization == "nf4", quantization
    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=dtype,
    )


def _is_importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the parent of a dotted name is missing
        return False
