"""A picture of what an answer looked at: warm pages, marks beside the scroll bar, and the list."""

from typing import TYPE_CHECKING

from app.startup import Program

if TYPE_CHECKING:
    from app.screenshots import Photographer

_WAIT_S = 20.0


def evidence_scene(photographer: "Photographer", program: Program, path: str, question: str) -> None:
    window, store = program.window, program.store
    program.controller.open_files([path])
    photographer.wait(lambda: store.state.is_read, _WAIT_S)
    program.controller.ask(question)
    turn = window.chat.last_turn
    assert turn is not None, "a question makes a turn"
    photographer.wait(lambda: turn.finished is not None, _WAIT_S)
    window.document_view.toolbar.thumbnails_button.setChecked(True)
    turn.evidence.button.click()
    turn.evidence.entries[0].click()
    photographer.take("evidence", program)
