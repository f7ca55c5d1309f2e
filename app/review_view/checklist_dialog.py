"""The checklists: bundled ones to look at and copy, the user's own to change and delete."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core_texts import error_sentence
from app.review_view.checklist_draft import free_name, new_item
from app.review_view.checklist_form import ChecklistForm
from app.theme import SPACE
from app.widgets.dialogs import cancel_button
from app.widgets.texts import plain_label
from core.errors import LecternError
from core.review.checklist import Checklist, text_in
from core.review.checklists import (
    checklist_names,
    delete_checklist,
    is_users_own,
    load_checklist,
    save_checklist,
)

_SIZE = (940, 600)
_LIST_WIDTH = 230


class ChecklistDialog(QDialog):
    """Never blocks the caller. Drafts stay here until they are saved or discarded, also while it is closed.

    `checklists_changed` carries the name of the checklist that was saved, or of one that is left.
    """

    checklists_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checklist_dialog")
        self._drafts: dict[str, Checklist] = {}
        self._new: set[str] = set()
        self.list, self.form = QListWidget(), ChecklistForm()
        self.status = plain_label("caption")
        self.status.setWordWrap(True)
        self.new_button, self.copy_button, self.delete_button = QPushButton(), QPushButton(), QPushButton()
        self.save_button, self.discard_button = QPushButton(), QPushButton()
        self.save_button.setProperty("kind", "primary")
        self.buttons = QDialogButtonBox()
        self.close_button = cancel_button(self.buttons)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        self.list.currentRowChanged.connect(self._on_row_changed)
        self.form.changed.connect(self._on_form_changed)
        for button, slot in (
            (self.new_button, self._on_new_clicked),
            (self.copy_button, self._on_copy_clicked),
            (self.delete_button, self._on_delete_clicked),
            (self.save_button, self._on_save_clicked),
            (self.discard_button, self._on_discard_clicked),
        ):
            button.setAutoDefault(False)
            button.clicked.connect(slot)
        self._retranslate()

    @property
    def name(self) -> str:
        """Of the checklist that is shown."""
        if self.list.currentRow() < 0:
            return ""
        return str(self.list.currentItem().data(Qt.ItemDataRole.UserRole))

    def edit(self, name: str) -> None:
        """Open with this checklist selected."""
        self._fill_list(name)
        self.open()
        self.list.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._fill_list(self.name)
        super().changeEvent(event)

    def _lay_out(self) -> None:
        self.list.setFixedWidth(_LIST_WIDTH)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        left = QVBoxLayout()
        left.setSpacing(SPACE.s)
        left.addWidget(self.list, 1)
        for button in (self.new_button, self.copy_button, self.delete_button):
            left.addWidget(button)
        row = QHBoxLayout()
        row.setSpacing(SPACE.l)
        row.addLayout(left)
        row.addWidget(self.form, 1)
        below = QHBoxLayout()
        below.setSpacing(SPACE.s)
        below.addWidget(self.status, 1)
        below.addWidget(self.discard_button)
        below.addWidget(self.save_button)
        below.addWidget(self.buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
        column.setSpacing(SPACE.l)
        column.addLayout(row, 1)
        column.addLayout(below)
        self.resize(*_SIZE)

    def _fill_list(self, name: str) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for one in sorted({*checklist_names(), *self._new}):
            item = QListWidgetItem(self._words_of(one))
            item.setData(Qt.ItemDataRole.UserRole, one)
            self.list.addItem(item)
            if one == name:
                self.list.setCurrentItem(item)
        if self.list.currentRow() < 0:
            self.list.setCurrentRow(0)
        self.list.blockSignals(False)
        self._show_chosen()

    def _words_of(self, name: str) -> str:
        try:
            checklist = self._drafts[name] if name in self._drafts else load_checklist(name)
            words = text_in(checklist.title, self.form.language)
        except LecternError:
            words = name
        if name in self._drafts:
            return self.tr("{title} (not saved)").format(title=words)
        return words if is_users_own(name) else self.tr("{title} (built-in)").format(title=words)

    def _show_chosen(self, problem: LecternError | None = None) -> None:
        """What is selected, as it is here."""
        name, checklist = self.name, self._drafts.get(self.name)
        try:
            checklist = checklist if checklist is not None or not name else load_checklist(name)
        except LecternError as error:
            problem = error
        self.form.show_checklist(checklist, is_own=self._is_own(name))
        self._show_buttons()
        if problem is not None:
            self._say(error_sentence(problem), "error")

    def _is_own(self, name: str) -> bool:
        return name in self._new or is_users_own(name)

    def _show_buttons(self) -> None:
        name = self.name
        is_own, is_changed = self._is_own(name), name in self._drafts
        self.copy_button.setEnabled(self.form.checklist is not None)
        self.delete_button.setEnabled(is_own)
        self.save_button.setEnabled(is_own and is_changed)
        self.discard_button.setEnabled(is_changed)
        words = "" if is_own else self.tr("Built-in checklists are read-only: copy one to change it.")
        self._say(words)

    def _say(self, words: str, tone: str = "") -> None:
        self.status.setProperty("tone", tone)
        self.status.setText(words)
        self.status.style().unpolish(self.status)
        self.status.style().polish(self.status)

    def _add(self, checklist: Checklist) -> None:
        self._new.add(checklist.name)
        self._drafts[checklist.name] = checklist
        self._fill_list(checklist.name)
        self.form.title_field.setFocus()
        self.form.title_field.selectAll()

    def _on_row_changed(self, _row: int) -> None:
        self._show_chosen()

    def _on_form_changed(self, checklist: Checklist) -> None:
        self._drafts[checklist.name] = checklist
        self.list.currentItem().setText(self._words_of(checklist.name))
        self._show_buttons()

    def _on_new_clicked(self) -> None:
        language = self.form.language
        name = free_name("checklist", {*checklist_names(), *self._new})
        self._add(Checklist(name, {language: self.tr("New checklist")}, (new_item((), language),)))

    def _on_copy_clicked(self) -> None:
        checklist = self.form.checklist
        if checklist is None:
            return
        name = free_name(checklist.name, {*checklist_names(), *self._new})
        language = self.form.language
        title = self.tr("{title} (copy)").format(title=text_in(checklist.title, language))
        self._add(replace(checklist, name=name, title={**checklist.title, language: title}))

    def _on_delete_clicked(self) -> None:
        name = self.name
        try:
            if name not in self._new:
                delete_checklist(name)
        except LecternError as error:
            self._say(error_sentence(error), "error")
            return
        self._drafts.pop(name, None)
        self._new.discard(name)
        self._fill_list(name)
        self.checklists_changed.emit(self.name)

    def _on_save_clicked(self) -> None:
        name = self.name
        if self.form.find_problem():
            self._say(self.tr("Something is missing: look at the fields marked red."), "error")
            return
        try:
            save_checklist(self._drafts[name])
        except LecternError as error:
            self._say(error_sentence(error), "error")
            return
        del self._drafts[name]
        self._new.discard(name)
        self._fill_list(name)
        self._say(self.tr("Saved."))
        self.checklists_changed.emit(name)

    def _on_discard_clicked(self) -> None:
        name = self.name
        self._drafts.pop(name, None)
        self._new.discard(name)
        self._fill_list(name)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Checklists"))
        self.setAccessibleName(self.tr("Checklists"))
        self.list.setAccessibleName(self.tr("Checklists"))
        self.new_button.setText(self.tr("New"))
        self.copy_button.setText(self.tr("Copy"))
        self.delete_button.setText(self.tr("Delete"))
        self.save_button.setText(self.tr("Save"))
        self.discard_button.setText(self.tr("Discard changes"))
        self.close_button.setText(self.tr("Close"))
