"""What fits: model, context and machine brought together, touching none of them."""

from dataclasses import dataclass, replace

from core.errors import UsageError
from core.planning.devices import DeviceShare, Sizing, chosen_gpus, device_items, device_shares
from core.planning.estimates import Estimate, Load, estimate
from core.planning.geometry import ModelGeometry
from core.planning.machine import Gpu, Machine
from core.planning.reach import Engine, EngineReach
from core.planning.request import PlanRequest
from core.units import format_size

PROGRAM_BYTES = 450 << 20
CUDA_PROGRAM_BYTES = 1800 << 20
_FREE_VRAM_SHARE = 0.7
_DEFAULT_WINDOW = 1024


@dataclass(frozen=True)
class Shortfall:
    """What is over: `place` is `vram`, `ram`, `context` (both figures in tokens) or `engine` (both 0).

    `device` names the GPU where there are several.
    """

    place: str
    needed: int
    usable: int
    device: str = ""

    @property
    def over(self) -> int:
        return self.needed - self.usable


@dataclass(frozen=True)
class Assessment:
    """One way of running a model on a machine, and whether there is room for it.

    `places` maps `vram`, `ram` and `disk` to bytes by item. `request` has its open choices filled in.
    """

    request: PlanRequest
    places: dict[str, dict[str, int]]
    vram_by_gpu: tuple[dict[str, int], ...]
    shortfalls: tuple[Shortfall, ...]
    estimate: Estimate

    @property
    def fits(self) -> bool:
        return not self.shortfalls

    @property
    def has_room(self) -> bool:
        """Whether bytes and tokens suffice, be the model within the engine's reach or not."""
        return all(short.place == "engine" for short in self.shortfalls)

    def over(self, place: str) -> int:
        """The largest excess at a place, in its unit; 0 if there is none."""
        return max((short.over for short in self.shortfalls if short.place == place), default=0)


def context_limit(geometry: ModelGeometry, request: PlanRequest) -> int:
    """The longest context the model reads: its own, stretched as the request says."""
    factor = request.rope_scaling.factor if request.rope_scaling else 1.0
    return int(geometry.native_context * factor)


def reach_with(geometry: ModelGeometry, request: PlanRequest) -> EngineReach:
    """What is known of the engine's reach when positions are stretched as the request says."""
    if request.rope_scaling is None or geometry.reach.engine is Engine.UNSUPPORTED:
        return geometry.reach
    if not geometry.has_rope:
        return EngineReach(Engine.UNSUPPORTED, "it has no rotary positions that could be stretched")
    if geometry.rope is not None:
        return EngineReach(
            Engine.UNSUPPORTED, "it scales its positions itself, so that they cannot be stretched"
        )
    return geometry.reach


def assess(machine: Machine, geometry: ModelGeometry, request: PlanRequest) -> Assessment:
    """Bytes by place, what is over, and how long it would take. Raises `UsageError` for a missing GPU."""
    gpus = chosen_gpus(machine, request)
    if request.quantization != "none" and not gpus:
        raise UsageError("Quantising needs a GPU", f"{machine.name} has none. Leave --quantization out.")
    sizing = Sizing(geometry, request, has_gpu=bool(gpus))
    shares = device_shares(geometry, gpus)
    by_device = [device_items(sizing, share) for share in shares]
    budget = _hot_budget(sizing, gpus, shares, by_device)
    num_tiered = len(geometry.growing_layers)
    for share, items in zip(shares, by_device, strict=True):
        items["hot KV"] = sizing.sizes(sizing.growing(share.first, share.stop)).hot_bytes(budget, num_tiered)
    host = _host_items(sizing)
    if not gpus:
        host = by_device[0] | host
    places = {
        "vram": _summed(by_device) if gpus else {},
        "ram": host,
        "disk": {"document caches": host["cold KV"]} if request.keeps_on_disk else {},
    }
    vram_by_gpu = tuple(by_device) if gpus else ()
    return Assessment(
        request=replace(request, hot_budget_bytes=budget, block_tokens=sizing.block_tokens),
        places=places,
        vram_by_gpu=vram_by_gpu,
        shortfalls=tuple(_shortfalls(machine, sizing, gpus, vram_by_gpu, host)),
        estimate=estimate(geometry, _load(sizing, budget), machine.speeds),
    )


