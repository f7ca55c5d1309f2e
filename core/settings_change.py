"""What it takes to go on with other settings while a model is loaded."""

from dataclasses import fields
from enum import IntEnum

from core.settings import EngineSettings

_HOW_ANSWERS_ARE_CHOSEN = frozenset({"sampling"})
_WHILE_READ = frozenset(
    {
        *("mode", "sparse_budget", "max_seq_len", "kv_cache_device", "active_window", "hot_budget_bytes"),
        *("migration_interval", "prefill_chunk", "threads", "review_width", "evidence"),
    }
)
_HOW_KV_IS_KEPT = frozenset(
    {
        *("kv_dtype", "kv_compression", "block_tokens", "cpu_memory_strategy", "cpu_memory_policy"),
        *("document_caches", "cache_quota_bytes"),
    }
)


class Effect(IntEnum):
    """What a change of settings costs, the cheapest first.

    `NOTHING` is not even told to the engine, `AT_ONCE` keeps what was read, `READ_AGAIN` keeps the weights,
    `LOAD_AGAIN` keeps nothing.
    """

    NOTHING = 0
    AT_ONCE = 1
    READ_AGAIN = 2
    LOAD_AGAIN = 3


def effect_of(before: EngineSettings, after: EngineSettings) -> Effect:
    """The cost of going from `before` to `after`, for every model but those that the engine knows better.

    What was read exactly serves the modes `exact` and `sparse`; what was read through a window serves that
    window only.
    """
    changed = changed_fields(before, after) - _HOW_ANSWERS_ARE_CHOSEN
    if not changed:
        return Effect.NOTHING
    divides = "kv_cache_device" in changed and before.is_layer_wise != after.is_layer_wise
    if divides or changed - _WHILE_READ - _HOW_KV_IS_KEPT:
        return Effect.LOAD_AGAIN
    if changed & _HOW_KV_IS_KEPT or _view(before) != _view(after):
        return Effect.READ_AGAIN
    return Effect.AT_ONCE


def changed_fields(before: EngineSettings, after: EngineSettings) -> frozenset[str]:
    """The names of the settings that differ."""
    names = (field.name for field in fields(EngineSettings))
    return frozenset(name for name in names if getattr(before, name) != getattr(after, name))


def _view(settings: EngineSettings) -> int | None:
    """How many of the newest tokens reading sees; None is all of them."""
    return settings.window_tokens if settings.mode == "window" else None
