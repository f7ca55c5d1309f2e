"""Characters and hyphens, without any PDF."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.hyphens import Verdict, Vocabulary, resolve_hyphens, verdict
from core.documents.layout import BBox, Block, Fragment, FragmentTable, Line, Page
from core.documents.messages import PageRead
from core.documents.normalize import clean, is_cjk, needs_cleaning

BOX = BBox(0, 0, 1, 1)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("e\ufb03cient \ufb01le", "efficient file"),
        ("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", "fffiflffifflstst"),
        ("a\u00a0b\u2003c\u3000d\u202fe", "a b c d e"),
        ("a \u00a0\t b", "a b"),
        ("zero\u200bwidth\ufeff soft\u00adhyphen", "zerowidth softhyphen"),
        ("nul\x00 bell\x07", "nul bell"),
        ("Caf\u0065\u0301", "Caf\u00e9"),
        ("\u2f00\u2f06", "\u4e00\u4e8c"),
        ("\ufe8e\ufee0", "\u0627\u0644"),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 a\u200cb",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 ab",
        ),
        ("lone \ud800 half", "lone \ufffd half"),
    ],
)
def test_clean(raw: str, expected: str) -> None:
    assert clean(raw) == expected


@given(st.text())
def test_cleaned_text_is_stable_and_can_be_written(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert "  " not in once
    assert unicodedata.is_normalized("NFC", once)
    assert not re.search(r"[\x00-\x08\u00a0\u00ad\u200b\ufb00-\ufb06]", once)
    once.encode("utf-8")


@given(st.lists(st.text(min_size=1).filter(lambda word: not re.search(r"\s", word)), min_size=1))
def test_text_that_needs_no_cleaning_is_not_changed_by_it(words: list[str]) -> None:
    text = " ".join(words)
    if not needs_cleaning(text):
        assert clean(text) == text


def test_scripts_without_blanks_and_unknown_characters() -> None:
    assert [is_cjk(letter) for letter in "中あア。Ａa한é"] == [
        True,
        True,
        True,
        True,
        True,
        False,
        False,
        False,
    ]


VOCABULARY = Vocabulary(
    (
        "The trace-based method is a compile step. Trace and compilation are one; trace and compilation.",
        "A non-loop rule. The negligible price. Many readers compile the notebook. Self-help is help.",
    )
)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("com", "pile", Verdict.JOIN),
        ("note", "book", Verdict.JOIN),
        ("trace", "based", Verdict.KEEP),
        ("trace", "compilation", Verdict.KEEP),
        ("non", "negligible", Verdict.KEEP),
        ("un", "heard", Verdict.JOIN),
        ("Anglo", "Saxon", Verdict.KEEP),
        ("2019", "2020", Verdict.KEEP),
        ("pre", "and", Verdict.SUSPEND),
        ("AGREE", "MENT", Verdict.JOIN),
        ("trace", "to-trace", Verdict.KEEP),
        ("help-trace", "compilation", Verdict.KEEP),
        ("non-com", "pile", Verdict.JOIN),
        ("Пере", "носится", Verdict.JOIN),
        ("δια", "βάζω", Verdict.JOIN),
        ("price", "determining", Verdict.KEEP),
        ("tax", "exempt", Verdict.KEEP),
        ("rendez", "vous", Verdict.KEEP),
        ("c’est", "à-dire", Verdict.KEEP),
        ("for", "bearing", Verdict.JOIN),
        ("ten", "ant", Verdict.JOIN),
    ],
)
def test_the_documents_own_words_decide(left: str, right: str, expected: Verdict) -> None:
    assert verdict(left, right, VOCABULARY) is expected


def test_soft_hyphens_at_line_ends_always_go() -> None:
    text = "a com\u00ad pile end\u00ad"
    page = Page(
        0,
        "1",
        10,
        10,
        text,
        (Block((Line(0, 6, BOX), Line(7, len(text), BOX)), BOX),),
        FragmentTable.of(
            [Fragment(0, 1, BOX), Fragment(2, 6, BOX), Fragment(7, 11, BOX), Fragment(12, 16, BOX)]
        ),
    )
    [resolved] = resolve_hyphens([PageRead(page, (5, 15))])
    assert resolved.text == "a compile end"
    assert [(f.start, f.end) for f in resolved.fragments] == [(0, 1), (2, 5), (5, 9), (10, 13)]
    assert [(n.start, n.end) for n in resolved.blocks[0].lines] == [(0, 5), (5, 13)]
