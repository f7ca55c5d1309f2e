"""What happens in a review: which questions are asked, what becomes of them, what the library keeps."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app import i18n, theme
from app.background import Background
from app.controller import Controller
from app.engine_thread import EngineThread
from app.error_router import ErrorRouter, describe
from app.jobs import Job, JobEnded, JobKind
from app.library_service import LibraryService
from app.review_findings import answered_cell, find_findings, find_quotes, restored_cell, save_finding
from app.review_report import report_of
from app.review_sheet import Cell, CellState, Place, Sheet
from app.state import StateStore
from core.documents.citations import Citation
from core.documents.layout import Document
from core.documents.notices import is_left_out
from core.errors import CancelledError, LecternError
from core.events import Finished, FinishReason, ReviewEvent, RowFailed, RowFinished, RowStarted, RowToken
from core.library.library import Library
from core.library.records import StoredFinding
from core.review.checklists import checklist_names, load_checklist
from core.review.export.writer import export_report
from core.review.finding import FindingStatus, ReviewFinding
from core.review.question import Question, questions_of

_FIRST_CHOICE = "contract-review"


class ReviewController(QObject):
    """Lives in the window's thread and owns no widget; `sheet` is the only place where its results are.

    `sheet_changed` comes when questions or documents are others, `cell_changed` with the `Place` of a cell.
    A finding is in the library before its cell says so; without a library the review goes on. What the
    reader has accepted or rejected is asked again only by `run_again`. `chosen` is a checklist that cannot be
    understood if `problem` says why.
    """

    sheet_changed = Signal()
    cell_changed = Signal(object)
    running_changed = Signal(bool)

    def __init__(
        self,
        controller: Controller,
        engine: EngineThread,
        store: StateStore,
        library: LibraryService,
        background: Background,
        router: ErrorRouter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._controller, self._engine, self._store = controller, engine, store
        self._library, self._background, self._router = library, background, router
        self.sheet = Sheet()
        self.name = ""
        self.problem: LecternError | None = None
        self._is_running = False
        self._saving: set[Place] = set()
        self._asked: dict[Place, Question] = {}
        engine.row_changed.connect(self._on_row_changed)
        engine.job_ended.connect(self._on_job_ended)
        engine.abandoned.connect(self._on_abandoned)
        store.documents_changed.connect(self._on_documents_changed)
        names = checklist_names()
        self._load(_FIRST_CHOICE if _FIRST_CHOICE in names else next(iter(names), ""))

    @property
    def is_running(self) -> bool:
        return self._is_running

    @property
    def open_places(self) -> tuple[Place, ...]:
        """What `start` would ask: all that has no answer; if everything has, all that is undecided."""
        cells = [(place, self.sheet.cell(place)) for place in self.sheet.places]
        unanswered = tuple(place for place, cell in cells if cell.finding is None)
        return unanswered or tuple(place for place, cell in cells if not cell.is_decided)

    @property
    def has_findings(self) -> bool:
        return any(cell.finding is not None for cell in self.sheet.cells.values())

    def choose(self, name: str) -> None:
        """Show another checklist, with what was found by it before; not while one is under way."""
        if not self._is_running:
            self._load(name)

    def start(self) -> None:
        """Ask what is open, one document after the other; those that are left out only if all are."""
        if not self._is_running:
            read = tuple(place for place in self.open_places if self._is_read(place))
            self._ask(read or self.open_places)

    def run_again(self, place: Place) -> None:
        """Ask one question again, after what is under way."""
        if not self.sheet.cell(place).is_under_way:
            self._ask((place,))

    def stop(self) -> None:
        if self._is_running:
            self._controller.stop()

    def stop_row(self, place: Place) -> None:
        """Let one question be; the others go on."""
        cell = self.sheet.cell(place)
        if not cell.is_under_way or place not in self._asked:
            return
        self._asked[place].cancel.cancel()
        if cell.state is CellState.WAITING:  # its turn may be long in coming
            self._end_early(place, "")

    def set_status(self, place: Place, status: FindingStatus) -> None:
        """What the reader thinks of an answer; the same once more takes it back."""
        finding = self._whole_finding(place)
        if finding is None:
            return
        wanted = FindingStatus.OPEN if finding.status is status else status
        self._change(
            place,
            replace(finding, status=wanted),
            lambda library, finding_id: library.findings.set_status(finding_id, wanted),
        )

    def set_comment(self, place: Place, comment: str) -> None:
        finding = self._whole_finding(place)
        if finding is not None and finding.comment != comment:
            self._change(
                place,
                replace(finding, comment=comment),
                lambda library, finding_id: library.findings.set_comment(finding_id, comment),
            )

    def export(self, path: Path) -> bool:
        """Write what was found so far; False if that is not possible, which the router has told then."""
        try:
            export_report(report_of(self.sheet, _language()), path)
        except LecternError as error:
            self._router.route(error)
            return False
        return True

    def _load(self, name: str) -> None:
        self.name, self.problem = name, None
        checklist = None
        try:
            checklist = load_checklist(name) if name else None
        except LecternError as error:
            self.problem = error
        self.sheet = Sheet(checklist, self._store.state.documents, _language())
        self._saving.clear()
        self._asked.clear()
        self.sheet_changed.emit()
        self._look_up()

    def _look_up(self) -> None:
        """Ask the library for what was found in these documents before."""
        sheet = self.sheet
        if sheet.checklist is None:
            return
        for index, document in enumerate(sheet.documents):
            self._library.run(
                partial(find_findings, document.sha256, sheet.checklist.name),
                partial(self._show_found, sheet, index),
            )

    def _show_found(self, sheet: Sheet, index: int, found: tuple[StoredFinding, ...]) -> None:
        places = []
        for stored in found:
            place = Place(index, stored.finding.question_id)
            if sheet is self.sheet and place in sheet.places and sheet.cell(place).state is CellState.EMPTY:
                self._put(place, restored_cell(stored))
                places.append(place)
        if places:
            answers = [sheet.cell(place).answer for place in places]
            self._background.run(
                partial(find_quotes, sheet.documents[index], answers),
                partial(self._show_citations, sheet, places),
            )

    def _show_citations(
        self, sheet: Sheet, places: list[Place], citations: list[tuple[Citation, ...]]
    ) -> None:
        """Quotes of earlier findings are looked up again: the library keeps no boxes."""
        for place, found in zip(places, citations, strict=True):
            cell = sheet.cell(place)
            if sheet is self.sheet and cell.state is CellState.DONE and not cell.citations:
                self._put(place, replace(cell, citations=found))

    def _ask(self, places: tuple[Place, ...]) -> None:
        sheet = self.sheet
        sheet.language = _language()
        for index, document in enumerate(sheet.documents):
            wanted = [place for place in places if place.document_index == index]
            questions = questions_of((sheet.item(place.item_id) for place in wanted), sheet.language)
            if not questions or not self._controller.review(document, questions):
                continue
            for place, question in zip(wanted, questions, strict=True):
                self._asked[place] = question
                cell = sheet.cell(place)
                self._put(place, replace(cell, state=CellState.WAITING, text="", error=None))
        self._refresh_running()

    def _put(self, place: Place, cell: Cell) -> None:
        self.sheet.cells[place] = cell
        self.cell_changed.emit(place)

    def _place_of(self, job: Job, item_id: str) -> Place | None:
        """None for a review whose questions are no longer on screen, or were put again since."""
        for index, document in enumerate(self.sheet.documents):
            place = Place(index, item_id)
            is_asked_now = any(question is self._asked.get(place) for question in job.questions)
            if document is job.reviewed and is_asked_now and self.sheet.cell(place).is_under_way:
                return place
        return None

    def _on_row_changed(self, job: Job, event: ReviewEvent) -> None:
        if not isinstance(event, RowStarted | RowToken | RowFinished | RowFailed):
            return
        place = self._place_of(job, event.row_id)
        if place is None:
            return
        cell = self.sheet.cell(place)
        if isinstance(event, RowStarted):
            self._put(place, replace(cell, state=CellState.ANSWERING, text=""))
        elif isinstance(event, RowToken):
            self._put(place, replace(cell, state=CellState.ANSWERING, text=cell.text + event.text))
        elif isinstance(event, RowFailed):
            self._fail(place, event.error)
        elif event.finished.reason is FinishReason.CANCELLED:
            self._end_early(place, event.finished.answer)
        else:
            self._finish(place, event.finished)

    def _is_read(self, place: Place) -> bool:
        state = self._store.state
        document = self.sheet.documents[place.document_index]
        return not is_left_out(document, state.reading.selection(state.documents))

    def _finish(self, place: Place, finished: Finished) -> None:
        sheet, model = self.sheet, self._store.state.model
        cell = answered_cell(sheet, place, finished, model.name if model is not None else "")
        self._saving.add(place)
        self._library.run(
            partial(save_finding, sheet.documents[place.document_index], cell),
            partial(self._show_saved, sheet, place, cell),
            partial(self._show_whole, sheet, place, cell),
        )

    def _show_saved(self, sheet: Sheet, place: Place, cell: Cell, stored: StoredFinding) -> None:
        self._show_whole(sheet, place, replace(cell, finding=stored.finding, finding_id=stored.finding_id))

    def _show_whole(self, sheet: Sheet, place: Place, cell: Cell) -> None:
        if sheet is self.sheet:
            self._saving.discard(place)
            self._put(place, cell)

    def _fail(self, place: Place, error: Exception) -> None:
        text = describe(error)
        cell = self.sheet.cell(place)
        if text is None:
            self._end_early(place, cell.text)
        else:
            self._put(place, replace(cell, state=CellState.FAILED, text="", error=text))

    def _end_early(self, place: Place, text: str) -> None:
        """An answer of before comes back; else what came so far stays to be read."""
        cell = self.sheet.cell(place)
        if cell.finding is not None:
            self._put(place, replace(cell, state=CellState.DONE, text=cell.finding.answer))
        else:
            self._put(place, replace(cell, state=CellState.STOPPED if text else CellState.EMPTY, text=text))

    def _on_job_ended(self, ended: JobEnded) -> None:
        job = ended.job
        if job.kind is not JobKind.REVIEW:
            return
        for question in job.questions:
            place = self._place_of(job, question.row_id)
            if place is None or place in self._saving:
                continue
            if ended.error is None or isinstance(ended.error, CancelledError):
                self._end_early(place, self.sheet.cell(place).text)
            else:
                self._fail(place, ended.error)
        self._refresh_running()

    def _on_abandoned(self) -> None:
        for place, cell in list(self.sheet.cells.items()):
            if cell.is_under_way and place not in self._saving:
                self._end_early(place, cell.text)
        self._refresh_running()

    def _on_documents_changed(self, _documents: tuple[Document, ...]) -> None:
        self._load(self.name)

    def _refresh_running(self) -> None:
        is_running = self._engine.is_reviewing
        if is_running != self._is_running:
            self._is_running = is_running
            self.running_changed.emit(is_running)

    def _whole_finding(self, place: Place) -> ReviewFinding | None:
        cell = self.sheet.cell(place)
        return cell.finding if cell.state is CellState.DONE else None

    def _change(
        self, place: Place, finding: ReviewFinding, keep: Callable[[Library, int], StoredFinding]
    ) -> None:
        """Write a decision, then show it; without a library it is only shown."""
        sheet, finding_id = self.sheet, self.sheet.cell(place).finding_id
        show = partial(self._show_changed, sheet, place, finding)
        if finding_id is None:
            show()
        else:
            self._library.run(lambda library: keep(library, finding_id), lambda _stored: show(), show)

    def _show_changed(self, sheet: Sheet, place: Place, finding: ReviewFinding) -> None:
        if sheet is self.sheet:
            self._put(place, replace(sheet.cell(place), finding=finding))


def _language() -> str:
    """In which the checklist is read now: the window's own."""
    return i18n.spoken_language(theme.running_app())
