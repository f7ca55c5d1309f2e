"""What reviews found, one row for each document, checklist and question."""

import sqlite3

from core.library.database import Database, storable, time_of
from core.library.errors import NotInLibraryError
from core.library.records import StoredFinding
from core.review.finding import FindingStatus, ReviewFinding

_SAVE = """
    INSERT INTO findings (document_id, checklist, question_id, title, question, answer, quote, page_index,
        page_label, verified, confidence, status, comment, model, mode, created_ms, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (document_id, checklist, question_id) DO UPDATE SET
        title = excluded.title, question = excluded.question, answer = excluded.answer,
        quote = excluded.quote, page_index = excluded.page_index, page_label = excluded.page_label,
        verified = excluded.verified, confidence = excluded.confidence, status = excluded.status,
        model = excluded.model, mode = excluded.mode, updated_ms = excluded.updated_ms,
        comment = CASE WHEN excluded.comment = '' THEN comment ELSE excluded.comment END
"""


class Findings:
    """The table of findings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, document_id: int, finding: ReviewFinding, model: str, mode: str) -> StoredFinding:
        """Add a finding, or replace that of an earlier review; a comment made then stays.

        Raises `NotInLibraryError` if the document is gone.
        """
        values = _values(document_id, finding, model, mode, self._database.now_ms())

        def insert(connection: sqlite3.Connection) -> None:
            if connection.execute("SELECT 1 FROM documents WHERE id = ?", (document_id,)).fetchone() is None:
                raise NotInLibraryError(
                    "The document is not in the library", "It was removed in the meantime."
                )
            connection.execute(_SAVE, values)

        self._database.write(insert)
        row = self._database.row(
            "SELECT * FROM findings WHERE document_id = ? AND checklist = ? AND question_id = ?",
            document_id,
            finding.checklist,
            finding.question_id,
        )
        return _found(row)

    def set_status(self, finding_id: int, status: FindingStatus) -> StoredFinding:
        """Raises `NotInLibraryError`."""
        return self._update(finding_id, "status", status.value)

    def set_comment(self, finding_id: int, comment: str) -> StoredFinding:
        """Raises `NotInLibraryError`."""
        return self._update(finding_id, "comment", storable(comment))

    def of(self, document_id: int, checklist: str | None = None) -> tuple[StoredFinding, ...]:
        """The findings of a document in the order in which they were first made."""
        where, values = ("", ()) if checklist is None else ("AND checklist = ? ", (checklist,))
        rows = self._database.rows(
            f"SELECT * FROM findings WHERE document_id = ? {where}ORDER BY id", document_id, *values
        )
        return tuple(map(_finding, rows))

    def delete(self, document_id: int, checklist: str) -> None:
        """Forget a review of a document."""
        self._database.erase(
            lambda connection: connection.execute(
                "DELETE FROM findings WHERE document_id = ? AND checklist = ?", (document_id, checklist)
            )
        )

    def _update(self, finding_id: int, column: str, value: str) -> StoredFinding:
        now = self._database.now_ms()
        self._database.write(
            lambda connection: connection.execute(
                f"UPDATE findings SET {column} = ?, updated_ms = ? WHERE id = ?", (value, now, finding_id)
            )
        )
        return _found(self._database.row("SELECT * FROM findings WHERE id = ?", finding_id))


def _values(
    document_id: int, finding: ReviewFinding, model: str, mode: str, now_ms: int
) -> tuple[str | int | float | None, ...]:
    return (
        document_id,
        finding.checklist,
        finding.question_id,
        storable(finding.title),
        storable(finding.question),
        storable(finding.answer),
        storable(finding.quote),
        finding.page_index,
        storable(finding.page_label),
        finding.verified,
        finding.confidence,
        finding.status.value,
        storable(finding.comment),
        storable(model),
        mode,
        now_ms,
        now_ms,
    )


def _found(row: sqlite3.Row | None) -> StoredFinding:
    if row is None:
        raise NotInLibraryError("The finding is not in the library", "It was deleted in the meantime.")
    return _finding(row)


def _finding(row: sqlite3.Row) -> StoredFinding:
    known = {status.value for status in FindingStatus}
    finding = ReviewFinding(
        checklist=row["checklist"],
        question_id=row["question_id"],
        title=row["title"],
        question=row["question"],
        answer=row["answer"],
        quote=row["quote"],
        page_index=row["page_index"],
        page_label=row["page_label"],
        verified=bool(row["verified"]),
        confidence=row["confidence"],
        status=FindingStatus(row["status"]) if row["status"] in known else FindingStatus.OPEN,
        comment=row["comment"],
    )
    return StoredFinding(
        finding_id=row["id"],
        document_id=row["document_id"],
        finding=finding,
        model=row["model"],
        mode=row["mode"],
        created_at=time_of(row["created_ms"]),
        updated_at=time_of(row["updated_ms"]),
    )
