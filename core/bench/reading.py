"""How long reading takes beside the PDF library's own listing of the same pages."""

import gc
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.documents.worker import DocumentWorker
from core.samples import all_samples

NUM_PAGES = 300
_NUM_ROUNDS = 3
_GARBAGE_THRESHOLD = 200_000


def measure(paths: Sequence[Path], cancel: CancelToken, num_pages: int = NUM_PAGES) -> BenchResult:
    """The first `num_pages` pages of each file, or of the bundled samples without any; the best of three.

    Times are those of a clock, from the request to the document: one worker process runs already, as in the
    window, others start where the pages are many. The listing happens in this process, with empty caches,
    and collects garbage as the worker processes do. `work_ratio` compares processor time: all that reading
    does, in one process.
    """
    from core.documents import mupdf

    mupdf.silence()
    threshold = gc.get_threshold()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    try:
        with DocumentWorker() as worker:
            rows = [
                _row(worker, path, num_pages, cancel)
                for path in list(paths) or [sample.path for sample in all_samples()]
            ]
    finally:
        gc.set_threshold(*threshold)
    ratios = [row["ratio"] for row in rows]
    return BenchResult(
        tuple(rows),
        (
            Target("median of reading by listing", median(ratios), 1.5, at_least=False),
            Target("worst of reading by listing", max(ratios), 1.5, at_least=False),
        ),
    )


def _row(worker: DocumentWorker, path: Path, num_pages: int, cancel: CancelToken) -> dict[str, Any]:
    cancel.raise_if_cancelled()
    wanted = range(_num_pages(path, num_pages))
    worker.read(path, pages=[0], cancel=cancel)
    listing_s = _best(partial(_list_pages, path, num_pages), time.perf_counter)
    reading_s = _best(partial(worker.read, path, pages=wanted, cancel=cancel), time.perf_counter)
    listing_cpu_s = _best(partial(_list_pages, path, num_pages), time.process_time)
    reading_cpu_s = _best(partial(_read_pages, path, num_pages), time.process_time)
    return {
        "file": path.name,
        "pages": len(wanted),
        "listing_s": listing_s,
        "reading_s": reading_s,
        "ratio": reading_s / listing_s,
        "work_ratio": reading_cpu_s / listing_cpu_s,
    }


def _best(work: Callable[[], object], clock: Callable[[], float]) -> float:
    times = []
    for _ in range(_NUM_ROUNDS):
        started = clock()
        work()
        times.append(clock() - started)
    return min(times)


def _num_pages(path: Path, num_pages: int) -> int:
    from core.documents.mupdf import PdfFile

    pdf = PdfFile(str(path), None)
    try:
        return min(num_pages, pdf.num_pages)
    finally:
        pdf.close()


def _list_pages(path: Path, num_pages: int) -> None:
    """What PyMuPDF itself lists: blocks, lines and spans of every page."""
    from core.documents.mupdf import pymupdf, release_memory

    with pymupdf.open(path) as pdf:
        for page_index in range(min(num_pages, pdf.page_count)):
            pdf.load_page(page_index).get_text("dict")
    release_memory()


def _read_pages(path: Path, num_pages: int) -> None:
    """All that reading does: text in order, boxes, hidden text, hyphens, running lines, page numbers."""
    from core.documents.extraction import extract_page
    from core.documents.hyphens import resolve_hyphens
    from core.documents.mupdf import PdfFile, release_memory
    from core.documents.printed_numbers import with_printed_numbers
    from core.documents.running_lines import mark_running

    pdf = PdfFile(str(path), None)
    try:
        indices = range(min(num_pages, pdf.num_pages))
        reads = [extract_page(pdf, page_index, str(page_index + 1)) for page_index in indices]
        with_printed_numbers(mark_running(resolve_hyphens(reads)))
    finally:
        pdf.close()
        release_memory()
