"""What a reader must know about a file as a whole before its pages are read."""

from collections import Counter
from collections.abc import Iterator, Sequence

from core.documents.layout import DocumentWarning, WarningKind
from core.documents.mupdf import PdfFile

_NO_COPY = (
    "The author of this file does not permit copying its text. You may read and ask here; "
    "respect that wish when you pass text on."
)
_MAX_NAMES = 5
_MAX_SHOWN = 160


def file_warnings(pdf: PdfFile) -> tuple[DocumentWarning, ...]:
    """The warnings about an open file, none of which is about one page."""
    return tuple(DocumentWarning(kind, message) for kind, message in _facts(pdf))


def _facts(pdf: PdfFile) -> Iterator[tuple[WarningKind, str]]:
    if pdf.is_repaired:
        yield (
            WarningKind.REPAIRED,
            "The file is damaged and was repaired while it was opened; parts of it may be missing.",
        )
    if not pdf.may_copy:
        yield WarningKind.COPY_NOT_PERMITTED, _NO_COPY
    if pdf.facts.attachments:
        yield WarningKind.ATTACHMENTS, _attached(pdf.facts.attachments)
    if pdf.facts.has_actions:
        yield (
            WarningKind.ACTIVE_CONTENT,
            "The file holds scripts, or actions that start programs or send data. None of them is run here.",
        )
    text = " … ".join(pdf.hidden_texts)
    if text:
        shown = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
        yield (
            WarningKind.HIDDEN_TEXT,
            f"The file hides some of its text from readers. The model is not given it: “{shown}”",
        )


def _attached(names: Sequence[str]) -> str:
    counts = Counter(names)
    listed = [name if count == 1 else f"{name} ({count})" for name, count in counts.items()]
    more = ", …" if len(listed) > _MAX_NAMES else ""
    files = f"{', '.join(listed[:_MAX_NAMES])}{more}"
    return f"Files attached to this document were neither opened nor read: {files}"
