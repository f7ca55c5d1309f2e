"""PDFs made for the tests, and one worker process that they share."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.documents.worker import DocumentWorker
from tests.conftest import REPOSITORY


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the PDFs that `pdf_factory.py` writes."""
    folder = tmp_path_factory.mktemp("made")
    script = Path(__file__).with_name("pdf_factory.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the files that `kinds_factory.py` writes."""
    folder = tmp_path_factory.mktemp("kinds")
    script = Path(__file__).with_name("kinds_factory.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture(scope="session")
def troubles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the PDFs that `troubles_factory.py` writes."""
    folder = tmp_path_factory.mktemp("troubles")
    command = [sys.executable, "-m", "tests.core.documents.troubles_factory", str(folder)]
    subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=REPOSITORY)
    return folder


@pytest.fixture(scope="session")
def worker() -> Iterator[DocumentWorker]:
    with DocumentWorker() as shared:
        yield shared
