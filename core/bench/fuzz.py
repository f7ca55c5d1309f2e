"""Damaged files: the program must survive them all, say something about each, and never wait long."""

import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from core.bench.fuzz_files import sound_files
from core.bench.mutations import MUTATIONS
from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.layout import Document, WarningKind
from core.documents.payload import page_payload
from core.documents.token_map import render_for_model
from core.documents.worker import DocumentWorker
from core.errors import CancelledError, LecternError

NUM_FILES = 2000
_MAX_S = 10.0
_ZOOM = 0.5


@dataclass(frozen=True)
class Outcome:
    """What one damaged file did. `error` is the title of what the user would be told.

    `failure` is an error that no user should see; `num_lost` counts worker processes that ended.
    """

    elapsed_s: float
    num_pages: int = 0
    num_unreadable: int = 0
    num_lost: int = 0
    error: str = ""
    failure: str = ""


def measure(cancel: CancelToken, num_files: int = NUM_FILES) -> BenchResult:
    """Read and draw `num_files` files, the same ones in every run, with the limits of the program."""
    files = sound_files()
    names, contents = list(files), list(files.values())
    outcomes: dict[str, dict[str, Outcome]] = defaultdict(dict)
    kinds = list(MUTATIONS)
    with DocumentWorker() as worker, tempfile.TemporaryDirectory() as folder:
        for number in range(num_files):
            cancel.raise_if_cancelled()
            name, kind = names[number % len(names)], kinds[number // len(names) % len(kinds)]
            damaged = MUTATIONS[kind](files[name], contents, Random(f"{name} {number}"))
            path = Path(folder) / f"{number}-{name}"
            path.write_bytes(damaged)
            outcomes[kind][path.name] = try_file(worker, path, cancel)
            path.unlink()
    everything = [outcome for by_file in outcomes.values() for outcome in by_file.values()]
    return BenchResult(
        tuple(_row(kind, by_file) for kind, by_file in outcomes.items()),
        (
            Target("errors of the program", sum(bool(o.failure) for o in everything), 0, at_least=False),
            Target(
                "seconds for one damaged file", max(o.elapsed_s for o in everything), _MAX_S, at_least=False
            ),
        ),
    )


def try_file(worker: DocumentWorker, path: Path, cancel: CancelToken) -> Outcome:
    """Do with one file what opening it does. Raises `CancelledError` only."""
    worker.start()
    process_id, num_lost = worker.process_id, 0
    started = time.perf_counter()
    num_pages = num_unreadable = 0
    error = failure = ""
    for step in (_read, _draw):
        try:
            document = step(worker, path, cancel)
            if document is not None:
                num_pages, num_unreadable = document.num_pages, _num_unreadable(document)
        except CancelledError:
            raise
        except LecternError as said:
            error = error or said.title
        except Exception as unexpected:  # noqa: BLE001 - this is what is looked for
            failure = f"{type(unexpected).__name__}: {unexpected}"
        num_lost += worker.process_id != process_id
        process_id = worker.process_id
    elapsed_s = time.perf_counter() - started
    return Outcome(elapsed_s, num_pages, num_unreadable, num_lost, error, failure)


def _read(worker: DocumentWorker, path: Path, cancel: CancelToken) -> Document:
    document = worker.read(path, cancel=cancel)
    for page in document.pages:
        page_payload(page)
    render_for_model([document]).text.encode()
    return document


def _draw(worker: DocumentWorker, path: Path, cancel: CancelToken) -> None:
    worker.page_sizes(path, cancel=cancel)
    worker.render(path, 0, _ZOOM, cancel=cancel)


def _num_unreadable(document: Document) -> int:
    return sum(warning.kind is WarningKind.UNREADABLE_PAGE for warning in document.all_warnings)


def _row(kind: str, by_file: dict[str, Outcome]) -> dict[str, Any]:
    outcomes = list(by_file.values())
    slowest = max(by_file, key=lambda name: by_file[name].elapsed_s)
    return {
        "damage": kind,
        "files": len(outcomes),
        "opened": sum(outcome.num_pages > 0 for outcome in outcomes),
        "pages_unreadable": sum(outcome.num_unreadable for outcome in outcomes),
        "refused": sum(bool(outcome.error) and not outcome.num_pages for outcome in outcomes),
        "processes_lost": sum(outcome.num_lost for outcome in outcomes),
        "failed": next((f"{name}: {o.failure}" for name, o in by_file.items() if o.failure), "none"),
        "slowest_s": by_file[slowest].elapsed_s,
        "slowest": slowest,
    }
