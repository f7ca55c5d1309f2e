"""Downloads from a server on this machine that is normal, slow, cut, wrong, closed, or gone."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cancel import CancelToken
from core.catalogue import hub
from core.catalogue.bundled import catalogue, find_entry
from core.catalogue.downloaded import (
    MARK_NAME,
    SHA256,
    HubFile,
    HubModel,
    download_folder,
    is_downloaded,
    is_hub_id,
    read_mark,
    verify_download,
    write_mark,
)
from core.catalogue.hub import describe_model, fetch_model, is_wanted
from core.catalogue.locate import ModelKind, locate_model
from core.errors import CancelledError, DoesNotFitError, LecternError, ModelError
from core.events import Progress, Stage
from core.planning.models import find_geometry
from tests.hub_server import COMMIT, HubServer

REPO = "someone/Tiny-1.5B"
WEIGHTS = "model.safetensors"
WEIGHT_BYTES = 1 << 20
WANTED = {"config.json", "tokenizer.json", "chat_template.jinja", "merges.txt", WEIGHTS}
UNWANTED = {
    *("pytorch_model.bin", "modeling_tiny.py", "README.md", "consolidated.safetensors", MARK_NAME),
    *("original/model.safetensors", "pytorch_model.bin.index.json", "training_args.bin", "onnx/model.onnx"),
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """The files of a repository as publishers leave them; the weights are noise."""
    folder = tmp_path / "repo"
    for name in WANTED | UNWANTED:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{{ {name} }}")
    (folder / WEIGHTS).write_bytes(random.Random(0).randbytes(WEIGHT_BYTES))
    return folder


@pytest.fixture
def server(repo: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    import huggingface_hub

    huggingface_hub.close_session()  # it remembers the proxies of when it was made
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub, "_PAUSE_S", 0.0)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = HubServer({REPO: repo})
    server.start()
    monkeypatch.setenv("HF_ENDPOINT", server.url + "/")
    yield server
    server.hangs = False
    server.stop()
    huggingface_hub.close_session()


@pytest.fixture
def models_dir(tmp_path: Path) -> Path:
    return tmp_path / "models"


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {".lock"}


def test_a_download_is_plain_files_and_a_mark(server: HubServer, repo: Path, models_dir: Path) -> None:
    events: list[Progress] = []
    folder = fetch_model(REPO, models_dir, events.append)
    assert folder == models_dir / "hub" / "someone--Tiny-1.5B"
    assert _names(folder) == WANTED | {MARK_NAME}
    for name in WANTED:
        assert not (folder / name).is_symlink()
        assert (folder / name).read_bytes() == (repo / name).read_bytes()
    mark = read_mark(folder)
    assert mark is not None
    assert (mark.hub_id, mark.commit, {file.name for file in mark.files}) == (REPO, COMMIT, WANTED)
    total = sum((repo / name).stat().st_size for name in WANTED)
    assert {(event.stage, event.unit, event.total) for event in events} == {
        (Stage.DOWNLOADING_MODEL, "bytes", total)
    }
    done = [event.done for event in events]
    assert done == sorted(done)
    assert done[-1] == total
    assert not any(server.asked_for(name) for name in UNWANTED - {"original/model.safetensors"})
    assert not any("original" in path for _, path in server.seen)


def test_nothing_is_told_but_the_product_and_the_users_own_token(
    server: HubServer, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    describe_model(REPO)
    assert server.headers["User-Agent"].startswith("lectern/")
    assert "torch" not in server.headers["User-Agent"]
    assert "Authorization" not in server.headers
    monkeypatch.setenv("HF_TOKEN", "hf_mine")
    fetch_model(REPO, models_dir)
    assert server.headers["Authorization"] == "Bearer hf_mine"
    assert {path for _, path in server.seen} == {
        f"/api/models/{REPO}",
        *(f"/{REPO}/resolve/{COMMIT}/{name}" for name in WANTED),
    }


def test_a_complete_model_needs_no_server(server: HubServer, models_dir: Path) -> None:
    folder = fetch_model(REPO, models_dir)
    server.seen.clear()
    assert fetch_model(REPO, models_dir) == folder
    assert verify_download(folder, CancelToken()).commit == COMMIT
    assert locate_model(REPO, models_dir).path == folder.resolve()
    assert server.seen == []


def test_a_cut_connection_is_taken_up_where_it_broke(server: HubServer, models_dir: Path) -> None:
    server.cut_after[WEIGHTS] = 300_000
    folder = fetch_model(REPO, models_dir)
    assert is_downloaded(folder)
    assert server.sent[WEIGHTS] == WEIGHT_BYTES


def test_a_server_that_stays_away_is_told_and_what_came_is_kept(
    server: HubServer, repo: Path, models_dir: Path
) -> None:
    server.cut_after[WEIGHTS] = 300_000
    server.stays_broken = True
    with pytest.raises(ModelError, match="what has come is kept"):
        fetch_model(REPO, models_dir)
    assert server.seen.count(("GET", f"/{REPO}/resolve/{COMMIT}/{WEIGHTS}")) == 3
    server.is_broken = server.stays_broken = False
    folder = fetch_model(REPO, models_dir)
    assert server.sent[WEIGHTS] == WEIGHT_BYTES
    assert (folder / WEIGHTS).read_bytes() == (repo / WEIGHTS).read_bytes()


def test_after_a_stop_only_the_rest_is_transferred(server: HubServer, repo: Path, models_dir: Path) -> None:
    server.delay_s = 0.02
    cancel = CancelToken()

    def stop(progress: Progress) -> None:
        if progress.done > 200_000:
            cancel.cancel()

    with pytest.raises(CancelledError):
        fetch_model(REPO, models_dir, stop, cancel)
    folder = download_folder(REPO, models_dir)
    (part,) = folder.glob("*.part")
    num_kept = part.stat().st_size
    assert 0 < num_kept < WEIGHT_BYTES
    assert not is_downloaded(folder)
    time.sleep(0.1)  # the handler notices that nobody listens
    server.sent.clear()
    server.delay_s = 0.0
    begun: list[int] = []
    fetch_model(REPO, models_dir, lambda progress: begun.append(progress.done))
    assert server.sent[WEIGHTS] == WEIGHT_BYTES - num_kept
    assert sum(server.sent.values()) == WEIGHT_BYTES - num_kept
    assert (folder / WEIGHTS).read_bytes() == (repo / WEIGHTS).read_bytes()
    assert list(folder.glob("*.part")) == []


def test_a_server_without_ranges_sends_it_all_again(server: HubServer, repo: Path, models_dir: Path) -> None:
    server.cut_after[WEIGHTS] = 300_000
    server.ignores_ranges = True
    events: list[Progress] = []
    folder = fetch_model(REPO, models_dir, events.append)
    assert (folder / WEIGHTS).read_bytes() == (repo / WEIGHTS).read_bytes()
    assert server.sent[WEIGHTS] == WEIGHT_BYTES + 300_000
    assert events[-1].done == events[-1].total


@pytest.mark.parametrize("hangs", [True, False])
def test_cancelling_takes_less_than_a_second(server: HubServer, models_dir: Path, hangs: bool) -> None:
    """Whether the server never answers or sends a little every two seconds."""
    server.hangs, server.delay_s = hangs, 2.0
    cancel = CancelToken()
    timer = threading.Timer(0.5, cancel.cancel)
    timer.start()
    began = time.monotonic()
    with pytest.raises(CancelledError):
        fetch_model(REPO, models_dir, None, cancel)
    assert time.monotonic() - began < 1.5
    timer.join()


def test_wrong_bytes_are_told_and_only_that_file_comes_again(server: HubServer, models_dir: Path) -> None:
    server.wrong.add(WEIGHTS)
    with pytest.raises(ModelError, match=r"model\.safetensors came with a wrong checksum"):
        fetch_model(REPO, models_dir)
    folder = download_folder(REPO, models_dir)
    assert _names(folder) == WANTED - {WEIGHTS}
    server.wrong.clear()
    server.sent.clear()
    fetch_model(REPO, models_dir)
    assert dict(server.sent) == {WEIGHTS: WEIGHT_BYTES}


def test_small_files_are_checked_too(server: HubServer, models_dir: Path) -> None:
    server.wrong.add("config.json")
    with pytest.raises(ModelError, match=r"config\.json came with a wrong checksum"):
        fetch_model(REPO, models_dir)


def test_a_file_that_changed_on_disk_is_found_removed_and_replaced(
    server: HubServer, models_dir: Path
) -> None:
    folder = fetch_model(REPO, models_dir)
    with (folder / WEIGHTS).open("r+b") as file:
        file.seek(1000)
        file.write(b"changed")
    assert is_downloaded(folder), "sizes alone do not tell"
    with pytest.raises(ModelError, match=r"removed: model\.safetensors"):
        verify_download(folder, CancelToken())
    assert not (folder / WEIGHTS).exists()
    with pytest.raises(ModelError, match="models get"):
        locate_model(REPO, models_dir)
    server.sent.clear()
    fetch_model(REPO, models_dir)
    assert dict(server.sent) == {WEIGHTS: WEIGHT_BYTES}
    verify_download(folder, CancelToken())


def test_a_model_with_terms_says_how_to_accept_them(server: HubServer, models_dir: Path) -> None:
    for closed in (server.gated, server.forbidden):
        closed.add(REPO)
        with pytest.raises(ModelError, match=f"{server.url}/{REPO} in a browser.*HF_TOKEN"):
            fetch_model(REPO, models_dir)
        closed.clear()


def test_names_that_the_server_does_not_know(server: HubServer, models_dir: Path) -> None:
    with pytest.raises(ModelError, match="There is no someone/else"):
        fetch_model("someone/else", models_dir)
    server.private.add("someone/secret")
    with pytest.raises(ModelError, match="Check the spelling"):
        fetch_model("someone/secret", models_dir)
    assert not models_dir.exists(), "nothing is left of a name that does not exist"


def test_a_server_that_is_gone_is_told_in_plain_words(server: HubServer, models_dir: Path) -> None:
    server.repos.clear()
    address = server.url
    other = HubServer({})
    other.start()
    other.stop()
    os.environ["HF_ENDPOINT"] = other.url
    try:
        with pytest.raises(ModelError, match="cannot be reached") as caught:
            fetch_model(REPO, models_dir)
    finally:
        os.environ["HF_ENDPOINT"] = address
    assert caught.value.exit_code == 5


def test_offline_by_the_users_own_choice(
    server: HubServer, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match="HF_HUB_OFFLINE"):
        fetch_model(REPO, models_dir)
    assert server.seen == []


def test_too_small_a_disk_is_refused_before_anything_comes(
    server: HubServer, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(models_dir.parent)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage)
    with pytest.raises(DoesNotFitError, match=r"1\.0 MiB more .* 1000 B are free"):
        fetch_model(REPO, models_dir)
    assert server.sent == {}


def test_two_downloads_of_one_model_do_not_mix(server: HubServer, models_dir: Path) -> None:
    server.delay_s = 0.02
    has_begun = threading.Event()
    errors: list[LecternError] = []

    def first() -> None:
        try:
            fetch_model(REPO, models_dir, lambda progress: has_begun.set())
        except LecternError as error:
            errors.append(error)

    thread = threading.Thread(target=first)
    thread.start()
    assert has_begun.wait(10)
    with pytest.raises(ModelError, match="being downloaded already"):
        fetch_model(REPO, models_dir)
    thread.join()
    assert errors == []


@pytest.mark.parametrize(
    "entry",
    [
        {"rfilename": "config.json", "size": 2, "blobId": "../../../etc/passwd"},
        {"rfilename": "config.json"},
    ],
)
@pytest.mark.usefixtures("server")
def test_a_reply_that_is_no_description_is_refused(
    entry: dict[str, object], models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.hub_server._sibling", lambda path, name: entry)
    with pytest.raises(ModelError, match="cannot be read"):
        fetch_model(REPO, models_dir)


def test_a_repository_without_safetensors_is_no_model(
    server: HubServer, repo: Path, models_dir: Path
) -> None:
    (repo / WEIGHTS).unlink()
    with pytest.raises(ModelError, match="Pickled weights are never downloaded"):
        fetch_model(REPO, models_dir)
    assert server.sent == {}


@pytest.mark.parametrize("name", ["../config.json", "a/config.json", ".config.json", "C:config.json"])
def test_only_plain_file_names_are_kept(name: str) -> None:
    assert not is_wanted(name)


@pytest.mark.parametrize(
    "name", ["model-00001-of-00004.safetensors", "model.safetensors-00001-of-00002.safetensors"]
)
def test_weights_in_pieces_are_kept(name: str) -> None:
    assert is_wanted(name)


@pytest.mark.parametrize("spec", ["x", "a/b/c", "../x", "a/..", "a--b/c", "/x", "a/", "~/x"])
def test_what_is_no_hub_id(spec: str) -> None:
    assert not is_hub_id(spec)


def test_every_model_of_the_catalogue_is_found_by_both_names(models_dir: Path) -> None:
    for entry in catalogue():
        assert is_hub_id(entry.hub_id)
        assert find_entry(entry.hub_id) == find_entry(entry.name.upper()) == entry
        with pytest.raises(ModelError, match=f"lectern models get {entry.name}"):
            locate_model(entry.name, models_dir)
        assert find_geometry(entry.hub_id, models_dir).name == entry.name


def test_a_downloaded_model_loads_by_its_name(server: HubServer, tiny_folder: Path, models_dir: Path) -> None:
    import torch

    from core.models.loader import load_model

    entry = catalogue()[0]
    server.repos[entry.hub_id] = tiny_folder
    fetch_model(entry.hub_id, models_dir)
    location = locate_model(entry.name, models_dir)
    assert location.kind is ModelKind.FOLDER
    assert location.name == entry.hub_id.partition("/")[2]
    assert location == locate_model(entry.hub_id, models_dir)
    loaded = load_model(location.path, location.name, torch.device("cpu"), torch.float32)
    assert loaded.context_length == 8192
    assert find_geometry(entry.name, models_dir).native_context == 8192, "what is here comes first"


def lectern(cache: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "core", "models", *arguments, "--cache-dir", str(cache), "--json"]


def _environment(server: HubServer) -> dict[str, str]:
    return os.environ | {"HF_ENDPOINT": server.url, "HF_HUB_OFFLINE": "0", "TRANSFORMERS_OFFLINE": "0"}


def _finished(stdout: str) -> dict[str, object]:
    last: dict[str, object] = json.loads(stdout.splitlines()[-1])
    assert last["event"] == "finished"
    return last


def test_the_command_line_stops_resumes_and_verifies(server: HubServer, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    environment = _environment(server)
    server.delay_s = 0.05
    process = subprocess.Popen(
        lectern(cache, "get", REPO), env=environment, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "progress" and event["done"] > 100_000:
            break
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - began < 2
    time.sleep(0.2)
    server.delay_s = 0.0
    server.sent.clear()
    for action in ("get", "verify"):
        done = subprocess.run(
            lectern(cache, action, REPO), env=environment, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        assert _finished(done.stdout)["hub_id"] == REPO
    assert server.sent[WEIGHTS] < WEIGHT_BYTES - 100_000 + 20_000


def test_the_list_has_every_model_with_its_plan(server: HubServer, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    fetch_model(REPO, cache / "models")
    server.seen.clear()
    done = subprocess.run(
        lectern(cache, "list", "--profile", "rtx3060-12g"),
        env=_environment(server),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in map(json.loads, done.stdout.splitlines()[:-1])}
    assert rows.keys() == {"starter", REPO, *(entry.name for entry in catalogue())}
    row = rows["qwen3-4b-instruct-2507"]
    assert (row["hub_id"], row["licence"]) == ("Qwen/Qwen3-4B-Instruct-2507", "Apache-2.0")
    assert (row["native_context"], row["fits"], row["is_available"]) == (262_144, True, False)
    estimates = row["estimates"]
    assert estimates["is_estimate"] is True
    assert estimates["tokens"] == 180_000
    assert estimates["exact_s_per_token"] > estimates["sparse_s_per_token"] > 0
    assert 7e9 < estimates["download_bytes"] < 9e9
    assert rows[REPO]["is_available"] is True
    assert server.seen == [], "a list never asks the network"


def test_a_check_on_the_command_line_tells_how_far_it_is(server: HubServer, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    fetch_model(REPO, cache / "models")
    done = subprocess.run(
        lectern(cache, "verify", REPO), env=_environment(server), capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    told = [event for event in events if event["event"] == "progress"]
    assert {event["stage"] for event in told} == {Stage.CHECKING_MODEL}
    assert told[0]["done"] == 0
    assert told[-1]["done"] == told[-1]["total"] > WEIGHT_BYTES


def test_a_check_on_the_command_line_stops_within_a_second(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    folder = download_folder(REPO, cache / "models")
    folder.mkdir(parents=True)
    num_bytes = 16 << 30
    with (folder / WEIGHTS).open("wb") as file:
        file.truncate(num_bytes)  # a hole: it takes no room on the disk
    write_mark(folder, HubModel(REPO, COMMIT, (HubFile(WEIGHTS, num_bytes, SHA256, "0" * 64),)))
    process = subprocess.Popen(lectern(cache, "verify", REPO), stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["done"] > 0:
            break
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - began < 1
    assert (folder / WEIGHTS).exists(), "what was not checked is not taken for damaged"
