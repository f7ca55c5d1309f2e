"""Files of many pages and of many bytes: the processes that read them stay small, and nothing is cut."""

import re
import sys
from pathlib import Path

import pytest

from core.documents.limits import Limits
from core.documents.worker import DocumentWorker
from tests.core.documents.plain_pdf import page_objects, stream, write_pdf

MIB = 1 << 20
FEW_PAGES, MANY_PAGES = 100, 1600
MOST_GROWTH = 24 * MIB
HEAVY = 110 * MIB

knows_peaks = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="peaks are known on Linux alone"
)


def peak_bytes(process_id: int | None) -> int:
    status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii", errors="replace")
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) << 10


def peak_of_reading(path: Path, num_pages: int) -> int:
    with DocumentWorker(Limits(max_processes=1)) as worker:
        document = worker.read(path)
        ends = [f"Clause 29 of page {number} binds the parties." for number in range(num_pages)]
        assert [page.text[-len(end) :] for page, end in zip(document.pages, ends, strict=True)] == ends
        return peak_bytes(worker.process_id)


@knows_peaks
def test_many_pages_take_no_more_memory_than_few(tmp_path: Path) -> None:
    few = peak_of_reading(write_pdf(tmp_path / "few.pdf", page_objects(FEW_PAGES)), FEW_PAGES)
    many = peak_of_reading(write_pdf(tmp_path / "many.pdf", page_objects(MANY_PAGES)), MANY_PAGES)
    assert many - few < MOST_GROWTH


@knows_peaks
def test_a_heavy_file_is_not_held_in_memory(tmp_path: Path) -> None:
    light = peak_of_reading(write_pdf(tmp_path / "light.pdf", page_objects(3)), 3)
    heavy = write_pdf(tmp_path / "heavy.pdf", [*page_objects(3), stream(bytes(HEAVY))])
    assert heavy.stat().st_size > HEAVY
    assert peak_of_reading(heavy, 3) - light < MOST_GROWTH


def test_a_long_text_file_is_read_whole(tmp_path: Path, worker: DocumentWorker) -> None:
    lines = [
        f"Entry {number}: paid {number * 7} to the carrier named in line {number}." for number in range(9000)
    ]
    path = tmp_path / "ledger.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert path.stat().st_size > 400_000
    text = " ".join(" ".join(page.text for page in worker.read(path).pages).split())
    assert text == " ".join(lines)
