"""Crashes, damage, full disks and folders that cannot be written: nothing is lost silently."""

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.library.errors import LibraryError
from core.library.library import Library
from core.library.records import StoredAnswer
from core.review.finding import ReviewFinding

NUM_KILLS = 50
WRITER = """
import sys
from pathlib import Path
from core.library.library import Library
from core.library.records import StoredAnswer

with Library.open(Path(sys.argv[1])) as library:
    conversation_id = library.conversations.create(sys.argv[2], []).conversation_id
    number = 0
    while True:
        name = f"{sys.argv[2]}-{number}"
        answer = StoredAnswer(f"answer of {name} " * 40 + "end", "starter", "exact", "stop")
        turn = library.conversations.add_turn(conversation_id, name, answer)
        print(turn.turn_id, name, flush=True)
        if number % 7 == 6:
            library.conversations.delete_turn(turn.turn_id)
            print("deleted", name, flush=True)
        number += 1
"""


def _run_and_kill(path: Path, name: str, num_lines: int, delay_s: float) -> tuple[set[str], set[str]]:
    """The names that a writer confirmed as written and as deleted before it was killed.

    It is killed `delay_s` after it has said `num_lines` lines, or after its start if that is 0.
    """
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name], stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert writer.stdout is not None
    first = [writer.stdout.readline() for _ in range(num_lines)]
    time.sleep(delay_s)
    writer.kill()
    lines = [*first, *writer.stdout]
    writer.stdout.close()
    assert writer.wait() != 0, "it must have been killed, not have ended"
    words = [line.split() for line in lines if line.endswith("\n")]
    return {b for a, b in words if a != "deleted"}, {b for a, b in words if a == "deleted"}


def test_no_confirmed_turn_is_lost_when_the_program_is_killed_at_any_moment(library_file: Path) -> None:
    source = random.Random(7)
    written: set[str] = set()
    deleted: set[str] = set()
    for number in range(NUM_KILLS):
        num_lines = 0 if number % 10 == 0 else source.randint(1, 12)
        delay_s = source.uniform(0.0, 0.008) if num_lines else source.uniform(0.05, 0.25)
        of_run, deleted_of_run = _run_and_kill(library_file, f"run{number}", num_lines, delay_s)
        written |= of_run
        deleted |= deleted_of_run
        with Library.open(library_file) as library:
            assert library.notes == ()
            assert [row[0] for row in library._database.rows("PRAGMA integrity_check")] == ["ok"]
            assert library._database.rows("PRAGMA foreign_key_check") == []
            _assert_whole(library, written, deleted)
    assert len(written) > NUM_KILLS
    assert deleted


def _assert_whole(library: Library, written: set[str], deleted: set[str]) -> None:
    """Every confirmed turn is there, deleted ones are not, and each is whole and can be found."""
    turns = {
        turn.question: turn
        for item in library.conversations.all()
        for turn in library.conversations.turns(item.conversation_id)
    }
    maybe_deleted = {name for name in written if int(name.split("-")[1]) % 7 == 6}
    assert written - maybe_deleted <= turns.keys()
    assert not deleted & turns.keys()
    for name, turn in turns.items():
        assert turn.answer is not None
        assert turn.answer.text == f"answer of {name} " * 40 + "end"
    assert len(library.search("end", limit=10**6)) == len(turns)


@pytest.fixture(scope="module")
def filled_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A library with a document, two conversations of a hundred turns each, and a finding."""
    path = tmp_path_factory.mktemp("filled") / "library.db"
    with Library.open(path) as library:
        document_id = library.documents.add("aa", "/lease.pdf", "lease.pdf", 12).document_id
        for name in ("Term", "Rent"):
            conversation_id = library.conversations.create(name, [document_id]).conversation_id
            for number in range(100):
                text = f"{name} answer {number}. " + "Some words of an answer that fill a page. " * 20
                answer = StoredAnswer(text, "starter", "exact", "stop")
                library.conversations.add_turn(conversation_id, f"{name} question {number}?", answer)
        library.findings.save(
            document_id,
            ReviewFinding("nda", "term", "Term", "How long?", "Two years", comment="mine"),
            "starter",
            "exact",
        )
    return path.read_bytes()


@pytest.fixture
def filled_file(library_file: Path, filled_bytes: bytes) -> Path:
    library_file.parent.mkdir(parents=True)
    library_file.write_bytes(filled_bytes)
    return library_file


def _damaged_files(path: Path) -> list[Path]:
    return list(path.parent.glob("library.damaged-*.db"))


def _no_database(_raw: bytearray) -> bytes:
    return b"This is a text file that somebody saved here by mistake.\n" * 100


def _truncated(raw: bytearray) -> bytes:
    return bytes(raw[: len(raw) // 2 + 123])


def _lost_page(raw: bytearray) -> bytes:
    raw[:4096] = bytes(4096)
    return bytes(raw)


def _lost_header(raw: bytearray) -> bytes:
    raw[:100] = bytes(100)
    return bytes(raw)


def _random_bytes(raw: bytearray) -> bytes:
    """In twelve places, one of them among the definitions of the tables."""
    source = random.Random(3)
    for _ in range(12):
        start = source.randrange(4096 * 4, len(raw) - 300)
        raw[start : start + 300] = source.randbytes(300)
    return bytes(raw)


def _tiny(_raw: bytearray) -> bytes:
    return b"x"


def _other_program(_raw: bytearray) -> bytes:
    """A sound database whose first table looks much like ours."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for name in ("songs", "singers", "albums"):
            connection.execute(
                f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, name TEXT, a INTEGER, b INTEGER)"
            )
            connection.execute(f"INSERT INTO {name} VALUES (1, 'Blue', 1, 2)")
        return connection.serialize()


