"""How large the tiers of a loaded model are, and how they are divided among its devices."""

import math
from dataclasses import replace
from fractions import Fraction

import torch

from core.errors import UsageError
from core.kv.block import DEFAULT_BLOCK_TOKENS
from core.kv.codec import nominal_bits_per_value
from core.kv.sparse import SparseSettings
from core.kv.store import KvSettings, KvStore, Shard
from core.models.loader import LoadedModel
from core.settings import DEFAULT_ACTIVE_WINDOW, EngineSettings
from core.units import format_size

_FREE_VRAM_SHARE = 0.7
_CPU_BLOCK_TOKENS = 256


def kv_store(settings: EngineSettings, loaded: LoadedModel) -> KvStore:
    """Empty tiers for a model. Raises as `require_window_fits`."""
    kv, shards = kv_division(settings, loaded)
    return KvStore(kv, loaded.reach.num_tiered_layers, shards=shards)


def kv_division(settings: EngineSettings, loaded: LoadedModel) -> tuple[KvSettings, tuple[Shard, ...]]:
    """How the tiers are kept, divided as the layers are; each device has a hot budget of its own."""
    num_layers = loaded.reach.num_tiered_layers
    kv = kv_settings(settings, loaded)
    block_bytes, _ = _block_size(settings, loaded)
    bytes_per_token = block_bytes // kv.block_tokens
    require_window_fits(settings, loaded)
    if loaded.sharding is None:
        budget = _hot_budget(settings, loaded, loaded.device, kv.block_tokens, bytes_per_token)
        return replace(kv, hot_budget_bytes=budget), ()
    shards = []
    for device, layer_idxs in loaded.sharding.tiered_layers_by_device:
        share = Fraction(len(layer_idxs), num_layers)
        budget = _hot_budget(settings, loaded, device, kv.block_tokens, bytes_per_token, share)
        shards.append(Shard(frozenset(layer_idxs), budget))
    total = sum(shard.hot_budget_bytes for shard in shards)
    return replace(kv, hot_budget_bytes=total), tuple(shards)


def _block_size(settings: EngineSettings, loaded: LoadedModel) -> tuple[int, int]:
    """Bytes, over all layers, and tokens of a block."""
    kv = kv_settings(settings, loaded)
    bits_per_value = nominal_bits_per_value(settings.kv_compression, kv.dtype or loaded.model.dtype)
    bytes_per_token = math.ceil(loaded.reach.kv_values_per_token * bits_per_value / 8)
    return kv.block_tokens * bytes_per_token, kv.block_tokens


def kv_settings(settings: EngineSettings, loaded: LoadedModel) -> KvSettings:
    """How K and V are kept, without the size of the hot tier."""
    dtype = getattr(torch, settings.kv_dtype) if settings.kv_dtype != "auto" else loaded.model.dtype
    if settings.kv_dtype == "auto" and loaded.device.type == "cpu":
        dtype = torch.bfloat16
    return KvSettings(
        block_tokens=settings.block_tokens or _block_tokens(loaded.device),
        dtype=dtype,
        codec=settings.kv_compression,
        whole_layers=SparseSettings().dense_layers if settings.mode == "sparse" else 0,
        whole_tokens=longest_context(settings, loaded),
        migration_interval=settings.migration_interval,
        host_memory_strategy=settings.cpu_memory_strategy,
        host_memory_policy=settings.cpu_memory_policy,
    )


def _block_tokens(device: torch.device) -> int:
    """A CPU attends to each block by itself, so that longer blocks cost it fewer calls."""
    return _CPU_BLOCK_TOKENS if device.type == "cpu" else DEFAULT_BLOCK_TOKENS


def longest_context(settings: EngineSettings, loaded: LoadedModel) -> int:
    """The most tokens of a sequence: the model's own limit or the user's lower one."""
    return min(loaded.context_length, settings.max_seq_len or loaded.context_length)


def _window_blocks(settings: EngineSettings, loaded: LoadedModel, block_tokens: int) -> int:
    return -(-min(settings.active_window or 0, longest_context(settings, loaded)) // block_tokens)


def require_context(settings: EngineSettings, loaded: LoadedModel) -> None:
    """Raise `UsageError` if longer sequences are asked for than the model reads."""
    if settings.max_seq_len is not None and settings.max_seq_len > loaded.context_length:
        raise UsageError(
            "The sequence is longer than the model's context",
            f"{settings.max_seq_len:,} tokens were asked for; {loaded.name} reads {loaded.context_length:,}.",
        )


def require_window_fits(settings: EngineSettings, loaded: LoadedModel) -> None:
    """Raise `UsageError` if the tokens that are to be kept hot are more than the hot budget."""
    block_bytes, block_tokens = _block_size(settings, loaded)
    window_bytes = _window_blocks(settings, loaded, block_tokens) * block_bytes
    if settings.hot_budget_bytes is not None and window_bytes > settings.hot_budget_bytes:
        raise UsageError(
            "The active window does not fit the hot budget",
            f"{settings.active_window:,} tokens need {format_size(window_bytes)}; "
            f"the budget is {format_size(settings.hot_budget_bytes)}. Raise --kv-hot-budget or lower "
            "--kv-active-window.",
        )


def _hot_budget(
    settings: EngineSettings,
    loaded: LoadedModel,
    device: torch.device,
    block_tokens: int,
    bytes_per_token: int,
    share: Fraction = Fraction(1),
) -> int:
    """Bytes for the hot tier of a `share` of the layers: as asked for, else what `device` makes worth while.

    A GPU gets most of its free memory, up to the whole context. A CPU reads the cold tier where it is, so
    copies gain nothing there and only the active window is kept.
    """
    block_bytes = math.ceil(bytes_per_token * share) * block_tokens
    whole_context = -(-longest_context(settings, loaded) // block_tokens) * block_bytes
    window_blocks = _window_blocks(settings, loaded, block_tokens)
    if settings.hot_budget_bytes is not None:
        return min(int(settings.hot_budget_bytes * share), whole_context)
    if settings.kv_cache_device == "gpu":
        return whole_context
    if settings.kv_cache_device in ("auto", "multi_gpu") and device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(device)
        return max(min(whole_context, int(free * _FREE_VRAM_SHARE)), window_blocks * block_bytes)
    if settings.active_window is None and settings.kv_cache_device == "auto":
        window_blocks = DEFAULT_ACTIVE_WINDOW // block_tokens
    return window_blocks * block_bytes
