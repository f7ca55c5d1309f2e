"""The sheet of a review as a table: a row for each question, a group of columns for each document."""

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from app import i18n, theme
from app.review_sheet import Cell, CellState, Place, Sheet
from app.review_view.words import confidence_words, page_words, status_words
from app.widgets.texts import tool_tip
from core.review.checklist import text_in
from core.review.finding import FindingStatus

Index = QModelIndex | QPersistentModelIndex

SORT_ROLE = Qt.ItemDataRole.UserRole
CELL_ROLE = Qt.ItemDataRole.UserRole + 1
PLACE_ROLE = Qt.ItemDataRole.UserRole + 2

_NAME_CHARACTERS = 24


class Column(IntEnum):
    """The columns of each document's group; the question stands before them all."""

    ANSWER = 0
    QUOTE = 1
    PAGE = 2
    CONFIDENCE = 3
    STATUS = 4


class ReviewModel(QAbstractTableModel):
    """`CELL_ROLE` is the `Cell` that a column belongs to, that of the first document for the question."""

    def __init__(self) -> None:
        super().__init__()
        self._sheet = Sheet()

    def show_sheet(self, sheet: Sheet) -> None:
        self.beginResetModel()
        self._sheet = sheet
        self.endResetModel()

    def refresh(self, place: Place) -> None:
        """The cell at `place` is another one now."""
        row = next((i for i, item in enumerate(self._sheet.items) if item.item_id == place.item_id), None)
        if row is not None:
            first = 1 + place.document_index * len(Column)
            left = self.index(row, 0 if place.document_index == 0 else first)
            self.dataChanged.emit(left, self.index(row, first + len(Column) - 1))

    def place_at(self, row: int, column: int) -> Place:
        index = max(0, column - 1) // len(Column)
        return Place(index, self._sheet.items[row].item_id)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._sheet.items)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - the same
        return 0 if parent.isValid() else 1 + len(Column) * max(1, len(self._sheet.documents))

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and section > 0 and self._sheet.documents:
            return tool_tip(self._sheet.documents[(section - 1) // len(Column)].name)
        return self._heading(section) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        place = self.place_at(index.row(), index.column())
        cell = self._sheet.cell(place)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._text(index, cell)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(self._text(index, cell)) if self._text(index, cell) else None
            case Qt.ItemDataRole.ForegroundRole:
                return theme.color(self._color(index, cell))
            case Qt.ItemDataRole.FontRole:
                return theme.font(weight=QFont.Weight.DemiBold) if index.column() == 0 else None
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
            case _ if role == SORT_ROLE:
                return self._sort_key(index, cell)
            case _ if role == CELL_ROLE:
                return cell
            case _ if role == PLACE_ROLE:
                return place
        return None

    def _heading(self, section: int) -> str:
        if section == 0:
            return self.tr("Question")
        names = {
            Column.ANSWER: self.tr("Answer"),
            Column.QUOTE: self.tr("Quote"),
            Column.PAGE: self.tr("Page"),
            Column.CONFIDENCE: self.tr("Confidence"),
            Column.STATUS: self.tr("Status"),
        }
        group, column = divmod(section - 1, len(Column))
        words = names[Column(column)]
        if len(self._sheet.documents) > 1:
            name = self._sheet.documents[group].name if column == Column.ANSWER else ""
            name = name if len(name) <= _NAME_CHARACTERS else name[: _NAME_CHARACTERS - 1] + "…"
            return f"{name}\n{words}"
        return words

    def _text(self, index: Index, cell: Cell) -> str:
        if index.column() == 0:
            language = i18n.spoken_language(theme.running_app())
            return text_in(self._sheet.items[index.row()].title, language)
        match Column((index.column() - 1) % len(Column)):
            case Column.ANSWER:
                return cell.answer
            case Column.QUOTE:
                finding = cell.finding if cell.state is CellState.DONE else None
                return finding.quote if finding is not None and finding.verified else ""
            case Column.PAGE:
                return page_words(cell)
            case Column.CONFIDENCE:
                return confidence_words(cell)
            case Column.STATUS:
                return status_words(cell)

    def _color(self, index: Index, cell: Cell) -> str:
        column = (index.column() - 1) % len(Column) if index.column() else None
        if column == Column.STATUS and cell.state is CellState.FAILED:
            return "error"
        if column == Column.STATUS and cell.state is CellState.DONE and cell.finding is not None:
            roles = {FindingStatus.ACCEPTED: "success", FindingStatus.REJECTED: "error"}
            return roles.get(cell.finding.status, "text")
        if cell.is_under_way or cell.is_not_found or cell.state is CellState.STOPPED:
            return "text" if column is None else "text_muted"
        return "text_muted" if column == Column.QUOTE else "text"

    def _sort_key(self, index: Index, cell: Cell) -> Any:
        """The question sorts as in the checklist."""
        if index.column() == 0:
            return index.row()
        finding = cell.finding if cell.state is CellState.DONE else None
        match Column((index.column() - 1) % len(Column)):
            case Column.PAGE:
                return -1 if finding is None or finding.page_index is None else finding.page_index
            case Column.CONFIDENCE:
                return -1.0 if finding is None or finding.confidence is None else finding.confidence
            case _:
                return self._text(index, cell).casefold()
