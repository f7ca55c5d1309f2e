"""A model server on this machine for the window, and a machine with a GPU that one of its models fits."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ending import end
from app.preferences import load_preferences, preferences_path
from app.scripted_backend import ScriptedBackend
from app.startup import Program
from core.catalogue import hub
from core.catalogue.bundled import CatalogueEntry, read_entry
from core.planning.machine import Gpu, PcieLink
from tests.hub_server import HubServer

CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"
WEIGHTS = "model.safetensors"
WEIGHT_BYTES = 1 << 19
GIB = 1 << 30


@pytest.fixture
def entry() -> CatalogueEntry:
    """What is recommended for the machine of these tests."""
    return read_entry("qwen3-4b-instruct-2507")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def server(entry: CatalogueEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    import huggingface_hub

    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "config.json").write_bytes((CONFIGS / f"{entry.name}.json").read_bytes())
    (repo / WEIGHTS).write_bytes(random.Random(0).randbytes(WEIGHT_BYTES))
    huggingface_hub.close_session()  # it remembers the proxies of when it was made
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub, "_PAUSE_S", 0.0)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = HubServer({entry.hub_id: repo})
    server.start()
    monkeypatch.setenv("HF_ENDPOINT", server.url)
    yield server
    server.hangs = False
    server.stop()
    huggingface_hub.close_session()


@pytest.fixture
def gpu_machine(machine: Any) -> Any:
    link = PcieLink(4, 16)
    gpu = Gpu("NVIDIA GeForce RTX 3060", 12 * GIB, 11 * GIB, pcie_now=link, pcie_max=link)
    machine.machine = replace(machine.machine, gpus=(gpu,))
    return machine


@pytest.fixture
def start(
    qtbot: QtBot, themed: QApplication, backend: ScriptedBackend, service: Any, gpu_machine: Any
) -> Iterator[Callable[[], Program]]:
    """Starts the program as the command does; one after the other, with the preferences on the disk."""
    programs: list[Program] = []

    def run() -> Program:
        service.is_warm = False
        preferences = load_preferences(preferences_path())
        program = Program(preferences, lambda: backend, documents=service, probes=gpu_machine.probes)
        programs.append(program)
        program.start([])
        qtbot.waitUntil(lambda: service.is_warm)
        return program

    yield run
    backend.script.go.set()
    for program in programs:
        assert end(program, themed)
