"""Damaged files and the benchmark that makes them."""

from pathlib import Path
from random import Random

import pytest

from core.bench import fuzz
from core.bench.fuzz_files import sound_files
from core.bench.mutations import MUTATIONS
from core.cancel import CancelToken
from core.documents.worker import DocumentWorker, Limits
from core.errors import CancelledError

HOOKS = "tests.core.documents.faulty_extractors"


def test_a_hundred_damaged_files_are_survived() -> None:
    result = fuzz.measure(CancelToken(), 100)
    assert [row["files"] for row in result.rows] == [20] * 5
    assert [target.name for target in result.targets if not target.is_met] == []
    assert sum(row["opened"] for row in result.rows) > 30, "most damage leaves something to read"
    assert sum(row["refused"] for row in result.rows) > 5


def test_the_sound_files_are_sound(tmp_path: Path) -> None:
    with DocumentWorker() as worker:
        for name, content in sound_files().items():
            path = tmp_path / name
            path.write_bytes(content)
            outcome = fuzz.try_file(worker, path, CancelToken())
            assert (outcome.error, outcome.failure, outcome.num_lost) == ("", "", 0), name
            assert outcome.num_pages > 0


@pytest.mark.parametrize("kind", MUTATIONS)
def test_damage_is_real_and_the_same_each_time(kind: str) -> None:
    files = sound_files()
    contents = list(files.values())
    for name in ("outline.pdf", "letter.docx"):
        first, second, other = (MUTATIONS[kind](files[name], contents, Random(seed)) for seed in (1, 1, 2))
        assert first == second != other
        assert first != files[name]


def test_lost_processes_and_errors_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "outline.pdf"
    path.write_bytes(sound_files()["outline.pdf"])
    with DocumentWorker(Limits(page_s=0.5), f"{HOOKS}:crash") as worker:
        outcome = fuzz.try_file(worker, path, CancelToken())
        assert (outcome.num_pages, outcome.num_unreadable, outcome.num_lost) == (3, 1, 1)
        monkeypatch.setattr("core.bench.fuzz.page_payload", lambda page: page.nothing)
        assert fuzz.try_file(worker, path, CancelToken()).failure.startswith("AttributeError: ")
        cancel = CancelToken()
        cancel.cancel()
        with pytest.raises(CancelledError):
            fuzz.try_file(worker, path, cancel)
