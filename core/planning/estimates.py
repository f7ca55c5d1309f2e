"""How long reading and answering take, from bytes and bandwidths: floors, not measurements."""

from dataclasses import dataclass

from core.planning.geometry import ModelGeometry
from core.planning.kv_sizes import SPARSE_REUSE_STEPS, KvSizes
from core.planning.machine import Speeds

_DECODED_BYTES_A_VALUE = {"none": 0, "int8": 9, "k8v4": 12, "int4": 15}
"""Memory traffic of turning an encoded value back, over all steps of `core.kv.schemes`; in bytes."""


@dataclass(frozen=True)
class Estimate:
    """Seconds, estimated. `per_token_s` is the sum of the other parts but `prefill_s`, for the last token.

    `copy_s` is what cold blocks take over the bus, `decode_kv_s` what turning them back takes, `read_kv_s`
    and `weights_s` what the compute device needs to read KV and weights.
    """

    prefill_s: float
    copy_s: float
    decode_kv_s: float
    read_kv_s: float
    weights_s: float

    @property
    def per_token_s(self) -> float:
        return self.copy_s + self.decode_kv_s + self.read_kv_s + self.weights_s


@dataclass(frozen=True)
class Load:
    """What a sequence asks of the compute device and of the bus. Sizes in bytes unless they say tokens.

    `dense` are the growing layers that read everything, `sparse` those that read chosen units; of the
    former `resident_bytes` lie on the device, of the latter `sparse_resident_share` (0 to 1).
    `compute_bytes` is that of a value in the compute dtype.
    """

    dense: KvSizes
    sparse: KvSizes
    context_tokens: int
    resident_bytes: int
    sparse_resident_share: float
    sparse_budget_tokens: int
    weights_read_bytes: int
    chunk_tokens: int
    compute_bytes: int
    has_gpu: bool


def copy_floor_s(cold_bytes: float, resident_bytes: float, bytes_per_s: float) -> float:
    """Seconds a token for streaming all cold bytes that are not resident."""
    return max(0.0, cold_bytes - resident_bytes) / bytes_per_s


def estimate(geometry: ModelGeometry, load: Load, speeds: Speeds) -> Estimate:
    """The floors of a sequence at its full length."""
    memory = speeds.vram if load.has_gpu else speeds.ram
    values = load.dense.values_per_token * load.context_tokens
    chosen = load.sparse.values_per_token * min(load.context_tokens, load.sparse_budget_tokens)
    decoded = _DECODED_BYTES_A_VALUE[load.dense.codec] * (values + chosen / SPARSE_REUSE_STEPS)
    return Estimate(
        prefill_s=_prefill_s(geometry, load, speeds),
        copy_s=_copy_s(load, speeds) if load.has_gpu else 0.0,
        decode_kv_s=decoded / memory,
        read_kv_s=(values * load.dense.value_bytes + chosen * load.compute_bytes) / memory,
        weights_s=load.weights_read_bytes / memory,
    )


def prefill_flop(geometry: ModelGeometry, num_tokens: int) -> float:
    """Multiplications and additions of reading `num_tokens`, with causal attention over all of them."""
    parameters = geometry.parameters
    head = parameters.head or parameters.embedding
    matrices = 2.0 * (parameters.read_per_token - head) * num_tokens
    seen = num_tokens * num_tokens / 2
    attention = 0.0
    for layer in geometry.layers:
        if layer.num_kv_heads:
            pairs = min(seen, num_tokens * layer.window_tokens) if layer.window_tokens else seen
            latent = layer.num_kv_heads == 1 and geometry.attention == "MLA"
            dims = 2 * layer.k_dim + layer.v_dim if latent else layer.k_dim + layer.v_dim
            attention += 2 * pairs * geometry.num_heads * dims
    return matrices + attention


def _copy_s(load: Load, speeds: Speeds) -> float:
    dense = copy_floor_s(load.dense.cold_bytes(load.context_tokens), load.resident_bytes, speeds.pcie)
    chosen: float = load.sparse.unit_read_bytes(min(load.sparse_budget_tokens, load.context_tokens))
    chosen *= 1 - load.sparse_resident_share
    return dense + chosen / SPARSE_REUSE_STEPS / speeds.pcie


def _prefill_s(geometry: ModelGeometry, load: Load, speeds: Speeds) -> float:
    """Copies hide behind computing, or computing behind copies: each chunk reads all that came before it."""
    flops = speeds.gpu_flops if load.has_gpu else speeds.cpu_flops
    compute_s = prefill_flop(geometry, load.context_tokens) / flops
    if not load.has_gpu:
        return compute_s
    cold = load.dense.cold_bytes(load.context_tokens) + load.sparse.cold_bytes(load.context_tokens)
    num_chunks = max(1.0, load.context_tokens / load.chunk_tokens)
    return max(compute_s, copy_floor_s(cold, load.resident_bytes, speeds.pcie) * num_chunks / 2)
