"""What is chosen survives a restart, an older file, and a file that makes no sense."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine_choices import carried_over, engine_choices, engine_settings, profile_of
from app.preferences import MemoryChoices, Preferences, load_preferences, save_preferences
from app.theme import Scheme
from core.planning.profile_files import save_profile
from core.planning.profiles import Profile

EVERYTHING = Preferences(
    language="zh_CN",
    scheme=Scheme.DARK,
    model="/models/long",
    profile="rtx3060-12g",
    memory=MemoryChoices(
        *(1 << 30, 2048, 512, "int4", "sparse", "hugetlb", "numactl_bind"),
        prefill_chunk=256,
        threads=3,
        max_seq_len=65_536,
    ),
    temperature=0.5,
    max_new_tokens=1000,
    seed=7,
    loaded_anyway=("/models/long", "other"),
    shows_evidence=False,
)


def test_everything_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    save_preferences(path, EVERYTHING)
    assert load_preferences(path) == EVERYTHING
    assert json.loads(path.read_text(encoding="utf-8"))["version"] == 2


def test_a_file_of_the_first_version_keeps_its_choices(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    content = {"version": 1, "language": "zh_CN", "scheme": "dark", "model": "/models/long"}
    path.write_text(json.dumps(content), encoding="utf-8")
    assert load_preferences(path) == Preferences("zh_CN", Scheme.DARK, "/models/long")


@pytest.mark.parametrize(
    "content",
    [
        {"memory": 7},
        {"memory": {"hot_budget_bytes": -1, "active_window": "x", "codec": [], "mode": "loud"}},
        {"memory": {"strategy": {}, "policy": True, "migration_interval": 0}},
        {"memory": {"prefill_chunk": 0, "threads": 9999, "max_seq_len": "all"}},
        {"temperature": -1, "max_new_tokens": 0, "seed": 1.5, "loaded_anyway": "starter"},
        {"temperature": True, "max_new_tokens": True, "seed": 1 << 40, "loaded_anyway": [7, ""]},
        {"temperature": float("nan"), "profile": ["a"], "shows_evidence": "no"},
    ],
)
def test_values_that_make_no_sense_are_left_out(tmp_path: Path, content: dict[str, object]) -> None:
    path = tmp_path / "preferences.json"
    path.write_text(json.dumps({"version": 2, **content}), encoding="utf-8")
    assert load_preferences(path) == Preferences()


def test_own_choices_go_before_the_profile() -> None:
    settings = engine_settings(EVERYTHING, 1)
    assert (settings.model, settings.mode, settings.kv_compression) == ("/models/long", "sparse", "int4")
    assert (settings.hot_budget_bytes, settings.active_window) == (1 << 30, 2048)
    assert (settings.cpu_memory_strategy, settings.cpu_memory_policy) == ("hugetlb", "numactl_bind")
    assert (settings.prefill_chunk, settings.threads, settings.max_seq_len) == (256, 3, 65_536)
    assert (settings.sampling.temperature, settings.sampling.seed) == (0.5, 7)
    assert not settings.evidence


def test_what_is_left_open_is_the_profiles() -> None:
    settings = engine_settings(Preferences(profile="a10-24g"), 1)
    assert (settings.kv_compression, settings.active_window) == ("int8", 512)
    assert settings.cpu_memory_policy == "numactl_bind"


def test_a_profile_that_is_gone_leaves_this_machines() -> None:
    assert profile_of("gone").name == "auto"
    assert engine_settings(Preferences(profile="gone"), 0) == engine_settings(Preferences(), 0)


def test_choices_become_a_profile_of_their_own() -> None:
    base = profile_of("rtx3060-12g")
    save_profile(Profile("mine", "Mine", engine_choices(base, EVERYTHING.memory)))
    engine = profile_of("mine").engine
    assert engine.kv_hot_budget == 1 << 30
    assert engine.kv_migration_interval == 512
    assert engine.kv_compression == "int4"
    assert (engine.prefill_chunk, engine.threads) == (256, 3)
    assert engine.kv_sharding_strategy == base.engine.kv_sharding_strategy
    assert engine.gpu_ids == (0,)


def test_what_was_chosen_otherwise_stays_when_a_choice_changes() -> None:
    before = engine_settings(Preferences(), 0)
    after = engine_settings(Preferences(memory=MemoryChoices(codec="int8"), seed=3), 0)
    running = replace(before, model="named on the command line")
    changed = carried_over(running, before, after)
    assert (changed.model, changed.kv_compression) == ("named on the command line", "int8")
    assert changed.sampling.seed == 3
