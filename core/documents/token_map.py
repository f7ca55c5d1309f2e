"""The document as the model reads it, and the way back from its tokens to pages."""

import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.documents.layout import Document, Page, WarningKind
from core.documents.model_text import model_page_text, without_markers
from core.documents.page_range import PageRange
from core.errors import DocumentError


@dataclass(frozen=True)
class PageSpan:
    """The characters `[start, end)` of the model's text that hold one page, its marker included."""

    document_index: int
    page_index: int
    start: int
    end: int


@dataclass(frozen=True)
class ModelText:
    """The text that goes to the model. `page_spans` are in order; together they cover all of it."""

    text: str
    page_spans: tuple[PageSpan, ...]


@dataclass(frozen=True)
class TokenMap:
    """Which tokens `[start, end)` of the model's text hold which page."""

    page_spans: tuple[PageSpan, ...]
    token_starts: tuple[int, ...]
    num_tokens: int

    def page_of_token(self, token_index: int) -> PageSpan:
        """The page that the token belongs to. Raises `IndexError` outside the document."""
        if not 0 <= token_index < self.num_tokens:
            raise IndexError(token_index)
        return self.page_spans[bisect.bisect_right(self.token_starts, token_index) - 1]

    def tokens_of(self, span_index: int) -> range:
        """The tokens of the page at `page_spans[span_index]`."""
        ends = (*self.token_starts[1:], self.num_tokens)
        return range(self.token_starts[span_index], ends[span_index])

    def num_fitting_pages(self, budget_tokens: int) -> int:
        """The largest n for which the first n pages of each document are no more tokens; 0 if not even 1."""
        costs: dict[int, int] = {}
        for index, span in enumerate(self.page_spans):
            costs[span.page_index] = costs.get(span.page_index, 0) + len(self.tokens_of(index))
        fitting = used = 0
        for page_index in sorted(costs):
            used += costs[page_index]
            if used > budget_tokens:
                break
            fitting = page_index + 1
        return fitting


def render_for_model(documents: Sequence[Document], pages: PageRange | None = None) -> ModelText:
    """The text of all wanted pages that have text, each behind a marker with its ordinal number.

    Several documents are told apart by a line with their name.
    """
    pieces: list[str] = []
    spans: list[PageSpan] = []
    length = 0
    for document_index, document in enumerate(documents):
        heading = document_heading(document) if len(documents) > 1 else ""
        for page in wanted_pages(document, pages):
            piece = f"{heading}[page {page.page_index + 1}]\n{model_page_text(page)}\n\n"
            heading = ""
            spans.append(PageSpan(document_index, page.page_index, length, length + len(piece)))
            pieces.append(piece)
            length += len(piece)
    return ModelText("".join(pieces), tuple(spans))


def document_heading(document: Document) -> str:
    """What tells a document from others in the model's text."""
    return f"[document: {without_markers(document.name)}]\n"


def wanted_pages(document: Document, pages: PageRange | None) -> list[Page]:
    """The pages of `document` inside the range that have text."""
    wanted = None if pages is None else pages.of_document(document.name)
    return [
        page for page in document.pages if page.has_text and (wanted is None or page.page_index in wanted)
    ]


def require_text(documents: Sequence[Document], pages: PageRange | None = None) -> None:
    """Raise `DocumentError` unless one of the wanted pages has text: a scan is never passed on as empty."""
    if any(wanted_pages(document, pages) for document in documents):
        return
    if len(documents) == 1 and pages is not None and not pages.of_document(documents[0].name).parts:
        raise DocumentError(
            "The document is left out",
            f"“{documents[0].name}” is left out of what is read. Choose pages of it that are to be read.",
        )
    if pages is not None and not any(pages.of_document(document.name).parts for document in documents):
        raise DocumentError(
            "All documents are left out",
            "Nothing is to be read. Choose documents or pages that are to be read.",
        )
    if any(document.has_text for document in documents):
        raise DocumentError("No such pages", "None of the pages chosen has text. Choose other pages.")
    kinds = {warning.kind for document in documents for warning in document.all_warnings}
    if WarningKind.XFA_FORM in kinds:
        raise DocumentError(
            "No text to read",
            "This is an XFA form: only Adobe Reader draws its contents. Print it to PDF there, open that.",
        )
    if WarningKind.SCAN in kinds:
        raise DocumentError(
            "No text to read",
            "The pages hold images only: this is a scan. It needs text recognition (OCR) before it can be "
            "asked.",
        )
    if WarningKind.HIDDEN_TEXT in kinds:
        raise DocumentError(
            "No text to read", "The pages have no text that a reader could see; all of it is hidden."
        )
    raise DocumentError("No text to read", "All pages are blank.")


def map_tokens(model_text: ModelText, encode: Callable[[str], list[int]]) -> tuple[list[int], TokenMap]:
    """Token ids of the model's text and the map from them to pages.

    Each page is encoded by itself, so that no token straddles two pages and a page costs the same tokens
    wherever it stands.
    """
    token_ids: list[int] = []
    starts: list[int] = []
    for span in model_text.page_spans:
        starts.append(len(token_ids))
        token_ids += encode(model_text.text[span.start : span.end])
    return token_ids, TokenMap(model_text.page_spans, tuple(starts), len(token_ids))
