"""Which layers a compute device holds, and what they take there beside the hot tier."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import UsageError
from core.kv.branch_sizes import branches_bytes
from core.planning.geometry import ModelGeometry
from core.planning.kv_sizes import CPU_BLOCK_TOKENS, DENSE_LAYERS, GPU_BLOCK_TOKENS, KvSizes
from core.planning.layers import LayerGeometry, LayerKind
from core.planning.machine import Gpu, Machine
from core.planning.request import PlanRequest
from core.planning.weights import WeightSizes, weight_sizes
from core.planning.workspace import Chunk, kept_by_allocator, workspace_bytes

CUDA_CONTEXT_BYTES = 500_000_000
_VALUE_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2, "auto": 2}


@dataclass(frozen=True)
class Sizing:
    """Everything that depends on model and request, but not on how much the machine has free."""

    geometry: ModelGeometry
    request: PlanRequest
    has_gpu: bool

    @property
    def value_bytes(self) -> int:
        """Of one stored KV value: on a CPU, too, two bytes unless asked otherwise."""
        return _VALUE_BYTES[self.request.kv_dtype]

    @property
    def compute_bytes(self) -> int:
        return 2 if self.has_gpu else 4

    @property
    def block_tokens(self) -> int:
        return self.request.block_tokens or (GPU_BLOCK_TOKENS if self.has_gpu else CPU_BLOCK_TOKENS)

    @property
    def weights(self) -> WeightSizes:
        return weight_sizes(self.geometry, self.request, has_gpu=self.has_gpu)

    @property
    def kv(self) -> KvSizes:
        return self.sizes(self.geometry.growing_layers)

    def branches_bytes(self, layer: LayerGeometry) -> int:
        """What questions that are answered at once take in a layer beside what they share.

        Before their own tokens they keep a copy of the unsealed ones of the document where a codec will
        encode both together.
        """
        request = self.request
        if layer.kind in (LayerKind.RECURRENT, LayerKind.CONV):
            return request.num_branches * layer.bounded_bytes(request.context, self.compute_bytes)
        is_full = layer.kind is LayerKind.FULL
        if not is_full and layer.kind not in (LayerKind.SLIDING, LayerKind.CHUNKED):
            return 0
        first = request.context % self.block_tokens if is_full and request.codec != "none" else 0
        value_bytes = self.value_bytes if is_full else self.compute_bytes
        num_tokens = first + request.branch_tokens
        return branches_bytes(request.num_branches, num_tokens, layer.kv_values_per_token, value_bytes)

    @property
    def sparse_indices(self) -> frozenset[int]:
        """The layers that read chosen units: none in exact mode, in sparse mode all growing but the first."""
        if self.request.mode != "sparse":
            return frozenset()
        layers = self.geometry.layers
        growing = [index for index, layer in enumerate(layers) if layer.kind is LayerKind.FULL]
        return frozenset(growing[DENSE_LAYERS:])

    def growing(self, first: int, stop: int, *, sparse: bool | None = None) -> list[LayerGeometry]:
        """The growing layers from `first` to before `stop`; only those that are `sparse` or not, if given."""
        chosen = self.sparse_indices
        return [
            layer
            for index, layer in enumerate(self.geometry.layers[first:stop], start=first)
            if layer.kind is LayerKind.FULL and (sparse is None or (index in chosen) is sparse)
        ]

    def sizes(self, layers: Sequence[LayerGeometry]) -> KvSizes:
        return KvSizes(layers, self.request.codec, self.value_bytes, self.block_tokens)


@dataclass(frozen=True)
class DeviceShare:
    """A run of consecutive layers, `first` included and `stop` not, on one device."""

    first: int
    stop: int
    num_layers: int

    @property
    def share(self) -> float:
        return (self.stop - self.first) / self.num_layers


def device_shares(geometry: ModelGeometry, gpus: Sequence[Gpu]) -> list[DeviceShare]:
    """The layers in one run a GPU, in proportion to its free memory; all in one without several GPUs."""
    num_layers = len(geometry.layers)
    if len(gpus) < 2:
        return [DeviceShare(0, num_layers, num_layers)]
    total_free = sum(gpu.free_bytes for gpu in gpus) or 1
    shares, first, free_so_far = [], 0, 0
    for gpu in gpus:
        free_so_far += gpu.free_bytes
        stop = round(num_layers * free_so_far / total_free)
        shares.append(DeviceShare(first, stop, num_layers))
        first = stop
    return shares


def chosen_gpus(machine: Machine, request: PlanRequest) -> tuple[Gpu, ...]:
    """The GPUs that compute. Raises `UsageError` if one is named that there is not."""
    missing = [index for index in request.gpu_ids if not 0 <= index < len(machine.gpus)]
    if missing:
        raise UsageError(
            "No such GPU",
            f"GPU {missing[0]} was asked for; {machine.name} has {len(machine.gpus)}, counted from 0.",
        )
    named = tuple(machine.gpus[index] for index in request.gpu_ids)
    if request.sharding == "layer_wise":
        return named or machine.gpus
    return (named or machine.gpus)[:1]


def device_items(sizing: Sizing, share: DeviceShare) -> dict[str, int]:
    """What a run of layers takes on its device, by item, the hot tier left out."""
    request, geometry = sizing.request, sizing.geometry
    layers = geometry.layers[share.first : share.stop]
    kv = sizing.sizes(sizing.growing(share.first, share.stop))
    num_sequences = 2 * request.num_documents
    chunk = Chunk(request.prefill_chunk, request.context, sizing.compute_bytes)
    bounded = sum(
        layer.bounded_bytes(request.context, sizing.compute_bytes, request.prefill_chunk) for layer in layers
    )
    items = {
        "weights": round(sizing.weights.device_bytes * share.share),
        "windows and states": num_sequences * bounded,
        "unsealed KV": num_sequences * kv.tail_bytes + kv.chunk_bytes(request.prefill_chunk),
        "prefill workspace": workspace_bytes(geometry, kv, chunk),
    }
    if request.num_branches > 1:
        items["questions at once"] = sum(map(sizing.branches_bytes, layers))
    if request.mode == "sparse":
        sparse = sizing.sizes(sizing.growing(share.first, share.stop, sparse=True))
        budget = min(request.sparse_budget, request.context)
        items["sparse digests"] = request.num_documents * sparse.digest_bytes(request.context)
        items["chosen KV"] = sparse.chosen_bytes(budget, sizing.compute_bytes)
    if sizing.has_gpu:
        items["staging slots"] = kv.staging_bytes
        items["CUDA context"] = CUDA_CONTEXT_BYTES
    else:
        items["allocator"] = kept_by_allocator(geometry, chunk, bounded)
    return items
