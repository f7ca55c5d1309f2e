"""The one door to PyMuPDF. Imported inside the worker process only; nothing here is thread-safe."""

import os
from functools import cached_property
from pathlib import Path
from typing import Any

# The package says that it is typed, but its functions carry no annotations.
import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.docx_source import docx_source
from core.documents.encodings import broken_up, decoded, decoded_html
from core.documents.file_names import shown_name, shown_path
from core.documents.formats import FileKind, kind_of
from core.documents.layers import Layers
from core.documents.layout import OutlineEntry
from core.documents.memory_limit import is_out_of_memory, too_large
from core.documents.messages import PdfFacts
from core.documents.pdf_facts import facts_of
from core.documents.pdf_outline import read_contents, read_outline
from core.documents.pdf_page import PdfPage
from core.errors import DocumentError, LecternError, PasswordRequiredError, WrongPasswordError

pymupdf: Any = _pymupdf

_PAGE_WIDTH, _PAGE_HEIGHT, _FONT_SIZE = 595, 842, 11


def silence() -> None:
    """Keep MuPDF's own messages off the program's streams."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)


def release_memory() -> None:
    """Drop what MuPDF keeps for the pages that have been read."""
    pymupdf.TOOLS.store_shrink(100)


def engine_version() -> str:
    """Of the library that draws and recognises."""
    return str(pymupdf.mupdf_version)


class PdfFile:
    """An open document, a PDF or one that is laid out in pages here.

    Opening raises `DocumentError` or one of its password subclasses, nothing else. `expects_characters`
    remembers whether the last page read was of a script without blanks.
    """

    def __init__(self, path: str, password: str | None, facts: PdfFacts | None = None) -> None:
        """`facts` are those of the same file if they are known already."""
        self._known_facts = facts
        self.expects_characters = False
        self.hidden_texts: list[str] = []
        self._name = shown_name(path)
        _check_file(path, self._name)
        self._kind = kind_of(path)
        try:
            self._pdf = self._opened(path)
        except Exception as error:
            if is_out_of_memory(error):
                raise too_large(self._name) from error
            raise _damaged(self._name, path, self._kind) from error
        self._unlock(password)
        try:
            self.num_pages = int(self._pdf.page_count)
        except Exception as error:
            if is_out_of_memory(error):
                raise too_large(self._name) from error
            raise _damaged(self._name, path, self._kind) from error
        if self.num_pages <= 0:
            raise DocumentError(
                "No pages",
                f"“{self._name}” is a PDF without a single page. It is probably damaged; "
                "try to get the file again from where it came from.",
            )

    def _opened(self, path: str) -> Any:
        """The document by its path, or by its bytes where MuPDF cannot use the path or needs other bytes."""
        data: bytes | None = None
        if self._kind is FileKind.DOCX:
            data, self.hidden_texts = docx_source(path)
        elif self._kind in (FileKind.TEXT, FileKind.MARKDOWN):
            text = decoded(Path(path).read_bytes())
            data = (broken_up(text) if self._kind is FileKind.TEXT else text).encode("utf-8-sig", "replace")
        elif self._kind is FileKind.HTML:
            data = decoded_html(Path(path).read_bytes()).encode("utf-8-sig", "replace")
        elif not _is_utf8(path):
            data = Path(path).read_bytes()
        if data is None:
            pdf = pymupdf.open(path, filetype=self._kind.value)
        else:
            pdf = pymupdf.open(stream=data, filetype=self._kind.value)
        if self._kind is FileKind.PDF and not pdf.is_pdf:
            raise ValueError("MuPDF took it for another kind of file")
        if pdf.is_reflowable:
            pdf.layout(width=_PAGE_WIDTH, height=_PAGE_HEIGHT, fontsize=_FONT_SIZE)
        return pdf

    def _unlock(self, password: str | None) -> None:
        try:
            if not self._pdf.needs_pass:
                return
            is_open = password is not None and bool(self._pdf.authenticate(password))
        except Exception as error:
            raise DocumentError(
                "Unknown encryption",
                f"“{self._name}” is encrypted in a way that cannot be read here. "
                "Save a copy without encryption in the program it was made with, then open the copy.",
            ) from error
        if is_open:
            return
        if password is None:
            raise PasswordRequiredError(
                "Password needed", f"“{self._name}” is encrypted. Enter its password to open it."
            )
        raise WrongPasswordError(
            "Wrong password",
            f"The password does not open “{self._name}”. Check capital letters and the keyboard layout, "
            "then try again.",
        )

    def close(self) -> None:
        self._pdf.close()

    @property
    def is_repaired(self) -> bool:
        return self._kind is FileKind.PDF and bool(self._pdf.is_repaired)

    @property
    def may_copy(self) -> bool:
        return self._kind is not FileKind.PDF or bool(self._pdf.permissions & pymupdf.PDF_PERM_COPY)

    @cached_property
    def facts(self) -> PdfFacts:
        """What the file carries beside its pages."""
        if self._known_facts is not None:
            return self._known_facts
        return facts_of(self._pdf) if self._kind is FileKind.PDF else PdfFacts()

    @cached_property
    def layers(self) -> Layers:
        """Of a PDF alone."""
        return Layers(self._pdf)

    @cached_property
    def has_fields(self) -> bool:
        """Whether the file is a form."""
        return self._kind is FileKind.PDF and bool(self._pdf.is_form_pdf)

    def label_rules(self) -> list[tuple[int, str]]:
        """Where each rule for page labels starts, and its dictionary as PDF source; [] if broken."""
        if self._kind is not FileKind.PDF:
            return []
        try:
            return [(int(start), str(source)) for start, source in self._pdf._get_page_labels()]
        except Exception:  # noqa: BLE001 - a broken label table can raise anything; the labels are optional
            return []

    def outline(self) -> tuple[OutlineEntry, ...]:
        """The table of contents; a broken or endless one ends where it stops making sense."""
        if self._kind is not FileKind.PDF:
            return read_contents(self._pdf, self.num_pages)
        return read_outline(self._pdf, self.num_pages)

    def page(self, page_index: int) -> PdfPage:
        """Raises whatever PyMuPDF raises on a damaged page."""
        is_laid_out = self._kind is not FileKind.PDF
        return PdfPage(self._pdf.load_page(page_index), self.facts.may_be_clear, is_laid_out)


def _is_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _check_file(path: str, name: str) -> None:
    if not os.path.exists(path):  # noqa: PTH110 - pathlib raises for names that no file system takes
        raise DocumentError(
            "File not found", f"“{shown_path(path)}” does not exist. Check the name, or whether it was moved."
        )
    if Path(path).is_dir():
        raise DocumentError("Not a file", f"“{shown_path(path)}” is a folder. Choose a file inside it.")
    if not Path(path).is_file():
        raise DocumentError(
            "Not a file", f"“{shown_path(path)}” is a pipe or a device. Save what comes out of it as a file."
        )
    try:
        with Path(path).open("rb") as file:
            first_byte = file.read(1)
    except OSError as error:
        raise DocumentError(
            "File cannot be read", f"“{name}” cannot be read: {error.strerror}. Check its permissions."
        ) from error
    if not first_byte:
        raise DocumentError(
            "Empty file", f"“{name}” is empty (0 bytes). Get the file again from where it came from."
        )


def _damaged(name: str, path: str, kind: FileKind) -> LecternError:
    with Path(path).open("rb") as file:
        head = file.read(4096)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4096))
        tail = file.read()
    if kind is not FileKind.PDF:
        return DocumentError(
            "Damaged file",
            f"“{name}” is damaged and could not be repaired. Get the file again from where it came from, "
            "or open it in another program and save a copy.",
        )
    if b"%PDF" not in head:
        return DocumentError(
            "Not a PDF", f"“{name}” is not a PDF file. Save or print it as PDF first, then open that."
        )
    if b"endobj" not in head + tail:
        return DocumentError(
            "Not a PDF",
            f"“{name}” begins like a PDF file but holds none. Get the file again from where it came from.",
        )
    if b"/Encrypt" in head + tail:
        return DocumentError(
            "Cannot be opened",
            f"“{name}” is encrypted in a way that cannot be read here, or it is damaged. "
            "Save a copy without encryption in another PDF program, then open the copy.",
        )
    return DocumentError(
        "Damaged file",
        f"“{name}” is damaged and could not be repaired. Get the file again from where it came from, "
        "or open it in another PDF program and save a copy.",
    )
