"""A model on several devices, layer by layer: what its parts weigh and the names they go by.

Built on the meta device, so that nothing is read before the division is known. transformers loads each part
to its device and moves what passes between them.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass

import psutil
import torch
from accelerate.hooks import remove_hook_from_module
from transformers import AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel
from transformers.cache_utils import get_layer_types_and_kwargs

from core.errors import UsageError
from core.kv.cache import TIERED_LAYER_TYPE
from core.models.dry_run import Reach
from core.models.placement import ModelBytes, Placement, place_layers

_FREE_SHARE = 0.9
_FINAL_NORM_NAMES = ("norm", "final_layernorm", "norm_f", "ln_f")


@dataclass(frozen=True)
class Sharding:
    """Where each decoder layer computes, and in `device_map`, which `from_pretrained` takes, every part."""

    devices: tuple[torch.device, ...]
    placement: Placement
    device_map: dict[str, int | str]
    tiered_layer_idxs: frozenset[int]

    @property
    def tiered_layers_by_device(self) -> tuple[tuple[torch.device, tuple[int, ...]], ...]:
        """The devices that keep KV in tiers, with the layers of each that do."""
        return tuple(
            (device, layers)
            for index, device in enumerate(self.devices)
            if (layers := tuple(self.tiered_layer_idxs.intersection(self.placement.layers_on(index))))
        )


@dataclass(frozen=True)
class LayerWeights:
    """How large the weights of decoder layers are once loaded: bytes a value, or bytes of all layers and
    whatever is stored with them."""

    bytes_per_value: float
    stored_bytes: int | None = None


class Anatomy:
    """The parts of a model that computes on several devices, without their weights.

    Raises `UsageError` if its decoder is not one list of layers.
    """

    def __init__(self, config: PreTrainedConfig, dtype: torch.dtype) -> None:
        with torch.device("meta"):
            self.model: PreTrainedModel = AutoModelForCausalLM.from_config(copy.deepcopy(config), dtype=dtype)
        self._decoder = self.model.get_decoder()
        layers = getattr(self._decoder, "layers", None)
        text_config = config.get_text_config(decoder=True)
        self._layer_types, _ = get_layer_types_and_kwargs(text_config)
        self._sharing_modes = getattr(text_config, "kv_sharing_modes", None) or []
        if not isinstance(layers, torch.nn.ModuleList) or len(layers) != len(self._layer_types):
            raise UsageError(
                "The model cannot be divided among GPUs",
                f"{type(self.model).__name__} is not built from one list of layers. Leave out "
                "--kv-sharding-strategy, or choose another model.",
            )
        self._layers = layers

    @property
    def tiered_layer_idxs(self) -> frozenset[int]:
        kinds = enumerate(self._layer_types)
        return frozenset(index for index, kind in kinds if kind == TIERED_LAYER_TYPE)

    def weigh(self, weights: LayerWeights, reach: Reach, context_length: int) -> ModelBytes:
        """What each part takes; hot KV is that of the whole context in the model's dtype."""
        head = self.model.get_output_embeddings()
        embedding = self.model.get_input_embeddings()
        is_tied = head is not None and head.weight is embedding.weight
        head_bytes = 0 if is_tied or head is None else _num_bytes(head)
        whole_bytes = _num_bytes(self.model)
        other_bytes = whole_bytes - sum(_num_bytes(layer) for layer in self._layers)
        layer_bytes = self._layer_bytes(weights, other_bytes)
        values = reach.kv_values_per_token // max(reach.num_tiered_layers, 1)
        hot_kv_bytes = values * self.model.dtype.itemsize * context_length
        return ModelBytes(
            layer_bytes=layer_bytes,
            embedding_bytes=other_bytes - head_bytes,
            head_bytes=head_bytes,
            hot_kv_bytes=tuple(hot_kv_bytes * (kind == TIERED_LAYER_TYPE) for kind in self._layer_types),
            is_head_tied=is_tied,
            inseparable=self._inseparable(),
        )

    def device_map(self, placement: Placement, devices: tuple[torch.device, ...]) -> dict[str, int | str]:
        """The device of every part, by its name in the model."""
        return {name: _key(devices[index]) for name, index in self._parts(self.model, "", placement)}

    def _layer_bytes(self, weights: LayerWeights, other_bytes: int) -> tuple[int, ...]:
        values = [sum(weight.numel() for weight in layer.parameters()) for layer in self._layers]
        per_value = weights.bytes_per_value
        if weights.stored_bytes is not None:
            per_value = max(weights.stored_bytes - other_bytes, 0) / max(sum(values), 1)
        return tuple(int(number * per_value) for number in values)

    def _inseparable(self) -> tuple[range, ...]:
        """From the first layer whose KV others use to the last that uses any."""
        sharing = [index for index, mode in enumerate(self._sharing_modes) if mode is not None]
        return (range(sharing[0], sharing[-1] + 1),) if sharing else ()

    def _parts(self, module: torch.nn.Module, prefix: str, placement: Placement) -> Iterator[tuple[str, int]]:
        """Names that cover the model, each with a device: what is not known to come later comes first."""
        head = self.model.get_output_embeddings()
        for name, child in module.named_children():
            if child is self._layers:
                for index, device in enumerate(placement.device_of_layer):
                    yield f"{prefix}{name}.{index}", device
            elif any(part is self._decoder for part in child.modules()):
                yield from self._parts(child, f"{prefix}{name}.", placement)
            elif child is head:
                yield f"{prefix}{name}", placement.head_device
            elif module is self._decoder and name in _FINAL_NORM_NAMES:
                yield f"{prefix}{name}", placement.last_device
            else:
                yield f"{prefix}{name}", placement.embedding_device
        for name, _ in (*module.named_parameters(recurse=False), *module.named_buffers(recurse=False)):
            yield f"{prefix}{name}", placement.embedding_device


def shard(
    anatomy: Anatomy,
    devices: tuple[torch.device, ...],
    weights: LayerWeights,
    reach: Reach,
    context_length: int,
) -> Sharding:
    """Divide a model among `devices` by what they have free now. Raises `DoesNotFitError`."""
    free = [int(free_bytes(device) * _FREE_SHARE) for device in devices]
    placement = place_layers(anatomy.weigh(weights, reach, context_length), free)
    device_map = anatomy.device_map(placement, devices)
    return Sharding(devices, placement, device_map, anatomy.tiered_layer_idxs)


def move_between_parts_only(model: PreTrainedModel, sharding: Sharding) -> None:
    """Take away the hooks inside of each part: it has one device, and there they cost time for nothing."""
    parts = dict(model.named_modules())
    for name in sharding.device_map:
        inner = list(parts[name].modules())[1:] if name in parts else []
        for module in inner:
            remove_hook_from_module(module)


def free_bytes(device: torch.device) -> int:
    """Free memory of a GPU; for a CPU that of the machine."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    return int(psutil.virtual_memory().available)


def _num_bytes(module: torch.nn.Module) -> int:
    return sum(weight.nbytes for weight in module.parameters())


def _key(device: torch.device) -> int | str:
    return device.index if device.type == "cuda" else str(device)
