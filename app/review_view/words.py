"""The words for what a cell of a review is."""

from PySide6.QtCore import QCoreApplication

from app.review_sheet import Cell, CellState
from core.review.finding import FindingStatus


def status_words(cell: Cell) -> str:
    """What has become of the question, in a word or two."""
    translate = QCoreApplication.translate
    match cell.state:
        case CellState.WAITING:
            return translate("ReviewWords", "Waiting")
        case CellState.ANSWERING:
            return translate("ReviewWords", "Answering…")
        case CellState.STOPPED:
            return translate("ReviewWords", "Stopped")
        case CellState.FAILED:
            return translate("ReviewWords", "Not answered")
        case CellState.EMPTY:
            return ""
    status = cell.finding.status if cell.finding is not None else FindingStatus.OPEN
    return {
        FindingStatus.OPEN: translate("ReviewWords", "Open"),
        FindingStatus.ACCEPTED: translate("ReviewWords", "Accepted"),
        FindingStatus.REJECTED: translate("ReviewWords", "Rejected"),
    }[status]


def page_words(cell: Cell) -> str:
    """The page of the verified quote, with what is printed on it where that is another number."""
    finding = cell.finding
    if cell.state is not CellState.DONE or finding is None or finding.page_index is None:
        return ""
    ordinal = str(finding.page_index + 1)
    return ordinal if finding.page_label in ("", ordinal) else f"{ordinal} ({finding.page_label})"


def confidence_words(cell: Cell) -> str:
    if cell.state is not CellState.DONE or cell.finding is None or cell.finding.confidence is None:
        return ""
    return f"{cell.finding.confidence:.0%}"
