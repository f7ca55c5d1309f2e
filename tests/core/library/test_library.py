"""What the library keeps comes back as it was, also in another process of the same file."""

import multiprocessing
import sqlite3
import sys
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path

import pytest

from core.documents.citations import Citation
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.events import EvidencePage, Finished, FinishReason, Metrics
from core.library.errors import LibraryError, LibraryTooNewError, NotInLibraryError
from core.library.json_values import (
    citations_from_json,
    evidence_from_json,
    evidence_to_json,
    metrics_from_json,
)
from core.library.library import Library
from core.library.records import StoredAnswer
from core.library.schema import MIGRATIONS
from core.review.finding import FindingStatus, ReviewFinding
from tests.core.library.conftest import START

SOME_PAGES = ReadingChoice(ReadingKind.PAGES, ("1-40", ""))
FINDING = ReviewFinding(
    checklist="nda",
    question_id="term",
    title="Term",
    question="How long?",
    answer="Two years",
    quote="two (2) years",
    page_index=4,
    page_label="iv",
    verified=True,
    confidence=0.9,
)


def test_a_document_is_known_by_its_content_and_moves_with_its_file(library: Library) -> None:
    first = library.documents.add("aa", "/old/lease.pdf", "lease.pdf", 12)
    other = library.documents.add("bb", "/nda.pdf", "nda.pdf", 3)
    again = library.documents.add("aa", "/new/lease (1).pdf", "lease (1).pdf", 12)
    assert again.document_id == first.document_id
    assert library.documents.find("aa") == again
    assert (again.path, again.name) == ("/new/lease (1).pdf", "lease (1).pdf")
    assert again.opened_at > other.opened_at
    assert library.documents.all() == (again, other)
    assert library.documents.find("cc") is None


def test_conversations_come_back_newest_first_with_their_documents(library: Library) -> None:
    lease = library.documents.add("aa", "/lease.pdf", "lease.pdf", 12).document_id
    nda = library.documents.add("bb", "/nda.pdf", "nda.pdf", 3).document_id
    old = library.conversations.create("Term", [nda, lease, nda])
    new = library.conversations.create("Rent", [lease])
    assert old.document_ids == (nda, lease)
    assert [item.title for item in library.conversations.all()] == ["Rent", "Term"]
    library.conversations.add_turn(old.conversation_id, "How long is the term?")
    assert [item.title for item in library.conversations.all()] == ["Term", "Rent"]
    assert [item.title for item in library.conversations.all(document_id=nda)] == ["Term"]
    library.conversations.rename(new.conversation_id, "Rent 租金")
    assert library.conversations.get(new.conversation_id).title == "Rent 租金"
    assert library.conversations.get(old.conversation_id).num_turns == 1


def test_a_turn_keeps_every_part_of_its_answer(library: Library, answer: StoredAnswer) -> None:
    conversation_id = library.conversations.create("Term", []).conversation_id
    asked = library.conversations.add_turn(conversation_id, "How long is the term?")
    assert asked.answer is None
    answered = library.conversations.answer_turn(asked.turn_id, answer)
    assert answered.answer == answer
    assert library.conversations.turns(conversation_id) == (answered,)
    assert answered.asked_at >= START
    assert answered.answered_at is not None
    assert answered.answered_at - answered.asked_at >= timedelta(seconds=1)


def test_a_library_of_the_first_version_keeps_its_answers(library_file: Path, answer: StoredAnswer) -> None:
    with Library.open(library_file) as library:
        conversation_id = library.conversations.create("Term", []).conversation_id
        library.conversations.add_turn(conversation_id, "How long?", answer)
    raw = sqlite3.connect(library_file, isolation_level=None)
    for column in ("notes", "token_ids", "evidence"):
        raw.execute(f"ALTER TABLE turns DROP COLUMN {column}")
    raw.execute("ALTER TABLE conversations DROP COLUMN reading")
    raw.execute("PRAGMA user_version = 1")
    raw.close()
    with Library.open(library_file) as library:
        (turn,) = library.conversations.turns(conversation_id)
    assert turn.answer == replace(answer, notes=(), token_ids=(), evidence=())


def test_a_library_of_the_second_version_reads_everything(library_file: Path) -> None:
    with Library.open(library_file) as library:
        conversation_id = library.conversations.create("Term", []).conversation_id
    raw = sqlite3.connect(library_file, isolation_level=None)
    raw.execute("ALTER TABLE turns DROP COLUMN evidence")
    raw.execute("ALTER TABLE conversations DROP COLUMN reading")
    raw.execute("PRAGMA user_version = 2")
    raw.close()
    with Library.open(library_file) as library:
        assert library.conversations.get(conversation_id).reading == EVERYTHING
        kept = library.conversations.create("Rent", [], SOME_PAGES)
    with Library.open(library_file) as library:
        assert library.conversations.get(kept.conversation_id).reading == SOME_PAGES


