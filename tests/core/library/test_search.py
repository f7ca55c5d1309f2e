"""Past chats are found by their words in every script, with and without full-text indexes."""

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.library import search_index
from core.library.library import Library
from core.library.records import StoredAnswer
from core.library.snippets import snippet_of

TURNS = (
    ("Who may terminate?", "The Lessee may terminate under clause 12.4(b) with 30 days’ notice."),
    ("终止条款是什么？", "承租人可以提前三十天书面通知终止合同。"),
    ("Wann endet die Miete?", "Die Kündigungsfrist beträgt drei Monate. 100 % of the rent is due."),
    ("What is the file_name?", "It is C:\\lease_final.docx."),
)


def _fill(library: Library, answer: StoredAnswer) -> None:
    conversation_id = library.conversations.create("Lease", []).conversation_id
    for question, text in TURNS:
        library.conversations.add_turn(conversation_id, question, replace(answer, text=text))


def _found(library: Library, query: str) -> list[int]:
    """The numbers of the turns that match, in the order of TURNS."""
    questions = [question for question, _ in TURNS]
    turns = {turn.turn_id: turn for turn in library.conversations.turns(1)}
    return sorted(questions.index(turns[hit.turn_id].question) for hit in library.search(query))


QUERIES = [
    ("terminate", [0]),
    ("TERMINATE lessee", [0]),
    ("12.4(b)", [0]),
    ("terminate monate", []),
    ("终止合同", [1]),
    ("终止", [1]),
    ("合", [1]),
    ("三十天 终止", [1]),
    ("100 %", [2]),
    ("the", [0, 2, 3]),
    ("file_name", [3]),
    ("C:\\lease", [3]),
    ("", []),
    ("  \n ", []),
    ("nonesuch", []),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_every_word_of_the_query_must_be_there(
    library: Library, answer: StoredAnswer, query: str, expected: list[int]
) -> None:
    _fill(library, answer)
    assert _found(library, query) == expected


@pytest.mark.parametrize(
    "query", ['"', "a OR b", "NEAR(a b)", "question:x", "*", "-", "'; DROP TABLE turns", "%"]
)
def test_no_character_of_a_query_is_an_operator(library: Library, answer: StoredAnswer, query: str) -> None:
    _fill(library, answer)
    assert _found(library, query) == ([2] if query == "%" else [])


def test_the_index_also_finds_beginnings_of_words_and_words_without_accents(
    library: Library, answer: StoredAnswer
) -> None:
    _fill(library, answer)
    assert _found(library, "kundig") == [2]
    assert _found(library, "frist") == [2], "the middle of a word, rather than nothing"


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_without_full_text_indexes_texts_are_compared(
    library_file: Path,
    answer: StoredAnswer,
    monkeypatch: pytest.MonkeyPatch,
    query: str,
    expected: list[int],
) -> None:
    monkeypatch.setattr(search_index, "can_index", lambda _connection, _tokenizer: False)
    with Library.open(library_file) as library:
        _fill(library, answer)
        assert _found(library, query) == expected


def test_an_index_that_missed_changes_is_built_anew(
    library_file: Path, answer: StoredAnswer, monkeypatch: pytest.MonkeyPatch
) -> None:
    Library.open(library_file).close()
    with monkeypatch.context() as patched:
        patched.setattr(search_index, "can_index", lambda _connection, _tokenizer: False)
        with Library.open(library_file) as library:
            _fill(library, answer)
    with Library.open(library_file) as library:
        assert _found(library, "kundig") == [2]
        assert _found(library, "终止合同") == [1]


@pytest.mark.parametrize("table", ["turns_words_data", "turns_trigrams_data"])
@pytest.mark.parametrize("seed", [None, 0, 1, 2, 3])
def test_a_damaged_index_stops_neither_search_nor_saving(
    library_file: Path, answer: StoredAnswer, table: str, seed: int | None
) -> None:
    with Library.open(library_file) as library:
        _fill(library, answer)
    source = random.Random(seed)
    with closing(sqlite3.connect(library_file, isolation_level=None)) as raw:
        for row_id, length in raw.execute(f"SELECT id, length(block) FROM {table}").fetchall():
            block = bytes(length) if seed is None else source.randbytes(length)
            raw.execute(f"UPDATE {table} SET block = ? WHERE id = ?", (block, row_id))
    with Library.open(library_file) as library:
        assert library.notes == ()
        assert _found(library, "terminate") == [0]
        assert _found(library, "终止合同") == [1]
        library.conversations.add_turn(1, "Who pays the renovation?", answer)
        assert len(library.search("renovation")) == 1
    with Library.open(library_file) as library:
        assert _found(library, "kundig") == [2]


def test_hits_come_newest_first_and_tell_where_they_are(library: Library, answer: StoredAnswer) -> None:
    rent = library.conversations.create("Rent", []).conversation_id
    term = library.conversations.create("Term", []).conversation_id
    library.conversations.add_turn(rent, "Is the rent fixed?", answer)
    newest = library.conversations.add_turn(term, "Does the rent follow the index?", answer)
    library.conversations.add_turn(rent, "Who insures?", answer)
    first, second = library.search("rent")
    assert (first.title, first.turn_id, first.conversation_id) == ("Term", newest.turn_id, term)
    assert first.asked_at == newest.asked_at
    assert second.title == "Rent"
    assert [first.snippet[start:end] for start, end in first.matches] == ["rent"]
    assert library.search("rent", limit=1) == (first,)


def test_a_snippet_shows_the_words_in_the_middle_of_a_long_text() -> None:
    text = "Filler words. " * 40 + "The Kündigungsfrist is\n  three months. " + "More filler. " * 40
    snippet, matches = snippet_of(("A question?", text), ["kundigungsfrist", "Three"])
    assert [snippet[start:end] for start, end in matches] == ["Kündigungsfrist", "three"]
    assert snippet.startswith("…words. Filler")
    assert snippet.endswith("…")
    assert "\n" not in snippet
    assert 100 < len(snippet) < 170


def test_matches_in_a_snippet_are_those_of_the_naive_search() -> None:
    """The ranges are checked against every position of a text whose characters fold to several."""
    text = "ﬃ Straße STRASSE ½ ẞ 合同 ﬁnal 合同书"
    for term, expected in (
        ("strasse", ["Straße", "STRASSE"]),
        ("合同", ["合同", "合同"]),
        ("final", ["ﬁnal"]),
    ):
        snippet, matches = snippet_of((text,), [term])
        assert snippet == text
        assert [snippet[start:end] for start, end in matches] == expected


def test_overlapping_matches_are_one_range() -> None:
    snippet, matches = snippet_of(("termination",), ["term", "terminat", "\u0301"])
    assert [snippet[start:end] for start, end in matches] == ["terminat"]
