"""How long reading takes beside the PDF library's own listing of the same pages, in the same process."""

import gc
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from core.bench.result import BenchResult, Target
from core.cancel import CancelToken
from core.samples import all_samples

NUM_PAGES = 300
_NUM_ROUNDS = 3
_GARBAGE_THRESHOLD = 200_000


def measure(paths: Sequence[Path], cancel: CancelToken, num_pages: int = NUM_PAGES) -> BenchResult:
    """The first `num_pages` pages of each file, or of the bundled samples without any; the best of three.

    Times are those of the processor. Both sides open the file, begin with empty caches and collect garbage as
    the worker process does.
    """
    from core.documents import mupdf

    mupdf.silence()
    threshold = gc.get_threshold()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    rows: list[dict[str, Any]] = []
    try:
        for path in list(paths) or [sample.path for sample in all_samples()]:
            cancel.raise_if_cancelled()
            listing_s = _best(partial(_list_pages, path, num_pages))
            reading_s = _best(partial(_read_pages, path, num_pages))
            rows.append(
                {
                    "file": path.name,
                    "pages": _num_pages(path, num_pages),
                    "listing_s": listing_s,
                    "reading_s": reading_s,
                    "ratio": reading_s / listing_s,
                }
            )
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


def _best(work: Callable[[], None]) -> float:
    times = []
    for _ in range(_NUM_ROUNDS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
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
