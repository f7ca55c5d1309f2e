"""Mixture-of-experts weights in tiers: all experts in host memory, those in use on the compute device.

transformers calls `tiered_experts` through its own registry, under the name `tiered`; no model code is
patched. Which experts a token needs is known only when its layer is reached, so only those move.
"""

from collections.abc import Iterable, Mapping, Sequence

import torch
from torch.nn.functional import linear
from transformers import PreTrainedModel
from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS

from core.errors import DoesNotFitError, UsageError
from core.models.expert_pool import ExpertPool
from core.models.expert_store import ExpertLayout, ExpertStore, ExpertWeights, row_bytes_of
from core.models.expert_traffic import ExpertTraffic
from core.units import format_size

IMPLEMENTATION_NAME = "tiered"
_LAYER_ATTRIBUTE = "_expert_layer"
_LAYOUT_FLAGS = ("num_experts", "has_gate", "has_bias", "has_post_expert_norm", "is_transposed")


class ExpertLayer:
    """The experts of one layer, as the experts function sees them."""

    def __init__(
        self, index: int, layout: ExpertLayout, rows: Sequence[int], store: ExpertStore, pool: ExpertPool
    ) -> None:
        self._index = index
        self._layout = layout
        self._rows = rows
        self._store = store
        self._pool = pool
        self._views: dict[int, ExpertWeights] = {}
        self.traffic = ExpertTraffic()

    def is_resident(self, expert: int) -> bool:
        return self._pool.is_resident((self._index, expert))

    def fetch(self, expert: int) -> ExpertWeights:
        """The weights of `expert` on the compute device, valid until the next `fetch`."""
        slot = self._pool.use((self._index, expert))
        if slot is None:
            slot = self._load(expert)
        else:
            self.traffic.count_hit()
        if slot not in self._views:
            self._views[slot] = self._layout.views(self._pool.row(slot))
        return self._views[slot]

    def _load(self, expert: int) -> int:
        key = (self._index, expert)
        slot, evicted = self._pool.prepare_load(key)
        try:
            # Copy and products share a stream: a slot is refilled only after what read it has run.
            self._pool.row(slot).copy_(self._store.row(self._rows[expert]), non_blocking=True)
        except BaseException:
            self._pool.cancel_load(key)
            raise
        self._pool.complete_load(key)
        self.traffic.count_miss(self._layout.row_bytes)
        if evicted is not None:
            self.traffic.count_eviction()
        return slot


class ExpertTier:
    """The experts of a whole model.

    Each layer has its share of the slots: a token visits the layers in turn, so that slots shared by all
    of them would always hold the experts of other layers. With fewer slots than layers, neighbours share.
    """

    def __init__(
        self, store: ExpertStore, pools: Sequence[ExpertPool], layers: Sequence[ExpertLayer]
    ) -> None:
        self.store = store
        self.pools = tuple(pools)
        self.layers = tuple(layers)

    @property
    def device_bytes(self) -> int:
        """What the pools hold on the compute device, used or not."""
        return sum(pool.size_bytes for pool in self.pools)

    @property
    def traffic(self) -> ExpertTraffic:
        """The counts of all layers together."""
        total = ExpertTraffic()
        for layer in self.layers:
            total.host_to_device_bytes += layer.traffic.host_to_device_bytes
            total.hits += layer.traffic.hits
            total.misses += layer.traffic.misses
            total.evictions += layer.traffic.evictions
        return total

    def check_integrity(self) -> None:
        for pool in self.pools:
            pool.check_integrity()


def register() -> None:
    """Make the function known to transformers under `IMPLEMENTATION_NAME`."""
    ALL_EXPERTS_FUNCTIONS.register(IMPLEMENTATION_NAME, tiered_experts)