def _hot_budget(
    sizing: Sizing,
    gpus: tuple[Gpu, ...],
    shares: list[DeviceShare],
    by_device: list[dict[str, int]],
) -> int:
    """As asked for; else what the engine takes by itself, as far as the rest leaves room for it.

    A GPU gives most of what is free after the weights, up to the whole context; a CPU keeps the window.
    """
    request, kv = sizing.request, sizing.kv
    block_bytes = kv.nominal_block_bytes
    whole = -(-request.context // sizing.block_tokens) * block_bytes
    window = -(-min(request.active_window or 0, request.context) // sizing.block_tokens) * block_bytes
    if request.hot_budget_bytes is not None:
        if window > request.hot_budget_bytes:
            raise UsageError(
                "The active window does not fit the hot budget",
                f"{request.active_window:,} tokens need {format_size(window)}; the budget is "
                f"{format_size(request.hot_budget_bytes)}.",
            )
        return min(request.hot_budget_bytes, whole)
    if request.cache_device == "gpu":
        return whole
    if request.cache_device == "auto" and gpus:
        room = [
            _room(gpu, items) / (share.share or 1.0)
            for gpu, share, items in zip(gpus, shares, by_device, strict=True)
        ]
        return max(min(whole, int(min(room))), window)
    if request.active_window is None and request.cache_device == "auto":
        return _DEFAULT_WINDOW // sizing.block_tokens * block_bytes
    return window


def _room(gpu: Gpu, items: dict[str, int]) -> float:
    after_weights = gpu.free_bytes - items["weights"] - items["CUDA context"]
    return max(0.0, min(_FREE_VRAM_SHARE * after_weights, gpu.usable_bytes - sum(items.values())))


def _host_items(sizing: Sizing) -> dict[str, int]:
    request, kv = sizing.request, sizing.kv
    items = {
        "cold KV": request.num_documents * kv.cold_bytes(request.context),
        "slab rounding (at most)": kv.slab_rounding_bytes(request.context, request.num_documents),
        "program": CUDA_PROGRAM_BYTES if sizing.has_gpu else PROGRAM_BYTES,
    }
    if sizing.weights.host_bytes:
        items["experts"] = sizing.weights.host_bytes
    return items


def _summed(by_device: list[dict[str, int]]) -> dict[str, int]:
    return {item: sum(items[item] for items in by_device) for item in by_device[0]}


def _shortfalls(
    machine: Machine,
    sizing: Sizing,
    gpus: tuple[Gpu, ...],
    vram_by_gpu: tuple[dict[str, int], ...],
    host: dict[str, int],
) -> list[Shortfall]:
    geometry, request, found = sizing.geometry, sizing.request, []
    if reach_with(geometry, request).engine is Engine.UNSUPPORTED:
        found.append(Shortfall("engine", 0, 0))
    limit = context_limit(geometry, request)
    if limit and request.context > limit:
        found.append(Shortfall("context", request.context, limit))
    for gpu, items in zip(gpus, vram_by_gpu, strict=True):
        if sum(items.values()) > gpu.usable_bytes:
            found.append(Shortfall("vram", sum(items.values()), gpu.usable_bytes, gpu.name))
    needed = max(sum(host.values()), _loading_bytes(sizing, host))
    if needed > machine.usable_ram_bytes:
        found.append(Shortfall("ram", needed, machine.usable_ram_bytes))
    return found


def _loading_bytes(sizing: Sizing, host: dict[str, int]) -> int:
    """Host memory while weights are loaded: plain ones pass through it on their way to a GPU."""
    is_placed_directly = sizing.request.quantization != "none" or sizing.geometry.stored_quantization
    if not sizing.has_gpu or is_placed_directly:
        return 0
    return host["program"] + sizing.weights.device_bytes + sizing.weights.host_bytes


def _load(sizing: Sizing, budget: int) -> Load:
    geometry, request = sizing.geometry, sizing.request
    num_layers, num_tiered = len(geometry.layers), len(geometry.growing_layers)
    dense = sizing.sizes(sizing.growing(0, num_layers, sparse=False))
    sparse = sizing.sizes(sizing.growing(0, num_layers, sparse=True))
    sparse_hot, sparse_cold = sparse.hot_bytes(budget, num_tiered), sparse.cold_bytes(request.context)
    return Load(
        dense=dense,
        sparse=sparse,
        context_tokens=request.context,
        resident_bytes=dense.hot_bytes(budget, num_tiered),
        sparse_resident_share=min(1.0, sparse_hot / sparse_cold) if sparse_cold else 0.0,
        sparse_budget_tokens=request.sparse_budget,
        weights_read_bytes=sizing.weights.read_bytes,
        chunk_tokens=request.prefill_chunk,
        compute_bytes=sizing.compute_bytes,
        has_gpu=sizing.has_gpu,
    )
