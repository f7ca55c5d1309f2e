"""Small files of other formats for the check of a build, and a checklist of two questions."""

from __future__ import annotations

import zipfile
from pathlib import Path

SENTENCE = "The tenant pays the rent on the first day of every month."

CHECKLIST = """\
title.en = "Check of a build"

[[questions]]
id = "date"
form = "date"
title.en = "Effective date"
question.en = "What is the effective date of the agreement?"

[[questions]]
id = "law"
form = "law"
title.en = "Governing law"
question.en = "The laws of which state govern the agreement?"
"""
NUM_QUESTIONS = 2

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_DOCX = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": "<Relationships>"
    f'<Relationship Type="{_OFFICE}" Target="word/document.xml"/></Relationships>',
    "word/document.xml": f"<document><body><p><r><t>{SENTENCE}</t></r></p></body></document>",
}
_EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": "<container><rootfiles>"
    '<rootfile full-path="book.opf"/></rootfiles></container>',
    "book.opf": "<package><manifest>"
    '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="a"/></spine></package>',
    "a.xhtml": f"<html><body><p>{SENTENCE}</p></body></html>",
}
"""As little as these formats can do with."""


def write_documents(folder: Path) -> list[Path]:
    """A DOCX, an EPUB and a Markdown file, each with `SENTENCE` as its text."""
    packed = [_pack(folder / "lease.docx", _DOCX), _pack(folder / "lease.epub", _EPUB)]
    plain = folder / "lease.md"
    plain.write_text(f"# Lease\n\n{SENTENCE}\n", encoding="utf-8")
    return [*packed, plain]


def write_checklist(folder: Path) -> Path:
    path = folder / "check of a build.toml"
    path.write_text(CHECKLIST, encoding="utf-8")
    return path


def _pack(path: Path, parts: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            how = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, text, compress_type=how)
    return path
