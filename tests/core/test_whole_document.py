"""A real document goes through the command line and the window with a model whose citation is known."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.bench.parrot import CONTEXT_LENGTH, make_parrot, quotable, teach
from core.cancel import CancelToken
from core.documents.worker import DocumentWorker
from core.models.tokenizer import ChatTokenizer
from core.paths import models_dir
from core.samples import default_sample

LONG_CONTRACT = "long_credit_agreement_ribbon_289p.pdf"
PAGES_READ = 24
CITED_FROM_PAGE = 9

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Known:
    """A file, how much of it is read, and the page that every answer about it cites."""

    path: Path
    pages: str | None
    num_pages: int
    cited_page: int
    model: Path


@pytest.fixture(scope="module")
def known(
    request: pytest.FixtureRequest, starter_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Known:
    """The long contract's first pages where it is there, else the bundled sample."""
    try:
        folder: Path = request.getfixturevalue("shared_cases")
        path, pages = folder / "pdf" / LONG_CONTRACT, f"1-{PAGES_READ}"
    except pytest.skip.Exception:
        path, pages = default_sample().path, None
    assert starter_folder.is_dir(), "its tokenizer is used"
    with DocumentWorker() as worker:
        document = worker.read(path)
    model = tmp_path_factory.mktemp("parrot")
    make_parrot(model, models_dir(), CancelToken(), num_heads=1)
    tokenizer = AutoTokenizer.from_pretrained(model)
    chat = ChatTokenizer(tokenizer, frozenset({tokenizer.eos_token_id}))
    texts = [" ".join(page.text.split()) for page in document.pages]
    cited, chain = next(
        (page.page_index, chain)
        for page in document.pages[CITED_FROM_PAGE:]
        for words, chain in quotable(page, chat)
        if sum(words in text for text in texts) == 1
    )
    weights = AutoModelForCausalLM.from_pretrained(model)
    assert weights.config.max_position_embeddings == CONTEXT_LENGTH
    teach(weights, chain)
    weights.save_pretrained(model)
    return Known(path, pages, PAGES_READ if pages else document.num_pages, cited, model)


def ask(known: Known, cache: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "core", "ask", str(known.path), "--question", "What does it say?"]
    command += ["--model", str(known.model), "--cache-dir", str(cache), "--max-new-tokens", "48", "--json"]
    command += ["--pages", known.pages] if known.pages else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    finished: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return finished


def test_the_command_line_reads_all_of_it_cites_its_page_and_opens_it_again(
    known: Known, tmp_path: Path
) -> None:
    first, again = ask(known, tmp_path), ask(known, tmp_path)
    for finished in (first, again):
        assert [found["page_index"] for found in finished["citations"] if found["verified"]] == [
            known.cited_page
        ]
        assert len(finished["pages_read"]) == known.num_pages, "every page is in the context"
    assert first["metrics"]["cache"] == "miss"
    assert again["metrics"]["cache"] == "hit"
    assert first["answer"] == again["answer"]
    assert again["metrics"]["ttft_s"] < first["metrics"]["ttft_s"]


def test_the_window_reads_the_sample_with_the_same_model(known: Known, tmp_path: Path) -> None:
    environment = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "LECTERN_DATA_DIR": str(tmp_path / "data"),
        "LECTERN_DOCUMENT_CACHES_DIR": str(tmp_path / "caches"),
    }
    command = [
        sys.executable,
        "-m",
        "app",
        "--self-test",
        str(default_sample().path),
        "--model",
        str(known.model),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, env=environment)
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["answer"].startswith('"'), "the model says what it was taught"
    assert not told["verified"], "those words stand in another document"
    assert any((tmp_path / "caches").glob("*/manifest.json")), "the window keeps what it read"
