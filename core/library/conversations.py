"""Conversations and their turns."""

import sqlite3
from collections.abc import Sequence

from core.documents.reading_choice import EVERYTHING, ReadingChoice, choice_from_json, choice_to_json
from core.library.database import Database, storable, time_of, time_or_none
from core.library.errors import NotInLibraryError
from core.library.json_values import (
    citations_from_json,
    citations_to_json,
    evidence_from_json,
    evidence_to_json,
    metrics_from_json,
    metrics_to_json,
    passage_from_json,
    passage_to_json,
    token_ids_from_json,
    token_ids_to_json,
    warnings_from_json,
    warnings_to_json,
)
from core.library.records import StoredAnswer, StoredConversation, StoredTurn

_CONVERSATIONS = """
    SELECT conversations.*,
        (SELECT count(*) FROM turns WHERE conversation_id = conversations.id) AS num_turns,
        (SELECT group_concat(document_id) FROM (
            SELECT document_id FROM conversation_documents
            WHERE conversation_id = conversations.id ORDER BY position)) AS document_ids
    FROM conversations
"""


class Conversations:
    """The tables of conversations and turns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self, title: str, document_ids: Sequence[int], reading: ReadingChoice | None = None
    ) -> StoredConversation:
        """A new conversation about documents of the library, of which all or `reading` is read.

        Raises `NotInLibraryError` if one is gone.
        """
        stored_reading = storable(choice_to_json(reading or EVERYTHING))
        now = self._database.now_ms()

        def insert(connection: sqlite3.Connection) -> int:
            conversation_id = connection.execute(
                "INSERT INTO conversations (title, created_ms, updated_ms, reading) VALUES (?, ?, ?, ?)",
                (storable(title), now, now, stored_reading),
            ).lastrowid
            assert conversation_id is not None
            for position, document_id in enumerate(dict.fromkeys(document_ids)):
                _require(connection, "documents", document_id)
                connection.execute(
                    "INSERT INTO conversation_documents VALUES (?, ?, ?)",
                    (conversation_id, document_id, position),
                )
            return conversation_id

        return self.get(self._database.write(insert))

    def get(self, conversation_id: int) -> StoredConversation:
        """Raises `NotInLibraryError`."""
        row = self._database.row(_CONVERSATIONS + "WHERE id = ?", conversation_id)
        if row is None:
            raise _gone("conversations")
        return _conversation(row)

    def all(self, document_id: int | None = None) -> tuple[StoredConversation, ...]:
        """The newest first, by the time of the last question; those about one document if it is given."""
        about = "WHERE id IN (SELECT conversation_id FROM conversation_documents WHERE document_id = ?) "
        where, values = ("", ()) if document_id is None else (about, (document_id,))
        rows = self._database.rows(_CONVERSATIONS + where + "ORDER BY updated_ms DESC, id DESC", *values)
        return tuple(map(_conversation, rows))

    def rename(self, conversation_id: int, title: str) -> None:
        """Raises `NotInLibraryError`."""

        def update(connection: sqlite3.Connection) -> None:
            _require(connection, "conversations", conversation_id)
            connection.execute(
                "UPDATE conversations SET title = ? WHERE id = ?", (storable(title), conversation_id)
            )

        self._database.write(update)

    def delete(self, conversation_id: int) -> None:
        """The conversation with all its turns; nothing of them stays in the library's files."""
        self._database.erase(
            lambda connection: connection.execute(
                "DELETE FROM conversations WHERE id = ?", (conversation_id,)
            )
        )

    def turns(self, conversation_id: int) -> tuple[StoredTurn, ...]:
        """In the order in which they were asked."""
        rows = self._database.rows(
            "SELECT * FROM turns WHERE conversation_id = ? ORDER BY asked_ms, id", conversation_id
        )
        return tuple(map(_turn, rows))

    def add_turn(self, conversation_id: int, question: str, answer: StoredAnswer | None = None) -> StoredTurn:
        """A question, with its answer if there is one already. Raises `NotInLibraryError`."""
        now = self._database.now_ms()

        def insert(connection: sqlite3.Connection) -> int:
            _require(connection, "conversations", conversation_id)
            turn_id = connection.execute(
                "INSERT INTO turns (conversation_id, question, asked_ms) VALUES (?, ?, ?)",
                (conversation_id, storable(question), now),
            ).lastrowid
            assert turn_id is not None
            if answer is not None:
                _write_answer(connection, turn_id, answer, now)
            connection.execute("UPDATE conversations SET updated_ms = ? WHERE id = ?", (now, conversation_id))
            return turn_id

        return self._get_turn(self._database.write(insert))

    def answer_turn(self, turn_id: int, answer: StoredAnswer) -> StoredTurn:
        """Set the answer of a turn; one that was there is replaced. Raises `NotInLibraryError`."""
        now = self._database.now_ms()

        def update(connection: sqlite3.Connection) -> None:
            _require(connection, "turns", turn_id)
            _write_answer(connection, turn_id, answer, now)

        self._database.write(update)
        return self._get_turn(turn_id)

    def delete_turn(self, turn_id: int) -> None:
        self._database.erase(
            lambda connection: connection.execute("DELETE FROM turns WHERE id = ?", (turn_id,))
        )

    def _get_turn(self, turn_id: int) -> StoredTurn:
        row = self._database.row("SELECT * FROM turns WHERE id = ?", turn_id)
        if row is None:
            raise _gone("turns")
        return _turn(row)


