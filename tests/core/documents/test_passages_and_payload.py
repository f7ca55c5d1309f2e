"""The closest passage of an unquoted answer, and pages as plain values."""

import json
from pathlib import Path

import pytest

from core.documents.layout import BBox, Document, DocumentWarning, Page, WarningKind
from core.documents.passages import closest_passage
from core.documents.payload import page_payload
from core.documents.quote_index import QuoteIndex
from core.documents.worker import DocumentWorker


def make_document(*texts: str) -> Document:
    pages = tuple(Page(i, str(i + 1), 600, 800, text, (), ()) for i, text in enumerate(texts))
    return Document("/a.pdf", "a.pdf", "0" * 64, pages)


FILLER = "The parties agree on many things. The agreement has many pages. The agent acts for the lenders."
INDEX = QuoteIndex(
    [
        make_document(
            FILLER,
            f"{FILLER} The term ends on 30 June 2031. The borrower repays the loan in twelve instalments.",
            f"{FILLER} This agreement is governed by the laws of Norway. Disputes go to Bergen.",
            f"{FILLER} The term ends on 30 June 2029 for the agent alone.",
            "借款人应当在三十日内支付全部利息。本合同适用挪威法律。",
        )
    ]
)


@pytest.mark.parametrize(
    ("question", "answer", "page_index", "part"),
    [
        ("Which law applies?", "Norwegian law: it is governed by the laws of Norway.", 2, "laws of Norway"),
        ("When does it end?", "It ends on 30 June 2031.", 1, "30 June 2031"),
        ("When does the agent's term end?", "On 30 June 2029.", 3, "30 June 2029"),
        ("How is it repaid?", "The borrower repays in twelve instalments.", 1, "twelve instalments"),
        ("适用什么法律？", "本合同适用挪威法律", 4, "挪威法律"),
    ],
)
def test_the_passage_that_shares_the_rare_words_is_shown(
    question: str, answer: str, page_index: int, part: str
) -> None:
    found = closest_passage(question, answer, INDEX)
    assert found is not None
    assert (found.page_index, found.page_label) == (page_index, str(page_index + 1))
    assert part in found.text
    assert len(found.text) < 200


@pytest.mark.parametrize(
    "answer", ["Purple elephants dance on Jupiter.", "", "The rate is 17.25 percent.", "…"]
)
def test_nothing_is_shown_that_does_not_support_the_answer(answer: str) -> None:
    assert closest_passage("What is the weather?", answer, INDEX) is None
    assert closest_passage("", answer, QuoteIndex([])) is None


def test_a_passage_of_a_real_page_has_its_boxes(worker: DocumentWorker, made: Path) -> None:
    index = QuoteIndex([worker.read(made / "contract.pdf")])
    found = closest_passage(
        "How does interest accrue?", "Interest accrues daily at the Applicable Rate.", index
    )
    assert found is not None
    assert found.text == "Interest accrues daily at the Applicable Rate."
    [rect] = found.rects
    assert rect.page_index == found.page_index == 2
    assert rect.bbox.y0 < 142 < rect.bbox.y1


def test_a_page_as_plain_values(worker: DocumentWorker, made: Path) -> None:
    page = worker.read(made / "hyphens.pdf").pages[0]
    payload = json.loads(json.dumps(page_payload(page)))
    assert list(payload) == [
        "event",
        "page_index",
        "page_label",
        "text",
        "width",
        "height",
        "blocks",
        "warnings",
    ]
    assert (payload["event"], payload["page_index"], payload["page_label"]) == ("page", 0, "1")
    words = [word for block in payload["blocks"] for line in block["lines"] for word in line["words"]]
    assert len(words) == len(page.fragments)
    assert [word[0] for word in words] == [page.text[f.start : f.end] for f in page.fragments]
    for block in payload["blocks"]:
        for line in block["lines"]:
            x0, y0, x1, y1 = line["bbox"]
            assert block["bbox"][0] <= x0 < x1 <= block["bbox"][2]
            assert all(
                x0 - 0.01 <= w[1] < w[3] <= x1 + 0.01 and y0 - 0.01 <= w[2] < w[4] <= y1 + 0.01
                for w in line["words"]
            )
            assert line["text"].replace(" ", "") == "".join(word[0] for word in line["words"])


def test_warnings_as_plain_values() -> None:
    warning = DocumentWarning(WarningKind.SCAN, "A picture.", 4)
    page = Page(4, "iv", 10, 20, "", (), (), (warning,))
    assert page_payload(page)["warnings"] == [{"kind": "scan", "message": "A picture.", "page_index": 4}]


def test_boxes_of_a_range_are_one_a_line() -> None:
    assert BBox(0, 1, 2, 3).union(BBox(-1, 2, 1, 9)) == BBox(-1, 1, 2, 9)
