"""The one door to PyMuPDF. Imported inside the worker process only; nothing here is thread-safe.

Coordinates that leave this file are points as displayed: CropBox, rotation and UserUnit are applied.
"""

import os
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

# The package says that it is typed, but its functions carry no annotations.
import pymupdf as _pymupdf  # type: ignore[import-untyped,unused-ignore]

from core.documents.layout import OutlineEntry
from core.documents.messages import RenderedImage
from core.documents.normalize import Run, needs_characters, num_unknown, script_runs
from core.documents.pdf_outline import read_outline
from core.documents.raw_page import Box, RawLine, RawPage, turned
from core.errors import DocumentError, LecternError, PasswordRequiredError, WrongPasswordError

pymupdf: Any = _pymupdf


def silence() -> None:
    """Keep MuPDF's own messages off the program's streams."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)


def release_memory() -> None:
    """Drop what MuPDF keeps for the pages that have been read."""
    pymupdf.TOOLS.store_shrink(100)


class PdfFile:
    """An open PDF. Opening raises `DocumentError` or one of its password subclasses, nothing else.

    `expects_characters` remembers whether the last page read was of a script without blanks.
    """

    def __init__(self, path: str, password: str | None) -> None:
        self.expects_characters = False
        self._name = Path(path).name
        _check_file(path, self._name)
        try:
            self._pdf = pymupdf.open(path, filetype="pdf")
        except Exception as error:
            raise _damaged(self._name, path) from error
        self._unlock(password)
        try:
            self.num_pages = int(self._pdf.page_count)
        except Exception as error:
            raise _damaged(self._name, path) from error
        if self.num_pages <= 0:
            raise DocumentError(
                "No pages",
                f"“{self._name}” is a PDF without a single page. It is probably damaged; "
                "try to get the file again from where it came from.",
            )

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
        return bool(self._pdf.is_repaired)

    @property
    def may_copy(self) -> bool:
        return bool(self._pdf.permissions & pymupdf.PDF_PERM_COPY)

    def label_rules(self) -> list[tuple[int, str]]:
        """Where each rule for page labels starts, and its dictionary as PDF source; [] if broken."""
        try:
            return [(int(start), str(source)) for start, source in self._pdf._get_page_labels()]
        except Exception:  # noqa: BLE001 - a broken label table can raise anything; the labels are optional
            return []

    def outline(self) -> tuple[OutlineEntry, ...]:
        """The table of contents; a broken or endless one ends where it stops making sense."""
        return read_outline(self._pdf, self.num_pages)

    def page(self, page_index: int) -> "PdfPage":
        """Raises whatever PyMuPDF raises on a damaged page."""
        return PdfPage(self._pdf.load_page(page_index))


class PdfPage:
    """One loaded page. Methods raise whatever PyMuPDF raises on a damaged page."""

    def __init__(self, page: Any) -> None:
        self._page = page
        rect = page.rect
        self.width = float(rect.width)
        self.height = float(rect.height)

    def read(self, expects_characters: bool = False) -> RawPage:
        """The text of the page: words, or single characters where the script needs them.

        `expects_characters` saves the first look at pages that are likely to need them.
        """
        text_page = self._page.get_textpage(flags=pymupdf.TEXT_MEDIABOX_CLIP)
        lines = [] if expects_characters else _word_lines(text_page.extractWORDS())
        text = " ".join([" ".join(line.texts) for line in lines])
        has_characters = expects_characters or needs_characters(text)
        if has_characters:
            lines = list(_character_lines(text_page.extractRAWDICT()["blocks"]))
            text = " ".join([" ".join(line.texts) for line in lines])
        if self._page.rotation:
            matrix = tuple(self._page.rotation_matrix)
            lines = [turned(line, matrix) for line in lines]
        num_characters = len(text) - text.count(" ")
        is_cjk_page = has_characters and needs_characters(text)
        return RawPage(self.width, self.height, lines, num_characters, num_unknown(text), is_cjk_page)

    def image_share(self) -> float | None:
        """The share of the page's area that images cover, 0 to 1; None if damage keeps them from showing."""
        pymupdf.TOOLS.reset_mupdf_warnings()
        shown = self._page.get_bboxlog()
        if not shown and pymupdf.TOOLS.mupdf_warnings() and self._page.get_images():
            return None
        area = 0.0
        for kind, (x0, y0, x1, y1), *_ in shown:
            if kind in ("fill-image", "fill-imgmask"):
                width = min(x1, self.width) - max(x0, 0.0)
                height = min(y1, self.height) - max(y0, 0.0)
                area += max(0.0, width) * max(0.0, height)
        return min(1.0, area / max(1.0, self.width * self.height))

    def render(self, zoom: float, clip: Box | None, max_pixels: int) -> RenderedImage:
        """The page, or the part of it in `clip` (points), as RGB; never more than `max_pixels`."""
        area = pymupdf.Rect(clip) & self._page.rect if clip else self._page.rect
        if area.is_empty:
            raise ValueError("nothing of the page lies in the clip")
        zoom = min(zoom, (max_pixels / (area.width * area.height)) ** 0.5)
        zoom = min(zoom, max_pixels / max(area.width, area.height))
        pixmap = self._page.get_pixmap(
            matrix=pymupdf.Matrix(zoom, zoom), clip=area if clip else None, alpha=False
        )
        return RenderedImage(pixmap.width, pixmap.height, pixmap.stride, bytes(pixmap.samples))


def _check_file(path: str, name: str) -> None:
    if not Path(path).exists():
        raise DocumentError(
            "File not found", f"“{path}” does not exist. Check the name, or whether it was moved."
        )
    if not Path(path).is_file():
        raise DocumentError("Not a file", f"“{path}” is a folder. Choose a PDF file inside it.")
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


def _damaged(name: str, path: str) -> LecternError:
    with Path(path).open("rb") as file:
        head = file.read(4096)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4096))
        tail = file.read()
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


def _word_lines(words: list[Any]) -> list[RawLine]:
    return [
        RawLine(block, texts, x0, y0, x1, y1)
        for (block, _), group in groupby(words, key=itemgetter(5, 6))
        for x0, y0, x1, y1, texts, _, _, _ in [tuple(zip(*group, strict=True))]
    ]


def _character_lines(blocks: list[dict[str, Any]]) -> Iterator[RawLine]:
    for number, block in enumerate(blocks):
        for line in block.get("lines", ()):
            built = _character_line(number, line)
            if built is not None:
                yield built


def _character_line(block: int, line: dict[str, Any]) -> RawLine | None:
    """Words of scripts with blanks, single characters of those without."""
    characters = [character for span in line["spans"] for character in span["chars"]]
    boxes: list[Box] = [character["bbox"] for character in characters]
    texts: list[str] = []
    places: list[Box] = []
    blanks: list[bool] = []
    is_blank = True
    for kind, start, end, run in script_runs("".join([character["c"] for character in characters])):
        if kind is Run.CHARACTERS:
            texts += run
            places += boxes[start:end]
            blanks += [is_blank] + [False] * (end - start - 1)
        elif kind is Run.WORD:
            texts.append(run)
            places.append(_union(boxes[start:end]))
            blanks.append(is_blank)
        is_blank = kind is Run.BLANK
    if not texts:
        return None
    x0, y0, x1, y1 = zip(*places, strict=True)
    return RawLine(block, tuple(texts), x0, y0, x1, y1, tuple(blanks), line["wmode"] == 1)


def _union(boxes: list[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
