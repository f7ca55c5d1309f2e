"""A document read by several processes: the same as by one, whatever happens to some of them."""

import os
import threading
from pathlib import Path

import psutil
import pytest

from core.cancel import CancelToken
from core.documents.layout import Document, WarningKind
from core.documents.limits import Limits
from core.documents.messages import Request
from core.documents.process_link import ProcessLink, WorkerLostError
from core.documents.worker import DocumentWorker
from core.errors import CancelledError

HOOKS = "tests.core.documents.faulty_extractors"
NUM_PROCESSES = 3


@pytest.fixture(autouse=True)
def many_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)


def limits(page_s: float = 30.0, num_processes: int = NUM_PROCESSES) -> Limits:
    return Limits(page_s=page_s, max_processes=num_processes, pages_per_process=1)


def process_ids() -> set[int]:
    """The children of this program but for Python's own."""
    children = psutil.Process().children()
    return {child.pid for child in children if "resource_tracker" not in " ".join(child.cmdline())}


def has_text(document: Document) -> list[bool]:
    return [page.has_text for page in document.pages]


@pytest.mark.parametrize("name", ["made/contract.pdf", "troubles/numbered.pdf"])
def test_several_processes_read_what_one_reads(made: Path, troubles: Path, name: str) -> None:
    folder, _, file = name.partition("/")
    path = (made if folder == "made" else troubles) / file
    told: list[tuple[int, int]] = []
    with DocumentWorker(limits(num_processes=1)) as alone, DocumentWorker(limits()) as together:
        expected = alone.read(path)
        shared = together.read(path, on_progress=lambda done, total: told.append((done, total)))
        reordered = together.read(path, pages=[4, 1, 3, 0])
    assert shared == expected
    assert told == [(done, expected.num_pages) for done in range(expected.num_pages + 1)]
    assert [page.page_index for page in reordered.pages] == [4, 1, 3, 0]


def test_helpers_really_read_and_rest_afterwards(made: Path) -> None:
    before = process_ids()
    with DocumentWorker(limits(), f"{HOOKS}:say_who") as worker:
        pages = worker.read(made / "contract.pdf").pages
        first = worker.process_id
        worker.rest()
        assert process_ids() - before == {first}
        assert worker.read(made / "contract.pdf").num_pages == 6
        assert worker.process_id == first
    assert process_ids() <= before
    readers = {page.label for page in pages}
    assert 1 < len(readers) <= NUM_PROCESSES


def test_helpers_that_wait_are_used_again_and_may_be_gone(made: Path) -> None:
    before = process_ids()
    with DocumentWorker(limits()) as worker:
        expected = worker.read(made / "contract.pdf")
        for process_id in process_ids() - before - {worker.process_id}:
            psutil.Process(process_id).kill()
        assert worker.read(made / "contract.pdf") == expected


@pytest.mark.parametrize("fault", ["hang", "crash", "fail"])
def test_one_bad_page_does_not_cost_the_others(made: Path, fault: str) -> None:
    with DocumentWorker(limits(page_s=2.0), f"{HOOKS}:{fault}") as worker:
        document = worker.read(made / "contract.pdf")
    assert has_text(document) == [True, False, True, True, True, True]
    [warning] = document.all_warnings
    assert (warning.kind, warning.page_index) == (WarningKind.UNREADABLE_PAGE, 1)


def test_every_page_crashing_still_ends(made: Path) -> None:
    with DocumentWorker(limits(), f"{HOOKS}:crash_always") as worker:
        document = worker.read(made / "contract.pdf")
    assert has_text(document) == [False] * 6


def test_helpers_that_cannot_start_are_done_without(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    send, first = ProcessLink.send, []

    def fail_but_for_the_first(link: ProcessLink, request: Request) -> None:
        first[:] = first or [link]
        if link is not first[0]:
            raise WorkerLostError
        send(link, request)

    monkeypatch.setattr(ProcessLink, "send", fail_but_for_the_first)
    with DocumentWorker(limits()) as worker:
        assert has_text(worker.read(made / "contract.pdf")) == [True] * 6


def test_cancel_ends_them_all(made: Path) -> None:
    before = process_ids()
    cancel = CancelToken()
    with DocumentWorker(limits(), f"{HOOKS}:hang") as worker:
        timer = threading.Timer(1.5, cancel.cancel)
        timer.start()
        with pytest.raises(CancelledError):
            worker.read(made / "contract.pdf", cancel=cancel)
        timer.join()
        assert worker.process_id is None
        assert process_ids() <= before


def test_there_are_no_more_processes_than_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Limits(max_processes=4).num_processes == 4
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 5}, raising=False)
    assert Limits(max_processes=4).num_processes == 2
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert Limits(max_processes=4).num_processes == 1
