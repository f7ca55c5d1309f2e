"""Profiles: what is bundled, what a user may write, and what is refused with the file and the key."""

from pathlib import Path

import pytest

from core.errors import UsageError
from core.paths import RESOURCES_DIR
from core.planning.estimates import prefill_flop
from core.planning.models import find_geometry
from core.planning.planner import plan
from core.planning.profile_files import save_profile
from core.planning.profiles import (
    EngineChoices,
    Profile,
    ProfileError,
    load_profile,
    profile_names,
    read_profile,
)
from core.planning.request import PlanRequest
from core.planning.weights import weight_sizes

BUNDLED = ("a10-24g", "auto", "cpu", "rtx3060-12g", "rtx4090x2")
FOR_A_MACHINE = tuple(name for name in BUNDLED if name != "auto")


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path / "data"))


def test_the_bundled_profiles() -> None:
    assert profile_names() == BUNDLED


@pytest.mark.parametrize("name", FOR_A_MACHINE)
def test_a_profile_fits_the_model_that_it_recommends_at_256k(name: str, tmp_path: Path) -> None:
    profile = load_profile(name)
    assert profile.machine is not None
    assert profile.recommended_context == 262_144
    model = find_geometry(profile.recommended_model, tmp_path)
    engine = profile.engine
    result = plan(
        profile.machine,
        model,
        PlanRequest(
            profile.recommended_context,
            codec=engine.kv_compression,
            hot_budget_bytes=engine.kv_hot_budget,
            active_window=engine.kv_active_window,
            prefill_chunk=engine.prefill_chunk,
            sharding=engine.kv_sharding_strategy,
            gpu_ids=engine.gpu_ids,
        ),
    )
    assert result.fits, result.assessment.shortfalls
    assert result.max_context == 262_144
    estimate = result.assessment.estimate
    speeds = profile.machine.speeds
    flops = speeds.gpu_flops if profile.machine.gpus else speeds.cpu_flops
    memory = speeds.vram if profile.machine.gpus else speeds.ram
    assert estimate.prefill_s >= prefill_flop(model, 262_144) / flops
    assert estimate.weights_s == pytest.approx(
        weight_sizes(model, result.request, has_gpu=bool(profile.machine.gpus)).read_bytes / memory
    )
    assert 0 < estimate.per_token_s < estimate.prefill_s


def test_what_the_bundled_profiles_set() -> None:
    small, server, pair = (load_profile(name).engine for name in ("rtx3060-12g", "a10-24g", "rtx4090x2"))
    assert (small.kv_active_window, small.kv_migration_interval) == (1024, 1024)
    assert small.cpu_memory_strategy == "madvise_hugepage"
    assert (server.kv_active_window, server.kv_compression) == (512, "int8")
    assert server.cpu_memory_policy == "numactl_bind"
    assert (pair.kv_sharding_strategy, pair.gpu_ids) == ("layer_wise", (0, 1))


def test_a_saved_profile_comes_back() -> None:
    engine = EngineChoices(
        kv_hot_budget=512 << 20, kv_active_window=64, kv_compression="k8v4", gpu_ids=(1,), threads=3
    )
    mine = Profile("my.profile-1", 'Mine "and" \\ yours\n', engine, recommended_context=4096)
    path = save_profile(mine)
    assert load_profile("my.profile-1") == mine
    assert "my.profile-1" in profile_names()
    assert [file.name for file in path.parent.iterdir()] == ["my.profile-1.toml"]


def test_a_users_profile_hides_the_bundled_one() -> None:
    save_profile(Profile("cpu", "Mine"))
    assert load_profile("cpu").title == "Mine"
    assert profile_names() == BUNDLED


@pytest.mark.parametrize("name", ["", "../cpu", "a/b", ".hidden", "x" * 65, "con\n"])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(ProfileError):
        save_profile(Profile(name, "x"))
    with pytest.raises(ProfileError, match="rtx3060-12g"):
        load_profile(name)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("colour = 1", "colour"),
        ("[engine]\nkv_hot_budgit = 1", "engine.kv_hot_budgit"),
        ('[engine]\nkv_hot_budget = "lots"', "engine.kv_hot_budget"),
        ("[engine]\nkv_hot_budget = -1", "engine.kv_hot_budget"),
        ("[engine]\nkv_active_window = true", "engine.kv_active_window"),
        ("[engine]\nkv_active_window = 1.5", "engine.kv_active_window"),
        ('[engine]\nkv_compression = "int3"', "engine.kv_compression"),
        ('[engine]\ncpu_memory_policy = ["default"]', "engine.cpu_memory_policy"),
        ("[engine]\nthreads = 0", "engine.threads"),
        ("[engine]\ngpu_ids = [-1]", "engine.gpu_ids"),
        ('[machine]\nram = "32G"', "machine.ram_available"),
        ('[machine]\nram = "1G"\nram_available = "1G"\n[[machine.gpus]]\nname = "x"', "machine.gpus[0].vram"),
        ('[machine]\nram = "1G"\nram_available = "1G"\ngpus = [1]', "machine.gpus[0]"),
        ("engine = 3", "engine"),
        ("recommended_context = 0", "recommended_context"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_its_file(tmp_path: Path, text: str, key: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProfileError) as caught:
        read_profile(path)
    assert str(path) in caught.value.message
    assert key in caught.value.message
    assert isinstance(caught.value, UsageError)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("data", [b"\xff\xfe", b"title = ", b"x" * 100_000])
def test_what_is_no_profile_is_an_error_in_words(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(data)
    with pytest.raises(ProfileError, match=r"mine\.toml"):
        read_profile(path)


def test_bundled_files_are_few_and_commented() -> None:
    for path in (RESOURCES_DIR / "profiles").glob("*.toml"):
        assert path.read_text(encoding="utf-8").startswith("# "), path
