"""What a model's weights take on the compute device and beside it."""

from dataclasses import dataclass

from core.planning.geometry import ModelGeometry
from core.planning.request import PlanRequest

_QUANTIZED_BITS = {"nf4": 4.127, "int8": 8.0}
"""Bits of a value in a quantised linear layer, scales included."""

_STORED_BITS = {"awq": 4.25, "gptq": 4.25, "bitsandbytes": 4.127}
"""The same for weights that stay on a GPU as they are stored; other methods are turned back to plain."""

_EXPERTS_ONLY = "mxfp4"
_EXPERTS_ONLY_BITS = 4.25


@dataclass(frozen=True)
class WeightSizes:
    """`device_bytes` on the compute device, `host_bytes` of experts in host memory.

    `read_bytes` is what decoding one token reads of them.
    """

    device_bytes: int
    host_bytes: int
    read_bytes: int


def weight_sizes(geometry: ModelGeometry, request: PlanRequest, *, has_gpu: bool) -> WeightSizes:
    """By quantisation. A CPU computes in fp32, a GPU in 16 bits; quantising needs a GPU."""
    parameters = geometry.parameters
    plain_bits = 16.0 if has_gpu else 32.0
    linear_bits = expert_bits = plain_bits
    if has_gpu and request.quantization != "none":
        linear_bits = _QUANTIZED_BITS[request.quantization]
    elif has_gpu and geometry.stored_quantization in _STORED_BITS:
        linear_bits = expert_bits = _STORED_BITS[geometry.stored_quantization]
    elif has_gpu and geometry.stored_quantization == _EXPERTS_ONLY and request.expert_budget_bytes is None:
        expert_bits = _EXPERTS_ONLY_BITS
    rest = parameters.embedding + parameters.head + parameters.norms
    dense_bits = rest * plain_bits + parameters.quantizable * linear_bits
    read_rest = (parameters.head or parameters.embedding) + parameters.norms
    read_bits = (
        read_rest * plain_bits
        + parameters.quantizable * linear_bits
        + parameters.active_experts * expert_bits
    )
    experts_bytes = round(parameters.experts * expert_bits / 8)
    host_bytes = 0
    if request.expert_budget_bytes is not None and has_gpu:
        host_bytes = experts_bytes
        experts_bytes = min(experts_bytes, request.expert_budget_bytes)
    return WeightSizes(round(dense_bits / 8) + experts_bytes, host_bytes, round(read_bits / 8))
