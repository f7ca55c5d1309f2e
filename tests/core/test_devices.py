"""Which devices compute: by what was asked for and what the machine has."""

import pytest
import torch

from core.devices import choose_devices, undivided_note
from core.errors import DeviceError, UsageError
from core.settings import EngineSettings

LAYER_WISE = {"kv_sharding_strategy": "layer_wise"}
MULTI_GPU = {"kv_cache_device": "multi_gpu"}


def chosen(num_gpus: int, **settings: object) -> list[str]:
    return [str(device) for device in choose_devices(EngineSettings(**settings), num_gpus)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "num_gpus", "expected"),
    [
        ({}, 0, ["cpu"]),
        ({}, 2, ["cuda:0"]),
        ({"gpu_ids": (1,)}, 2, ["cuda:1"]),
        (LAYER_WISE, 0, ["cpu"]),
        (LAYER_WISE, 1, ["cuda:0"]),
        (LAYER_WISE, 3, ["cuda:0", "cuda:1", "cuda:2"]),
        (LAYER_WISE | {"gpu_ids": (2, 0)}, 3, ["cuda:2", "cuda:0"]),
        (LAYER_WISE | {"gpu_ids": (1,)}, 2, ["cuda:1"]),
        (MULTI_GPU, 2, ["cuda:0", "cuda:1"]),
        (MULTI_GPU | {"gpu_ids": (1, 2)}, 3, ["cuda:1", "cuda:2"]),
    ],
)
def test_devices(settings: dict[str, object], num_gpus: int, expected: list[str]) -> None:
    assert chosen(num_gpus, **settings) == expected


@pytest.mark.parametrize(
    ("settings", "num_gpus", "words"),
    [
        ({"kv_cache_device": "gpu"}, 0, "finds none"),
        ({"gpu_ids": (0,)}, 0, "finds none"),
        ({"gpu_ids": (2,)}, 2, "names 2; the GPUs of this machine are: 0, 1"),
        (LAYER_WISE | {"gpu_ids": (0, 7, 9)}, 2, "names 7, 9; the GPUs of this machine are: 0, 1"),
        (MULTI_GPU, 0, "finds none"),
        (MULTI_GPU, 1, "finds one"),
        (MULTI_GPU | {"gpu_ids": (0, 1)}, 1, "names 1; the GPUs of this machine are: 0"),
    ],
)
def test_gpus_that_are_not_there_are_named(settings: dict[str, object], num_gpus: int, words: str) -> None:
    with pytest.raises(DeviceError, match=words):
        chosen(num_gpus, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"gpu_ids": ()},
        {"gpu_ids": (-1,)},
        {"gpu_ids": (0, 0)} | LAYER_WISE,
        {"gpu_ids": (0, 1)},
        {"gpu_ids": (1,)} | MULTI_GPU,
        {"kv_sharding_strategy": "row_wise"},
    ],
)
def test_gpus_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        EngineSettings(**settings)  # type: ignore[arg-type]


def test_a_machine_that_cannot_divide_says_so_unless_one_gpu_was_named() -> None:
    layer_wise = EngineSettings(kv_sharding_strategy="layer_wise")
    named = EngineSettings(kv_sharding_strategy="layer_wise", gpu_ids=(0,))
    cpu, gpu, other = torch.device("cpu"), torch.device("cuda", 0), torch.device("cuda", 1)
    assert "torch finds none" in (undivided_note(layer_wise, (cpu,)) or "")
    assert "torch finds one" in (undivided_note(layer_wise, (gpu,)) or "")
    assert undivided_note(layer_wise, (gpu, other)) is None
    assert undivided_note(named, (gpu,)) is None
    assert undivided_note(EngineSettings(), (cpu,)) is None
