"""The confidence of a row is a function of its citations and of nothing else."""

import pytest

from core.documents.citations import Citation
from core.review.checklist import ChecklistItem
from core.review.confidence import confidence_of, finding_of, supporting_citation


def _citation(quote: str, score: float, *, verified: bool = True, page_index: int = 2) -> Citation:
    return Citation("lease.pdf", page_index, "iii", quote, verified, score, (), 0, len(quote))


@pytest.mark.parametrize(
    ("citations", "expected"),
    [
        ((), None),
        ((_citation("ten words", 1.0),), 1.0),
        ((_citation("ten words", 0.9),), 0.9),
        ((_citation("ten words", 0.99, verified=False),), 0.0),
        ((_citation("x" * 30, 1.0), _citation("y" * 10, 0.7, verified=False)), 0.75),
        ((_citation("x" * 30, 0.9), _citation("y" * 10, 1.0)), (27 + 10) / 40),
        ((_citation("", 0.0, verified=False),), None),
    ],
)
def test_confidence_is_the_verified_share_of_what_is_quoted(
    citations: tuple[Citation, ...], expected: float | None
) -> None:
    assert confidence_of(citations) == (None if expected is None else pytest.approx(expected))


def test_the_longest_verified_quote_is_shown_else_the_first() -> None:
    short, long = _citation("short", 1.0), _citation("a longer quote", 0.9)
    doubtful = _citation("the longest of all the quotes", 0.8, verified=False)
    assert supporting_citation((doubtful, short, long)) is long
    assert supporting_citation((doubtful,)) is doubtful
    assert supporting_citation(()) is None


def test_a_finding_names_the_page_of_a_verified_quote_only() -> None:
    item = ChecklistItem("term", {"en": "Term", "zh_CN": "期限"}, {"en": "How long?", "zh_CN": "多久？"})
    proved = finding_of("nda", item, "zh_CN", "五年", (_citation("five years", 0.95, page_index=0),))
    assert (proved.title, proved.question, proved.checklist) == ("期限", "多久？", "nda")
    assert (proved.quote, proved.page_index, proved.page_label) == ("five years", 0, "iii")
    assert proved.verified
    assert proved.confidence == pytest.approx(0.95)
    doubtful = finding_of("nda", item, "en", "Five", (_citation("five years", 0.5, verified=False),))
    assert (doubtful.quote, doubtful.page_index, doubtful.verified) == ("five years", None, False)
    bare = finding_of("nda", item, "en", "Five", ())
    assert (bare.quote, bare.confidence) == ("", None)
