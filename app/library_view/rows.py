"""The rows of the history as a model: documents over their conversations, or what a search found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.history import DocumentGroup
from app.widgets.texts import tool_tip
from core.library.records import SearchHit

Index = QModelIndex | QPersistentModelIndex

_ROW_ROLE = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class Row:
    """A line of the list; a heading has no conversation. `matches` are ranges `[start, end)` in `detail`."""

    title: str
    detail: str = ""
    moment: datetime | None = None
    conversation_id: int | None = None
    turn_id: int | None = None
    matches: tuple[tuple[int, int], ...] = field(default=())

    @property
    def is_heading(self) -> bool:
        return self.conversation_id is None

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.title, self.detail, when_words(self.moment)) if part)


class RowModel(QAbstractListModel):
    """Rows are looked at one by one when they are drawn: there may be thousands."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == _ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        return tool_tip(row.title) if role == Qt.ItemDataRole.ToolTipRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        usable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags if self.rows[index.row()].is_heading else usable

    def show_rows(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def place_of(self, wanted: Row) -> QModelIndex:
        """Where the row of the same turn or conversation is; an invalid index if it is not listed."""
        for number, row in enumerate(self.rows):
            if (row.conversation_id, row.turn_id) == (wanted.conversation_id, wanted.turn_id):
                return self.index(number, 0)
        return QModelIndex()


def row_of(index: Index) -> Row | None:
    row = index.data(_ROW_ROLE)
    return row if isinstance(row, Row) else None


def rows_of_groups(groups: Sequence[DocumentGroup], without_document: str, questions: str) -> list[Row]:
    """`questions` is the detail of a conversation, with a place for `{count}`."""
    rows: list[Row] = []
    for group in groups:
        rows.append(Row(", ".join(group.names) or without_document))
        rows += [
            Row(
                one.title,
                questions.format(count=f"{one.num_turns:,}"),
                one.updated_at,
                one.conversation_id,
            )
            for one in group.conversations
        ]
    return rows


def rows_of_hits(hits: Sequence[SearchHit]) -> list[Row]:
    return [
        Row(hit.title, hit.snippet, hit.asked_at, hit.conversation_id, hit.turn_id, hit.matches)
        for hit in hits
    ]


def when_words(moment: datetime | None) -> str:
    """The time of day if it is today, else the day, in the window's language."""
    if moment is None:
        return ""
    there = QDateTime.fromSecsSinceEpoch(round(moment.timestamp()))
    if there.date() == QDateTime.currentDateTime().date():
        return QLocale().toString(there.time(), QLocale.FormatType.ShortFormat)
    return QLocale().toString(there.date(), QLocale.FormatType.ShortFormat)