def _write_answer(connection: sqlite3.Connection, turn_id: int, answer: StoredAnswer, now_ms: int) -> None:
    connection.execute(
        "UPDATE turns SET answer = ?, answered_ms = ?, model = ?, mode = ?, reason = ?, citations = ?, "
        "passage = ?, warnings = ?, metrics = ?, notes = ?, token_ids = ?, evidence = ? WHERE id = ?",
        (
            storable(answer.text),
            now_ms,
            storable(answer.model),
            answer.mode,
            answer.reason,
            citations_to_json(answer.citations),
            passage_to_json(answer.closest_passage),
            warnings_to_json(answer.warnings),
            metrics_to_json(answer.metrics),
            warnings_to_json(answer.notes),
            token_ids_to_json(answer.token_ids),
            evidence_to_json(answer.evidence),
            turn_id,
        ),
    )


def _require(connection: sqlite3.Connection, table: str, row_id: int) -> None:
    if connection.execute(f"SELECT 1 FROM {table} WHERE id = ?", (row_id,)).fetchone() is None:
        raise _gone(table)


def _gone(table: str) -> NotInLibraryError:
    if table == "documents":
        return NotInLibraryError("The document is not in the library", "It was removed in the meantime.")
    if table == "turns":
        return NotInLibraryError("The question is not in the library", "It was deleted in the meantime.")
    return NotInLibraryError("The conversation is not in the library", "It was deleted in the meantime.")


def _conversation(row: sqlite3.Row) -> StoredConversation:
    return StoredConversation(
        conversation_id=row["id"],
        title=row["title"],
        document_ids=tuple(map(int, (row["document_ids"] or "").split(",") if row["document_ids"] else ())),
        num_turns=row["num_turns"],
        created_at=time_of(row["created_ms"]),
        updated_at=time_of(row["updated_ms"]),
        reading=choice_from_json(row["reading"]),
    )


def _turn(row: sqlite3.Row) -> StoredTurn:
    return StoredTurn(
        turn_id=row["id"],
        conversation_id=row["conversation_id"],
        question=row["question"],
        asked_at=time_of(row["asked_ms"]),
        answer=None if row["answered_ms"] is None else _answer(row),
        answered_at=time_or_none(row["answered_ms"]),
    )


def _answer(row: sqlite3.Row) -> StoredAnswer:
    return StoredAnswer(
        text=row["answer"],
        model=row["model"],
        mode=row["mode"],
        reason=row["reason"],
        citations=citations_from_json(row["citations"]),
        closest_passage=passage_from_json(row["passage"]),
        warnings=warnings_from_json(row["warnings"]),
        metrics=metrics_from_json(row["metrics"]),
        notes=warnings_from_json(row["notes"]),
        token_ids=token_ids_from_json(row["token_ids"]),
        evidence=evidence_from_json(row["evidence"]),
    )
