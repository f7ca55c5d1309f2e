"""Which model a name means when a plan is made."""

import json
from pathlib import Path

import pytest

from core.errors import ModelError
from core.paths import RESOURCES_DIR
from core.planning.geometry import read_geometry
from core.planning.models import bundled_names, find_geometry

CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"


@pytest.mark.parametrize("name", bundled_names())
def test_bundled_numbers_are_those_of_the_published_configuration(name: str, tmp_path: Path) -> None:
    assert find_geometry(name, tmp_path) == read_geometry(CONFIGS / f"{name}.json", name)
    entry = json.loads((RESOURCES_DIR / "models" / f"{name}.json").read_text(encoding="utf-8"))
    assert entry.keys() - {"is_gated"} == {"title", "hub_id", "licence", "config"}


def test_the_starter_is_planned_for_before_it_is_fetched(tmp_path: Path) -> None:
    model = find_geometry("starter", tmp_path)
    assert (model.name, model.kv_values_per_token, model.native_context) == ("starter", 11_520, 8192)


def test_a_folder_needs_no_weights(tmp_path: Path) -> None:
    folder = tmp_path / "my-model"
    folder.mkdir()
    (folder / "config.json").write_bytes((CONFIGS / "qwen3-4b-instruct-2507.json").read_bytes())
    assert find_geometry(str(folder), tmp_path).name == "my-model"


def test_names_are_found_in_any_case(tmp_path: Path) -> None:
    assert find_geometry("Qwen3-4B-Instruct-2507", tmp_path).name == "qwen3-4b-instruct-2507"


@pytest.mark.parametrize("spec", ["Qwen/Qwen3-4B", "no-such-model", ""])
def test_a_model_that_is_not_here_is_an_error_with_the_choices(spec: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        find_geometry(spec, tmp_path / "models")
    assert caught.value.exit_code == 5


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "note.txt").touch()
    with pytest.raises(ModelError, match="neither"):
        find_geometry(str(tmp_path / "note.txt"), tmp_path)
