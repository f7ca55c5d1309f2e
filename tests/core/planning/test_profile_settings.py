"""A profile fills in what is not chosen outright, as far as the machine can follow it."""

from dataclasses import replace

import pytest

from core.planning.profile_settings import SETTING_OF_CHOICE, settings_of
from core.planning.profiles import EngineChoices, Profile, load_profile, profile_names
from core.settings import EngineSettings


def test_every_choice_of_a_profile_has_a_setting() -> None:
    assert set(SETTING_OF_CHOICE) == set(EngineChoices.__dataclass_fields__)
    missing = set(SETTING_OF_CHOICE.values()) - set(EngineSettings.__dataclass_fields__)
    assert missing <= {"migration_interval"}


def test_the_profile_of_this_machine_changes_nothing() -> None:
    for num_gpus in (0, 1, 2):
        settings = settings_of(load_profile("auto"), {}, num_gpus)
        assert settings == EngineSettings(**_interval(settings))


def _interval(settings: EngineSettings) -> dict[str, object]:
    value = getattr(settings, "migration_interval", None)
    return {} if value is None else {"migration_interval": value}


def test_a_profile_sets_the_engine() -> None:
    settings = settings_of(load_profile("rtx3060-12g"), {}, 1)
    assert settings.hot_budget_bytes == 2 << 30
    assert settings.active_window == 1024
    assert settings.kv_compression == "int8"
    assert settings.cpu_memory_strategy == "madvise_hugepage"
    assert settings.prefill_chunk == 2048
    assert settings.threads == 4
    assert settings.gpu_ids == (0,)


def test_what_is_chosen_outright_wins() -> None:
    chosen = {"kv_compression": "none", "hot_budget_bytes": 0, "active_window": 0, "threads": None}
    settings = settings_of(load_profile("rtx3060-12g"), chosen, 1)
    assert (settings.kv_compression, settings.hot_budget_bytes, settings.active_window) == ("none", 0, 0)
    assert settings.threads == 4


@pytest.mark.parametrize(
    ("num_gpus", "gpu_ids", "sharding"), [(0, None, "none"), (1, (0,), "none"), (2, (0, 1), "layer_wise")]
)
def test_gpus_that_are_not_there_are_left_out(
    num_gpus: int, gpu_ids: tuple[int, ...] | None, sharding: str
) -> None:
    settings = settings_of(load_profile("rtx4090x2"), {}, num_gpus)
    assert settings.gpu_ids == gpu_ids
    assert settings.kv_sharding_strategy == sharding


def test_gpus_that_are_asked_for_outright_are_the_engines_to_refuse() -> None:
    assert settings_of(load_profile("auto"), {"gpu_ids": (3,)}, 0).gpu_ids == (3,)
    two = load_profile("rtx4090x2")
    assert settings_of(two, {"kv_sharding_strategy": "none"}, 2).gpu_ids == (0,)


def test_what_needs_a_gpu_is_left_out_without_one() -> None:
    profile = Profile("mine", "Mine", EngineChoices(quantization="nf4", kv_cache_device="multi_gpu"))
    without = settings_of(profile, {}, 0)
    assert (without.quantization, without.kv_cache_device) == ("none", "auto")
    assert settings_of(profile, {}, 1).kv_cache_device == "auto"
    assert settings_of(profile, {}, 2) == replace(
        settings_of(Profile("mine", "Mine"), {}, 2), quantization="nf4", kv_cache_device="multi_gpu"
    )


def test_every_bundled_profile_makes_settings() -> None:
    for name in profile_names():
        for num_gpus in (0, 1, 2, 8):
            assert isinstance(settings_of(load_profile(name), {}, num_gpus), EngineSettings)
