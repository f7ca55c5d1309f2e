"""Pictures of a document beyond the model's window: the choice, and the window while pages are left out."""

from typing import TYPE_CHECKING

from app.scripted_backend import Script
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
