"""A review in the window: rows fill in, are decided, kept, exported, and stopped."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import theme
from app.ending import end
from app.preferences import Preferences
from app.review_controller import ReviewController
from app.review_sheet import Cell, CellState, Place
from app.review_view.clamped_text import clamped
from app.review_view.review_filter import Show
from app.review_view.review_model import Column
from app.review_view.review_view import ReviewView
from app.scripted_backend import Script, ScriptedBackend
from app.startup import Program
from app.state import Activity
from core.errors import ConversationFullError
from core.library.library import Library
from core.review.checklist import AnswerForm, Checklist, ChecklistItem
from core.review.checklists import save_checklist
from core.review.finding import FindingStatus

TIMEOUT_MS = 10_000
QUOTING = 'It begins then: "The term of this Agreement will commence on January 1, 1998" [page 1].'
ANSWERS = {"start": QUOTING, "bonus": 'He gets "a bonus of forty percent" [page 2].', "law": "Not found."}


def at(item_id: str, document_index: int = 0) -> Place:
    return Place(document_index, item_id)


def items() -> tuple[ChecklistItem, ...]:
    return tuple(
        ChecklistItem(name, {"en": name.title()}, {"en": f"What about the {name}?"}, AnswerForm.TEXT)
        for name in ANSWERS
    )


@pytest.fixture(autouse=True)
def _checklist(_own_data_folder: None) -> None:
    save_checklist(Checklist("mine", {"en": "Mine"}, items()))


@pytest.fixture
def view(program: Program) -> ReviewView:
    return program.window.review


@pytest.fixture
def review(program: Program, script: Script, open_sample: Callable[[], None]) -> ReviewController:
    """The sample is open and the checklist chosen."""
    script.row_answers = dict(ANSWERS)
    open_sample()
    program.window.side.show_review()
    program.review.choose("mine")
    return program.review


def finish(qtbot: QtBot, review: ReviewController) -> None:
    """Start, and wait until everything is over and kept."""
    review.start()
    assert review.is_running
    settle(qtbot, review)


def settle(qtbot: QtBot, review: ReviewController) -> None:
    def is_over() -> bool:
        return not review.is_running and not any(cell.is_under_way for cell in review.sheet.cells.values())

    qtbot.waitUntil(is_over, timeout=TIMEOUT_MS)


def cell(review: ReviewController, item_id: str, document_index: int = 0) -> Cell:
    return review.sheet.cell(at(item_id, document_index))


def shown(view: ReviewView) -> list[str]:
    rows = view.table.rows
    return [str(rows.index(row, 0).data()) for row in range(rows.rowCount())]


def select(view: ReviewView, item_id: str) -> None:
    rows = view.table.rows
    row = shown(view).index(item_id.title())
    view.table.select(rows.index(row, 1))


def test_rows_fill_in_while_others_wait(
    qtbot: QtBot, review: ReviewController, view: ReviewView, script: Script, program: Program
) -> None:
    script.review_width, script.hold_at_token = 2, 3
    select(view, "start")
    view.bar.start_button.click()
    qtbot.waitUntil(lambda: cell(review, "start").text.startswith("It begins"), timeout=TIMEOUT_MS)
    assert cell(review, "law").state is CellState.WAITING
    assert str(view.table.rows.index(0, 1 + Column.ANSWER).data()).startswith("It begins")
    assert str(view.table.rows.index(0, 1 + Column.STATUS).data()) == "Answering…"
    assert view.detail.answer.source.startswith("It begins")
    assert program.store.state.activity is Activity.REVIEWING
    assert program.window.chat.review_note.text().startswith("A review is under way")
    assert not program.window.chat.review_note.isHidden()
    script.go.set()
    settle(qtbot, review)
    assert {name: cell(review, name).answer for name in ANSWERS} == ANSWERS
    assert view.summary.text() == "3 of 3 answered · 1 verified"
    assert program.window.chat.review_note.isHidden()


def test_a_finding_is_in_the_library_before_it_is_on_screen(qtbot: QtBot, review: ReviewController) -> None:
    kept_when_shown: dict[str, bool] = {}

    def on_cell_changed(place: Place) -> None:
        if review.sheet.cell(place).state is CellState.DONE:
            kept_when_shown[place.item_id] = review.sheet.cell(place).finding_id is not None

    review.cell_changed.connect(on_cell_changed)
    finish(qtbot, review)
    assert kept_when_shown == dict.fromkeys(ANSWERS, True)
    with Library.open() as library:
        (document,) = library.documents.all()
        stored = {one.finding.question_id: one for one in library.findings.of(document.document_id, "mine")}
    assert {name: one.finding.answer for name, one in stored.items()} == ANSWERS
    assert stored["start"].finding.verified
    assert stored["start"].finding.page_index == 0


def test_keys_decide_and_a_second_time_takes_it_back(
    qtbot: QtBot, review: ReviewController, view: ReviewView
) -> None:
    finish(qtbot, review)
    view.table.setFocus()
    for key, item_id, status in (
        (Qt.Key.Key_A, "start", FindingStatus.ACCEPTED),
        (Qt.Key.Key_R, "bonus", FindingStatus.REJECTED),
    ):
        select(view, item_id)
        qtbot.keyClick(view.table, key)
        qtbot.waitUntil(
            lambda item_id=item_id, status=status: cell(review, item_id).finding.status is status,  # type: ignore[misc, union-attr]
            timeout=TIMEOUT_MS,
        )
    assert view.detail.reject_button.isChecked()
    qtbot.keyClick(view.table, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: not cell(review, "bonus").is_decided, timeout=TIMEOUT_MS)
    qtbot.keyClick(view.table, Qt.Key.Key_C)
    assert view.detail.comment_field.hasFocus()
    qtbot.keyClicks(view.detail.comment_field, "Ask Ann")
    qtbot.keyClick(view.detail.comment_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: cell(review, "bonus").finding.comment == "Ask Ann", timeout=TIMEOUT_MS)  # type: ignore[union-attr]
    with Library.open() as library:
        (document,) = library.documents.all()
        kept = [one.finding for one in library.findings.of(document.document_id, "mine")]
    assert {(one.question_id, one.status.value, one.comment) for one in kept} == {
        ("start", "accepted", ""),
        ("bonus", "open", "Ask Ann"),
        ("law", "open", ""),
    }


def test_what_was_decided_is_not_asked_again_with_the_rest(
    qtbot: QtBot, review: ReviewController, view: ReviewView, backend: ScriptedBackend
) -> None:
    finish(qtbot, review)
    review.set_status(at("start"), FindingStatus.ACCEPTED)
    qtbot.waitUntil(lambda: cell(review, "start").is_decided, timeout=TIMEOUT_MS)
    assert view.bar.start_button.text() == "Ask again"
    finish(qtbot, review)
    assert backend.calls[-1].endswith(": bonus law")
    assert cell(review, "start").is_decided
    select(view, "start")
    view.detail.again_button.click()
    settle(qtbot, review)
    assert backend.calls[-1].endswith(": start")


def test_stop_keeps_what_is_done_and_start_goes_on_with_the_rest(
    qtbot: QtBot, review: ReviewController, view: ReviewView, script: Script, backend: ScriptedBackend
) -> None:
    script.review_width, script.hold_at_token = 1, 20
    review.start()
    qtbot.waitUntil(lambda: cell(review, "bonus").text != "", timeout=TIMEOUT_MS)
    qtbot.waitUntil(lambda: cell(review, "start").state is CellState.DONE, timeout=TIMEOUT_MS)
    view.bar.stop_button.click()
    settle(qtbot, review)
    states = {name: cell(review, name).state for name in ANSWERS}
    assert states == {"start": CellState.DONE, "bonus": CellState.STOPPED, "law": CellState.EMPTY}
    assert ANSWERS["bonus"].startswith(cell(review, "bonus").answer)
    with Library.open() as library:
        (document,) = library.documents.all()
        assert [one.finding.question_id for one in library.findings.of(document.document_id)] == ["start"]
    assert view.bar.start_button.text() == "Continue"
    script.hold_at_token = None
    finish(qtbot, review)
    assert backend.calls[-1].endswith(": bonus law")


def test_one_row_is_stopped_and_the_others_go_on(
    qtbot: QtBot, review: ReviewController, view: ReviewView, script: Script
) -> None:
    script.review_width, script.hold_at_token = 2, 3
    select(view, "start")
    assert view.detail.stop_button.isHidden()
    view.bar.start_button.click()
    qtbot.waitUntil(lambda: cell(review, "start").text.startswith("It begins"), timeout=TIMEOUT_MS)
    assert not view.detail.stop_button.isHidden()
    assert view.detail.again_button.isHidden()
    view.detail.stop_button.click()
    script.go.set()
    settle(qtbot, review)
    states = {name: cell(review, name).state for name in ANSWERS}
    assert states == {"start": CellState.STOPPED, "bonus": CellState.DONE, "law": CellState.DONE}
    assert view.detail.stop_button.isHidden()
    assert not view.detail.again_button.isHidden()
    script.hold_at_token = None
    view.detail.again_button.click()
    settle(qtbot, review)
    assert cell(review, "start").answer == QUOTING


def test_a_row_that_waits_is_stopped_at_once_and_can_be_asked_again(
    qtbot: QtBot, review: ReviewController, view: ReviewView, script: Script
) -> None:
    script.review_width, script.hold_at_token = 1, 2
    review.start()
    select(view, "law")
    qtbot.waitUntil(lambda: cell(review, "start").text != "", timeout=TIMEOUT_MS)
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_S)
    assert cell(review, "law").state is CellState.EMPTY
    assert view.detail.stop_button.isHidden()
    view.detail.again_button.click()
    assert cell(review, "law").state is CellState.WAITING
    script.go.set()
    settle(qtbot, review)
    assert {name: cell(review, name).answer for name in ANSWERS} == ANSWERS


def test_a_row_is_asked_again_while_the_others_go_on(
    qtbot: QtBot, review: ReviewController, script: Script
) -> None:
    script.review_width, script.hold_at_token = 2, 12
    review.start()
    qtbot.waitUntil(lambda: cell(review, "bonus").state is CellState.DONE, timeout=TIMEOUT_MS)
    script.row_answers["bonus"] = "Quite another answer."
    review.run_again(at("bonus"))
    assert cell(review, "bonus").state is CellState.WAITING
    script.go.set()
    settle(qtbot, review)
    assert cell(review, "bonus").answer == "Quite another answer."


def test_a_stop_while_asking_again_brings_the_old_answer_back(
    qtbot: QtBot, review: ReviewController, script: Script, backend: ScriptedBackend
) -> None:
    finish(qtbot, review)
    script.row_answers["start"], script.hold_at_token = "Quite another answer.", backend._num_steps + 2
    review.run_again(at("start"))
    qtbot.waitUntil(lambda: cell(review, "start").text != "", timeout=TIMEOUT_MS)
    review.stop()
    settle(qtbot, review)
    assert cell(review, "start").state is CellState.DONE
    assert cell(review, "start").answer == QUOTING


def test_a_click_shows_the_words_on_their_page(
    qtbot: QtBot, review: ReviewController, view: ReviewView, program: Program
) -> None:
    finish(qtbot, review)
    shown_places: list[Any] = []
    program.controller.place_chosen.connect(lambda page, rects: shown_places.append((page, rects)))
    select(view, "start")
    view.table.clicked.emit(view.table.currentIndex())
    ((page_index, rects),) = shown_places
    assert page_index == 0
    assert rects
    view.detail.chips.chips[0].click()
    assert shown_places[1] == shown_places[0]


def test_rows_are_sorted_and_filtered(qtbot: QtBot, review: ReviewController, view: ReviewView) -> None:
    finish(qtbot, review)
    assert shown(view) == ["Start", "Bonus", "Law"]
    view.table.sortByColumn(1 + Column.CONFIDENCE, Qt.SortOrder.DescendingOrder)
    assert shown(view)[0] == "Start"
    for show, expected in (
        (Show.VERIFIED, ["Start"]),
        (Show.NOT_FOUND, ["Law"]),
        (Show.OPEN, ["Start", "Bonus", "Law"]),
        (Show.ACCEPTED, []),
        (Show.UNANSWERED, []),
    ):
        view.bar.show_box.setCurrentIndex(view.bar.show_box.findData(show))
        assert sorted(shown(view)) == sorted(expected), show
    view.bar.show_box.setCurrentIndex(0)
    view.bar.words_field.setText("forty PERCENT")
    assert shown(view) == ["Bonus"]


def test_one_row_may_fail_alone(
    qtbot: QtBot, review: ReviewController, view: ReviewView, script: Script
) -> None:
    script.row_errors["bonus"] = ConversationFullError("No room for an answer", "It is too long.")
    finish(qtbot, review)
    assert cell(review, "bonus").state is CellState.FAILED
    assert cell(review, "law").state is CellState.DONE
    select(view, "bonus")
    assert "No room for an answer" in view.detail.error.text()
    del script.row_errors["bonus"]
    view.detail.again_button.click()
    settle(qtbot, review)
    assert cell(review, "bonus").state is CellState.DONE
    assert view.detail.error.isHidden()


def test_a_report_is_written_in_every_kind(
    qtbot: QtBot, review: ReviewController, view: ReviewView, program: Program, tmp_path: Path
) -> None:
    assert not view.bar.export_button.isEnabled()
    finish(qtbot, review)
    assert view.bar.export_button.isEnabled()
    for suffix in (".md", ".csv", ".docx", ".html"):
        assert view.export_to(tmp_path / f"report{suffix}")
    assert "commence on January 1, 1998" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert not view.export_to(tmp_path / "nowhere" / "report.md")
    assert program.window.error_dialog.isVisible()
    program.window.error_dialog.accept()


def test_documents_stand_side_by_side_and_are_reviewed_one_after_the_other(
    qtbot: QtBot,
    program: Program,
    view: ReviewView,
    script: Script,
    backend: ScriptedBackend,
    sample_path: str,
    pdfs: Path,
) -> None:
    script.row_answers = dict(ANSWERS)
    with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
        program.controller.open_files([sample_path, str(pdfs / "lease.pdf")])
    program.review.choose("mine")
    finish(qtbot, program.review)
    names = [document.name for document in program.store.state.documents]
    assert [call for call in backend.calls if call.startswith("review")] == [
        f"review {name}: start bonus law" for name in names
    ]
    assert view.table.source.columnCount() == 1 + 2 * len(Column)
    assert cell(program.review, "start", 0).finding.verified  # type: ignore[union-attr]
    assert not cell(program.review, "start", 1).finding.verified  # type: ignore[union-attr]
    view.table.select(view.table.rows.index(0, 1 + len(Column)))
    assert names[1] in view.detail.title.text()
    view.table.clicked.emit(view.table.currentIndex())
    assert program.store.state.shown_document == 1


def test_an_opened_document_shows_what_was_found_before(
    qtbot: QtBot, review: ReviewController, view: ReviewView, program: Program, sample_path: str, pdfs: Path
) -> None:
    finish(qtbot, review)
    program.controller.open_files([str(pdfs / "lease.pdf")])
    qtbot.waitUntil(lambda: program.store.state.documents[0].name == "lease.pdf", timeout=TIMEOUT_MS)
    assert cell(review, "start").finding is None
    program.controller.open_files([sample_path])
    qtbot.waitUntil(lambda: bool(cell(review, "start").citations), timeout=TIMEOUT_MS)
    assert cell(review, "start").answer == QUOTING
    assert cell(review, "start").citations[0].rects, "its words are found on the page again"
    assert view.summary.text().startswith("3 of 3 answered")


def test_no_question_is_taken_while_a_review_runs_and_other_documents_end_it(
    qtbot: QtBot,
    review: ReviewController,
    program: Program,
    script: Script,
    backend: ScriptedBackend,
    pdfs: Path,
) -> None:
    script.hold_at_token = 2
    review.start()
    qtbot.waitUntil(lambda: cell(review, "start").text != "", timeout=TIMEOUT_MS)
    program.controller.ask("What is it?")
    assert "ask" not in backend.calls
    assert not program.window.chat.turns
    program.controller.open_files([str(pdfs / "lease.pdf")])
    qtbot.waitUntil(lambda: not review.is_running, timeout=TIMEOUT_MS)
    qtbot.waitUntil(lambda: program.store.state.activity is Activity.IDLE, timeout=TIMEOUT_MS)
    assert all(one.state is CellState.EMPTY for one in review.sheet.cells.values())


def test_without_a_library_the_review_goes_on_and_it_is_said_once(
    qtbot: QtBot, themed: QApplication, backend: ScriptedBackend, service: Any, machine: Any, tmp_path: Path,
    sample_path: str,
) -> None:  # fmt: skip
    (tmp_path / "data" / "library.db").mkdir()
    program = Program(Preferences(), lambda: backend, documents=service, probes=machine.probes)
    told: list[Any] = []
    program.router.error_described.connect(told.append)
    try:
        with qtbot.waitSignal(program.store.is_read_changed, timeout=TIMEOUT_MS):
            program.controller.open_files([sample_path])
        program.review.choose("mine")
        finish(qtbot, program.review)
        assert all(cell(program.review, name).state is CellState.DONE for name in ANSWERS)
        program.review.set_status(at("law"), FindingStatus.ACCEPTED)
        assert cell(program.review, "law").is_decided
        assert len(told) == 1
    finally:
        assert end(program, themed)


def test_a_checklist_that_cannot_be_understood_says_why(
    review: ReviewController, view: ReviewView, tmp_path: Path
) -> None:
    (tmp_path / "data" / "checklists" / "mine.toml").write_text("oh no", encoding="utf-8")
    review.choose("mine")
    assert "mine.toml" in view.problem.text()
    assert view.table.rows.rowCount() == 0
    assert not view.bar.start_button.isEnabled()


@pytest.mark.parametrize("words", [QUOTING, "short", "", "一份很长的合同" * 9, "a" * 300])
@pytest.mark.usefixtures("themed")
def test_a_cell_has_two_lines_that_fit(words: str) -> None:
    font, width = theme.font(), 150
    lines = clamped(words, font, width).split("\u2028")
    assert len(lines) <= 2
    assert all(QFontMetricsF(font).horizontalAdvance(line) <= width + 1 for line in lines)
    said = " ".join(lines) if " " in words else "".join(lines)
    assert words.startswith(said.rstrip("…").strip())
    assert (said == words) == (not said.endswith("…"))
