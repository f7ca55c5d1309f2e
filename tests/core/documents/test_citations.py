"""Quotes of an answer against pages: found where they are, refused where the page says something else."""

import random
import string
import time
from pathlib import Path

import pytest

from core.documents.citations import Citation, cite, find_citations
from core.documents.folding import Folded, fold, numbers
from core.documents.layout import BBox, Block, Document, Fragment, FragmentTable, Line, Page
from core.documents.quote_index import QuoteIndex
from core.documents.quotes import find_quotes
from core.documents.worker import DocumentWorker

SEED = 20
LETTERS = string.ascii_lowercase
_WORD_LIST = """
    agent agreement amount applicable assets bank borrower business capital cash change claim
    closing commitment company condition consent control costs court credit date debt default
    delivery demand deposit document effect entity equity event excess exercise facility failure
    fees financial fund guarantee holder income indemnity interest issuer judgment law lender letter
    liability lien limit loan loss margin material member merger money note notice obligation office
    operation option order owner parent party payment penalty period person place pledge power
    premium price principal proceeds project property provision purchase rate reason record register
    relief remedy rent report request reserve right risk sale schedule section security share state
    subsidiary sum tax term title trade transfer trust value vote waiver warranty year
"""
_LINK_LIST = "the a of and to in by for on with any such each shall may that which is under from"
WORDS, LINKS = _WORD_LIST.split(), _LINK_LIST.split()


def make_page(text: str, index: int) -> Page:
    """A page whose lines are the lines of `text`; every word is 5 points a letter wide."""
    fragments, lines = [], []
    start = 0
    for number, line in enumerate(text.split("\n")):
        x = 0
        for word in line.split(" "):
            box = BBox(5.0 * x, 12.0 * number, 5.0 * (x + len(word)), 12.0 * number + 10)
            fragments.append(Fragment(start + x, start + x + len(word), box))
            x += len(word) + 1
        lines.append(Line(start, start + len(line), BBox(0, 12 * number, 5 * len(line), 12 * number + 10)))
        start += len(line) + 1
    blocks = tuple(Block((line,), line.bbox) for line in lines)
    return Page(
        index,
        str(index - 1) if index > 1 else "iii"[: index + 1],
        600,
        800,
        text,
        blocks,
        FragmentTable.of(fragments),
    )


def make_document(*texts: str, name: str = "a.pdf") -> Document:
    return Document("/" + name, name, "0" * 64, tuple(make_page(text, i) for i, text in enumerate(texts)))


PAGES_TEXT = """Head of the agreement 1
The Borrower shall not sell any assets without consent of the
Lender, unless the price exceeds $ 1,250,000.
Foot 1

Head of the agreement 2
Interest accrues at 4.5 % a year from 31 March 2024 until the Loan is paid and

Head of the agreement 3
all fees are settled in full by the Borrower. The lessor may inspect the premises.
Foot 3

Head of the agreement 4
甲方应当在三十日内支付全部价款，逾期不得解除合同。
Foot 4

Head of the agreement 5
The well-known rule of the trace-based method applies to “Permitted Liens” only.12
Foot 5"""
PAGES = tuple(PAGES_TEXT.split("\n\n"))
DOCUMENT = make_document(*PAGES)
INDEX = QuoteIndex([DOCUMENT])


def only(answer: str, index: QuoteIndex = INDEX) -> Citation:
    [citation] = find_citations(answer, index)
    return citation


