"""Which decoder layer computes on which device. Pure: it needs neither torch nor a device.

Layers stay in order and each device takes one run of them, so that a forward pass changes devices as seldom
as it can.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from core.errors import DoesNotFitError
from core.units import format_size

_Room = tuple[float, int]
"""What a device has left for hot KV: as a share of what its layers would like, and in bytes."""


@dataclass(frozen=True)
class ModelBytes:
    """What the parts of a model take.

    `layer_bytes` are the weights of each decoder layer, `embedding_bytes` what computes before them and
    `head_bytes` what computes after them. A tied head has the embedding's weights and costs nothing of its
    own. `hot_kv_bytes` is each layer's KV if all of it were hot; only its proportions matter. `inseparable`
    are runs of layers that need each other's KV and so share a device.
    """

    layer_bytes: tuple[int, ...]
    embedding_bytes: int
    head_bytes: int
    hot_kv_bytes: tuple[int, ...]
    is_head_tied: bool = False
    inseparable: tuple[range, ...] = ()

    @property
    def num_layers(self) -> int:
        return len(self.layer_bytes)

    @property
    def total_bytes(self) -> int:
        return sum(self.layer_bytes) + self.embedding_bytes + self.head_bytes


@dataclass(frozen=True)
class Placement:
    """Devices are numbered as they were given. A tied head computes where its weights are: with the
    embedding, on the first layer's device; any other with the last layer."""

    device_of_layer: tuple[int, ...]
    is_head_tied: bool

    @property
    def embedding_device(self) -> int:
        return self.device_of_layer[0]

    @property
    def last_device(self) -> int:
        return self.device_of_layer[-1]

    @property
    def head_device(self) -> int:
        return self.embedding_device if self.is_head_tied else self.last_device

    def layers_on(self, device: int) -> tuple[int, ...]:
        """The layers of one device; empty for a device that is too small for any."""
        return tuple(layer for layer, place in enumerate(self.device_of_layer) if place == device)


def place_layers(model: ModelBytes, free_bytes: Sequence[int]) -> Placement:
    """Divide the layers among devices with `free_bytes` each, in their order.

    No device gets more weights than it has free bytes. Of what is possible, the division is taken that
    leaves the device with the least room for hot KV the most of it, then the next one, and so on; a device
    that would only be in the way gets no layer. Raises `DoesNotFitError` if the weights do not fit.
    """
    sums = _Sums(model)
    cuts = [cut for cut in range(model.num_layers, -1, -1) if not _parts(model, cut)]
    best: dict[int, tuple[tuple[_Room, ...], tuple[int, ...]]] = {0: ((), ())}
    for free in free_bytes:
        found: dict[int, tuple[tuple[_Room, ...], tuple[int, ...]]] = {}
        for start, (rooms, stops) in sorted(best.items(), reverse=True):
            for stop, room in _runs(sums, cuts, start, free):
                candidate = tuple(sorted((*rooms, room)))
                if stop not in found or candidate > found[stop][0]:
                    found[stop] = (candidate, (*stops, stop))
        best = found
    if model.num_layers not in best:
        raise _does_not_fit(model, free_bytes)
    stops = best[model.num_layers][1]
    starts = (0, *stops[:-1])
    runs = zip(starts, stops, strict=True)
    return Placement(
        tuple(device for device, (start, stop) in enumerate(runs) for _ in range(start, stop)),
        model.is_head_tied,
    )


class _Sums:
    """Bytes of runs of layers, each found at once."""

    def __init__(self, model: ModelBytes) -> None:
        self._model = model
        self._weights = list(accumulate(model.layer_bytes, initial=0))
        self._hot_kv = list(accumulate(model.hot_kv_bytes, initial=0))

    def room(self, start: int, stop: int, free_bytes: int) -> _Room | None:
        """What a device has left beside the layers `start` to `stop`; None if they do not fit it."""
        if start == stop:
            return float("inf"), free_bytes
        left = free_bytes - (self._weights[stop] - self._weights[start])
        if start == 0:
            left -= self._model.embedding_bytes
        if stop == self._model.num_layers:
            left -= self._model.head_bytes
        hot_kv = self._hot_kv[stop] - self._hot_kv[start]
        if left < 0:
            return None
        return (left / hot_kv if hot_kv else float("inf")), left


def _runs(sums: _Sums, cuts: Sequence[int], start: int, free_bytes: int) -> Iterator[tuple[int, _Room]]:
    """Every run from `start` that fits a device, as the layer after it and the room it leaves."""
    for stop in cuts:
        room = sums.room(start, stop, free_bytes) if stop >= start else None
        if room is not None:
            yield stop, room


def _parts(model: ModelBytes, cut: int) -> bool:
    return any(run.start < cut < run.stop for run in model.inseparable)


def _does_not_fit(model: ModelBytes, free_bytes: Sequence[int]) -> DoesNotFitError:
    free = " + ".join(format_size(number) for number in free_bytes)
    largest = max(sum(model.layer_bytes[index] for index in run) for run in _pieces(model))
    return DoesNotFitError(
        "The model does not fit the GPUs",
        f"Its weights take {format_size(model.total_bytes)}, up to {format_size(largest)} of them in one "
        f"piece that cannot be divided; the GPUs have {free} free. Choose a smaller model or --quantization "
        "nf4, or close other programs that use the GPUs.",
    )


def _pieces(model: ModelBytes) -> Iterator[range]:
    cuts = [cut for cut in range(model.num_layers + 1) if not _parts(model, cut)]
    for start, stop in pairwise(cuts):
        yield range(start, stop)
