"""A choice of what is read, in the window's words."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.state import Activity, AppState
from core.documents.layout import Document
from core.documents.page_range import PageRange
from core.documents.reading_choice import ReadingChoice, ReadingKind
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
    told = []
    for index, document in enumerate(documents):
        pages = ranges_of(reading.range_of(index), document.num_pages)
        words = QCoreApplication.translate("ReadingWords", "{pages} of {count}")
        told.append((document.name, words.format(pages=pages or "–", count=document.num_pages)))
    if len(told) == 1:
        pages = ranges_of(reading.range_of(0), documents[0].num_pages)
        words = QCoreApplication.translate("ReadingWords", "Of {count} pages, only these are read: {pages}.")
        return words.format(count=documents[0].num_pages, pages=pages or "–")
    listed = "; ".join(f"{name}: {pages}" for name, pages in told)
    words = QCoreApplication.translate("ReadingWords", "Only these pages are read: {pages}.")
    return words.format(pages=listed)


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