@pytest.mark.parametrize(
    ("quote", "page_index"),
    [
        ("The Borrower shall not sell any assets without consent of the Lender", 0),
        ("the borrower shall NOT sell any assets", 0),
        ("[T]he Borrower shall not sell any assets without consent", 0),
        ("The Borrower shall not sell … unless the price exceeds $1,250,000.", 0),
        ("The Borower shall not sel any assets without consent", 0),
        ("unless the price exceeds $ 1250000", 0),
        ("accrues at 4.5 % a year from 31 March 2024", 1),
        ("until the Loan is paid and all fees are settled in full", 1),
        ("The well known rule of the trace-based method applies to 'Permitted Liens' only", 4),
        ("accrues at 4.5 % a year from 30 March 2024", None),
        ("The well-known rule of the trace-based method applies to “Permitted Loans” only", None),
        ("甲方应当在三十日内支付全部价款", 3),
        ("不得解除合同", 3),
        ("Permitted Liens", 4),
        ("Permitted Lien", None),
        ("The Borrower shall sell any assets without consent of the Lender", None),
        ("The Borrower shall not sell any assets with consent of the Lender", None),
        ("accrues at 4.6 % a year from 31 March 2024", None),
        ("accrues at 45 % a year from 31 March 2024", None),
        ("accrues at 4.5 % a year from 31 May 2024", None),
        ("unless the price exceeds $ 1,350,000", None),
        ("The lessee may inspect the premises", None),
        ("The lessor must inspect the premises", None),
        ("settled full in Borrower the by are fees all", None),
        ("逾期可以解除合同", None),
        ("甲方应当在四十日内支付全部价款", None),
        ("The seller warrants that the goods are free of any defect at delivery", None),
    ],
)
def test_a_quote_is_verified_only_if_the_page_says_it(quote: str, page_index: int | None) -> None:
    citation = only(f"It says “{quote}” somewhere.")
    assert citation.verified == (page_index is not None)
    assert bool(citation.rects) == citation.verified
    if page_index is not None:
        assert citation.page_index == page_index
        assert citation.page_label == DOCUMENT.pages[page_index].label


def test_the_highlight_covers_exactly_the_words() -> None:
    first, second = only('"without consent of the Lender, unless"').rects
    line = PAGES[0].split("\n")[1]
    assert first.bbox == BBox(5.0 * line.index("without"), 12, 5.0 * len(line), 22)
    assert second.bbox == BBox(0, 24, 5.0 * len("Lender, unless"), 34)


def test_a_quote_over_a_page_break_is_marked_on_both_pages_without_head_and_foot() -> None:
    citation = only("“until the Loan is paid and all fees are settled in full”")
    assert [rect.page_index for rect in citation.rects] == [1, 2]
    assert citation.rects[1].bbox.x0 == 0
    assert citation.rects[1].bbox.y0 == 12


def test_offsets_point_into_the_answer() -> None:
    answer = "First “Permitted Liens”, then 「不得解除合同」 and «settled in full by the Borrower»."
    citations = find_citations(answer, INDEX)
    assert [answer[c.start : c.end] for c in citations] == [c.quote for c in citations]
    assert [c.quote for c in citations] == [
        "Permitted Liens",
        "不得解除合同",
        "settled in full by the Borrower",
    ]
    assert all(c.verified for c in citations)


@pytest.mark.parametrize(
    ("answer", "quotes"),
    [
        ('He said "one two three" and "four five".', ["one two three", "four five"]),
        ("„Eins zwei drei“ und »vier fünf sechs«", ["Eins zwei drei", "vier fünf sechs"]),
        ("‘a lender’s consent’ isn’t", ["a lender’s consent"]),
        ("It's the lender's and the bank's.", []),
        ("“The term “Loan” means a loan”", ["The term “Loan” means a loan"]),
        ('"The term "Loan" means a loan"', ['The term "Loan" means a loan']),
        ("> first line\n> second line\n\nText", ["first line\nsecond line"]),
        ('> "quoted block of words"', ["quoted block of words"]),
        ('a 5" pipe of steel', []),
        ("「合同」和『价款』", ["合同", "价款"]),
        ('"" and "ab"', []),
    ],
)
def test_quotes_in_all_kinds_of_marks(answer: str, quotes: list[str]) -> None:
    assert [quote.text for quote in find_quotes(answer)] == quotes


@pytest.mark.parametrize(
    ("answer", "hints"),
    [
        ("“a lender may” [page 12]", ("12",)),
        ("“a lender may” (pp. 12-14)", ("12", "13", "14")),
        ("On page iv: “a lender may”", ("iv",)),
        ("“a lender may” [第12页]", ("12",)),
        ("“a lender may” (p. D-49)", ("D-49",)),
        ("“a lender may” and nothing", ()),
    ],
)
def test_pages_named_beside_a_quote(answer: str, hints: tuple[str, ...]) -> None:
    assert find_quotes(answer)[0].page_hints == hints


