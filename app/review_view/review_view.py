"""The review beside the document: a checklist, its table, and the selected answer in full."""

from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QSplitter, QVBoxLayout, QWidget

from app.chat_view.progress_row import ProgressRow
from app.controller import Controller
from app.core_texts import error_sentence
from app.review_controller import ReviewController
from app.review_sheet import Place
from app.review_view.checklist_dialog import ChecklistDialog
from app.review_view.detail_pane import DetailPane
from app.review_view.review_bar import ReviewBar
from app.review_view.review_table import ReviewTable
from app.state import Activity, StateStore
from app.theme import SPACE
from app.widgets.texts import plain_label
from core.events import Progress
from core.review.confidence import supporting_citation
from core.review.finding import FindingStatus

_TABLE_HEIGHT, _DETAIL_HEIGHT = 430, 240


class ReviewView(QFrame):
    """Shows the sheet of the review's controller and hands over what the user wants of it."""

    def __init__(
        self,
        review: ReviewController,
        controller: Controller,
        store: StateStore,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("review_panel")
        self._review, self._controller, self._store = review, controller, store
        self.bar, self.table, self.detail = ReviewBar(), ReviewTable(), DetailPane()
        self.summary, self.problem = plain_label("caption"), plain_label("error")
        self.problem.setWordWrap(True)
        self.progress_row = ProgressRow()
        self._checklist_dialog: ChecklistDialog | None = None
        self._lay_out()
        self._connect()
        self._retranslate()
        self._on_sheet_changed()

    @property
    def checklist_dialog(self) -> ChecklistDialog:
        """Made when it is first wanted."""
        if self._checklist_dialog is None:
            self._checklist_dialog = ChecklistDialog(self)
            self._checklist_dialog.checklists_changed.connect(self._on_checklists_changed)
        return self._checklist_dialog

    def export_to(self, path: Path) -> bool:
        return self._review.export(path)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        top = QWidget()
        words = QVBoxLayout(top)
        words.setContentsMargins(SPACE.l, 0, SPACE.l, SPACE.s)
        words.setSpacing(SPACE.xs)
        for widget in (self.problem, self.summary, self.progress_row):
            words.addWidget(widget)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.detail)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes([_TABLE_HEIGHT, _DETAIL_HEIGHT])
        self.detail.setMinimumHeight(150)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(top)
        column.addWidget(self.splitter, 1)

    def _connect(self) -> None:
        review, bar, table, detail = self._review, self.bar, self.table, self.detail
        review.sheet_changed.connect(self._on_sheet_changed)
        review.cell_changed.connect(self._on_cell_changed)
        review.running_changed.connect(self._refresh)
        self._store.activity_changed.connect(self._refresh)
        self._store.progress_changed.connect(self._on_progress_changed)
        bar.checklist_chosen.connect(review.choose)
        bar.edit_clicked.connect(self._on_edit_clicked)
        bar.start_clicked.connect(review.start)
        bar.stop_clicked.connect(review.stop)
        bar.words_changed.connect(table.rows.show_words)
        bar.show_changed.connect(table.rows.show_only)
        bar.export_wanted.connect(self._on_export_wanted)
        table.place_selected.connect(self._on_place_selected)
        table.place_chosen.connect(self._on_place_chosen)
        for signal in (table.accept_wanted, detail.accept_clicked):
            signal.connect(self._on_accept_wanted)
        for signal in (table.reject_wanted, detail.reject_clicked):
            signal.connect(self._on_reject_wanted)
        for signal in (table.again_wanted, detail.again_clicked):
            signal.connect(self._on_again_wanted)
        for signal in (table.stop_wanted, detail.stop_clicked):
            signal.connect(self._on_stop_wanted)
        table.comment_wanted.connect(detail.focus_comment)
        detail.comment_given.connect(self._on_comment_given)
        detail.place_clicked.connect(self._controller.show_place)

    def _retranslate(self) -> None:
        self.table.setAccessibleName(self.tr("Findings of the review"))
        self.table.setToolTip("")
        self._refresh()

    def _refresh(self, _changed: object = None) -> None:
        review, sheet = self._review, self._review.sheet
        cells = [sheet.cell(place) for place in sheet.places]
        num_answered = sum(cell.finding is not None for cell in cells)
        is_free = self._store.state.activity in (Activity.IDLE, Activity.PREPARING)
        self.bar.show_work(
            is_running=review.is_running,
            can_start=is_free and bool(review.open_places),
            has_findings=num_answered > 0,
            is_complete=bool(cells) and num_answered == len(cells),
        )
        words = self.tr("{count} of {total} answered").format(count=num_answered, total=len(cells))
        num_verified = sum(cell.finding is not None and cell.finding.verified for cell in cells)
        if num_answered:
            words += " · " + self.tr("{count} verified").format(count=num_verified)
        if self._store.state.activity is Activity.ANSWERING:
            words += " · " + self.tr("A question is being answered: the review can start after it.")
        self.summary.setText(words)
        problem = review.problem
        self.problem.setVisible(problem is not None)
        self.problem.setText(error_sentence(problem) if problem is not None else "")

    def _selected(self) -> Place | None:
        return self.table.place

    def _on_sheet_changed(self) -> None:
        self.bar.show_checklists(self._review.name)
        self.table.show_sheet(self._review.sheet)
        self._refresh()

    def _on_cell_changed(self, place: Place) -> None:
        self.table.source.refresh(place)
        if place == self._selected():
            self._on_place_selected(place)
        self._refresh()

    def _on_place_selected(self, place: Place | None) -> None:
        sheet = self._review.sheet
        if place is None or place not in sheet.places:
            self.detail.show_cell(None, sheet.cell(Place(0, "")), "")
            return
        name = sheet.documents[place.document_index].name if len(sheet.documents) > 1 else ""
        self.detail.show_cell(sheet.item(place.item_id), sheet.cell(place), name)

    def _on_place_chosen(self, place: Place | None) -> None:
        """Show where the answer comes from."""
        if place is None or place.document_index >= len(self._review.sheet.documents):
            return
        citation = supporting_citation(self._review.sheet.cell(place).citations)
        if citation is not None and citation.verified:
            self._controller.show_place(citation)
        else:
            self._controller.show_document(place.document_index)

    def _on_accept_wanted(self) -> None:
        self._decide(FindingStatus.ACCEPTED)

    def _on_reject_wanted(self) -> None:
        self._decide(FindingStatus.REJECTED)

    def _decide(self, status: FindingStatus) -> None:
        place = self._selected()
        if place is not None:
            self._review.set_status(place, status)
            self._on_place_selected(place)

    def _on_again_wanted(self) -> None:
        place = self._selected()
        if place is not None:
            self._review.run_again(place)

    def _on_stop_wanted(self) -> None:
        place = self._selected()
        if place is not None:
            self._review.stop_row(place)

    def _on_comment_given(self, comment: str) -> None:
        place = self._selected()
        if place is not None:
            self._review.set_comment(place, comment)

    def _on_progress_changed(self, progress: Progress | None) -> None:
        self.progress_row.show_progress(progress if self._review.is_running else None)

    def _on_edit_clicked(self) -> None:
        self.checklist_dialog.edit(self._review.name)

    def _on_checklists_changed(self, name: str) -> None:
        """The checklist that was saved last is taken, unless a review is under way."""
        if self._review.is_running:
            self.bar.show_checklists(self._review.name)
        else:
            self._review.choose(name)

    def _on_export_wanted(self, suffix: str) -> None:
        proposed = f"{self._review.name}{suffix}"
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Export"), proposed, f"*{suffix}")
        if path:
            self.export_to(Path(path if path.lower().endswith(suffix) else path + suffix))
