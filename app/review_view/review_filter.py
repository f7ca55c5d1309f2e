"""Which rows of a review are shown, and in which order."""

from enum import StrEnum

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel

from app.review_sheet import Cell, CellState
from app.review_view.review_model import CELL_ROLE, SORT_ROLE, Column
from core.review.finding import FindingStatus


class Show(StrEnum):
    """What a cell must be for its row to be shown."""

    ALL = "all"
    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    VERIFIED = "verified"
    NOT_FOUND = "not_found"
    UNANSWERED = "unanswered"


class ReviewFilter(QSortFilterProxyModel):
    """A row is shown if one of its documents fits, and if one of its texts holds the words."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self._show = Show.ALL
        self.setSortRole(SORT_ROLE)

    def show_words(self, words: str) -> None:
        self.beginFilterChange()
        self._words = words.strip().casefold()
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def show_only(self, show: Show) -> None:
        self.beginFilterChange()
        self._show = show
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, source_row: int, _parent: QModelIndex | QPersistentModelIndex) -> bool:
        model = self.sourceModel()
        indexes = [model.index(source_row, column) for column in range(model.columnCount())]
        cells = [index.data(CELL_ROLE) for index in indexes[1 :: len(Column)]]
        texts = " ".join(str(index.data()) for index in indexes).casefold()
        return self._words in texts and any(_fits(cell, self._show) for cell in cells)


def _fits(cell: Cell, show: Show) -> bool:
    finding = cell.finding if cell.state is CellState.DONE else None
    match show:
        case Show.ALL:
            return True
        case Show.OPEN:
            return finding is not None and finding.status is FindingStatus.OPEN
        case Show.ACCEPTED:
            return finding is not None and finding.status is FindingStatus.ACCEPTED
        case Show.REJECTED:
            return finding is not None and finding.status is FindingStatus.REJECTED
        case Show.VERIFIED:
            return finding is not None and finding.verified
        case Show.NOT_FOUND:
            return cell.is_not_found
        case Show.UNANSWERED:
            return finding is None
