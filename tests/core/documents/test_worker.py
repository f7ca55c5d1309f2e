"""The document worker: what it reads, what it refuses, and what it survives."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from core.cancel import CancelToken
from core.documents.layout import WarningKind
from core.documents.worker import DocumentWorker, Limits
from core.errors import CancelledError, DocumentError, PasswordRequiredError, WrongPasswordError

HOOKS = "tests.core.documents.faulty_extractors"
PAGE_LIMIT_S = 0.5


def _is_running(process_id: int) -> bool:
    return psutil.pid_exists(process_id) and psutil.Process(process_id).status() != psutil.STATUS_ZOMBIE


def test_pages_labels_outline_and_digest_are_read(worker: DocumentWorker, made: Path) -> None:
    document = worker.read(made / "contract.pdf")
    assert [page.label for page in document.pages] == ["i", "ii", "1", "2", "3", "4"]
    assert [page.page_index for page in document.pages] == list(range(6))
    assert [(e.level, e.title, e.page_index) for e in document.outline] == [
        (1, "Definitions", 0),
        (2, "Loans", 1),
        (1, "Covenants", 2),
    ]
    assert (document.name, len(document.sha256), document.warnings) == ("contract.pdf", 64, ())


def test_progress_is_told_page_by_page(worker: DocumentWorker, made: Path) -> None:
    told: list[tuple[int, int]] = []
    worker.read(made / "contract.pdf", on_progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(7)]


def test_only_the_pages_asked_for_are_read(worker: DocumentWorker, made: Path) -> None:
    document = worker.read(made / "contract.pdf", pages=[4, 1])
    assert [(page.page_index, page.label) for page in document.pages] == [(4, "3"), (1, "ii")]
    with pytest.raises(DocumentError, match="6 pages"):
        worker.read(made / "contract.pdf", pages=[6])


def test_an_outline_that_runs_in_a_circle_ends(worker: DocumentWorker, made: Path) -> None:
    outline = worker.read(made / "circular_outline.pdf").outline
    assert [entry.title for entry in outline] == ["Definitions", "Loans", "Covenants"]


@pytest.mark.parametrize(
    ("name", "password"),
    [("user_password", "geheim"), ("user_password", "besitz"), ("umlaut_password", "grün")],
)
def test_an_encrypted_file_opens_with_its_password(
    worker: DocumentWorker, made: Path, name: str, password: str
) -> None:
    path = made / f"{name}.pdf"
    with pytest.raises(PasswordRequiredError):
        worker.read(path)
    with pytest.raises(WrongPasswordError):
        worker.read(path, "falsch")
    assert "Loan Agreement" in worker.read(path, password).pages[0].text


def test_an_owner_password_alone_asks_for_nothing(worker: DocumentWorker, made: Path) -> None:
    document = worker.read(made / "owner_password.pdf")
    assert document.has_text
    assert [warning.kind for warning in document.warnings] == [WarningKind.COPY_NOT_PERMITTED]


@pytest.mark.parametrize(
    ("name", "content", "title"),
    [
        ("missing.pdf", None, "File not found"),
        ("empty.pdf", b"", "Empty file"),
        ("letter.pdf", b"Dear Sir or Madam", "Not a PDF"),
        ("head.pdf", b"%PDF-1.7 and nothing else", "Not a PDF"),
        (
            "no_pages.pdf",
            b"%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n",
            "No pages",
        ),
    ],
)
def test_what_cannot_be_read_is_said(
    worker: DocumentWorker, tmp_path: Path, name: str, content: bytes | None, title: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DocumentError) as caught:
        worker.read(path)
    assert caught.value.title == title
    assert name in caught.value.message


def test_a_folder_is_no_document(worker: DocumentWorker, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="folder"):
        worker.read(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among its files")
def test_a_pipe_is_no_document_and_nobody_waits_for_it(worker: DocumentWorker, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.pdf"
    os.mkfifo(pipe)
    with pytest.raises(DocumentError, match="is a pipe or a device"):
        worker.read(pipe)


def test_a_name_that_no_file_system_takes_is_not_found(worker: DocumentWorker, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="does not exist"):
        worker.read(tmp_path / f"{'a' * 300}.pdf")


def test_a_refused_file_costs_no_process(worker: DocumentWorker, made: Path, tmp_path: Path) -> None:
    worker.read(made / "chinese.pdf")
    process_id = worker.process_id
    with pytest.raises(DocumentError):
        worker.read(tmp_path / "missing.pdf")
    worker.read(made / "chinese.pdf")
    assert worker.process_id == process_id


@pytest.mark.parametrize("fault", ["hang", "crash", "fail"])
def test_one_bad_page_does_not_cost_the_others(made: Path, fault: str) -> None:
    with DocumentWorker(Limits(page_s=PAGE_LIMIT_S), f"{HOOKS}:{fault}") as worker:
        document = worker.read(made / "contract.pdf")
    texts = [page.has_text for page in document.pages]
    assert texts == [True, False, True, True, True, True]
    [warning] = document.all_warnings
    assert (warning.kind, warning.page_index) == (WarningKind.UNREADABLE_PAGE, 1)
    assert document.pages[1].label == "ii"


def test_every_page_crashing_still_ends(made: Path) -> None:
    with DocumentWorker(extractor=f"{HOOKS}:crash_always") as worker:
        document = worker.read(made / "two_columns.pdf")
    assert [w.kind for w in document.all_warnings] == [WarningKind.UNREADABLE_PAGE] * 2


def test_the_request_as_a_whole_has_a_limit(made: Path) -> None:
    limits = Limits(page_s=PAGE_LIMIT_S, request_s=PAGE_LIMIT_S / 2)
    with (
        DocumentWorker(limits, f"{HOOKS}:hang") as worker,
        pytest.raises(DocumentError, match="Takes too long"),
    ):
        worker.read(made / "contract.pdf")


def test_cancel_ends_a_page_that_hangs(made: Path) -> None:
    cancel = CancelToken()
    with DocumentWorker(extractor=f"{HOOKS}:hang") as worker:
        timer = threading.Timer(1.0, cancel.cancel)
        timer.start()
        with pytest.raises(CancelledError):
            worker.read(made / "contract.pdf", cancel=cancel)
        cancelled_at = time.monotonic()
        timer.join()
        assert worker.process_id is None
        assert time.monotonic() - cancelled_at < 1.0


def test_close_leaves_no_process_and_reading_starts_another(made: Path) -> None:
    worker = DocumentWorker()
    worker.read(made / "chinese.pdf")
    process_id = worker.process_id
    assert process_id is not None
    worker.close()
    worker.close()
    assert not _is_running(process_id)
    worker.read(made / "chinese.pdf")
    assert worker.process_id not in (None, process_id)
    worker.close()


def test_the_process_dies_with_its_parent_and_needs_no_main_module(made: Path, repository: Path) -> None:
    program = f"""
