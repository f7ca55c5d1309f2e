"""What a sequence holds beside its sealed blocks, as bytes: tails, windows and recurrent states."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from core.attention.select import LowRankDigest
from core.errors import DamagedCacheError
from core.kv.cache import TieredCache
from core.kv.layer import TieredLayer

_VALUES = "values"
_PLAIN = (bool, int, float, str, type(None))

PlaceOf = Callable[[str], torch.device]
"""Where what was on a device goes now."""


class CannotSnapshotError(TypeError):
    """A layer keeps something that has no form as bytes."""


def state_bytes(cache: TieredCache) -> int:
    """About how much `take_state` gives; 0 if sealed blocks are all there is."""
    total = 0
    for layer in cache.layers:
        if isinstance(layer, TieredLayer):
            total += layer.tail_bytes
        else:
            total += sum(tensor.nbytes for tensor in _tensors_of(layer)) or 1
    return total


def take_state(cache: TieredCache) -> Callable[[], bytes]:
    """Copies what there is now; the bytes are made when they are asked for.

    Raises `CannotSnapshotError` if a layer keeps what this does not know.
    """
    tensors: dict[str, torch.Tensor] = {}
    values = {
        str(index): _encoded(
            dict(zip(("key", "value"), layer.tail, strict=True))
            if isinstance(layer, TieredLayer)
            else vars(layer),
            f"{index}",
            tensors,
        )
        for index, layer in enumerate(cache.layers)
    }
    return lambda: save(tensors, {_VALUES: json.dumps(values)})


class SavedState:
    """What `take_state` gave. Raises `DamagedCacheError` if it is something else."""

    def __init__(self, data: bytes) -> None:
        try:
            header_bytes = int.from_bytes(data[:8], "little")
            header = json.loads(data[8 : 8 + header_bytes])
            self._values: dict[str, Any] = json.loads(header["__metadata__"][_VALUES])
            self._tensors = load(data)
        except (SafetensorError, ValueError, KeyError, TypeError) as error:
            raise DamagedCacheError.of("the state of its layers makes no sense") from error

    def tail(self, layer_idx: int, place_of: PlaceOf) -> tuple[torch.Tensor, torch.Tensor]:
        held = self._decoded(self._values[str(layer_idx)], place_of)
        return held["key"], held["value"]

    def restore(self, layer_idx: int, layer: Any, place_of: PlaceOf) -> None:
        """Give one of transformers' own layers, freshly made, what it had."""
        vars(layer).update(self._decoded(self._values[str(layer_idx)], place_of))

    def _decoded(self, value: Any, place_of: PlaceOf) -> Any:
        ((kind, content),) = value.items()
        match kind:
            case "plain":
                return content
            case "dtype":
                return getattr(torch, content)
            case "device":
                return place_of(content)
            case "tensor":
                name, device = content
                return self._tensors[name].to(place_of(device))
            case "dict":
                return {key: self._decoded(part, place_of) for key, part in content}
        raise DamagedCacheError.of("the state of its layers is of an unknown kind")


def digests_as_bytes(cache: TieredCache) -> Callable[[], bytes]:
    """The digests that `cache` chooses by, which never change; made when they are asked for."""
    tensors: dict[str, torch.Tensor] = {}
    for index, layer in enumerate(cache.layers):
        if isinstance(layer, TieredLayer) and layer.sparse is not None:
            digest = layer.sparse.index.digest
            tensors |= {f"{index}.basis": digest.basis, f"{index}.codes": digest.codes}
    return lambda: save({name: tensor.cpu().contiguous() for name, tensor in tensors.items()})


def digests_from_bytes(data: bytes, device_of: Mapping[int, torch.device]) -> Mapping[int, LowRankDigest]:
    """By index in the model. Raises `DamagedCacheError`."""
    try:
        tensors = load(data)
        return {
            index: LowRankDigest(tensors[f"{index}.basis"].to(device), tensors[f"{index}.codes"].to(device))
            for index, device in device_of.items()
            if f"{index}.basis" in tensors
        }
    except (SafetensorError, ValueError, KeyError) as error:
        raise DamagedCacheError.of("its digests make no sense") from error


def _tensors_of(layer: Any) -> list[torch.Tensor]:
    held = []
    for value in vars(layer).values():
        parts = value.values() if isinstance(value, dict) else (value,)
        held += [part for part in parts if isinstance(part, torch.Tensor)]
    return held


def _encoded(value: Any, name: str, tensors: dict[str, torch.Tensor]) -> dict[str, Any]:
    match value:
        case torch.Tensor():
            tensors[name] = value.detach().to("cpu", copy=True).contiguous()
            return {"tensor": [name, str(value.device)]}
        case dict():
            return {"dict": [[key, _encoded(part, f"{name}.{key}", tensors)] for key, part in value.items()]}
        case torch.dtype():
            return {"dtype": str(value).removeprefix("torch.")}
        case torch.device():
            return {"device": str(value)}
        case _ if isinstance(value, _PLAIN):
            return {"plain": value}
    raise CannotSnapshotError(f"{name}: {type(value).__name__}")