@pytest.mark.parametrize(
    ("damage", "least_turns"),
    [
        (_no_database, 0),
        (_truncated, 40),
        (_lost_header, 200),
        (_lost_page, 200),
        (_random_bytes, 100),
        (_tiny, 0),
        (_other_program, 0),
    ],
)
def test_a_damaged_library_is_kept_and_what_can_be_read_is_saved(
    filled_file: Path, damage: Callable[[bytearray], bytes], least_turns: int
) -> None:
    broken = damage(bytearray(filled_file.read_bytes()))
    filled_file.write_bytes(broken)
    (filled_file.parent / "library.rebuilt-1.db").write_bytes(b"left by a repair that was killed")
    (filled_file.parent / "library.db.salvage-1").mkdir()
    with Library.open(filled_file) as library:
        (note,) = library.notes
        (aside,) = _damaged_files(filled_file)
        assert aside.name in note
        assert aside.read_bytes() == broken
        assert [row[0] for row in library._database.rows("PRAGMA integrity_check")] == ["ok"]
        items = library.conversations.all()
        turns = [turn for item in items for turn in library.conversations.turns(item.conversation_id)]
        assert len(turns) >= least_turns
        assert {item.title for item in items} <= {"Term", "Rent"}
        assert f"{len(items):,} conversations with {len(turns):,} questions" in note
        library.conversations.create("Life goes on", [])
    with Library.open(filled_file) as library:
        assert library.notes == ()
        assert library.conversations.all()[0].title == "Life goes on"
    names = sorted(entry.name for entry in filled_file.parent.iterdir())
    assert names == sorted([aside.name, "library.db", "library.db.lock"])


def test_of_a_page_that_is_lost_in_the_middle_the_rows_on_both_sides_are_saved(filled_file: Path) -> None:
    with closing(sqlite3.connect(filled_file)) as raw:
        pages = [
            row[0]
            for row in raw.execute(
                "SELECT pageno FROM dbstat WHERE name = 'turns' AND pagetype = 'leaf' ORDER BY path"
            )
        ]
    content = bytearray(filled_file.read_bytes())
    lost = pages[len(pages) // 2]
    content[(lost - 1) * 4096 : lost * 4096] = random.Random(1).randbytes(4096)
    filled_file.write_bytes(content)
    with Library.open(filled_file) as library:
        items = library.conversations.all()
        assert {item.title for item in items} == {"Term", "Rent"}
        num_turns = sum(item.num_turns for item in items)
        assert 200 - 8 <= num_turns < 200
        assert [item.document_ids for item in items] == [(1,), (1,)]
        (finding,) = library.findings.of(1)
        assert finding.finding.comment == "mine"
        assert len(library.search("answer", limit=1000)) == num_turns


def test_questions_whose_conversation_was_lost_are_kept_under_a_stand_in(filled_file: Path) -> None:
    with closing(sqlite3.connect(filled_file)) as raw:
        (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'conversations'").fetchone()
    content = bytearray(filled_file.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = bytes(4096)
    filled_file.write_bytes(content)
    with Library.open(filled_file) as library:
        assert [(item.title, item.num_turns) for item in library.conversations.all()] == [
            ("Recovered conversation", 100),
            ("Recovered conversation", 100),
        ]


def test_text_that_became_nonsense_can_still_be_read(filled_file: Path) -> None:
    content = filled_file.read_bytes().replace(b"Term question 1?", b"Term \xff\xfe\xc3estion 1?"[:16])
    filled_file.write_bytes(content)
    with Library.open(filled_file) as library:
        questions = [turn.question for turn in library.conversations.turns(1)]
    assert questions[1].startswith("Term \ufffd\ufffd\ufffd")


def test_a_full_disk_is_said_and_keeps_what_was_there(library: Library, answer: StoredAnswer) -> None:
    conversation_id = library.conversations.create("Term", []).conversation_id
    library.conversations.add_turn(conversation_id, "Before", answer)
    (pages,) = library._database.rows("PRAGMA page_count")
    library._database.rows(f"PRAGMA max_page_count = {pages[0]}")
    big = StoredAnswer("words " * 50_000, "starter", "exact", "stop")
    with pytest.raises(LibraryError, match="is full"):
        library.conversations.add_turn(conversation_id, "During", big)
    library._database.rows("PRAGMA max_page_count = 1000000")
    library.conversations.add_turn(conversation_id, "After", big)
    assert [turn.question for turn in library.conversations.turns(conversation_id)] == ["Before", "After"]


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(LibraryError, match="cannot be used"):
        Library.open(tmp_path / "data" / "library.db")


def test_a_library_that_cannot_be_written_is_said(library_file: Path) -> None:
    with Library.open(library_file) as library:
        library._database.rows("PRAGMA query_only = ON")
        with pytest.raises(LibraryError, match="cannot be written"):
            library.conversations.create("Term", [])


def test_another_program_that_holds_the_library_is_said(library: Library, library_file: Path) -> None:
    with closing(sqlite3.connect(library_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        library._database.rows("PRAGMA busy_timeout = 50")
        with pytest.raises(LibraryError, match="Another program"):
            library.conversations.create("Term", [])
    library.conversations.create("Term", [])
    assert len(library.conversations.all()) == 1


def test_damage_that_shows_later_asks_for_a_new_start(filled_file: Path) -> None:
    with Library.open(filled_file) as library:
        content = filled_file.read_bytes()
        filled_file.write_bytes(content[:4096] + random.Random(2).randbytes(len(content) - 4096))
        with pytest.raises(LibraryError, match="Start Lectern again"):
            library.conversations.turns(1)