def test_a_library_of_the_third_version_keeps_evidence_from_now_on(
    library_file: Path, answer: StoredAnswer
) -> None:
    with Library.open(library_file) as library:
        conversation_id = library.conversations.create("Term", [], SOME_PAGES).conversation_id
        asked = library.conversations.add_turn(conversation_id, "How long?", answer)
    raw = sqlite3.connect(library_file, isolation_level=None)
    raw.execute("ALTER TABLE turns DROP COLUMN evidence")
    raw.execute("PRAGMA user_version = 3")
    raw.close()
    with Library.open(library_file) as library:
        (turn,) = library.conversations.turns(conversation_id)
        assert turn.answer == replace(answer, evidence=())
        assert library.conversations.get(conversation_id).reading == SOME_PAGES
        library.conversations.answer_turn(asked.turn_id, answer)
    with Library.open(library_file) as library:
        assert library.conversations.turns(conversation_id)[0].answer == answer


def test_pages_looked_at_that_make_no_sense_are_left_out() -> None:
    page = EvidencePage("lease.pdf", 3, 0.75, "iv", "five (5) years", 13, 27)
    kept = evidence_to_json([page, replace(page, mass=7.0), replace(page, page_index=-1)])
    assert evidence_from_json(kept) == (page,)
    for text in ("no json", "{}", "null", '[3, {"document": "a"}, {"page_index": "x"}]'):
        assert evidence_from_json(text) == ()


def test_an_answer_made_anew_replaces_the_old_one(library: Library, answer: StoredAnswer) -> None:
    conversation_id = library.conversations.create("Term", []).conversation_id
    turn = library.conversations.add_turn(conversation_id, "How long?", answer)
    newer = StoredAnswer("Six years.", "starter", "sparse", "length")
    library.conversations.answer_turn(turn.turn_id, newer)
    (found,) = library.conversations.turns(conversation_id)
    assert found.answer == newer
    assert library.search("five") == ()
    assert len(library.search("six")) == 1


def test_an_answer_is_made_of_what_the_engine_says_last(answer: StoredAnswer) -> None:
    assert answer.metrics is not None
    finished = Finished(
        answer=answer.text,
        reason=FinishReason.STOP,
        mode="exact",
        warnings=answer.warnings,
        citations=answer.citations,
        closest_passage=answer.closest_passage,
        pages_read=(),
        pages_unread=(),
        metrics=answer.metrics,
        notes=answer.notes,
        token_ids=answer.token_ids,
        evidence=answer.evidence,
    )
    assert StoredAnswer.of(finished, "starter") == answer


def test_a_finding_is_replaced_by_the_next_review_and_its_comment_stays(library: Library) -> None:
    lease = library.documents.add("aa", "/lease.pdf", "lease.pdf", 12).document_id
    first = library.findings.save(lease, FINDING, "starter", "exact")
    assert first.finding == FINDING
    library.findings.set_status(first.finding_id, FindingStatus.ACCEPTED)
    commented = library.findings.set_comment(first.finding_id, "Ask the other side.")
    assert commented.finding.status is FindingStatus.ACCEPTED
    newer = replace(FINDING, answer="Three years", quote="", page_index=None, confidence=None)
    saved = library.findings.save(lease, newer, "qwen", "sparse")
    assert saved.finding_id == first.finding_id
    assert saved.finding == replace(newer, comment="Ask the other side.")
    assert (saved.model, saved.mode) == ("qwen", "sparse")
    assert saved.created_at == first.created_at
    assert saved.updated_at > commented.updated_at
    assert library.findings.of(lease, "nda") == library.findings.of(lease) == (saved,)
    assert library.findings.of(lease, "contract-review") == ()


def test_the_cache_longest_unused_comes_first(library: Library) -> None:
    library.caches.note("/a", "aa", "starter", 100, 10)
    library.caches.note("/b", "aa", "starter", 50, 5)
    library.caches.touch("/a")
    assert [cache.path for cache in library.caches.all()] == ["/b", "/a"]
    assert [cache.path for cache in library.caches.of("aa")] == ["/a", "/b"]
    library.caches.note("/b", "aa", "starter", 70, 7)
    assert library.caches.total_bytes == 170
    library.caches.forget("/a")
    assert [cache.num_tokens for cache in library.caches.all()] == [7]


def test_what_is_gone_is_said_to_be_gone(library: Library, answer: StoredAnswer) -> None:
    with pytest.raises(NotInLibraryError):
        library.conversations.create("Term", [99])
    assert library.conversations.all() == (), "nothing of it may stay"
    with pytest.raises(NotInLibraryError):
        library.conversations.add_turn(99, "How long?")
    with pytest.raises(NotInLibraryError):
        library.conversations.answer_turn(99, answer)
    with pytest.raises(NotInLibraryError):
        library.conversations.rename(99, "Term")
    with pytest.raises(NotInLibraryError):
        library.findings.save(99, FINDING, "starter", "exact")
    with pytest.raises(NotInLibraryError):
        library.findings.set_comment(99, "")
    with pytest.raises(NotInLibraryError):
        library.documents.get(99)


