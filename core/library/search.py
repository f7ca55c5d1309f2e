"""Search over all turns: every word of the query must stand in the question or the answer."""

import re
import sqlite3
from collections.abc import Sequence

from core.library.database import Database, storable, time_of
from core.library.errors import LibraryError
from core.library.records import SearchHit
from core.library.search_index import TRIGRAMS, WORDS
from core.library.snippets import snippet_of

_MAX_TERMS = 16
_MIN_TRIGRAM = 3
_WITHOUT_BLANKS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0003ffff]")
_WORD = re.compile(r"[^\W_]")


def search_turns(database: Database, query: str, limit: int) -> tuple[SearchHit, ...]:
    """The newest turns that match, at most `limit`. An empty query matches nothing.

    Where the indexes find nothing, or are damaged, the texts themselves are looked through.
    """
    terms = storable(query).split()[:_MAX_TERMS]
    if not terms:
        return ()
    try:
        rows = _rows(database, [_condition(term, database.index.names) for term in terms], limit)
    except (LibraryError, MemoryError):
        rows = []
    if not rows:
        rows = _rows(database, [_contains(term) for term in terms], limit)
    return tuple(_hit(row, terms) for row in rows)


def _condition(term: str, indexes: Sequence[str]) -> tuple[str, list[str]]:
    """SQL and its values for one term, by an index where one can answer it."""
    is_without_blanks = bool(_WITHOUT_BLANKS.search(term))
    if not is_without_blanks and WORDS in indexes and _WORD.search(term):
        return f"turns.id IN (SELECT rowid FROM {WORDS} WHERE {WORDS} MATCH ?)", [_quoted(term) + "*"]
    if is_without_blanks and TRIGRAMS in indexes and len(term) >= _MIN_TRIGRAM:
        return f"turns.id IN (SELECT rowid FROM {TRIGRAMS} WHERE {TRIGRAMS} MATCH ?)", [_quoted(term)]
    return _contains(term)


def _contains(term: str) -> tuple[str, list[str]]:
    escaped = re.sub(r"([\\%_])", r"\\\1", term)
    return "(question LIKE ? ESCAPE '\\' OR answer LIKE ? ESCAPE '\\')", [f"%{escaped}%"] * 2


def _quoted(term: str) -> str:
    """A phrase of FTS5's query language."""
    return '"' + term.replace('"', '""') + '"'


def _rows(database: Database, conditions: Sequence[tuple[str, list[str]]], limit: int) -> list[sqlite3.Row]:
    values = [value for _, values in conditions for value in values]
    return database.rows(
        "SELECT turns.*, title FROM turns JOIN conversations ON conversations.id = conversation_id "
        f"WHERE {' AND '.join(sql for sql, _ in conditions)} "
        "ORDER BY asked_ms DESC, turns.id DESC LIMIT ?",
        *values,
        limit,
    )


def _hit(row: sqlite3.Row, terms: Sequence[str]) -> SearchHit:
    snippet, matches = snippet_of((row["question"], row["answer"]), terms)
    return SearchHit(
        conversation_id=row["conversation_id"],
        title=row["title"],
        turn_id=row["id"],
        asked_at=time_of(row["asked_ms"]),
        snippet=snippet,
        matches=matches,
    )
