"""Files of many pages and of many bytes: the processes that read them stay small."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from core.documents.limits import Limits
from core.documents.worker import DocumentWorker

MIB = 1 << 20
FEW_PAGES, MANY_PAGES = 100, 1600
MOST_GROWTH = 24 * MIB
HEAVY = 110 * MIB

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks are known on Linux alone")


def write_pdf(path: Path, objects: Iterable[bytes]) -> Path:
    """A file of these objects, the first of which is the catalogue."""
    offsets = []
    with path.open("wb") as file:
        file.write(b"%PDF-1.7\n")
        for number, content in enumerate(objects, 1):
            offsets.append(file.tell())
            file.write(b"%d 0 obj\n%b\nendobj\n" % (number, content))
        table = file.tell()
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
        file.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
        file.write(b"trailer\n<</Size %d/Root 1 0 R>>\n" % (len(offsets) + 1))
        file.write(b"startxref\n%d\n%%%%EOF\n" % table)
    return path


def stream(content: bytes) -> bytes:
    return b"<</Length %d>>\nstream\n%b\nendstream" % (len(content), content)


def page_objects(num_pages: int) -> list[bytes]:
    """Catalogue, page tree and font, then each page with its own text: objects 4 to 2 * `num_pages` + 3."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(num_pages))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%b]>>" % (num_pages, kids),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number in range(num_pages):
        lines = b" T* ".join(b"(Clause %d of page %d binds the parties.) Tj" % (n, number) for n in range(30))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]"
            b"/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>" % (5 + 2 * number)
        )
        objects.append(stream(b"BT /F 11 Tf 14 TL 72 770 Td " + lines + b" ET"))
    return objects


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


def test_many_pages_take_no_more_memory_than_few(tmp_path: Path) -> None:
    few = peak_of_reading(write_pdf(tmp_path / "few.pdf", page_objects(FEW_PAGES)), FEW_PAGES)
    many = peak_of_reading(write_pdf(tmp_path / "many.pdf", page_objects(MANY_PAGES)), MANY_PAGES)
    assert many - few < MOST_GROWTH


def test_a_heavy_file_is_not_held_in_memory(tmp_path: Path) -> None:
    light = peak_of_reading(write_pdf(tmp_path / "light.pdf", page_objects(3)), 3)
    heavy = write_pdf(tmp_path / "heavy.pdf", [*page_objects(3), stream(bytes(HEAVY))])
    assert heavy.stat().st_size > HEAVY
    assert peak_of_reading(heavy, 3) - light < MOST_GROWTH