def test_of_two_equal_passages_the_named_page_is_cited() -> None:
    same = "The notice period is thirty days in all cases."
    document = make_document("x", "y", same, "z", same, same)
    index = QuoteIndex([document])
    quote = "“The notice period is thirty days”"
    assert only(quote, index).page_index == 2
    assert only(f"{quote} (page 6)", index).page_index == 5
    assert only(f"{quote} [page 3]", index).page_index == 4, "printed labels come before ordinal numbers"


def test_only_pages_that_were_read_and_several_documents() -> None:
    other = make_document("An entirely different text about the lease of a boat.", name="b.pdf")
    citation = only("“the lease of a boat”", QuoteIndex([DOCUMENT, other]))
    assert (citation.document, citation.verified) == ("b.pdf", True)
    [hidden] = cite("“Permitted Liens”", [DOCUMENT], {"a.pdf": [0, 1]})
    assert not hidden.verified
    assert cite("“Permitted Liens”", [], None) == ()


@pytest.mark.parametrize("text", [*PAGES, "Straße ﬁn — “a” […] 中 文 ½", "a - b", "", "ǅ İstanbul ﷺ x"])
def test_folded_text_finds_its_way_back(text: str) -> None:
    folded = Folded(text)
    assert len(folded.offsets) == len(folded.text)
    assert list(folded.offsets) == sorted(folded.offsets)
    for position, letter in enumerate(folded.text):
        start, end = folded.span(position, position + 1)
        assert letter in Folded(text[start:end] + "x").text or letter == " "


def test_numbers_and_folding() -> None:
    assert numbers("1,250,000 and 4.5 or 45") == ["1250000", "4", "5", "45"]
    assert fold("  The “Well-\u2011Known” — RULE ") == 'the "wellknown" rule'


def make_contract(num_pages: int) -> Document:
    """Long made-up contract pages of common words, so that pages resemble each other."""
    source = random.Random(SEED)

    def sentence() -> str:
        words = [source.choice(WORDS if i % 2 else LINKS) for i in range(source.randint(8, 24))]
        return " ".join(words).capitalize() + "."

    return make_document(*("\n".join(sentence() for _ in range(30)) for _ in range(num_pages)))


def _misspelt(text: str, source: random.Random) -> str:
    letters = [i for i, letter in enumerate(text) if letter.isalpha()]
    changed = set(source.sample(letters, max(1, round(0.05 * len(text)))))
    return "".join(source.choice(LETTERS) if i in changed else letter for i, letter in enumerate(text))


def test_rates_of_found_and_invented_quotes_and_their_cost() -> None:
    document = make_contract(120)
    index = QuoteIndex([document])
    source = random.Random(SEED)
    real, noisy, invented = 0, 0, 0
    num_passages = 150
    elapsed_s = 0.0
    for _ in range(num_passages):
        page = source.choice(document.pages)
        words = page.text.split()
        length = source.randint(8, 40)
        start = source.randrange(len(words) - length)
        passage = " ".join(words[start : start + length])
        shuffled = " ".join(source.sample(words[start : start + length], length))
        began = time.perf_counter()
        real += only(f"“{passage}”", index).verified
        found = only(f"“{_misspelt(passage, source)}”", index)
        noisy += found.verified and found.page_index == page.page_index
        invented += only(f"“{shuffled}”", index).verified
        elapsed_s += time.perf_counter() - began
    assert real == num_passages
    assert noisy >= 0.97 * num_passages
    assert invented == 0
    assert elapsed_s / (3 * num_passages) < 0.1, "far above the 20 ms that a quiet machine stays under"


def test_quotes_from_a_real_pdf(worker: DocumentWorker, made: Path) -> None:
    document = worker.read(made / "contract.pdf")
    answer = (
        "It may be sold “for a price of at least $ 250,000 that is paid in cash on or before 31 March "
        "2024, and the proceeds of that sale are used within ninety days” (page ii)."
    )
    [citation] = cite(answer, [document])
    assert citation.verified
    assert citation.page_label == "ii"
    assert [rect.page_index for rect in citation.rects] == [1, 1, 2]
