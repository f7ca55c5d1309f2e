"""The kinds of files that can be read, told by their content first and their name second."""

import os
import zipfile
from enum import Enum
from pathlib import Path
from zipfile import ZipFile

from core.documents.encodings import is_text
from core.documents.epub_rights import require_readable_epub
from core.documents.file_names import shown_name
from core.errors import DocumentError

SUPPORTED = "PDF, DOCX, EPUB, HTML, Markdown and plain text"
SUFFIXES = (".pdf", ".docx", ".epub", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt")

_HEAD_BYTES = 4096


class FileKind(Enum):
    """A format; the value is what MuPDF calls it."""

    PDF = "pdf"
    DOCX = "docx"
    EPUB = "epub"
    HTML = "html"
    MARKDOWN = "md"
    TEXT = "txt"


_BY_SUFFIX = {
    ".pdf": FileKind.PDF,
    ".docx": FileKind.DOCX,
    ".epub": FileKind.EPUB,
    ".html": FileKind.HTML,
    ".htm": FileKind.HTML,
    ".xhtml": FileKind.HTML,
    ".md": FileKind.MARKDOWN,
    ".markdown": FileKind.MARKDOWN,
    ".txt": FileKind.TEXT,
}


def kind_of(path: str) -> FileKind:
    """The format of a file that exists. Raises `DocumentError` for one that cannot be read here."""
    with Path(path).open("rb") as file:
        head = file.read(_HEAD_BYTES)
        size_bytes = file.seek(0, os.SEEK_END)
    by_name = _BY_SUFFIX.get(Path(path).suffix.lower())
    may_be_pdf = by_name in (None, FileKind.PDF)
    if head.lstrip().startswith(b"%PDF") or (may_be_pdf and b"%PDF" in head):
        return FileKind.PDF
    if head.startswith(b"PK\x03\x04"):
        packed = _packed_kind(path)
        if packed is FileKind.EPUB:
            require_readable_epub(path)
        if packed is not None:
            return packed
    if by_name is FileKind.PDF:
        return by_name
    if by_name in (FileKind.DOCX, FileKind.EPUB):
        raise _damaged(path)
    if by_name is not None and is_text(head, size_bytes):
        return by_name
    raise DocumentError(
        "Not supported",
        f"“{shown_name(path)}” is not of a kind that can be read here. Lectern reads {SUPPORTED}. "
        "Save or print it as PDF, then open that.",
    )


def _packed_kind(path: str) -> FileKind | None:
    try:
        with ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise _damaged(path) from error
    if "word/document.xml" in names:
        return FileKind.DOCX
    return FileKind.EPUB if "META-INF/container.xml" in names else None


def _damaged(path: str) -> DocumentError:
    return DocumentError(
        "Damaged file",
        f"“{shown_name(path)}” is damaged and could not be repaired. Get the file again from where it came "
        "from, or open it in another program and save a copy.",
    )
