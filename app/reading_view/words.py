"""A choice of what is read, in the window's words."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.state import Activity, AppState
from core.documents.layout import Document
from core.documents.page_range import PageRange
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.documents.sizes import DocumentSizes


def ranges_of(pages: PageRange, num_pages: int) -> str:
    """The pages of a document that are in the range, by ordinal number: `1-40, 52`."""
    runs: list[list[int]] = []
    for number in (index + 1 for index in range(num_pages) if index in pages):
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)


def standing_sentence(state: AppState) -> str:
    """What the user must know about what is read; empty where it is everything."""
    reading, sizes = state.reading, state.sizes
    if not state.documents:
        return ""
    trouble = _trouble(state, sizes) if sizes is not None else ""
    if reading.kind is ReadingKind.PAGES:
        return " ".join(filter(None, (_pages_sentence(reading, state.documents), trouble)))
    if reading.kind is ReadingKind.SECTIONS:
        return trouble or QCoreApplication.translate(
            "ReadingWords",
            "The sections that match best are searched and read for each question. Each question stands by "
            "itself; a request for a summary reads all sections.",
        )
    if reading.kind is ReadingKind.STRETCHED:
        words = QCoreApplication.translate(
            "ReadingWords", "The model's context is stretched {count} times; answers may lose precision."
        )
        return " ".join(filter(None, (words.format(count=reading.stretch), trouble)))
    return trouble


def is_missing_room(state: AppState) -> bool:
    """Whether what is chosen cannot be read, as far as is known."""
    if state.sizes is None or state.is_read:
        return False
    if not state.sizes.fits_model(state.reading):
        return True
    return state.activity is Activity.IDLE and not state.sizes.fits_memory(state.reading)


def need_words(sizes: DocumentSizes, choice: ReadingChoice) -> str:
    """The numbers of a choice: what it needs and what there is."""
    words = QCoreApplication.translate("ReadingWords", "{needed} of {limit} tokens")
    said = words.format(needed=f"{sizes.needed_tokens(choice):,}", limit=f"{sizes.limit_of(choice):,}")
    if not sizes.has_text(choice):
        return QCoreApplication.translate("ReadingWords", "None of these pages has text.")
    if not sizes.fits_model(choice):
        return QCoreApplication.translate("ReadingWords", "Does not fit: {numbers}.").format(numbers=said)
    if not sizes.fits_memory(choice):
        words = QCoreApplication.translate(
            "ReadingWords", "Fits the model ({numbers}), but not the memory: {size} would be kept."
        )
        return words.format(numbers=said, size=sizes.memory_words(choice))
    return QCoreApplication.translate("ReadingWords", "Fits: {numbers}.").format(numbers=said)


def _pages_sentence(reading: ReadingChoice, documents: Sequence[Document]) -> str:
    """Which pages are read, and which documents not at all; empty where nothing is left out."""
    pages = [ranges_of(reading.range_of(index), one.num_pages) for index, one in enumerate(documents)]
    if len(documents) == 1:
        return _only_document_sentence(documents[0], pages[0])
    left_out = [one.name for one, read in zip(documents, pages, strict=True) if not read]
    told = [(one, read) for one, read in zip(documents, pages, strict=True) if read]
    sentences = []
    if any(read != ranges_of(EVERYTHING.range_of(0), one.num_pages) for one, read in told):
        of = QCoreApplication.translate("ReadingWords", "{pages} of {count}")
        listed = "; ".join(f"{one.name}: {of.format(pages=read, count=one.num_pages)}" for one, read in told)
        words = QCoreApplication.translate("ReadingWords", "Only these pages are read: {pages}.")
        sentences.append(words.format(pages=listed))
    if left_out:
        words = QCoreApplication.translate("ReadingWords", "Left out and not read: {names}.")
        sentences.append(words.format(names=", ".join(left_out)))
    return " ".join(sentences)


def _only_document_sentence(document: Document, pages: str) -> str:
    if pages == ranges_of(EVERYTHING.range_of(0), document.num_pages):
        return ""
    words = QCoreApplication.translate("ReadingWords", "Of {count} pages, only these are read: {pages}.")
    return words.format(count=document.num_pages, pages=pages or "–")


def _trouble(state: AppState, sizes: DocumentSizes) -> str:
    if not is_missing_room(state):
        return ""
    if sizes.fits_model(state.reading):
        words = QCoreApplication.translate(
            "ReadingWords", "{size} of memory are needed and not there: nothing was read."
        )
        return words.format(size=sizes.memory_words(state.reading))
    if not sizes.has_text(state.reading):
        return QCoreApplication.translate("ReadingWords", "None of these pages has text: nothing was read.")
    words = QCoreApplication.translate(
        "ReadingWords", "{needed} tokens are needed and {model} reads {limit} at most: nothing was read."
    )
    return words.format(
        needed=f"{sizes.needed_tokens(state.reading):,}",
        model=sizes.model,
        limit=f"{sizes.limit_of(state.reading):,}",
    )
