"""Pictures of the history: listed, searched, and a conversation that came back."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from app.startup import Program
from core.library.library import Library, library_path
from core.library.records import StoredAnswer

if TYPE_CHECKING:
    from app.screenshots import Photographer

_WAIT_S = 20.0
_EARLIER = (
    ("lease-2024.pdf", "Who pays for repairs of the roof?", "The landlord: clause 9.2 names the roof first."),
    ("lease-2024.pdf", "How is the rent adjusted?", "Once a year, by the consumer price index [page 6]."),
    ("nda-acme.pdf", "How long does confidentiality last?", "Five years from disclosure, see clause 7."),
    ("nda-acme.pdf", "Is there a penalty?", "No penalty; each party may ask for an injunction [page 4]."),
    ("merger-agreement.pdf", "Which law governs?", "The laws of the State of Delaware [page 61]."),
)


def library_scenes(photographer: "Photographer", program: Program) -> None:
    """The conversation on screen is one of several; it is put away and brought back."""
    program.library.settle(_WAIT_S)
    _fill(program.library.run)
    window, panel = program.window, program.window.history_panel
    window.history_action.setChecked(True)
    photographer.wait(lambda: len(panel.model.rows) > len(_EARLIER), _WAIT_S)
    first = next(row for row in panel.model.rows if not row.is_heading)
    panel.list.setCurrentIndex(panel.model.place_of(first))
    photographer.take("history", program)
    panel.delete_dialog.ask(0, first.title)
    photographer.take("history-delete", program, panel.delete_dialog)
    panel.delete_dialog.reject()
    panel.rename_dialog.ask(0, first.title)
    photographer.take("history-rename", program, panel.rename_dialog)
    panel.rename_dialog.reject()
    panel.field.setText("page")
    photographer.wait(lambda: any(row.matches for row in panel.model.rows), _WAIT_S)
    photographer.take("history-search", program)
    panel.field.clear()
    program.controller.start_conversation()
    assert first.conversation_id is not None
    program.history.open(first.conversation_id)
    photographer.wait(lambda: bool(window.chat.turns), _WAIT_S)
    photographer.wait(lambda: program.store.state.activity == "idle", _WAIT_S)
    photographer.take("history-restored", program)
    window.chat.turns[-1].begin_edit()
    photographer.take("history-edit", program)
    window.chat.turns[-1].end_edit()
    window.history_action.setChecked(False)


def _fill(run: Callable[..., None]) -> None:
    """A few weeks of work."""

    def write(_library: Library) -> None:
        moment = datetime.now(UTC) - timedelta(days=21)
        for name, question, answer in _EARLIER:
            moment += timedelta(days=3)
            with Library.open(library_path(), partial(_same, moment)) as library:
                document = library.documents.add(name, f"/documents/{name}", name, 12)
                talk = library.conversations.create(question, [document.document_id])
                stored = StoredAnswer(answer, "starter", "exact", "stop")
                library.conversations.add_turn(talk.conversation_id, question, stored)

    run(write)


def _same(moment: datetime) -> datetime:
    return moment
