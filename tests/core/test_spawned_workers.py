"""Processes are spawned, never forked: a fork copies the threads' locks and the model's memory."""

import ast
import os
from pathlib import Path

import psutil
import pytest

from core.documents.worker import DocumentWorker
from core.samples import default_sample

FORKING_NAMES = {"fork", "forkpty", "forkserver"}
NEEDS_A_CONTEXT = {"Process", "Pool", "Queue", "Pipe", "Manager", "Lock", "Event"}
START_METHOD_CALLS = {"get_context", "set_start_method"}


def forks(source: str) -> list[str]:
    """What in `source` forks, or starts a process by the method of the platform, which may be a fork."""
    return [what for node in ast.walk(ast.parse(source)) for what in _forks_here(node)]


def _forks_here(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom) and node.module in ("os", "pty", "multiprocessing"):
        return [alias.name for alias in node.names if alias.name in FORKING_NAMES | NEEDS_A_CONTEXT]
    if not isinstance(node, ast.Call):
        return []
    if isinstance(node.func, ast.Attribute):
        name, owner = node.func.attr, ast.unparse(node.func.value)
    elif isinstance(node.func, ast.Name):
        name, owner = node.func.id, ""
    else:
        return []
    options = {keyword.arg for keyword in node.keywords}
    is_fork = owner in ("os", "pty") and name in FORKING_NAMES
    is_by_platform = owner in ("multiprocessing", "torch.multiprocessing") and name in NEEDS_A_CONTEXT
    is_other_method = name in START_METHOD_CALLS and [ast.unparse(a) for a in node.args] != ["'spawn'"]
    is_bare_pool = name == "ProcessPoolExecutor" and "mp_context" not in options
    has_hook = "preexec_fn" in options
    guilty = is_fork or is_by_platform or is_other_method or is_bare_pool or has_hook
    return [ast.unparse(node)] if guilty else []


def test_nothing_in_core_forks(repository: Path) -> None:
    guilty = {
        path.relative_to(repository).as_posix(): found
        for path in (repository / "core").rglob("*.py")
        if (found := forks(path.read_text(encoding="utf-8")))
    }
    assert not guilty, 'use multiprocessing.get_context("spawn")'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os\nos.fork()", True),
        ("from os import fork", True),
        ("import multiprocessing\nmultiprocessing.Process(target=f)", True),
        ("from multiprocessing import Pool", True),
        ("multiprocessing.get_context()", True),
        ("multiprocessing.get_context('fork')", True),
        ("ProcessPoolExecutor(2)", True),
        ("subprocess.run(c, preexec_fn=f)", True),
        ("multiprocessing.get_context('spawn').Process(target=f)", False),
        ("ProcessPoolExecutor(2, mp_context=spawn)", False),
        ("threading.Event()", False),
    ],
)
def test_a_fork_is_recognised(source: str, expected: bool) -> None:
    assert bool(forks(source)) is expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_the_document_worker_is_no_copy_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("the process was forked"))
    with DocumentWorker() as worker:
        assert worker.read(default_sample().path).num_pages > 0
        assert worker.process_id is not None
        assert "spawn_main" in " ".join(psutil.Process(worker.process_id).cmdline())
