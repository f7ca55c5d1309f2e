"""Full-text indexes over the turns: words for scripts with blanks, trigrams for those without.

The indexes hold no text of their own and follow the turns through triggers of each connection. A program
whose SQLite lacks FTS5 can therefore write to the library; the next one that has it sees by the revisions
that the indexes are behind and builds them anew.
"""

import sqlite3

from core.library.errors import is_index_damage

WORDS = "turns_words"
TRIGRAMS = "turns_trigrams"
_TOKENIZERS = {WORDS: "unicode61 remove_diacritics 2", TRIGRAMS: "trigram"}
_PARTS = ("data", "idx", "docsize", "config")


class SearchIndex:
    """The indexes that this SQLite can keep; `names` may be empty."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.names = tuple(
            name for name, tokenizer in _TOKENIZERS.items() if can_index(connection, tokenizer)
        )
        if not self._is_current():
            self.build_anew()
        self._follow_turns()

    def build_anew(self) -> None:
        """Throw the indexes away and fill them from the turns; also mends damaged ones."""
        for name in self.names:
            self._forget_if_damaged(name)
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for name in self.names:
                self._connection.execute(f"DROP TABLE IF EXISTS {name}")
                for part in _PARTS:
                    self._connection.execute(f"DROP TABLE IF EXISTS {name}_{part}")
                self._connection.execute(
                    f"CREATE VIRTUAL TABLE {name} USING fts5(question, answer, content='turns', "
                    f"content_rowid='id', tokenize='{_TOKENIZERS[name]}')"
                )
                self._connection.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
            self._connection.execute("UPDATE search_state SET indexed_revision = content_revision")
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def purge(self) -> None:
        """Merge the parts of each index, which leaves nothing of deleted text; within a transaction."""
        for name in self.names:
            self._connection.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")

    def _is_current(self) -> bool:
        """Whether every index is there and has seen every change."""
        tables = {row[0] for row in self._connection.execute("SELECT name FROM sqlite_master")}
        state = self._connection.execute(
            "SELECT content_revision, indexed_revision FROM search_state"
        ).fetchone()
        return not self.names or (tables.issuperset(self.names) and state[0] == state[1])

    def _forget_if_damaged(self, name: str) -> None:
        """An index that cannot be opened cannot be dropped either: its entry in the schema goes first."""
        try:
            self._connection.execute(f"SELECT rowid FROM {name} LIMIT 0")
        except (sqlite3.DatabaseError, MemoryError) as error:
            if not is_index_damage(error):
                return
            self._connection.execute("PRAGMA writable_schema = ON")
            try:
                self._connection.execute(
                    "DELETE FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
                )
            finally:
                self._connection.execute("PRAGMA writable_schema = RESET")

    def _follow_turns(self) -> None:
        if not self.names:
            return
        add = [
            f"INSERT INTO {name} (rowid, question, answer) VALUES (new.id, new.question, new.answer);"
            for name in self.names
        ]
        remove = [
            f"INSERT INTO {name} ({name}, rowid, question, answer) "
            "VALUES ('delete', old.id, old.question, old.answer);"
            for name in self.names
        ]
        count = "UPDATE search_state SET indexed_revision = indexed_revision + 1;"
        if len(self.names) < len(_TOKENIZERS):
            count = ""
        for name, event, actions in (
            ("index_added", "INSERT", add),
            ("index_changed", "UPDATE OF question, answer", [*remove, *add]),
            ("index_removed", "DELETE", remove),
        ):
            body = "\n".join([*actions, count])
            self._connection.execute(
                f"CREATE TEMP TRIGGER {name} AFTER {event} ON main.turns BEGIN {body} END"
            )


def can_index(connection: sqlite3.Connection, tokenizer: str) -> bool:
    """Whether this SQLite has FTS5 and the tokenizer."""
    try:
        connection.execute(f"CREATE VIRTUAL TABLE temp.probe USING fts5(text, tokenize='{tokenizer}')")
        connection.execute("DROP TABLE temp.probe")
    except sqlite3.OperationalError:
        return False
    return True
