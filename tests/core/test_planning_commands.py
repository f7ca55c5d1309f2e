"""`lectern plan` and `lectern check` as scripts see them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import lectern

CONFIGS = Path(__file__).parents[1] / "data" / "model_configs"
LONG = ("--model", "qwen3-4b-instruct-2507", "--context", "262144", "--profile", "rtx3060-12g")


def finished(*arguments: str | Path) -> tuple[int, dict[str, Any]]:
    result = lectern(*arguments, "--json")
    last: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    assert last["event"] == "finished", result.stderr
    return result.returncode, last


def test_a_plan_that_fits() -> None:
    exit_code, plan = finished("plan", *LONG)
    assert exit_code == 0
    assert plan["kv_bytes_per_token"] == 147_456
    assert plan["fits"] is True
    assert plan["max_context"] == 262_144
    assert plan["places"].keys() == {"vram", "ram", "disk"}
    assert all(isinstance(size, int) for items in plan["places"].values() for size in items.values())
    assert plan["estimates"]["is_estimate"] is True
    assert plan["advice"] == []


def test_a_plan_that_does_not_fit_is_4_with_advice() -> None:
    exit_code, plan = finished("plan", *LONG, "--kv-compression", "none")
    assert exit_code == 4
    assert plan["fits"] is False
    assert plan["over"][0]["place"] == "ram"
    assert 0 < plan["max_context"] < 262_144
    assert any("--kv-compression int8" in advice for advice in plan["advice"])


def test_a_plan_in_words() -> None:
    result = lectern("plan", *LONG, "--kv-compression", "none")
    assert result.returncode == 4
    assert "Does not fit" in result.stdout
    assert "cold KV" in result.stdout
    assert "36.0 GiB" in result.stdout
    assert "Estimated" in result.stdout


@pytest.mark.parametrize(
    ("options", "fits", "advice"),
    [
        (("--documents", "2"), False, "--kv-compression"),
        (("--documents", "2", "--kv-compression", "int4"), True, ""),
        (("--context", "524288"), False, "--rope-scaling yarn:2"),
        (("--context", "524288", "--rope-scaling", "yarn:2"), False, "--kv-compression"),
        (("--context", "524288", "--rope-scaling", "yarn:2", "--kv-compression", "int4"), True, ""),
    ],
)
def test_two_documents_and_half_a_million_tokens(options: tuple[str, ...], fits: bool, advice: str) -> None:
    exit_code, plan = finished("plan", *LONG, *options)
    assert (exit_code, plan["fits"]) == ((0, True) if fits else (4, False))
    assert fits or any(advice in sentence for sentence in plan["advice"])
    _, one = finished("plan", *LONG)
    blocks = plan["context"] // 64 * plan["settings"]["num_documents"]
    if plan["settings"]["codec"] == one["settings"]["codec"]:
        assert plan["places"]["ram"]["cold KV"] * 4096 == one["places"]["ram"]["cold KV"] * blocks


def test_a_model_that_the_engine_cannot_run_is_planned_as_unsupported(tmp_path: Path) -> None:
    config = json.loads((CONFIGS / "llama-3.1-8b.json").read_text(encoding="utf-8"))
    config["rope_scaling"] = {"rope_type": "dynamic", "factor": 2.0}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    exit_code, plan = finished("plan", "--model", tmp_path, "--context", "4096", "--profile", "a10-24g")
    assert (exit_code, plan["engine"], plan["fits"]) == (4, "unsupported", False)
    assert "scaled dynamically" in plan["advice"][0]


def test_positions_that_cannot_be_stretched_are_planned_as_unsupported() -> None:
    options = ("--model", "llama-3.1-8b", "--context", "4096", "--profile", "a10-24g")
    exit_code, plan = finished("plan", *options, "--rope-scaling", "yarn:2")
    assert (exit_code, plan["engine"]) == (4, "unsupported")
    assert plan["advice"] == ["Leave --rope-scaling out: the positions of this model cannot be stretched."]


def test_one_of_two_gpus_can_be_planned_for() -> None:
    _, both = finished("plan", "--profile", "rtx4090x2")
    _, one = finished("plan", "--profile", "rtx4090x2", "--kv-sharding-strategy", "none", "--gpu-ids", "1")
    assert both["places"]["vram"]["CUDA context"] == 2 * one["places"]["vram"]["CUDA context"]


def test_a_folder_is_planned_for_by_its_configuration(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes((CONFIGS / "deepseek-v3.json").read_bytes())
    exit_code, plan = finished("plan", "--model", tmp_path, "--context", "4096", "--profile", "rtx3060-12g")
    assert exit_code == 4
    assert plan["kv_bytes_per_token"] == 70_272
    assert plan["geometry"]["attention"] == "MLA"


def test_without_options_the_starter_is_planned_for_on_this_machine() -> None:
    exit_code, plan = finished("plan")
    assert exit_code in (0, 4)
    assert plan["kv_bytes_per_token"] == 23_040
    assert plan["context"] == 8192


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (("--profile", "no-such"), 2),
        (("--context", "0"), 2),
        (("--kv-compression", "int3"), 2),
        (("--kv-hot-budget", "lots"), 2),
        (("--gpu-ids", "first"), 2),
        (("--gpu-ids", "7", "--profile", "rtx4090x2"), 2),
        (("--model", "Qwen/Qwen3-4B"), 5),
        (("--model", "x" * 5000), 5),
    ],
)
def test_what_cannot_be_planned(arguments: tuple[str, ...], exit_code: int) -> None:
    result = lectern("plan", *arguments)
    assert result.returncode == exit_code
    assert "Traceback" not in result.stderr
    assert ": " in result.stderr.strip().splitlines()[-1]


def test_a_damaged_model_file_is_5(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    assert lectern("plan", "--model", tmp_path / "model.gguf").returncode == 5


def test_check_lists_findings_and_changes_nothing(tmp_path: Path) -> None:
    exit_code, check = finished("check", "--cache-dir", tmp_path)
    assert exit_code == 0
    names = {finding["name"] for finding in check["findings"]}
    assert names >= {"memory", "swap", "GPU driver", "disk", "text recognition"}
    assert {"name", "severity", "what", "why", "command"} == check["findings"][0].keys()
    assert sum(check["counts"].values()) == len(check["findings"])
    assert list(tmp_path.iterdir()) == []


def test_check_looks_at_this_machine_under_any_profile(tmp_path: Path) -> None:
    for profile in ("rtx4090x2", "a10-24g", "cpu"):
        assert lectern("check", "--profile", profile, "--cache-dir", tmp_path).returncode == 0
