"""Ten small files for the benchmark `fuzz`: sound ones, of every kind that is read."""

import io
import zipfile
from typing import Any

import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.samples import all_samples

pymupdf: Any = _pymupdf

_LINES = (
    "This agreement is made on the first day of January between the",
    "lender and the borrower, who have agreed to what is said below.",
    "The borrower shall repay the loan in forty equal instalments.",
)
_HTML = (
    f"<html><body><h1>Agreement</h1><p>{' '.join(_LINES)}</p><table><tr><td>1</td></tr></table></body></html>"
)
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGES = "http://schemas.openxmlformats.org/package/2006"


def sound_files() -> dict[str, bytes]:
    """The bytes of each file by its name."""
    files = {
        "outline.pdf": _outlined().tobytes(no_new_id=True),
        "packed.pdf": _outlined().tobytes(deflate=True, use_objstms=True, no_new_id=True),
        "picture.pdf": _picture().tobytes(no_new_id=True),
        "form.pdf": _form().tobytes(no_new_id=True),
        "locked.pdf": _outlined().tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner"),
        "letter.docx": _docx(),
        "book.epub": _epub(),
        "page.html": _HTML.encode(),
    }
    return files | {sample.path.name: sample.path.read_bytes() for sample in all_samples()[:2]}


def _outlined() -> Any:
    pdf = pymupdf.open()
    for _ in range(3):
        page = pdf.new_page()
        for number, line in enumerate(_LINES * 3):
            page.insert_text((50, 60 + 14 * number), line, fontsize=10)
    pdf.set_toc([[1, "Parties", 1], [2, "Loan", 2], [1, "Payment", 3]])
    pdf.set_page_labels([{"startpage": 0, "style": "r"}, {"startpage": 1, "style": "D", "firstpagenum": 1}])
    return pdf


def _picture() -> Any:
    pdf = pymupdf.open()
    picture = _outlined()[0].get_pixmap(dpi=50)
    page = pdf.new_page()
    page.insert_image(page.rect, pixmap=picture)
    page.insert_text((50, 60), _LINES[0], render_mode=3)
    return pdf


def _form() -> Any:
    """A field, a note, an attachment, and text in the colour of the page."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    page.insert_text((50, 60), _LINES[0])
    page.insert_text((50, 90), _LINES[1], color=(1, 1, 1))
    field = pymupdf.Widget()
    field.field_name, field.field_type = "name", pymupdf.PDF_WIDGET_TYPE_TEXT
    field.field_value, field.rect = "A. Borrower", pymupdf.Rect(50, 120, 250, 140)
    page.add_widget(field)
    page.add_text_annot((300, 100), "Is this right?")
    pdf.embfile_add("terms.txt", b"terms")
    return pdf


def _docx() -> bytes:
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in _LINES * 3)
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    return _archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGES}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGES}/relationships"><Relationship Id="r1" '
            f'Type="{office}" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>',
        }
    )


def _epub() -> bytes:
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    return _archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'<container version="1.0" xmlns="{container}"><rootfiles><rootfile '
            'full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            "c.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i">'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T</dc:title></metadata>'
            '<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine>'
            '<itemref idref="c"/></spine></package>',
            "c.xhtml": _HTML.replace("<html>", '<html xmlns="http://www.w3.org/1999/xhtml">'),
        }
    )


def _archive(parts: dict[str, str]) -> bytes:
    """Stored as they are: a change in packed bytes would only spoil the packing."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()
