"""Settings that every test runs under, and the fixtures that many of them share."""

import os
import sys
import uuid
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

# Set before anything is imported that reads them; subprocesses inherit them.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")


@pytest.fixture(autouse=True)
def _one_torch_thread() -> None:
    """Two torch threads on a busy two-core machine are several times slower than one."""
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _no_document_is_read_before(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one test reads is not what another finds, nor anything of the user's."""
    folder = tmp_path_factory.getbasetemp() / "document-caches" / uuid.uuid4().hex
    monkeypatch.setenv("LECTERN_DOCUMENT_CACHES_DIR", str(folder))


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Real documents in a folder beside some checkouts; tests that need them are skipped elsewhere."""
    folder = REPOSITORY.parent / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip("no folder shared/cases beside this checkout")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    gpu_items = [item for item in items if item.get_closest_marker("gpu")]
    if not gpu_items:
        return
    reason = _why_no_gpu()
    if reason:
        for item in gpu_items:
            item.add_marker(pytest.mark.skip(reason=reason))


def _why_no_gpu() -> str:
    import torch

    return "" if torch.cuda.is_available() else "no CUDA device on this machine"


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random Llama with a byte tokenizer, on disk."""
    from tests.tiny_folder import save_tiny_model

    return save_tiny_model(tmp_path_factory.mktemp("tiny-model"))


@pytest.fixture(scope="session")
def starter_folder() -> Path:
    """The starter model, converted; skipped where it was never fetched (`lectern models get starter`)."""
    from core.catalogue.starter import starter_gguf
    from core.models.gguf import convert_gguf, converted_folder, is_converted
    from core.paths import models_dir

    gguf_path = starter_gguf(models_dir())
    if gguf_path is None:
        pytest.skip("the starter model is not on this machine: lectern models get starter")
    folder = converted_folder(gguf_path, models_dir())
    if not is_converted(folder):
        convert_gguf(gguf_path, folder)
    return folder
