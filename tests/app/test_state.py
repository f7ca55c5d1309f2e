"""The state emits what changed and nothing else; small files survive what happens to small files."""

import json
from pathlib import Path

import pytest

from app.preferences import Preferences, load_preferences, save_preferences
from app.recent_files import MAX_RECENT, RecentFiles
from app.state import Activity, AppState, Speed, StateStore
from app.theme import Scheme


def test_only_what_changed_is_emitted() -> None:
    store = StateStore()
    heard: list[str] = []
    store.activity_changed.connect(lambda value: heard.append(f"activity {value}"))
    store.speed_changed.connect(lambda value: heard.append(f"speed {value.tokens_per_s}"))
    store.mode_changed.connect(lambda value: heard.append(f"mode {value}"))
    store.update(activity=Activity.OPENING, speed=Speed(), mode="exact")
    assert heard == ["activity opening"]
    store.update(speed=Speed(3.0), mode="sparse")
    assert heard[1:] == ["mode sparse", "speed 3.0"]


def test_the_new_state_is_in_place_before_the_first_signal() -> None:
    store = StateStore()
    seen: list[AppState] = []
    store.activity_changed.connect(lambda _value: seen.append(store.state))
    store.update(activity=Activity.IDLE, mode="sparse")
    store.update(activity=Activity.ANSWERING, mode="window")
    assert [state.mode for state in seen] == ["window"]


def test_every_field_has_its_signal() -> None:
    store = StateStore()
    missing = [name for name in AppState.__dataclass_fields__ if not hasattr(store, f"{name}_changed")]
    assert missing == []


def test_preferences_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "preferences.json"
    chosen = Preferences("zh_CN", Scheme.DARK, "/models/long")
    save_preferences(path, chosen)
    assert load_preferences(path) == chosen


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"version": 99}', '{"version": 1, "language": 7, "scheme": "pink", "model": " "}'],
)
def test_senseless_preferences_become_the_defaults(tmp_path: Path, content: str) -> None:
    path = tmp_path / "preferences.json"
    path.write_text(content, encoding="utf-8")
    assert load_preferences(path) == Preferences()


def test_recent_files_are_few_newest_first_and_still_there(tmp_path: Path) -> None:
    store = tmp_path / "recent.json"
    recent = RecentFiles(store)
    paths = [tmp_path / f"{number}.pdf" for number in range(MAX_RECENT + 2)]
    for path in paths:
        path.touch()
        recent.add(str(path))
    recent.add(str(paths[5]))
    paths[-1].unlink()
    again = RecentFiles(store)
    assert again.paths[0] == str(paths[5])
    assert len(again.paths) == MAX_RECENT - 1
    assert json.loads(store.read_text(encoding="utf-8"))["version"] == 1


def test_a_place_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    recent = RecentFiles(blocked / "recent.json")
    recent.add(str(blocked))
    assert recent.paths == [str(blocked)]
