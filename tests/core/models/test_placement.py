"""Dividing layers among devices: tables, and every small case against trying all divisions."""

import random
from collections.abc import Sequence
from itertools import combinations_with_replacement

import pytest

from core.errors import DoesNotFitError
from core.models.placement import ModelBytes, Placement, place_layers


def model(
    num_layers: int,
    *,
    layer_bytes: int = 10,
    embedding_bytes: int = 0,
    head_bytes: int = 0,
    hot_kv_bytes: Sequence[int] | int = 5,
    is_head_tied: bool = False,
    inseparable: tuple[range, ...] = (),
) -> ModelBytes:
    hot_kv = (hot_kv_bytes,) * num_layers if isinstance(hot_kv_bytes, int) else tuple(hot_kv_bytes)
    return ModelBytes(
        (layer_bytes,) * num_layers, embedding_bytes, head_bytes, hot_kv, is_head_tied, inseparable
    )


def counts(placement: Placement, num_devices: int) -> list[int]:
    return [len(placement.layers_on(device)) for device in range(num_devices)]


@pytest.mark.parametrize(
    ("parts", "free_bytes", "expected"),
    [
        (model(8), [1000], [8]),
        (model(8), [1000, 1000], [4, 4]),
        (model(9), [100, 100, 100], [3, 3, 3]),
        (model(2), [100, 100, 100], [1, 1, 0]),
        (model(8), [40, 60], [3, 5]),
        (model(8), [40, 1000], [0, 8]),
        (model(8), [9, 1000], [0, 8]),
        (model(8, embedding_bytes=40), [200, 200], [3, 5]),
        (model(8, embedding_bytes=100), [200, 200], [2, 6]),
        (model(8, head_bytes=100), [200, 200], [6, 2]),
        (model(8, embedding_bytes=100, head_bytes=100), [200, 200], [4, 4]),
        (model(8), [50, 30], [5, 3]),
        (model(8, hot_kv_bytes=[0, 9] * 4), [1000, 1000], [4, 4]),
        (model(8, hot_kv_bytes=[1, 1, 1, 1, 1, 1, 8, 8]), [1000, 1000], [7, 1]),
        (model(8, hot_kv_bytes=0), [100, 100], [4, 4]),
        (model(8, inseparable=(range(2, 8),)), [1000, 1000], [2, 6]),
        (model(8, inseparable=(range(8),)), [10, 1000], [0, 8]),
    ],
)
def test_layers_go_where_there_is_room(parts: ModelBytes, free_bytes: list[int], expected: list[int]) -> None:
    placement = place_layers(parts, free_bytes)
    assert counts(placement, len(free_bytes)) == expected
    assert placement.device_of_layer == tuple(sorted(placement.device_of_layer)), "one run a device"


def test_the_head_computes_where_its_weights_are() -> None:
    own = place_layers(model(4, head_bytes=10), [100, 100])
    tied = place_layers(model(4, is_head_tied=True), [100, 100])
    assert (own.embedding_device, own.last_device, own.head_device) == (0, 1, 1)
    assert (tied.embedding_device, tied.last_device, tied.head_device) == (0, 1, 0)


def test_what_does_not_fit_is_said_with_numbers() -> None:
    gib = 1 << 30
    parts = model(8, layer_bytes=4 * gib, embedding_bytes=2 * gib, inseparable=(range(2, 4),))
    with pytest.raises(DoesNotFitError) as caught:
        place_layers(parts, [10 * gib, 12 * gib])
    for number in ("34.0 GiB", "8.0 GiB", "10.0 GiB + 12.0 GiB"):
        assert number in caught.value.message


def test_enough_bytes_in_all_are_not_enough_when_no_division_fits() -> None:
    parts = model(2, layer_bytes=10, inseparable=(range(2),))
    with pytest.raises(DoesNotFitError):
        place_layers(parts, [15, 15])
    assert counts(place_layers(parts, [15, 20]), 2) == [0, 2]


@pytest.mark.parametrize("seed", range(150))
def test_no_other_division_is_better(seed: int) -> None:
    rng = random.Random(seed)
    num_layers, num_devices = rng.randint(1, 7), rng.randint(1, 4)
    first = rng.randrange(num_layers)
    parts = ModelBytes(
        tuple(rng.randint(1, 20) for _ in range(num_layers)),
        rng.randint(0, 30),
        rng.randint(0, 30),
        tuple(rng.choice([0, 1, 4, 9]) for _ in range(num_layers)),
        inseparable=(range(first, rng.randint(first, num_layers)),) if rng.random() < 0.5 else (),
    )
    free_bytes = [rng.randint(0, 90) for _ in range(num_devices)]
    rated = [
        rating
        for stops in combinations_with_replacement(range(num_layers + 1), num_devices - 1)
        if (rating := rate(parts, [0, *stops, num_layers], free_bytes)) is not None
    ]
    if not rated:
        with pytest.raises(DoesNotFitError):
            place_layers(parts, free_bytes)
        return
    placed = counts(place_layers(parts, free_bytes), num_devices)
    bounds = [sum(placed[:device]) for device in range(num_devices + 1)]
    assert rate(parts, bounds, free_bytes) == max(rated)


def rate(
    parts: ModelBytes, bounds: Sequence[int], free_bytes: Sequence[int]
) -> list[tuple[float, int]] | None:
    """What each device has left, the least first; None for a division that is not allowed."""
    left_by_device = []
    for device, free in enumerate(free_bytes):
        layers = range(bounds[device], bounds[device + 1])
        left = free - sum(parts.layer_bytes[layer] for layer in layers)
        left -= parts.embedding_bytes * (0 in layers)
        left -= parts.head_bytes * (len(parts.layer_bytes) - 1 in layers)
        hot_kv = sum(parts.hot_kv_bytes[layer] for layer in layers)
        left_by_device.append((left / hot_kv if hot_kv else float("inf"), left))
        for together in parts.inseparable:
            inside = sum(layer in layers for layer in together)
            if inside not in (0, len(together)):
                return None
    return None if min(left for _, left in left_by_device) < 0 else sorted(left_by_device)
