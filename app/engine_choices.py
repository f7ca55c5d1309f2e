"""From what the user has chosen to the engine's settings."""

import logging
from dataclasses import replace
from typing import Any

from app.preferences import MemoryChoices, Preferences
from core.errors import LecternError
from core.planning.profile_files import find_profile
from core.planning.profile_settings import settings_of
from core.planning.profiles import AUTO, EngineChoices, Profile, load_profile
from core.settings import EngineSettings, SamplingSettings
from core.settings_change import changed_fields

_log = logging.getLogger(__name__)


def profile_of(name: str) -> Profile:
    """The profile, or that of this machine where there is none of the name or it cannot be read."""
    for candidate in (name, AUTO):
        try:
            return load_profile(candidate)
        except LecternError as error:
            _log.warning("the profile %s is left out: %s", candidate, error)
    return Profile(AUTO, AUTO)


def title_of(name: str) -> str:
    """What a profile is called; its name if it cannot be read."""
    return find_profile(name).title


def engine_settings(
    preferences: Preferences, num_gpus: int, profile: Profile | None = None
) -> EngineSettings:
    """The profile's values, with the user's own before them. Raises `UsageError` if they contradict."""
    memory = preferences.memory
    chosen: dict[str, Any] = {
        "model": preferences.model,
        "mode": memory.mode,
        "hot_budget_bytes": memory.hot_budget_bytes,
        "active_window": memory.active_window,
        "migration_interval": memory.migration_interval,
        "kv_compression": memory.codec,
        "cpu_memory_strategy": memory.strategy,
        "cpu_memory_policy": memory.policy,
        "prefill_chunk": memory.prefill_chunk,
        "threads": memory.threads,
        "max_seq_len": memory.max_seq_len,
        "sampling": sampling_settings(preferences),
        "document_caches": preferences.keeps_read,
        "cache_quota_bytes": preferences.cache_quota_bytes,
        "evidence": preferences.shows_evidence,
    }
    return settings_of(profile or profile_of(preferences.profile), chosen, num_gpus)


def sampling_settings(preferences: Preferences) -> SamplingSettings:
    return SamplingSettings(
        temperature=preferences.temperature,
        seed=preferences.seed,
        max_new_tokens=preferences.max_new_tokens,
    )


def engine_choices(profile: Profile, memory: MemoryChoices) -> EngineChoices:
    """The profile's choices with the user's own in their place, as a new profile keeps them."""
    own: dict[str, Any] = {
        "kv_hot_budget": memory.hot_budget_bytes,
        "kv_active_window": memory.active_window,
        "kv_migration_interval": memory.migration_interval,
        "kv_compression": memory.codec,
        "cpu_memory_strategy": memory.strategy,
        "cpu_memory_policy": memory.policy,
        "prefill_chunk": memory.prefill_chunk,
        "threads": memory.threads,
    }
    return replace(profile.engine, **{name: value for name, value in own.items() if value is not None})


def profile_with_choices(name: str, base: Profile, preferences: Preferences) -> Profile:
    """A new profile: `base` with the user's own choices and model."""
    profile = Profile(name, name, engine_choices(base, preferences.memory), None, preferences.model)
    return replace(profile, recommended_context=base.recommended_context)


def carried_over(settings: EngineSettings, before: EngineSettings, after: EngineSettings) -> EngineSettings:
    """`settings` with what differs between `before` and `after`: what was chosen otherwise stays."""
    changes = {name: getattr(after, name) for name in changed_fields(before, after)}
    return replace(settings, **changes)
