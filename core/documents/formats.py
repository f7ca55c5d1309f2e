"""The kinds of files that can be read, told by their content first and their name second."""

import codecs
import re
import zipfile
from enum import Enum
from pathlib import Path
from zipfile import ZipFile

from core.documents.file_names import shown_name
from core.errors import DocumentError

SUPPORTED = "PDF, DOCX, EPUB, HTML, Markdown and plain text"
SUFFIXES = (".pdf", ".docx", ".epub", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt")

_HEAD_BYTES = 4096
_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_LEAST_IDEOGRAPHS, _PAIRED_SHARE = 4, 0.9
_KANA = "[\u3041-\u30ff]"
_HALF_KANA = "[\uff61-\uff9f]"
_CYRILLIC_WORD = r"(?<![^\s(\"«])[А-ЯЁ]?[а-яё]{2,}(?![^\s.,;:!?)\"»-])"
_LEAST_WORDS, _LEAST_SHARE = 3, 0.3
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


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
    by_name = _BY_SUFFIX.get(Path(path).suffix.lower())
    if by_name is FileKind.PDF or head.lstrip().startswith(b"%PDF") or (by_name is None and b"%PDF" in head):
        return FileKind.PDF
    if head.startswith(b"PK\x03\x04"):
        packed = _packed_kind(path)
        if packed is not None:
            return packed
    elif by_name in (FileKind.DOCX, FileKind.EPUB):
        raise _damaged(path)
    elif by_name is not None and _is_text(head):
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


def _is_text(head: bytes) -> bool:
    return head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\x00" not in head


def _damaged(path: str) -> DocumentError:
    return DocumentError(
        "Damaged file",
        f"“{shown_name(path)}” is damaged and could not be repaired. Get the file again from where it came "
        "from, or open it in another program and save a copy.",
    )


def decoded(data: bytes) -> str:
    """Text of unknown encoding: by its mark, as UTF-8, Japanese, Chinese, Cyrillic, Greek or Western."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    japanese = _attempt(data, "cp932")
    num_kana = len(re.findall(_KANA, japanese))
    if 2 * num_kana > _LEAST_SHARE * len(japanese) and num_kana > 2 * len(re.findall(_HALF_KANA, japanese)):
        return japanese
    chinese = _attempt(data, "gb18030")
    num_ideographs = sum("\u4e00" <= letter <= "\u9fff" for letter in chinese)
    num_latin = sum(letter.isascii() and letter.isalpha() for letter in chinese)
    cyrillic = _attempt(data, "cp1251")
    num_words = len(re.findall(_CYRILLIC_WORD, cyrillic))
    if num_words >= _LEAST_WORDS and num_words > _LEAST_SHARE * len(cyrillic.split()):
        is_greek = data.count(b"\xe1") + data.count(b"\xef") > data.count(b"\xe0") + data.count(b"\xee")
        return data.decode("cp1253", "replace") if is_greek else cyrillic
    if num_ideographs > num_latin or (num_ideographs >= _LEAST_IDEOGRAPHS and _is_in_pairs(data)):
        return chinese
    return data.decode("cp1252", "replace")


def _attempt(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _is_in_pairs(data: bytes) -> bool:
    """Whether bytes beyond ASCII come two by two, as in Chinese among English; accents stand alone."""
    runs = _HIGH_BYTES.findall(data)
    num_even = sum(len(run) % 2 == 0 for run in runs)
    return num_even >= _PAIRED_SHARE * len(runs)
