"""Text recognition on pages whose text is missing or damaged. Runs inside the worker process."""

import hashlib
import importlib
import re
from collections.abc import Callable
from pathlib import Path

from core.documents.layout import DocumentWarning, Page, WarningKind
from core.documents.messages import PageRead, ReadRequest, Recognition
from core.documents.mupdf import PdfFile, engine_version
from core.documents.normalize import is_cjk
from core.documents.page_text import build_page
from core.documents.pdf_page import PdfPage
from core.documents.raw_page import RawLine, RawPage
from core.documents.recognised_texts import RecognisedTexts
from core.documents.text_quality import text_quality
from core.documents.unreadable import unrecognised_page

_DPI = 200
_COARSE_DPI = 110
_TURNS = (90, 270, 180)
_FEW_TO_TURN = 20
_SOUND_SHARE = 0.6
_MIN_GAIN = 1.5
_WORD = re.compile(r"[^\W\d_]{4,}")
_MAX_PIXELS = 32_000_000
_REPLACED = frozenset({WarningKind.SCAN, WarningKind.GARBLED_TEXT})
_FEW_CHARACTERS = 200
_MIN_SCAN_SHARE = 0.7

Recogniser = Callable[[PdfPage, Recognition], list[RawLine]]


def recognise_page(page: PdfPage, recognition: Recognition) -> list[RawLine]:
    """The lines that Tesseract sees, in points as displayed. Raises whatever PyMuPDF raises.

    Where they make no words the page is tried on its sides and on its head, in a coarse picture first.
    """

    def seen(dpi: int, turn: int) -> list[RawLine]:
        return page.recognised_words(recognition.language, recognition.data_folder, dpi, _MAX_PIXELS, turn)

    return upright_lines(seen)


def upright_lines(seen: Callable[[int, int], list[RawLine]]) -> list[RawLine]:
    """The lines of the page as it must be turned to be read; `seen` is given a resolution and that turn."""
    lines = seen(_DPI, 0)
    num_characters = sum(len(text) for line in lines for text in line.texts)
    if num_characters < _FEW_TO_TURN or _num_in_words(lines) >= _SOUND_SHARE * num_characters:
        return lines
    found = {turn: _num_in_words(seen(_COARSE_DPI, turn)) for turn in _TURNS}
    best = max(found, key=lambda turn: found[turn])
    if found[best] <= _MIN_GAIN * _num_in_words(lines):
        return lines
    return seen(_DPI, best)


def _num_in_words(lines: list[RawLine]) -> int:
    """The letters that stand in words of some length and sound case, which text read sideways has few of.

    Characters of scripts without blanks count as words.
    """
    texts = [text for line in lines for text in line.texts]
    words = [word for text in texts for word in _WORD.findall(text) if not is_cjk(word[0])]
    num_sound = sum(len(word) for word in words if word[1:].islower() or word.upper() == word)
    return num_sound + sum(is_cjk(letter) for text in texts for letter in text)


class PageRecogniser:
    """Recognises pages of one open file and keeps what it finds, except of files that need a password."""

    def __init__(self, request: ReadRequest, recognition: Recognition, sha256: str) -> None:
        self._recognition = recognition
        module, _, name = request.recogniser.partition(":")
        self._recognise: Recogniser = getattr(importlib.import_module(module), name)
        self._kept: RecognisedTexts | None = None
        if recognition.kept_in is not None and request.password is None:
            engine = _engine(request.recogniser, recognition)
            self._kept = RecognisedTexts(Path(recognition.kept_in), sha256, engine)

    def is_needed(self, pdf: PdfFile, page: Page) -> bool:
        """Whether the page is wanted and has no text, a damaged one, or hardly any beside a large picture."""
        pages = self._recognition.pages
        if pages is not None and page.page_index not in pages:
            return False
        kinds = {warning.kind for warning in page.warnings}
        if kinds & _REPLACED:
            return True
        if kinds & {WarningKind.UNREADABLE_PAGE, WarningKind.OCR_LAYER} or not page.has_text:
            return False
        return len(page.text) < _FEW_CHARACTERS and _is_picture(pdf, page.page_index)

    def recognised(self, pdf: PdfFile, read: PageRead) -> PageRead:
        """The page with the text that is seen on it. One that cannot be recognised keeps what it has."""
        try:
            lines = self._lines(pdf, read.page.page_index)
            return _page_of(pdf, read, [line for line in lines if _has_letters(line)])
        except Exception:  # noqa: BLE001 - damaged pages and language data can raise anything
            return unrecognised_page(read)

    def _lines(self, pdf: PdfFile, page_index: int) -> list[RawLine]:
        lines = self._kept.get(page_index) if self._kept is not None else None
        if lines is None:
            lines = self._recognise(pdf.page(page_index), self._recognition)
            if self._kept is not None:
                self._kept.put(page_index, lines)
        return lines


def _page_of(pdf: PdfFile, read: PageRead, lines: list[RawLine]) -> PageRead:
    page = read.page
    text = " ".join(" ".join(line.texts) for line in lines)
    if page.has_text and (len(text) < len(page.text) / 2 or text_quality(text).is_garbled):
        return read
    kept = [warning for warning in page.warnings if warning.kind not in _REPLACED]
    raw = RawPage(
        page.width,
        page.height,
        lines,
        hidden=list(page.hidden),
        fields=pdf.page(page.page_index).with_fields(lines)[1] if pdf.has_fields else [],
        comments=page.comments,
    )
    return build_page(
        raw, page.page_index, page.label, (_warning(page.page_index, has_text=bool(lines)), *kept)
    )


def _warning(page_index: int, *, has_text: bool) -> DocumentWarning:
    if not has_text:
        message = "Text recognition (OCR) found no text in the picture on this page."
        return DocumentWarning(WarningKind.BLANK, message, page_index)
    return DocumentWarning(
        WarningKind.OCR_LAYER,
        "The text of this page was found by text recognition (OCR) in a picture; it can have errors.",
        page_index,
    )


def _is_picture(pdf: PdfFile, page_index: int) -> bool:
    try:
        share = pdf.page(page_index).image_share()
    except Exception:  # noqa: BLE001 - a damaged page can raise anything
        return False
    return share is not None and share >= _MIN_SCAN_SHARE


def _has_letters(line: RawLine) -> bool:
    return any(letter.isalnum() for text in line.texts for letter in text)


def _engine(recogniser: str, recognition: Recognition) -> str:
    """What the result for a page depends on, beside the page; short enough for a file's name."""
    parts = [recogniser, engine_version(), str(_DPI), recognition.language]
    for language in recognition.language.split("+"):
        path = Path(recognition.data_folder) / f"{language}.traineddata"
        parts.append(str(path.stat().st_size if path.exists() else 0))
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
