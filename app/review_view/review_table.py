"""The table of a review: two lines a row, decisions by single keys."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView, QWidget

from app.review_sheet import Place, Sheet
from app.review_view.clamped_text import ClampedText
from app.review_view.review_filter import ReviewFilter
from app.review_view.review_model import PLACE_ROLE, Column, ReviewModel

_ROW_HEIGHT = 48
_QUESTION_WIDTH = 140
_WIDTHS = {
    Column.ANSWER: 216,
    Column.QUOTE: 134,
    Column.PAGE: 54,
    Column.CONFIDENCE: 90,
    Column.STATUS: 110,
}
_LEFT_OUT = (Column.QUOTE, Column.CONFIDENCE)
_NARROW_QUESTION_WIDTH, _NARROW_ANSWER_WIDTH = 128, 196


class ReviewTable(QTableView):
    """`place_selected` follows the current cell, `place_chosen` a click or Enter; the keys say the rest."""

    place_selected = Signal(object)
    place_chosen = Signal(object)
    accept_wanted = Signal()
    reject_wanted = Signal()
    comment_wanted = Signal()
    again_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_table")
        self.source, self.rows = ReviewModel(), ReviewFilter()
        self.rows.setSourceModel(self.source)
        self.setModel(self.rows)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setItemDelegate(ClampedText(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        for key, signal in (
            ("A", self.accept_wanted),
            ("R", self.reject_wanted),
            ("C", self.comment_wanted),
            ("F5", self.again_wanted),
            ("S", self.stop_wanted),
        ):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(signal)

    @property
    def place(self) -> Place | None:
        """The cell that is selected."""
        place = self.currentIndex().data(PLACE_ROLE)
        return place if isinstance(place, Place) else None

    def show_sheet(self, sheet: Sheet) -> None:
        """Beside each other two documents leave quotes and confidence to the details."""
        self.source.show_sheet(sheet)
        is_alone = len(sheet.documents) <= 1
        self.setColumnWidth(0, _QUESTION_WIDTH if is_alone else _NARROW_QUESTION_WIDTH)
        for column in range(1, self.source.columnCount()):
            kind = Column((column - 1) % len(Column))
            is_narrow = kind is Column.ANSWER and not is_alone
            self.setColumnWidth(column, _NARROW_ANSWER_WIDTH if is_narrow else _WIDTHS[kind])
            self.setColumnHidden(column, kind in _LEFT_OUT and not is_alone)
        if self.rows.rowCount():
            self.select(self.rows.index(0, 0))
        else:
            self.place_selected.emit(None)

    def select(self, index: QModelIndex) -> None:
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.place_selected.emit(current.data(PLACE_ROLE))

    def _on_chosen(self, index: QModelIndex) -> None:
        self.place_chosen.emit(index.data(PLACE_ROLE))