def test_text_that_sqlite_cannot_keep_is_kept_readable(library: Library, answer: StoredAnswer) -> None:
    conversation_id = library.conversations.create("half \ud83d pair", []).conversation_id
    broken = replace(answer, text="nul \0 and \udc00", warnings=("\ud800",))
    turn = library.conversations.add_turn(conversation_id, "q \ud800", broken)
    assert turn.question == "q ?"
    assert turn.answer is not None
    assert turn.answer.text == "nul \ufffd and ?"
    assert turn.answer.warnings == ("\ud800",)


def test_answers_of_older_and_newer_programs_can_be_read() -> None:
    """The JSON of the first released version; a field that was added later must have a default."""
    (citation,) = citations_from_json(
        '[{"document":"a.pdf","page_index":3,"page_label":"iv","quote":"five","verified":true,"score":0.9,'
        '"rects":[{"page_index":3,"bbox":{"x0":1.0,"y0":2.0,"x1":3.0,"y1":4.0}}],"start":1,"end":5,"new":1},'
        '{"document":"no more than that"}]'
    )
    assert isinstance(citation, Citation)
    assert citation.rects[0].bbox.y1 == 4.0
    metrics = metrics_from_json(
        '{"prompt_tokens":1,"new_tokens":2,"prefill_tokens":3,"prefill_tokens_per_s":null,"ttft_s":0.5,'
        '"tokens_per_s":4.0,"hot_bytes_peak":5,"cold_bytes":6,"disk_bytes":7,'
        '"host_to_device_bytes_per_token":8.0,"device_to_host_bytes_per_token":9.0,"cache":"hit","new":1}'
    )
    assert isinstance(metrics, Metrics)
    assert metrics.hot_share is None
    assert metrics_from_json('{"cache":"hit"}') is None
    assert citations_from_json("not json") == ()
    assert {field.name for field in fields(Citation)} >= {"score", "verified", "quote"}


def test_a_library_is_private_and_durable(library: Library, library_file: Path) -> None:
    if sys.platform != "win32":
        assert library_file.stat().st_mode & 0o777 == 0o600, "only its owner reads it"
    pragmas = {
        name: library._database.row(f"PRAGMA {name}")[0]  # type: ignore[index]
        for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
    }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}


def test_a_library_of_a_newer_program_is_refused_and_left_alone(library_file: Path) -> None:
    Library.open(library_file).close()
    raw = sqlite3.connect(library_file)
    raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    raw.close()
    before = library_file.read_bytes()
    with pytest.raises(LibraryTooNewError, match="newer version"):
        Library.open(library_file)
    assert library_file.read_bytes() == before
    assert [path.name for path in library_file.parent.iterdir()] == [library_file.name]


def test_an_older_library_is_brought_forward_without_loss(
    library_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(library_file) as library:
        library.conversations.create("Term", [])
    step = ("ALTER TABLE conversations ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0",)
    monkeypatch.setattr("core.library.schema.MIGRATIONS", (*MIGRATIONS, step))
    with Library.open(library_file) as library:
        row = library._database.row("SELECT is_pinned, title FROM conversations")
        assert row is not None
        assert tuple(row) == (0, "Term")
    with Library.open(library_file) as library:
        assert len(library.conversations.all()) == 1


def test_a_migration_that_fails_changes_nothing(library_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library.open(library_file) as library:
        library.conversations.create("Term", [])
    steps = ("ALTER TABLE conversations ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0", "SELECT nonsense")
    with monkeypatch.context() as patched:
        patched.setattr("core.library.schema.MIGRATIONS", (*MIGRATIONS, steps))
        with pytest.raises(LibraryError):
            Library.open(library_file)
    with Library.open(library_file) as library:
        assert len(library.conversations.all()) == 1
        assert "is_pinned" not in {
            row["name"] for row in library._database.rows("PRAGMA table_info(conversations)")
        }


def _write_turns(path: Path, name: str, num_turns: int) -> None:
    with Library.open(path) as library:
        conversation_id = library.conversations.create(name, []).conversation_id
        for number in range(num_turns):
            library.conversations.add_turn(conversation_id, f"{name} asks {number}")


def test_several_processes_write_to_a_new_library_at_once(library_file: Path) -> None:
    context = multiprocessing.get_context("spawn")
    names = ("first", "second", "third")
    processes = [context.Process(target=_write_turns, args=(library_file, name, 20)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    with Library.open(library_file) as library:
        assert sorted((item.title, item.num_turns) for item in library.conversations.all()) == [
            *(("first", 20), ("second", 20), ("third", 20))
        ]
        assert library.notes == ()
        assert len(library.search("asks 19")) == 3
