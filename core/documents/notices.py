"""What a reader must know about documents, one line for each kind of trouble."""

from collections.abc import Sequence

from core.documents.layout import Document, WarningKind
from core.documents.page_range import PageRange

_WORDS = {
    WarningKind.SCAN: "a picture without text, which was not read",
    WarningKind.BLANK: "blank",
    WarningKind.GARBLED_TEXT: "garbled: parts of the text are unreadable",
    WarningKind.UNREADABLE_PAGE: "unreadable, which was left out",
    WarningKind.HIDDEN_TEXT: "text that readers cannot see, which the model was not given",
    WarningKind.OCR_LAYER: "text found by recognition in a picture, which can have errors",
    WarningKind.COMMENTS: "comments, which the model was not given",
    WarningKind.XFA_FORM: "an XFA form, which was not read",
}


def describe_warnings(documents: Sequence[Document], pages: PageRange | None = None) -> list[str]:
    """Sentences that name the file and the pages, `pages` only; blank pages are no news and left out.

    Nothing is said of a document that has none of these pages.
    """
    lines = []
    for document in documents:
        by_kind: dict[WarningKind, list[int]] = {}
        wanted = None if pages is None else pages.of_document(document.name)
        for warning in document.all_warnings:
            if warning.page_index is None and is_left_out(document, pages):
                continue
            if warning.page_index is None:
                lines.append(f"{document.name}: {warning.message}")
            elif wanted is None or warning.page_index in wanted:
                by_kind.setdefault(warning.kind, []).append(warning.page_index)
        for kind, indices in by_kind.items():
            if kind is not WarningKind.BLANK:
                lines.append(f"{document.name}: {name_pages(indices)}: {_WORDS.get(kind, kind.value)}.")
    return lines


def is_left_out(document: Document, pages: PageRange | None) -> bool:
    """Whether `pages` have none of the document's pages."""
    wanted = None if pages is None else pages.of_document(document.name)
    return wanted is not None and not any(page.page_index in wanted for page in document.pages)


def name_selection(documents: Sequence[Document], pages: PageRange) -> str:
    """`pages 3-4, 17 of 289`, with the names where there are several documents."""
    told = []
    for document in documents:
        wanted = pages.of_document(document.name)
        read = [page.page_index for page in document.pages if page.page_index in wanted]
        if read:
            name = f"{document.name}, " if len(documents) > 1 else ""
            told.append(f"{name}{name_pages(read)} of {document.num_pages}")
    return "; ".join(told)


def selection_note(documents: Sequence[Document], pages: PageRange) -> str | None:
    """What is said of an answer from some pages, with the names of documents that were left out.

    None if no document and no page with text was left out.
    """
    names = ", ".join(document.name for document in documents if is_left_out(document, pages))
    read = [one for one in documents if not is_left_out(one, pages)]
    with_text = [(one, page.page_index) for one in read for page in one.pages if page.has_text]
    is_whole = all(page_index in pages.of_document(one.name) for one, page_index in with_text)
    if not names:
        told = f"Only these pages were read: {name_selection(documents, pages)}. Other pages may say more."
        return None if is_whole else told
    if is_whole:
        return f"Left out and not read: {names}. What was not read may say more."
    return (
        f"Only these pages were read: {name_selection(documents, pages)}. Left out and not read: {names}. "
        "What was not read may say more."
    )


def name_pages(page_indices: Sequence[int]) -> str:
    """`page 7`, or `pages 2-5, 34, 41-42`, by ordinal number."""
    runs: list[list[int]] = []
    for index in sorted(set(page_indices)):
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    words = [f"{run[0] + 1}-{run[-1] + 1}" if len(run) > 1 else str(run[0] + 1) for run in runs]
    return f"{'page' if words[0].isdigit() and len(words) == 1 else 'pages'} {', '.join(words)}"
