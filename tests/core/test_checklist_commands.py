"""`lectern checklists` as scripts see it."""

import json
from pathlib import Path

import pytest

from core.cli import main


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path))


def test_checklists_are_listed_and_a_broken_one_hides_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "checklists").mkdir()
    (tmp_path / "checklists" / "broken.toml").write_text("oh no")
    assert main(["checklists", "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["name"] for event in events if event["event"] == "checklist"] == [
        *("contract-review", "key-dates", "nda"),
    ]
    (note,) = [event["text"] for event in events if event["event"] == "note"]
    assert "broken.toml" in note
    assert "line 1" in note
    assert events[-1] == {"event": "finished", "num_checklists": 4}


def test_the_questions_of_a_checklist_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["checklists", "show", "contract-review", "--json", "--language", "zh_CN"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(events) == 42
    assert events[0] == {
        "event": "question",
        "id": "document-name",
        "title": "文件名称",
        "question": "本合同的标题或开头所载的名称是什么\uff1f",
        "form": "text",
    }
    assert events[-1]["title"] == "合同审查"
    assert main(["checklists", "show", "nda"]) == 0
    assert capsys.readouterr().out.startswith("1. Parties [parties]\n   Who are the parties")


def test_a_file_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[questions]]\nid = "a"\nquestion = "A?"\n')
    assert main(["checklists", "verify", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "event": "finished",
        "name": "mine",
        "num_questions": 1,
        "languages": ["en"],
    }
    path.write_text('[[questions]]\nid = "a"\n')
    assert main(["checklists", "verify", str(path)]) == 2
    assert "mine.toml: Question 1 (line 1) has a question" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["show"], ["verify"], ["show", "nonesuch"], ["verify", "absent.toml"]])
def test_wrong_requests_are_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["checklists", *arguments]) == 2
    assert capsys.readouterr().err
