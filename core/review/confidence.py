"""How far an answer is carried by the words of the document: pure, from its text and citations alone."""

from collections.abc import Sequence
from dataclasses import replace

from core.documents.citations import Citation
from core.review.checklist import ChecklistItem, text_in
from core.review.finding import ReviewFinding


def confidence_of(citations: Sequence[Citation]) -> float | None:
    """The share of the quoted characters that were found in the document, 0 to 1; None without a quote.

    A verified quote counts with its similarity to the passage, an unverified one with nothing, each in
    proportion to its length: one sure quote of a line is not undone by a doubtful word.
    """
    quoted = sum(len(citation.quote) for citation in citations)
    if quoted == 0:
        return None
    found = sum(len(citation.quote) * citation.score for citation in citations if citation.verified)
    return min(1.0, max(0.0, found / quoted))


def supporting_citation(citations: Sequence[Citation]) -> Citation | None:
    """The citation to show beside the answer: the longest verified one, else the first; None without any."""
    verified = [citation for citation in citations if citation.verified]
    if verified:
        return max(verified, key=lambda citation: len(citation.quote))
    return next(iter(citations), None)


def finding_of(
    checklist: str, item: ChecklistItem, language: str, answer: str, citations: Sequence[Citation]
) -> ReviewFinding:
    """The finding that an answer to `item` makes, open for the reader to accept or reject.

    Of an unverified quote no page is named: the one that came closest proves nothing.
    """
    citation = supporting_citation(citations)
    finding = ReviewFinding(
        checklist=checklist,
        question_id=item.item_id,
        title=text_in(item.title, language),
        question=text_in(item.question, language),
        answer=answer,
        confidence=confidence_of(citations),
    )
    if citation is None:
        return finding
    if not citation.verified:
        return replace(finding, quote=citation.quote)
    return replace(
        finding,
        quote=citation.quote,
        page_index=citation.page_index,
        page_label=citation.page_label,
        verified=True,
    )
