"""A user's own profiles: what is written can be read, names are kept apart, a damaged file harms no other."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import LecternError
from core.planning.profile_files import (
    as_toml,
    delete_profile,
    find_profile,
    find_profiles,
    free_name,
    rename_profile,
    require_valid,
    save_profile,
)
from core.planning.profiles import Profile, ProfileError, load_profile, profile_names, user_profiles_dir

BUNDLED = ("a10-24g", "auto", "cpu", "rtx3060-12g", "rtx4090x2")


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path / "data"))


def copy_of(name: str, new_name: str) -> Profile:
    profile = replace(load_profile(name), name=new_name)
    save_profile(profile, is_new=True)
    return profile


@pytest.mark.parametrize("name", BUNDLED)
def test_a_copy_of_each_bundled_profile_is_the_same_in_all_but_its_name(name: str) -> None:
    copy_of(name, "mine")
    before, after = load_profile(name), load_profile("mine")
    machine = before.machine and replace(before.machine, name="mine")
    assert after == replace(before, name="mine", machine=machine)


def test_sizes_are_written_as_people_write_them() -> None:
    text = as_toml(load_profile("rtx3060-12g"))
    assert 'kv_hot_budget = "2G"' in text
    assert 'ram = "32G"' in text
    odd = replace(load_profile("cpu").engine, kv_hot_budget=(1 << 20) + 1)
    save_profile(Profile("odd", "Odd", odd))
    assert load_profile("odd").engine == odd


@pytest.mark.parametrize("name", ["auto", "AUTO", "mine", "Mine"])
def test_a_name_that_is_taken_is_refused_for_a_new_profile(name: str) -> None:
    save_profile(Profile("mine", "Mine"))
    with pytest.raises(ProfileError) as caught:
        save_profile(Profile(name, "Other"), is_new=True)
    assert caught.value.title == "The name is taken"
    assert load_profile("mine").title == "Mine"


def test_a_renamed_profile_is_there_once_and_its_title_follows() -> None:
    save_profile(Profile("first", "first"))
    save_profile(Profile("titled", "A title"))
    assert rename_profile("first", "second").title == "second"
    assert rename_profile("titled", "other").title == "A title"
    assert rename_profile("second", "Second").name == "Second"
    assert set(profile_names()) - set(BUNDLED) == {"Second", "other"}
    with pytest.raises(ProfileError, match="taken"):
        rename_profile("other", "cpu")
    with pytest.raises(ProfileError, match="Not a name"):
        rename_profile("other", "../up")
    assert load_profile("other").title == "A title"


def test_bundled_profiles_stay() -> None:
    for change in (lambda: delete_profile("cpu"), lambda: rename_profile("cpu", "mine")):
        with pytest.raises(ProfileError, match="built-in"):
            change()
    with pytest.raises(ProfileError, match="No such profile"):
        delete_profile("nobody")
    assert profile_names() == BUNDLED


def test_deleting_brings_the_bundled_one_of_the_name_back() -> None:
    save_profile(Profile("cpu", "Mine"))
    delete_profile("cpu")
    assert load_profile("cpu").title == "CPU only, 64 GB"


def test_a_damaged_file_is_told_and_hides_no_other() -> None:
    save_profile(Profile("mine", "Mine"))
    (user_profiles_dir() / "broken.toml").write_text("[engine]\nkv_compression = 7", encoding="utf-8")
    entries = {entry.name: entry for entry in find_profiles()}
    assert set(entries) == {*BUNDLED, "mine", "broken"}
    broken = entries.pop("broken")
    assert broken.error is not None
    assert "engine.kv_compression" in broken.error.message
    assert (broken.is_own, broken.profile, broken.title) == (True, None, "broken")
    assert all(entry.profile is not None for entry in entries.values())
    delete_profile("broken")
    assert find_profile("broken").error is not None


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"kv_active_window": -1}, "kv_active_window"),
        ({"kv_compression": "int3"}, "kv_compression"),
        ({"gpu_ids": (-1,)}, "gpu_ids"),
        ({"threads": 0}, "threads"),
        ({"kv_sharding_strategy": "layer_wise", "gpu_ids": (1, 1)}, "GPUs"),
    ],
)
def test_a_value_that_cannot_be_is_not_written(changes: dict[str, object], key: str) -> None:
    engine = replace(load_profile("cpu").engine, **changes)  # type: ignore[arg-type]
    with pytest.raises(LecternError, match=key):
        save_profile(Profile("mine", "Mine", engine))
    with pytest.raises(LecternError):
        require_valid(Profile("mine", "Mine", engine))
    assert "mine" not in profile_names()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the way", encoding="utf-8")
    with pytest.raises(ProfileError) as caught:
        save_profile(Profile("mine", "Mine"))
    assert caught.value.title == "The profile cannot be saved"


def test_a_free_name_is_one() -> None:
    assert free_name("cpu") == "cpu-2"
    copy_of("cpu", "CPU-2")
    assert free_name("cpu") == "cpu-3"
    assert free_name("§§") == "profile-2"
