"""What an answer looked at, in the window: the list below it, warm pages, marks beside the scroll bar."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat_view.evidence_list import EvidenceList
from app.document_view.thumbnails import Thumbnails
from app.scripted_backend import Script
from app.startup import Program
from core.documents.layout import Document
from core.documents.quote_index import PageRect
from core.events import EvidencePage
from tests.app.test_conversation import ask, type_and_send

LOOKED_AT = {1: 0.7, 2: 0.3}


@pytest.fixture
def script() -> Script:
    return Script(evidence=dict(LOOKED_AT))


def warmth(program: Program) -> dict[int, float]:
    return program.window.document_view.pages.sheet.warmth


def places(program: Program) -> list[tuple[int, tuple[PageRect, ...]]]:
    """Fills with the places that the window is told to show."""
    found: list[tuple[int, tuple[PageRect, ...]]] = []
    program.controller.place_chosen.connect(lambda index, rects: found.append((index, rects)))
    return found


def test_after_an_answer_its_pages_are_warm_and_listed_folded_in(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None]
) -> None:
    open_sample()
    turn = ask(qtbot, program)
    assert warmth(program) == LOOKED_AT
    assert turn.evidence.button.text() == "Looked at: p. 2, 3"
    assert [entry.page.page_index for entry in turn.evidence.entries] == [1, 2]
    assert not any(entry.isVisibleTo(program.window) for entry in turn.evidence.entries)
    qtbot.mouseClick(turn.evidence.button, Qt.MouseButton.LeftButton)
    assert all(entry.isVisibleTo(program.window) for entry in turn.evidence.entries)
    page = program.store.state.documents[0].pages[1]
    head, passage = turn.evidence.entries[0].words.split("\n")
    assert head == "p. 2 · 70%"
    assert passage.removesuffix("…") in " ".join(page.text.split())
    assert "no proof" in turn.evidence.words.text()


def test_tab_reaches_each_entry_and_enter_goes_to_the_page_and_marks_the_passage(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None]
) -> None:
    open_sample()
    turn = ask(qtbot, program)
    turn.evidence.button.setFocus()
    qtbot.keyClick(turn.evidence.button, Qt.Key.Key_Space)
    shown = places(program)
    for entry in turn.evidence.entries:
        assert entry.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert entry.accessibleName().startswith("p. ")
    qtbot.keyClick(turn.evidence.entries[1], Qt.Key.Key_Return)
    assert shown == [(2, turn.evidence.entries[1].page.rects)]
    assert shown[0][1], "the passage has boxes"
    assert list(program.window.document_view.pages.sheet.highlights) == [2]


def test_a_new_question_clears_the_pages_and_an_older_list_brings_its_own_back(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    open_sample()
    first = ask(qtbot, program)
    script.hold_at_token = 0
    type_and_send(qtbot, program, "And then?")
    qtbot.waitUntil(lambda: not warmth(program), timeout=5000)
    script.evidence = {0: 1.0}
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=5000):
        script.go.set()
    assert warmth(program) == {0: 1.0}
    qtbot.mouseClick(first.evidence.button, Qt.MouseButton.LeftButton)
    assert warmth(program) == LOOKED_AT
    program.controller.start_conversation()
    assert not warmth(program)


def test_the_pages_of_an_earlier_answer_come_back_when_the_reader_scrolls_there(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers = ["A long answer. " * 60]
    open_sample()
    ask(qtbot, program)
    script.evidence = {0: 1.0}
    ask(qtbot, program, "And then?")
    bar = program.window.chat.scroll_area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 200, timeout=5000)
    assert warmth(program) == {0: 1.0}
    bar.setValue(0)
    assert warmth(program) == LOOKED_AT
    bar.setValue(bar.maximum())
    assert warmth(program) == {0: 1.0}
    program.controller.turn_wanted.emit(0)
    assert warmth(program) == LOOKED_AT
    qtbot.wait(50)
    assert warmth(program) == LOOKED_AT, "also once everything has its place"


def test_opening_an_earlier_list_does_not_lead_away_from_it(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.answers = ["A long answer. " * 60]
    open_sample()
    first = ask(qtbot, program)
    script.evidence = {0: 1.0}
    ask(qtbot, program, "And then?")
    bar = program.window.chat.scroll_area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0, timeout=5000)
    first.evidence.button.click()
    qtbot.wait(100)
    assert warmth(program) == LOOKED_AT


def test_whoever_reads_an_earlier_answer_keeps_its_pages_while_another_one_comes(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    open_sample()
    first = ask(qtbot, program)
    script.hold_at_token, script.evidence = 0, {0: 1.0}
    type_and_send(qtbot, program, "And then?")
    qtbot.waitUntil(lambda: not warmth(program), timeout=5000)
    qtbot.mouseClick(first.evidence.button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=5000):
        script.go.set()
    assert warmth(program) == LOOKED_AT


def test_going_to_an_earlier_answer_by_keyboard_brings_its_pages_back(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    open_sample()
    first = ask(qtbot, program)
    script.evidence = {0: 1.0}
    last = ask(qtbot, program, "And then?")
    program.window.activateWindow()
    qtbot.waitUntil(program.window.isActiveWindow, timeout=5000)
    first.copy_button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: warmth(program) == LOOKED_AT, timeout=5000)
    program.window.chat.composer.field.setFocus(Qt.FocusReason.TabFocusReason)
    assert warmth(program) == LOOKED_AT, "writing a question is no way away from an answer"
    last.answer.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(lambda: warmth(program) == {0: 1.0}, timeout=5000)


def test_an_answer_that_comes_back_brings_its_pages(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    open_sample()
    ask(qtbot, program)
    script.hold_at_token = 0
    program.controller.regenerate()
    qtbot.waitUntil(lambda: not warmth(program), timeout=5000)
    with qtbot.waitSignal(program.window.chat.answer_shown, timeout=5000):
        program.controller.stop()
    assert warmth(program) == LOOKED_AT


def test_a_reopened_conversation_has_the_pages_of_each_answer(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    open_sample()
    shown = ask(qtbot, program).evidence.pages
    script.evidence = {0: 1.0}
    ask(qtbot, program, "And then?")
    assert program.library.settle(10)
    conversation_id = program.recorder.conversation_id
    assert conversation_id is not None
    program.controller.start_conversation()
    assert not warmth(program)
    with qtbot.waitSignal(program.controller.conversation_restored, timeout=5000):
        program.history.open(conversation_id)
    first, last = program.window.chat.turns
    assert (first.evidence.pages, last.evidence.button.text()) == (shown, "Looked at: p. 1")
    assert warmth(program) == {0: 1.0}
    qtbot.mouseClick(first.evidence.button, Qt.MouseButton.LeftButton)
    assert warmth(program) == LOOKED_AT
    places_shown = places(program)
    qtbot.keyClick(first.evidence.entries[0], Qt.Key.Key_Return)
    assert places_shown == [(1, shown[0].rects)]


def test_an_answer_without_evidence_shows_none(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.evidence = {}
    open_sample()
    turn = ask(qtbot, program)
    assert not turn.evidence.isVisibleTo(program.window)
    assert not warmth(program)
    assert program.window.document_view.marks.marks == []


def test_marks_stand_where_their_pages_are_and_go_there(
    qtbot: QtBot, program: Program, script: Script, open_sample: Callable[[], None]
) -> None:
    script.evidence = {0: 0.6, 2: 0.389, 1: 0.011}
    open_sample()
    ask(qtbot, program)
    view = program.window.document_view
    assert [mark.page_index for mark in view.marks.marks] == [0, 2], "hardly warm pages have no mark"
    port, sheet = view.pages.viewport().geometry(), view.pages.sheet
    for mark in view.marks.marks:
        rect = sheet.layout[mark.page_index].rect
        middle = (rect.y + rect.height / 2) / sheet.layout.height
        assert mark.geometry().center().y() == pytest.approx(port.top() + middle * port.height(), abs=6)
        assert mark.geometry().right() == port.right()
        assert "looked at" in mark.accessibleDescription()
    qtbot.mouseClick(view.marks.marks[1], Qt.MouseButton.LeftButton)
    assert view.current_page == 2
    qtbot.keyClick(view.marks.marks[0], Qt.Key.Key_Return)
    assert view.current_page == 0


def test_a_thumbnail_is_tinted_as_its_share_says(
    qtbot: QtBot, program: Program, open_sample: Callable[[], None]
) -> None:
    open_sample()
    ask(qtbot, program)
    program.window.document_view.thumbnails.show()
    thumbnails = program.window.document_view.thumbnails
    model = thumbnails.model()
    said = model.data(model.index(1, 0, QModelIndex()), Qt.ItemDataRole.ToolTipRole)
    assert said == "While it wrote, 70% of what the model looked at was here. That is no proof."
    assert model.data(model.index(0, 0, QModelIndex()), Qt.ItemDataRole.ToolTipRole) is None
    assert redness(thumbnails, 1) > redness(thumbnails, 2) > redness(thumbnails, 0) == 0


def redness(thumbnails: Thumbnails, page_index: int) -> int:
    """How much redder than blue the paper is near the lower right corner of a page that is all paper."""
    index = thumbnails.model().index(page_index, 0, QModelIndex())
    thumbnails.scrollTo(index)
    point = thumbnails.visualRect(index).center()
    color = thumbnails.viewport().grab().toImage().pixelColor(point)
    return color.red() - color.blue()


def test_two_documents_each_show_their_own_pages(
    qtbot: QtBot, program: Program, sample_path: str, known_documents: dict[str, Document]
) -> None:
    other = next(path for path in known_documents if path != sample_path and "locked" not in path)
    with qtbot.waitSignal(program.store.is_read_changed, timeout=10_000):
        program.controller.open_files([sample_path, other])
    qtbot.waitUntil(lambda: program.store.state.activity == "idle", timeout=10_000)
    ask(qtbot, program)
    assert warmth(program) == LOOKED_AT
    program.controller.show_document(1)
    assert warmth(program) == {}
    program.controller.show_document(0)
    assert warmth(program) == LOOKED_AT


def test_the_list_speaks_another_language_when_the_window_does(qtbot: QtBot, themed: QApplication) -> None:
    pages = (EvidencePage("a.pdf", 6, 0.004, "v", "Some words."), EvidencePage("a.pdf", 1, 0.7, "2"))
    lists = EvidenceList()
    qtbot.addWidget(lists)
    lists.show_pages(pages, names_documents=True)
    themed.sendEvent(lists, QEvent(QEvent.Type.LanguageChange))
    assert lists.entries[0].words == "p. 7 (printed v) · a.pdf · < 1%\nSome words."
    assert lists.entries[1].words == "p. 2 · a.pdf · 70%"


def test_the_settings_switch_it_off_at_once(program: Program, open_sample: Callable[[], None]) -> None:
    open_sample()
    dialog = program.window.settings_dialog
    dialog.edit(program.preferences)
    assert dialog.generation.evidence_box.isChecked()
    dialog.generation.evidence_box.click()
    dialog.accept()
    assert not program.preferences.shows_evidence
    assert not program.controller.settings.evidence
    assert program.store.state.model is not None, "the model stays loaded"
