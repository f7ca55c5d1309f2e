"""Checklists edited in the window: copied, changed, checked, saved and deleted."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.review_view.checklist_dialog import ChecklistDialog
from app.review_view.checklist_draft import free_name, moved, new_item
from core.review.checklist import AnswerForm
from core.review.checklists import checklist_names, is_users_own, load_checklist


@pytest.fixture
def dialog(qtbot: QtBot, themed: QApplication) -> ChecklistDialog:  # noqa: ARG001 - styles the application
    result = ChecklistDialog()
    qtbot.addWidget(result)
    result.edit("nda")
    return result


def copied(dialog: ChecklistDialog) -> ChecklistDialog:
    dialog.copy_button.click()
    assert dialog.name == "nda-2"
    return dialog


def write(dialog: ChecklistDialog, title: str, question: str) -> None:
    form = dialog.form.item_form
    form.title_field.setText(title)
    form.title_field.textEdited.emit(title)
    form.question_field.setPlainText(question)


def test_built_in_checklists_are_read_only(dialog: ChecklistDialog) -> None:
    assert dialog.form.title_field.isReadOnly()
    assert dialog.form.item_form.question_field.isReadOnly()
    for button in (dialog.save_button, dialog.delete_button, dialog.form.add_button):
        assert not button.isEnabled()
    assert "read-only" in dialog.status.text()


def test_a_copy_is_changed_and_saved(qtbot: QtBot, dialog: ChecklistDialog) -> None:
    copied(dialog)
    before = load_checklist("nda")
    dialog.form.list.setCurrentRow(1)
    write(dialog, "Both ways?", "Is it mutual?")
    box = dialog.form.item_form.form_box
    box.setCurrentIndex(box.findData(AnswerForm.YES_NO))
    box.activated.emit(box.currentIndex())
    with qtbot.waitSignal(dialog.checklists_changed) as saved:
        dialog.save_button.click()
    assert saved.args == ["nda-2"]
    after = load_checklist("nda-2")
    assert is_users_own("nda-2")
    assert after.items[1].title == {**before.items[1].title, "en": "Both ways?"}
    assert after.items[1].question["en"] == "Is it mutual?"
    assert after.items[1].form is AnswerForm.YES_NO
    assert after.items[1].item_id == before.items[1].item_id
    assert after.items[2:] == before.items[2:]


def test_questions_are_added_moved_and_removed(dialog: ChecklistDialog) -> None:
    form = copied(dialog).form
    ids = [item.item_id for item in load_checklist("nda").items]
    form.add_button.click()
    write(dialog, "New one", "What is new?")
    form.down_button.click()
    form.list.setCurrentRow(0)
    form.remove_button.click()
    dialog.save_button.click()
    saved = load_checklist("nda-2").items
    assert [item.item_id for item in saved] == [ids[1], "question-1", *ids[2:]]
    assert saved[1].question == {"en": "What is new?"}


def test_what_is_missing_is_said_beside_its_field_and_not_saved(dialog: ChecklistDialog) -> None:
    form = copied(dialog).form
    form.add_button.click()
    assert not form.item_form.title_problem.isHidden()
    write(dialog, "New one", " ")
    assert form.item_form.title_problem.isHidden()
    assert not form.item_form.question_problem.isHidden()
    form.list.setCurrentRow(0)
    dialog.save_button.click()
    assert "nda-2" not in checklist_names()
    assert form.list.currentRow() == 1, "the cursor goes where something is missing"
    while form.remove_button.isEnabled():
        form.remove_button.click()
    assert not form.items_problem.isHidden()
    form.title_field.setText("")
    form.title_field.textEdited.emit("")
    assert not form.title_problem.isHidden()


def test_own_checklists_are_deleted_and_drafts_discarded(qtbot: QtBot, dialog: ChecklistDialog) -> None:
    copied(dialog)
    dialog.save_button.click()
    write(dialog, "Changed", "Changed?")
    assert "not saved" in dialog.list.currentItem().text()
    dialog.reject()
    dialog.edit("nda-2")
    assert dialog.form.item_form.title_field.text() == "Changed", "a draft waits"
    dialog.discard_button.click()
    assert dialog.form.item_form.title_field.text() != "Changed"
    with qtbot.waitSignal(dialog.checklists_changed):
        dialog.delete_button.click()
    assert "nda-2" not in checklist_names()
    dialog.new_button.click()
    dialog.discard_button.click()
    assert dialog.name in checklist_names()


def test_names_and_ids_are_never_taken_twice() -> None:
    items = load_checklist("nda").items
    first = new_item(items, "en")
    assert new_item((*items, first), "en").item_id == "question-2"
    assert free_name("NDA", ["nda", "nda-2"]) == "nda-3"
    assert free_name("机密", []) == "checklist"
    assert moved(items[:3], 0, 2) == (items[1], items[2], items[0])
