"""What was deleted is gone from every file, not only from the lists."""

import random
from dataclasses import replace
from pathlib import Path

from core.documents.citations import Citation
from core.library.library import Library
from core.library.records import StoredAnswer
from core.review.finding import ReviewFinding

SECRET = "Zyxwvutsr-Qwertz-93475 Geheimvertrag 名古屋密约文书"
TRACES = ("zyxwvu", "qwertz", "93475", "geheimv", "heimvert", "名古屋", "密约")
WORDS = ("lease", "term", "rent", "notice", "clause", "party", "tenant", "合同", "期限", "payment")


def _traces(folder: Path) -> set[str]:
    """What of the secret stands in any file, in any case."""
    content = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).lower()
    return {trace for trace in TRACES if trace.encode() in content}


def _text(source: random.Random) -> str:
    return " ".join(source.choices(WORDS, k=120)) + f" {source.random()}"


def _fill(library: Library, num_turns: int) -> int:
    source = random.Random(num_turns)
    conversation_id = library.conversations.create("Lease", []).conversation_id
    for _ in range(num_turns):
        library.conversations.add_turn(
            conversation_id, _text(source), StoredAnswer(_text(source), "starter", "exact", "stop")
        )
    return conversation_id


def _add_secret(library: Library, conversation_id: int, answer: StoredAnswer) -> int:
    citation = Citation("a.pdf", 0, "1", SECRET, False, 0.0, (), 0, 4)
    secret = replace(answer, text=f"{SECRET} " * 30, citations=(citation,), warnings=(SECRET,))
    return library.conversations.add_turn(conversation_id, SECRET, secret).turn_id


def test_a_deleted_conversation_leaves_no_trace(
    library: Library, library_file: Path, answer: StoredAnswer
) -> None:
    _fill(library, 30)
    conversation_id = library.conversations.create(SECRET, []).conversation_id
    _add_secret(library, conversation_id, answer)
    kept = _fill(library, 30)
    assert _traces(library_file.parent) == set(TRACES), "the search for traces must be able to find them"
    library.conversations.delete(conversation_id)
    assert _traces(library_file.parent) == set()
    assert library.search("Qwertz") == library.search("名古屋") == ()
    assert library.conversations.get(kept).num_turns == 30
    assert len(library.search("tenant", limit=100)) == 60


def test_a_deleted_turn_leaves_no_trace(library: Library, library_file: Path, answer: StoredAnswer) -> None:
    conversation_id = _fill(library, 5)
    turn_id = _add_secret(library, conversation_id, answer)
    library.conversations.delete_turn(turn_id)
    assert _traces(library_file.parent) == set()
    assert len(library.conversations.turns(conversation_id)) == 5


def test_a_deleted_review_or_document_leaves_no_trace(library: Library, library_file: Path) -> None:
    document_id = library.documents.add("aa", "/lease.pdf", "lease.pdf", 3).document_id
    secret = ReviewFinding("nda", "term", SECRET, SECRET, SECRET * 50, SECRET, comment=SECRET)
    library.findings.save(document_id, secret, "starter", "exact")
    library.findings.delete(document_id, "nda")
    assert _traces(library_file.parent) == set()
    library.findings.save(document_id, secret, "starter", "exact")
    library.documents.delete(document_id)
    assert _traces(library_file.parent) == set()
    assert library.documents.all() == ()


def test_a_reader_in_another_process_delays_the_last_trace_until_closing(
    library_file: Path, answer: StoredAnswer
) -> None:
    with Library.open(library_file) as library, Library.open(library_file) as other:
        conversation_id = _fill(library, 3)
        turn_id = _add_secret(library, conversation_id, answer)
        library._database._connection.execute("PRAGMA busy_timeout = 50")
        other._database._connection.execute("BEGIN")
        assert len(other.search("Qwertz")) == 1
        library.conversations.delete_turn(turn_id)
        assert len(other.search("Qwertz")) == 1, "it still reads what was there when it began"
        other._database._connection.execute("ROLLBACK")
    assert _traces(library_file.parent) == set()
