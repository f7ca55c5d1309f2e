"""Pictures of a review: while it runs, with an answer looked at, two documents, and a checklist edited."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QDialog

from app.review_sheet import Place
from app.scripted_backend import Script
from app.state import Activity
from core.review.finding import FindingStatus

if TYPE_CHECKING:
    from app.startup import Program

_WAIT_S = 20.0
_HOLD_AT = 17
_NOT_FOUND = "Not found."
_ANSWERS = {
    "document-name": 'It is called "MANAGEMENT SERVICES AGREEMENT" [page 1].',
    "parties": "The parties are HPS and SHPS.",
    "agreement-date": 'The contract is dated "January 1, 1998" [page 1].',
    "effective-date": 'It takes effect on January 1, 1998: "The term of this Agreement will commence on '
    'January 1, 1998" [page 1].',
    "expiration-date": 'It ends after five years, "unless a later date was agreed upon by telephone".',
}


class Camera(Protocol):
    """What a scene needs of the photographer."""

    def take(self, scene: str, program: "Program", dialog: QDialog | None = None) -> None: ...

    def wait(self, condition: Callable[[], bool], limit_s: float) -> None: ...


def review_scenes(camera: Camera, program: "Program", script: Script) -> None:
    review, view = program.review, program.window.review
    program.window.side.show_review()
    items = [item.item_id for item in review.sheet.items]
    script.row_answers = {item_id: _ANSWERS.get(item_id, _NOT_FOUND) for item_id in items}
    script.go.clear()
    script.hold_at_token = _HOLD_AT
    review.start()
    camera.wait(partial(_has_answers, program, 4), _WAIT_S)
    camera.take("review-running", program)
    script.hold_at_token = None
    script.go.set()
    camera.wait(lambda: not review.is_running, _WAIT_S)
    camera.wait(partial(_has_answers, program, len(items)), _WAIT_S)
    review.set_status(Place(0, "document-name"), FindingStatus.ACCEPTED)
    review.set_status(Place(0, "expiration-date"), FindingStatus.REJECTED)
    review.set_comment(Place(0, "effective-date"), "Compare with the amendment of 1999.")
    camera.wait(lambda: review.sheet.cell(Place(0, "expiration-date")).is_decided, _WAIT_S)
    row = items.index("effective-date")
    view.table.select(view.table.rows.index(row, 1))
    view.table.clicked.emit(view.table.currentIndex())
    camera.take("review-done", program)
    dialog = view.checklist_dialog
    dialog.edit("nda")
    dialog.copy_button.click()
    dialog.form.add_button.click()
    dialog.form.item_form.title_field.setText("Carve-outs")
    dialog.form.item_form.title_field.textEdited.emit("Carve-outs")
    camera.take("checklist", program, dialog)
    dialog.discard_button.click()
    dialog.reject()
    program.window.side.show_conversation()


def two_documents_scene(camera: Camera, program: "Program", script: Script, paths: list[str]) -> None:
    """The same questions about two documents side by side."""
    program.controller.open_files(paths)
    camera.wait(lambda: program.store.state.is_read, _WAIT_S)
    camera.wait(lambda: program.store.state.activity is Activity.IDLE, _WAIT_S)
    program.review.choose("key-dates")
    items = [item.item_id for item in program.review.sheet.items]
    script.row_answers = {item_id: _ANSWERS.get(item_id, _NOT_FOUND) for item_id in items}
    program.window.side.show_review()
    program.review.start()
    camera.wait(partial(_has_answers, program, 2 * len(items)), _WAIT_S)
    camera.take("review-two", program)


def _has_answers(program: "Program", number: int) -> bool:
    sheet = program.review.sheet
    return sum(sheet.cell(place).finding is not None for place in sheet.places) >= number
