"""The check of a build: what it asks for, what it refuses, and that it starts programs as a user would."""

import json
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import package_checks
import pytest
import smoke_commands
import smoke_files
import smoke_window
from installed import CheckError, Installed, run_program

from core.documents.mupdf import PdfFile
from core.review.checklists import find_checklist

VERSION = "1.2.3"
LOOK = {"language": "en", "translations": [], "num_icons": 3, "blank_icons": [], "is_styled": True}
PROGRAM = """#!{python} -I
import json, os, sqlite3, sys
if sys.argv[1] == "--version":
    print("Lectern {version}")
elif sys.argv[1] == "--self-test":
    assert os.path.isfile(sys.argv[-1])
    folder = os.environ["LECTERN_DATA_DIR"]
    os.makedirs(folder, exist_ok=True)
    connection = sqlite3.connect(os.path.join(folder, "library.db"))
    connection.execute("CREATE TABLE turns (id)")
    connection.execute("INSERT INTO turns VALUES (1)")
    connection.commit()
    inherited = {{"LD_LIBRARY_PATH": os.environ["LD_LIBRARY_PATH"]}}
    times = dict(window_s=1.0, model_s=2.0, answer_s=3.0)
    print(json.dumps(dict(look={look}, inherited=inherited, answer="A.", **times)))
else:
    print(json.dumps(dict(event="finished", environment=dict(os.environ), folder=os.getcwd())))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program that answers as a frozen one, with a sample."""
    made = tmp_path / "built" / "lectern"
    samples = made / "_internal" / "resources" / "samples"
    samples.mkdir(parents=True)
    sample = {"file": "a.pdf", "questions": [{"question": "When?", "expected": "Now"}]}
    (samples / "samples.json").write_text(json.dumps({"samples": [sample]}), encoding="utf-8")
    (samples / "a.pdf").touch()
    for name in ("lectern", "lectern-app"):
        text = PROGRAM.format(python=sys.executable, version=VERSION, look=LOOK)
        (made / name).write_text(text, encoding="utf-8")
        (made / name).chmod(0o755)
    return made


def test_programs_run_with_settings_of_their_own(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PYTHONPATH", "LECTERN_DATA_DIR", "QT_STYLE_OVERRIDE", "XDG_DATA_HOME", "LD_PRELOAD"):
        monkeypatch.setenv(name, "of the checkout")
    (record,) = Installed(folder, tmp_path).records("check")
    assert "of the checkout" not in record["environment"].values()
    assert record["environment"]["LECTERN_CACHE_DIR"] == str(tmp_path / "cache")
    assert record["folder"] == str(tmp_path)


@pytest.mark.parametrize(
    ("script", "word"),
    [("echo trouble >&2; exit 3", "trouble"), ("exec sleep 60", "was not done after 1 s")],
)
def test_a_program_that_fails_or_hangs_is_told(script: str, word: str, tmp_path: Path) -> None:
    with pytest.raises(CheckError, match=word):
        run_program(["/bin/sh", "-c", script], tmp_path, {}, limit_s=1)


@pytest.mark.parametrize(
    "last", ['{"event": "finished", "error": {"title": "x"}}', '{"event": "progress"}', ""]
)
def test_a_command_must_end_well(last: str, folder: Path, tmp_path: Path) -> None:
    (folder / "lectern").write_text(f"#!/bin/sh\necho '{last}'\n" if last else "#!/bin/sh\n")
    with pytest.raises(CheckError, match="ends with"):
        Installed(folder, tmp_path).records("check")


def test_another_version_is_refused(folder: Path, tmp_path: Path) -> None:
    smoke_commands.check_versions(Installed(folder, tmp_path), VERSION)
    with pytest.raises(CheckError, match=r"not 2\.0"):
        smoke_commands.check_versions(Installed(folder, tmp_path), "2.0")


@pytest.mark.parametrize(
    "change",
    [
        {"language": "zh_CN"},
        {"translations": ["qtbase_en"]},
        {"num_icons": 0},
        {"blank_icons": ["send"]},
        {"is_styled": False},
    ],
)
def test_a_window_without_its_looks_is_refused(change: dict[str, Any]) -> None:
    smoke_window.check_look(LOOK, "en")
    with pytest.raises(CheckError, match="looks wrong"):
        smoke_window.check_look(LOOK | change, "en")


def test_chinese_needs_both_translations() -> None:
    chinese = LOOK | {"language": "zh_CN", "translations": ["lectern_zh_CN", "qtbase_zh_CN"]}
    smoke_window.check_look(chinese, "zh_CN")
    with pytest.raises(CheckError):
        smoke_window.check_look(chinese | {"translations": ["lectern_zh_CN"]}, "zh_CN")


def test_the_rows_of_a_library_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    with pytest.raises(CheckError, match="no library"):
        smoke_commands.library_rows(path, "turns")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE turns (id)")
    assert smoke_commands.library_rows(path, "turns") == 0


def test_the_documents_of_the_check_can_be_read(tmp_path: Path) -> None:
    for path in smoke_files.write_documents(tmp_path):
        with closing(PdfFile(str(path), None)) as document:
            assert smoke_files.SENTENCE in document._pdf[0].get_text()
    checklist = find_checklist(str(smoke_files.write_checklist(tmp_path)))
    assert len(checklist.items) == smoke_files.NUM_QUESTIONS


def test_an_archive_is_tried_in_an_odd_place_and_through_links(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "lectern.tar.zst"
    packed = tmp_path / "lectern.tar"
    with tarfile.open(packed, "w") as file:
        file.add(folder, arcname="lectern-1.2.3")
    subprocess.run(["zstd", "-q", str(packed), "-o", str(archive)], check=True)
    package_checks.check_archive(archive, VERSION)
    with pytest.raises(CheckError):
        package_checks.check_archive(archive, "another")
    assert not list(tmp_path.glob("lectern-check-*"))


def test_a_new_system_is_made_by_root_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_checks, "is_root", lambda: False)
    with pytest.raises(CheckError, match="root"):
        package_checks.check_deb(tmp_path / "a.deb", VERSION, "bookworm")