def tier_experts(model: PreTrainedModel, budget_bytes: int, device: torch.device) -> ExpertTier | None:
    """Take the experts out of `model`, loaded on the host, and run them within `budget_bytes` on `device`.

    None if the model has no experts that transformers lets us run. Raises `UsageError` if the budget holds
    not even one expert, `DoesNotFitError` if the device has no room for it.
    """
    modules = [module for module in model.modules() if _has_experts(module)]
    if not modules:
        return None
    layouts = [ExpertLayout.of(_parameters(module)) for module in modules]
    row_bytes = row_bytes_of(layouts)
    num_experts = sum(_num_experts(module) for module in modules)
    num_slots = min(budget_bytes // row_bytes, num_experts)
    if num_slots < 1:
        raise UsageError(
            "The expert budget is too small",
            f"One expert takes {format_size(row_bytes)}; the budget is {format_size(budget_bytes)}. "
            "Raise --expert-budget.",
        )
    pools = _pools(row_bytes, num_slots, len(modules), device)
    store = ExpertStore(row_bytes, num_experts, pinned=device.type == "cuda")
    layers = []
    for index, (module, layout) in enumerate(zip(modules, layouts, strict=True)):
        rows = _move_to_store(module, layout, store)
        layer = ExpertLayer(index, layout, rows, store, pools[index * len(pools) // len(modules)])
        setattr(module, _LAYER_ATTRIBUTE, layer)
        layers.append(layer)
    return ExpertTier(store, pools, layers)


def tiered_experts(
    module: torch.nn.Module,
    hidden_states: torch.Tensor,
    top_k_index: torch.Tensor,
    top_k_weights: torch.Tensor,
) -> torch.Tensor:
    """The experts' sum for each token, expert by expert, as transformers' own experts functions give it.

    `hidden_states` `(num_tokens, hidden_dim)`, `top_k_index` and `top_k_weights` `(num_tokens, top_k)`.
    Experts that are on the device run first, before others take their slots; each token's parts are summed
    in the order of its choice, so that residency never changes a result.
    """
    layer: ExpertLayer = getattr(module, _LAYER_ATTRIBUTE)
    num_tokens, top_k = top_k_index.shape
    chosen = top_k_index.reshape(-1)
    by_expert = torch.argsort(chosen, stable=True)
    counts = torch.bincount(chosen, minlength=_num_experts(module)).tolist()
    parts = hidden_states.new_zeros(chosen.numel(), hidden_states.shape[-1])
    for expert, first, last in _routed(counts, layer):
        rows = by_expert[first:last]
        parts[rows] = _run_expert(module, layer.fetch(expert), hidden_states[rows // top_k])
    weighted = parts * top_k_weights.reshape(-1, 1)
    return weighted.view(num_tokens, top_k, -1).sum(dim=1).to(hidden_states.dtype)


def _routed(counts: Iterable[int], layer: ExpertLayer) -> list[tuple[int, int, int]]:
    """`(expert, first, last)`: which part of the choices, sorted by expert, is whose; residents first."""
    routed, first = [], 0
    for expert, count in enumerate(counts):
        if count:
            routed.append((expert, first, first + count))
        first += count
    return sorted(routed, key=lambda part: not layer.is_resident(part[0]))


def _run_expert(module: torch.nn.Module, weights: ExpertWeights, states: torch.Tensor) -> torch.Tensor:
    """One expert over its tokens, `states` `(num_tokens, hidden_dim)`; the module knows its activation."""
    up_name = _up_name(module)
    inner = _project(module, weights, up_name, states)
    inner = module._apply_gate(inner) if module.has_gate else module.act_fn(inner)  # type: ignore[operator]
    out = _project(module, weights, "down_proj", inner)
    if module.has_post_expert_norm:
        out = module.post_expert_norm(out)  # type: ignore[operator]
    return out


def _project(
    module: torch.nn.Module, weights: ExpertWeights, name: str, states: torch.Tensor
) -> torch.Tensor:
    weight = weights[name].T if module.is_transposed else weights[name]
    return linear(states, weight, weights.get(f"{name}_bias"))


def _has_experts(module: torch.nn.Module) -> bool:
    """Whether transformers runs this module through its experts interface, with plain weights."""
    return all(hasattr(module, flag) for flag in _LAYOUT_FLAGS) and all(
        isinstance(getattr(module, name, None), torch.nn.Parameter) for name in _parameter_names(module)
    )


def _parameters(module: torch.nn.Module) -> Mapping[str, torch.Tensor]:
    return {name: getattr(module, name).detach() for name in _parameter_names(module)}


def _parameter_names(module: torch.nn.Module) -> list[str]:
    names = [_up_name(module), "down_proj"]
    return [*names, *(f"{name}_bias" for name in names)] if module.has_bias else names


def _up_name(module: torch.nn.Module) -> str:
    return "gate_up_proj" if module.has_gate else "up_proj"


def _num_experts(module: torch.nn.Module) -> int:
    return int(module.num_experts)  # type: ignore[arg-type]


def _pools(row_bytes: int, num_slots: int, num_layers: int, device: torch.device) -> list[ExpertPool]:
    num_pools = min(num_slots, num_layers)
    share, rest = divmod(num_slots, num_pools)
    try:
        return [ExpertPool(row_bytes, share + (index < rest), device) for index in range(num_pools)]
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise DoesNotFitError(
            "The experts do not fit the compute device",
            f"{format_size(row_bytes * num_slots)} were asked for. Lower --expert-budget.",
        ) from error


def _move_to_store(module: torch.nn.Module, layout: ExpertLayout, store: ExpertStore) -> list[int]:
    """Copy a module's experts to the store and let go of its parameters, so that they exist once."""
    parameters = _parameters(module)
    rows = [
        store.append({name: tensor[expert] for name, tensor in parameters.items()}, layout)
        for expert in range(_num_experts(module))
    ]
    for name in parameters:
        delattr(module, name)
    return rows