import os
from core.documents.worker import DocumentWorker
worker = DocumentWorker()
worker.read({str(made / "chinese.pdf")!r})
print(worker.process_id, flush=True)
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-"], input=program, cwd=repository, capture_output=True, text=True, timeout=30
    )
    assert done.stderr == ""
    process_id = int(done.stdout)
    deadline = time.monotonic() + 5
    while _is_running(process_id) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(process_id)


def test_nothing_that_the_process_prints_reaches_the_program(
    made: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with DocumentWorker(extractor=f"{HOOKS}:shout") as worker:
        assert worker.read(made / "chinese.pdf").has_text
    assert capfd.readouterr() == ("", "")


def test_rendering_is_capped_and_can_be_clipped(worker: DocumentWorker, made: Path) -> None:
    image = worker.render(made / "chinese.pdf", 0, 2.0)
    assert (image.width, image.height) == (1190, 1684)
    assert len(image.rgb) == image.stride * image.height
    part = worker.render(made / "chinese.pdf", 0, 1.0, clip=(0, 0, 100, 50))
    assert (part.width, part.height) == (100, 50)
    with DocumentWorker(Limits(max_pixels=10_000)) as small:
        image = small.render(made / "chinese.pdf", 0, 50.0)
    assert 9_000 < image.width * image.height <= 10_500


def test_rendering_what_is_not_there_is_an_error(worker: DocumentWorker, made: Path, tmp_path: Path) -> None:
    with pytest.raises(DocumentError):
        worker.render(made / "chinese.pdf", 7, 1.0)
    with pytest.raises(DocumentError, match="not found"):
        worker.render(tmp_path / "missing.pdf", 0, 1.0)
    with pytest.raises(PasswordRequiredError):
        worker.render(made / "user_password.pdf", 0, 1.0)
