"""Which devices compute: chosen from what the user asked for and what the machine has."""

import torch

from core.errors import DeviceError
from core.settings import EngineSettings


def compute_devices(settings: EngineSettings) -> tuple[torch.device, ...]:
    """The devices for `settings` on this machine. Raises `DeviceError` as `choose_devices` does."""
    return choose_devices(settings, torch.cuda.device_count() if torch.cuda.is_available() else 0)


def choose_devices(settings: EngineSettings, num_gpus: int) -> tuple[torch.device, ...]:
    """One device, or several if the layers are to be divided; the first has the embeddings.

    Raises `DeviceError` if a GPU is asked for that the machine does not have.
    """
    if settings.gpu_ids is not None:
        _require_gpus(settings.gpu_ids, num_gpus)
    if settings.kv_cache_device == "multi_gpu" and num_gpus < 2:
        raise DeviceError(
            "Not enough GPUs",
            "--kv-cache-device multi_gpu needs two GPUs or more and torch finds "
            f"{'one' if num_gpus else 'none'}. Choose --kv-cache-device auto.",
        )
    if settings.kv_cache_device == "gpu" and num_gpus == 0:
        raise DeviceError(
            "No GPU",
            "The KV cache was asked for on a GPU and torch finds none. Choose --kv-cache-device auto, or "
            "check the driver.",
        )
    if num_gpus == 0:
        return (torch.device("cpu"),)
    gpu_ids = settings.gpu_ids or tuple(range(num_gpus if settings.is_layer_wise else 1))
    return tuple(torch.device("cuda", gpu_id) for gpu_id in gpu_ids)


def undivided_note(settings: EngineSettings, devices: tuple[torch.device, ...]) -> str | None:
    """Why the layers are not divided although that was asked for; None if there is nothing to say."""
    if not settings.is_layer_wise or settings.gpu_ids is not None or len(devices) > 1:
        return None
    found = "one" if devices[0].type == "cuda" else "none"
    return (
        "The layers are not divided: --kv-sharding-strategy layer_wise needs two GPUs and torch finds "
        f"{found}."
    )


def _require_gpus(gpu_ids: tuple[int, ...], num_gpus: int) -> None:
    absent = [str(gpu_id) for gpu_id in gpu_ids if gpu_id >= num_gpus]
    if not absent:
        return
    if num_gpus == 0:
        raise DeviceError(
            "No GPU", "--gpu-ids names a GPU and torch finds none. Leave it out, or check the driver."
        )
    there_are = ", ".join(str(gpu_id) for gpu_id in range(num_gpus))
    raise DeviceError(
        "No such GPU", f"--gpu-ids names {', '.join(absent)}; the GPUs of this machine are: {there_are}."
    )
