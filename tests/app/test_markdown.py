"""The Markdown of answers: what is understood, and that nothing in it can act."""

import time

import pytest
from PySide6.QtGui import QTextDocument, QTextImageFormat
from PySide6.QtWidgets import QApplication

from app.chat_view.answer_text import AnswerText, write_markdown
from app.chat_view.markdown import BlockKind, Span, parse_markdown, parse_spans


def kinds(text: str) -> list[BlockKind]:
    return [block.kind for block in parse_markdown(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo\n\nthree", [BlockKind.PARAGRAPH, BlockKind.PARAGRAPH]),
        ("# Title\ntext", [BlockKind.HEADING, BlockKind.PARAGRAPH]),
        ("text\n- a\n* b\n3. c", [BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.ITEM, BlockKind.ITEM]),
        ("> said\n\n---", [BlockKind.QUOTE, BlockKind.RULE]),
        ("```\n- no item\n# no title\n```\nafter", [BlockKind.CODE, BlockKind.PARAGRAPH]),
        ("```\nstill coming", [BlockKind.CODE]),
        ("| a | b |\n| - | - |\n| 1 | 2 |", [BlockKind.CODE]),
        ("", []),
        ("1998 was a year", [BlockKind.PARAGRAPH]),
        ("-5 degrees", [BlockKind.PARAGRAPH]),
    ],
)
def test_blocks(text: str, expected: list[BlockKind]) -> None:
    assert kinds(text) == expected


def test_items_keep_their_level_and_marker() -> None:
    blocks = parse_markdown("- a\n  - b\n10. c")
    assert [(block.level, block.marker) for block in blocks] == [(0, "•"), (1, "•"), (0, "10.")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b** c", (Span("a "), Span("b", is_bold=True), Span(" c"))),
        ("*a* _b_", (Span("a", is_italic=True), Span(" "), Span("b", is_italic=True))),
        ("`**x**`", (Span("**x**", is_code=True),)),
        ("**a `b`**", (Span("a ", is_bold=True), Span("b", is_bold=True, is_code=True))),
        ("2 * 3 * 4", (Span("2 * 3 * 4"),)),
        ("snake_case_name", (Span("snake_case_name"),)),
        ("half **open", (Span("half **open"),)),
        ("[page 3]", (Span("[page 3]"),)),
    ],
)
def test_spans(text: str, expected: tuple[Span, ...]) -> None:
    assert parse_spans(text) == expected


def test_a_stream_ends_up_as_if_written_at_once(themed: QApplication) -> None:
    text = "# Title\n\nSome **bold** words\nand more.\n\n- one\n- two `x`\n\n```\ncode\n```\n\n> said\n\nEnd."
    streamed, at_once = AnswerText(), AnswerText()
    for end in range(0, len(text) + 1, 3):
        streamed.show_markdown(text[:end])
        themed.processEvents()
    streamed.show_markdown(text)
    at_once.show_markdown(text)
    assert streamed.toPlainText() == at_once.toPlainText()
    assert streamed.document().toHtml() == at_once.document().toHtml()
    streamed.show_markdown("")
    assert streamed.toPlainText() == ""


def test_a_long_block_costs_no_time() -> None:
    text = "**a_ `b " * 5000
    started = time.monotonic()
    assert parse_spans(text) == (Span(text),)
    assert time.monotonic() - started < 0.1


HOSTILE = (
    "![picture](https://example.org/a.png) [click](file:///etc/passwd) <https://example.org> "
    '<img src="https://example.org/b.png"> <script>alert(1)</script> <a href="x">y</a> https://example.org'
)


@pytest.mark.usefixtures("themed")
def test_links_images_and_html_stay_characters() -> None:
    document = QTextDocument()
    write_markdown(document, parse_markdown(HOSTILE))
    assert document.toPlainText() == HOSTILE
    block = document.begin()
    for fragment in block:
        assert not fragment.fragment().charFormat().isAnchor()
        assert not isinstance(fragment.fragment().charFormat(), QTextImageFormat)
        assert not fragment.fragment().charFormat().isImageFormat()


@pytest.mark.usefixtures("themed")
def test_nothing_is_ever_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[object] = []
    monkeypatch.setattr(AnswerText, "loadResource", lambda self, kind, name: loaded.append(name))
    widget = AnswerText()
    widget.show_markdown(HOSTILE)
    widget.grab()
    assert loaded == []


@pytest.mark.usefixtures("themed")
def test_the_text_is_as_tall_as_it_needs_to_be() -> None:
    widget = AnswerText()
    widget.resize(300, 10)
    widget.show()
    widget.show_markdown("word " * 10)
    short = widget.height()
    widget.show_markdown("word " * 200)
    assert widget.height() > 3 * short
    wide = AnswerText()
    wide.resize(900, 10)
    wide.show()
    wide.show_markdown("word " * 200)
    assert wide.height() < widget.height()
