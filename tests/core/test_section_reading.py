"""Documents longer than the model's window: sections are chosen, read and named; nothing is cut silently."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.bench.sections import estimated_tokens, measure_document
from core.cancel import CancelToken
from core.cli import main
from core.console import describe_progress
from core.documents.citations import find_citations
from core.documents.layout import BBox, Block, Document, Line, OutlineEntry, Page
from core.documents.notices import describe_warnings
from core.documents.page_range import PageSelection, parse_page_range
from core.documents.passages import closest_passage
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.documents.search_terms import search_terms
from core.documents.section_search import (
    SectionIndex,
    choose_sections,
    is_about_everything,
    pack_pages,
)
from core.documents.sections import Section, find_sections
from core.documents.token_map import render_for_model
from core.engine import Engine, open_model
from core.errors import CancelledError, DocumentsTooLargeError, DoesNotFitError
from core.events import Event, Finished, Progress, Stage
from core.session import MIN_ANSWER_TOKENS
from core.settings import EngineSettings, SamplingSettings
from core.too_long import Excess, too_long

SHORT = SamplingSettings(max_new_tokens=8)


def make_page(page_index: int, *blocks: str, height: float = 10.0) -> Page:
    """A page with a block for each text; those in capitals are printed larger."""
    text, made, start = "\n".join(blocks), [], 0
    for number, block in enumerate(blocks):
        size = 1.5 * height if block.isupper() else height
        box = BBox(0, 30.0 * number, 500, 30.0 * number + size)
        made.append(Block((Line(start, start + len(block), box),), box))
        start += len(block) + 1
    return Page(page_index, str(page_index + 1), 600, 800, text, tuple(made), ())


def make_document(*pages: Page, name: str = "lease.pdf", outline: tuple[OutlineEntry, ...] = ()) -> Document:
    return Document(f"/documents/{name}", name, "0" * 64, pages, outline)


FILLER = "The parties agree that the usual terms of the trade apply to this paragraph number {}."


def filler_page(index: int, *extra: str, sentences: int = 4) -> Page:
    return make_page(index, *extra, " ".join(FILLER.format(10 * index + i) for i in range(sentences)))


def all_text(document: Document, sections: tuple[Section, ...]) -> str:
    pages = {page.page_index: page.text for page in document.pages}
    return "".join(pages[p.page_index][p.start : p.end] for section in sections for p in section.parts)


def characters(page: Page) -> int:
    return len(page.text)


def test_sections_follow_headings_and_keep_every_character() -> None:
    document = make_document(
        filler_page(0, "RENT AND DEPOSIT"),
        filler_page(1),
        make_page(2, "The rent is due on the first.", "2.1 Repairs", "The landlord repairs the roof."),
        filler_page(3, "ARTICLE IV", "The tenant may terminate at any time."),
    )
    sections = find_sections([document], characters, 10_000)
    assert [section.title for section in sections] == ["RENT AND DEPOSIT", "2.1 Repairs", "ARTICLE IV"]
    assert [section.page_indices for section in sections] == [(0, 1, 2), (2,), (3,)]
    assert all_text(document, sections) == "".join(page.text for page in document.pages)


def test_an_outline_comes_before_headings_and_a_coarse_one_does_not() -> None:
    pages = [filler_page(index, f"A HEADING OF ITS OWN {index}") for index in range(30)]
    outline = tuple(OutlineEntry(1, f"Chapter {n}", page) for n, page in enumerate((0, 7, 20)))
    fine = find_sections([make_document(*pages, outline=outline)], characters, 100_000)
    assert [section.title for section in fine] == ["Chapter 0", "Chapter 1", "Chapter 2"]
    coarse = find_sections([make_document(*pages, outline=outline[:1])], characters, 100_000)
    assert len(coarse) == 30


def test_pages_bound_what_has_no_headings_or_is_too_long() -> None:
    plain = make_document(*[filler_page(index) for index in range(5)])
    assert [s.page_indices for s in find_sections([plain], characters, 10_000)] == [(i,) for i in range(5)]
    headed = make_document(filler_page(0, "THE ONLY HEADING"), *[filler_page(i) for i in range(1, 7)])
    size = len(headed.pages[1].text)
    cut = find_sections([headed], characters, 2 * size + 30)
    assert [section.page_indices for section in cut] == [(0, 1), (2, 3), (4, 5), (6,)]
    assert {section.title for section in cut} == {"THE ONLY HEADING"}


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the monthly rent of the tenants?", ["month", "rent", "tenant"]),
        ("Which obligations does clause 14 impose?", ["oblig", "claus", "14", "impos"]),
        ("Wie hoch ist die Miete?", ["hoch", "miet"]),
        (
            "什么时候支付租金?",
            ["时候", "候支", "支付", "付租", "租金", "时候支", "候支付", "支付租", "付租金"],
        ),
        ("What is it about?", []),
    ],
)
def test_questions_are_searched_by_their_telling_words(question: str, terms: list[str]) -> None:
    assert [term.text for term in search_terms(question)] == terms


def found_pages(document: Document, question: str, budget: int) -> list[int]:
    sections = find_sections([document], characters, budget)
    with SectionIndex([document], sections) as index:
        hits = index.search(search_terms(question))
    choice = choose_sections(hits, sections, [document], characters, budget)
    assert choice.num_tokens <= budget
    return [page.page_index for page in document.pages if page.page_index in choice.pages]


def test_the_best_pages_are_read_within_the_budget() -> None:
    pages = [filler_page(index) for index in range(40)]
    pages[23] = filler_page(23, "The tenant shall pay a deposit of 900 dollars to the landlord.")
    pages[31] = filler_page(31, "租客应当在每月五日之前支付租金。")
    document = make_document(*pages)
    budget = 3 * len(pages[23].text)
    assert 23 in found_pages(document, "How much did tenants deposit?", budget)
    assert 31 in found_pages(document, "什么时候支付租金?", budget)
    assert found_pages(document, "Is it?", budget)[0] == 0, "what matches nothing reads the beginning"


def test_of_several_documents_each_has_pages_of_its_own() -> None:
    first = make_document(*[filler_page(i) for i in range(5)], name="a.pdf")
    second = make_document(
        *[filler_page(i) for i in range(4)], filler_page(4, "A goat is kept."), name="b.pdf"
    )
    sections = find_sections([first, second], characters, 1000)
    with SectionIndex([first, second], sections) as index:
        hits = index.search(search_terms("Who owns the goat?"))
    choice = choose_sections(hits, sections, [first, second], characters, 500)
    text = render_for_model([first, second], choice.pages)
    assert [(span.document_index, span.page_index) for span in text.page_spans] == [(1, 4)]
    assert describe_warnings([first, second], choice.pages) == []


def test_packing_reads_every_page_once() -> None:
    document = make_document(*[filler_page(index) for index in range(9)])
    sections = find_sections([document], characters, 800)
    groups = pack_pages(sections, [document], characters, 800)
    assert groups is not None
    assert len(groups) > 2
    read = [i for group in groups for i in range(9) if i in group.of_document("lease.pdf")]
    assert read == list(range(9))
    assert pack_pages(sections, [document], characters, 100) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Summarise the contract.", True),
        ("Please summarize it in five points", True),
        ("Give me a short summary of this lease.", True),
        ("Fasse den Vertrag zusammen.", True),
        ("请总结这份合同", True),
        ("What does the summary of fees on page 3 say?", False),
        ("What is the rent?", False),
    ],
)
def test_requests_for_a_summary_are_recognised(question: str, expected: bool) -> None:
    assert is_about_everything(question) is expected


def test_a_miniature_of_the_bench() -> None:
    """Facts planted in thirty pages that resemble each other; a budget of a seventh."""
    document = make_document(*[filler_page(index, sentences=8) for index in range(30)])
    budget = sum(estimated_tokens(page) for page in document.pages) // 7
    row = measure_document(document, budget, CancelToken())
    assert row["found"] >= 0.9 * row["of"]
    assert row["pages_read"] <= 5


def test_the_choices_for_a_document_that_is_too_long_have_numbers() -> None:
    excess = Excess(289, 186_000, 186_064, 65_536, 65_536, "A model", 98, stretch=3)
    message = too_long(excess).message
    assert "186,064 tokens or more" in message
    assert "yarn:3" in message
    assert "196,608" in message
    assert "--pages 1-98" in message
    assert "--sections" in message
    lowered = Excess(289, 30_000, 30_064, 8192, 65_536, "A model", 70, stretch=None)
    assert "--max-seq-len 30064" in too_long(lowered).message
    assert "--model" not in too_long(lowered).message
    assert "Leave a document out" not in message
    assert "--pages none for that one" in too_long(replace(excess, num_documents=2)).message
    chosen = too_long(replace(excess, are_chosen=True)).message
    assert "Choose fewer pages" in chosen
    assert "--pages 1-98" not in chosen


LONG = make_document(
    *[
        filler_page(index, "The goat is fed by Mr Quill." if index == 9 else "Nothing happens here.")
        for index in range(14)
    ]
)


@pytest.fixture(scope="module")
def engine(tiny_folder: Path) -> Iterator[Engine]:
    settings = EngineSettings(
        model=str(tiny_folder), kv_dtype="float32", prefill_chunk=512, max_seq_len=2000, sampling=SHORT
    )
    with open_model(settings) as engine:
        yield engine


def finished_of(events: list[Event]) -> Finished:
    finished = events[-1]
    assert isinstance(finished, Finished)
    return finished


def test_a_long_document_is_refused_whole_and_answered_from_sections(engine: Engine) -> None:
    with pytest.raises(DoesNotFitError, match="--sections") as refusal:
        engine.open_document([LONG])
    assert "Read fewer pages: --pages 1-" in refusal.value.message
    finished = finished_of(
        list(engine.read_sections([LONG], 1000).ask("Who feeds the goat?", SHORT, CancelToken()))
    )
    read = [page.page_index for page in finished.pages_read]
    assert 9 in read
    assert len(read) + len(finished.pages_unread) == 14
    assert any("10" in note and "of 14" in note for note in finished.notes)
    assert finished.notes[-1] in finished.warnings


def test_what_is_chosen_can_be_opened_for_a_conversation(engine: Engine) -> None:
    choice = engine.read_sections([LONG], 1000).choose("Who feeds the goat?", SHORT, CancelToken())
    session = engine.open_document([LONG], choice.pages)
    assert session.token_map.num_tokens == choice.num_tokens <= 1000
    session.close()


def test_a_summary_reads_everything_in_parts(engine: Engine) -> None:
    events = list(engine.read_sections([LONG]).ask("Summarise the lease.", SHORT, CancelToken()))
    progress = [event for event in events if isinstance(event, Progress) and event.unit == "parts"]
    assert progress[-1].done == progress[-1].total > 1
    assert all(event.stage is Stage.READING_TOKENS for event in progress)
    finished = finished_of(events)
    assert [page.page_index for page in finished.pages_read] == list(range(14))
    assert f"in {progress[0].total} parts" in finished.notes[-1]


def test_a_summary_moves_within_a_part(engine: Engine) -> None:
    events = list(engine.read_sections([LONG]).ask("Summarise the lease.", SHORT, CancelToken()))
    progress = [event for event in events if isinstance(event, Progress) and event.unit == "parts"]
    assert [one.share for one in progress] == sorted(one.share for one in progress)
    assert (progress[0].share, progress[-1].share) == (0.0, 1.0)
    first = [one.part for one in progress if one.done == 0 and one.part is not None]
    read = [part for part in first if not part.is_writing]
    written = [part for part in first if part.is_writing]
    assert len(read) > 1, "a part is longer than a chunk"
    assert read[-1].done == read[-1].total
    assert [part.done for part in written] == list(range(1, len(written) + 1))
    assert written[-1].done <= written[-1].total == SHORT.max_new_tokens
    assert all(one.eta_s is None for one in progress if one.done == 0)
    assert all(one.eta_s is not None for one in progress if one.done > 0)
    words = [describe_progress(one) for one in progress]
    total = progress[0].total
    assert any(f"0 of {total} parts, part 1: 512 of {read[0].total:,} tokens read" in one for one in words)
    assert f"0 of {total} parts, part 1: notes, 1 of up to 8 tokens written" in " ".join(words)


def test_a_summary_of_what_fits_is_an_answer_like_any_other(engine: Engine) -> None:
    short = make_document(*LONG.pages[:3])
    finished = finished_of(
        list(engine.read_sections([short]).ask("Summarise the lease.", SHORT, CancelToken()))
    )
    assert not any("parts" in note for note in finished.notes)
    assert finished.pages_unread == ()


def test_stopping_between_parts_leaves_nothing_behind(engine: Engine) -> None:
    cancel = CancelToken()
    events = engine.read_sections([LONG]).ask("Summarise the lease.", SHORT, cancel)
    next(events)
    cancel.cancel()
    with pytest.raises(CancelledError):
        list(events)
    engine.parts.store.check_integrity()
    assert engine.parts.store.cold_bytes == 0


def test_no_page_fits_is_said_with_numbers(engine: Engine) -> None:
    with pytest.raises(DoesNotFitError, match="No page fits"):
        list(engine.read_sections([LONG], 150).ask("Who feeds the goat?", SHORT, CancelToken()))


def test_selections_and_ranges_mean_what_they_say() -> None:
    selection = PageSelection.of({"a.pdf": [4, 2], "b.pdf": []})
    assert [i for i in range(8) if i in selection.of_document("a.pdf")] == [2, 4]
    assert not any(i in selection.of_document("b.pdf") for i in range(8))
    assert not any(i in selection.of_document("c.pdf") for i in range(8))
    pages = parse_page_range("2-3")
    assert pages.of_document("any.pdf") == pages


def test_the_command_line_takes_sections_or_pages(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["ask", "any.pdf", "--question", "Who feeds the goat?", "--sections", "--pages", "1"]
    assert main(command) == 2
    assert "leave --pages out" in capsys.readouterr().err


def test_documents_are_measured_as_they_are_read(engine: Engine) -> None:
    sizes = engine.measure([LONG])
    assert not sizes.fits_model(EVERYTHING)
    assert sizes.num_sections > 1
    choice = ReadingChoice(ReadingKind.PAGES, ("2-3",))
    session = engine.open_document([LONG], choice.selection([LONG]))
    assert session.num_prefix_tokens + MIN_ANSWER_TOKENS == sizes.needed_tokens(choice)
    session.close()
    most = sizes.fitting_range()
    assert most is not None
    engine.open_document([LONG], most.selection([LONG])).close()
    with pytest.raises(DocumentsTooLargeError):
        engine.open_document([LONG])


def test_several_documents_are_measured_with_their_names(engine: Engine) -> None:
    pair = [make_document(*LONG.pages[:2]), make_document(LONG.pages[3], name="nda.pdf")]
    session = engine.open_document(pair)
    sizes = engine.measure(pair)
    assert abs(session.num_prefix_tokens + MIN_ANSWER_TOKENS - sizes.needed_tokens(EVERYTHING)) <= len(pair)
    again = engine.measure(pair, replace(sizes, limit=1, page_tokens=((1, 2), (3,))))
    assert again.page_tokens == ((1, 2), (3,)), "what was counted is not counted again"
    assert again.limit == sizes.limit
    session.close()


def test_an_answer_from_some_pages_says_so(engine: Engine) -> None:
    session = engine.open_document([LONG], parse_page_range("9-10"))
    conversation = engine.converse(session)
    finished = finished_of(list(conversation.ask("Who feeds the goat?", SHORT, CancelToken())))
    conversation.close()
    session.close()
    assert "Only these pages were read: pages 9-10 of 14. Other pages may say more." in finished.notes
    assert [page.page_index for page in finished.pages_read] == [8, 9]


def test_a_document_that_is_left_out_is_never_cited(engine: Engine) -> None:
    """The same words stand in both: a quote of them leads to the one that was read."""
    other = make_document(*LONG.pages[8:11], name="nda.pdf")
    choice = ReadingChoice(ReadingKind.PAGES, ("none", ""))
    session = engine.open_document([LONG, other], choice.selection([LONG, other]))
    quote = "The goat is fed by Mr Quill."
    places = find_citations(f'It says: "{quote}" [page 2].', session.quote_index)
    assert [(found.document, found.page_index, found.verified) for found in places] == [("nda.pdf", 9, True)]
    passage = closest_passage("Who feeds the goat?", quote, session.quote_index)
    assert passage is not None
    assert passage.document == "nda.pdf"
    conversation = engine.converse(session)
    finished = finished_of(list(conversation.ask("Who feeds the goat?", SHORT, CancelToken())))
    conversation.close()
    session.close()
    assert {page.document for page in finished.pages_read} == {"nda.pdf"}
    assert "Left out and not read: lease.pdf. What was not read may say more." in finished.notes


def test_two_documents_that_are_too_long_together_say_what_would_fit(engine: Engine) -> None:
    other = make_document(*LONG.pages, name="nda.pdf")
    with pytest.raises(DocumentsTooLargeError, match="Leave a document out") as refusal:
        engine.open_document([LONG, other])
    fitting = int(refusal.value.message.split("--pages 1-")[1].split()[0])
    engine.open_document([LONG, other], parse_page_range(f"1-{fitting}")).close()
    with pytest.raises(DocumentsTooLargeError):
        engine.open_document([LONG, other], parse_page_range(f"1-{fitting + 1}"))


def test_sections_are_chosen_before_they_are_read(engine: Engine) -> None:
    events = list(engine.read_sections([LONG], 1000).ask("Who feeds the goat?", SHORT, CancelToken()))
    stages = [event.stage for event in events if isinstance(event, Progress)]
    assert stages[0] is Stage.CHOOSING_SECTIONS
    assert Stage.READING_TOKENS in stages
