"""PDFs of many pages or bytes, written without a PDF library."""

from collections.abc import Iterable
from pathlib import Path


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
