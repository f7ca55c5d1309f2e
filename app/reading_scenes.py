"""Pictures of documents beyond the model's window: the choice, and the window while parts are left out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.scripted_backend import Script
from app.scripted_figures import STEPS_A_PART
from app.startup import Program
from core.documents.reading_choice import ReadingKind
from core.samples import default_sample

if TYPE_CHECKING:
    from app.screenshots import Photographer

_WAIT_S = 20.0
_TOO_MANY = 15_000


def reading_scenes(photographer: "Photographer", program: Program, script: Script) -> None:
    """The sample as if it were too long; one page of it is read, then sections are."""
    script.num_tokens = _TOO_MANY
    window, store, dialog = program.window, program.store, program.window.reading.dialog
    program.controller.open_files([str(default_sample().path)])
    photographer.wait(dialog.isVisible, _WAIT_S)
    photographer.wait(lambda: store.state.activity == "idle", _WAIT_S)
    photographer.take("reading-choice", program, dialog)
    dialog.options[ReadingKind.PAGES].click()
    dialog.ranges.fields[0].setText("1")
    dialog.read_button.click()
    photographer.wait(lambda: store.state.is_read, _WAIT_S)
    window.document_view.toolbar.thumbnails_button.click()
    photographer.take("reading-pages", program)
    window.reading.action.trigger()
    dialog.options[ReadingKind.SECTIONS].click()
    dialog.read_button.click()
    photographer.wait(lambda: store.state.is_read, _WAIT_S)
    photographer.take("reading-sections", program)
    _summary_scene(photographer, program, script)


def _summary_scene(photographer: "Photographer", program: Program, script: Script) -> None:
    """A summary in the middle of its second part."""
    script.num_parts, script.hold_at_chunk = 4, STEPS_A_PART + 2
    row = program.window.chat.progress_row
    program.controller.ask("Summarise the agreement.")
    photographer.wait(lambda: "3,072" in row.figures.text(), _WAIT_S)
    photographer.take("reading-summary", program)
    program.controller.stop()
    photographer.wait(lambda: program.store.state.activity == "idle", _WAIT_S)


def left_out_scenes(photographer: "Photographer", program: Program, paths: Sequence[str]) -> None:
    """Two documents, of which the second is left out and on screen."""
    window, store, dialog = program.window, program.store, program.window.reading.dialog
    program.controller.open_files(paths)
    photographer.wait(lambda: store.state.is_read and store.state.activity == "idle", _WAIT_S)
    window.reading.action.trigger()
    dialog.ranges.boxes[1].click()
    photographer.take("reading-left-out-choice", program, dialog)
    dialog.read_button.click()
    photographer.wait(lambda: store.state.is_read and store.state.activity == "idle", _WAIT_S)
    program.controller.ask("What is left of it?")
    turn = window.chat.last_turn
    assert turn is not None, "a question makes a turn"
    photographer.wait(lambda: turn.finished is not None, _WAIT_S)
    program.controller.show_document(1)
    window.document_view.toolbar.thumbnails_button.setChecked(True)
    photographer.take("reading-left-out", program)
