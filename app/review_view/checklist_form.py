"""A checklist with its questions: shown, and changed if it is the user's own."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import i18n, theme
from app.review_view.checklist_draft import (
    MAX_LENGTH,
    changed_item,
    is_fit,
    moved,
    new_item,
    problems_of,
    with_text,
)
from app.review_view.item_form import ItemForm
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label
from core.review.checklist import Checklist, ChecklistItem, text_in

_ICON = QSize(18, 18)
_LIST_WIDTH = 250


class ChecklistForm(QWidget):
    """Texts are those of the window's language; others stay. `changed` carries the draft."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._checklist: Checklist | None = None
        self._is_own = False
        self.title_label, self.title_field = plain_label(), QLineEdit()
        self.title_problem, self.items_problem = plain_label("error"), plain_label("error")
        self.language_note = plain_label("caption")
        self.language_note.setWordWrap(True)
        self.title_label.setBuddy(self.title_field)
        self.list, self.item_form = QListWidget(), ItemForm()
        self.add_button, self.remove_button = QToolButton(), QToolButton()
        self.up_button, self.down_button = QToolButton(), QToolButton()
        self._lay_out()
        self.title_field.textEdited.connect(self._on_title_edited)
        self.list.currentRowChanged.connect(self._on_row_changed)
        self.item_form.changed.connect(self._on_item_changed)
        self.add_button.clicked.connect(self._on_add_clicked)
        self.remove_button.clicked.connect(self._on_remove_clicked)
        self.up_button.clicked.connect(self._on_up_clicked)
        self.down_button.clicked.connect(self._on_down_clicked)
        self._retranslate()

    @property
    def checklist(self) -> Checklist | None:
        return self._checklist

    @property
    def language(self) -> str:
        return i18n.spoken_language(theme.running_app())

    def show_checklist(self, checklist: Checklist | None, *, is_own: bool) -> None:
        """Fill the fields, the first question selected unless it is the same checklist; emits nothing."""
        before = self._checklist
        is_same = before is not None and checklist is not None and before.name == checklist.name
        self._checklist, self._is_own = checklist, is_own
        title = text_in(checklist.title, self.language) if checklist is not None else ""
        self.title_field.setText(title)
        self.title_field.setReadOnly(not is_own)
        self.language_note.setVisible(is_own)
        self.setEnabled(checklist is not None)
        self._fill_list(max(0, self.list.currentRow()) if is_same else 0)

    def find_problem(self) -> bool:
        """Whether something cannot stay as it is; the cursor stands there then."""
        checklist = self._checklist
        if checklist is None:
            return False
        if not is_fit(text_in(checklist.title, self.language)):
            self.title_field.setFocus()
            return True
        for row, item in enumerate(checklist.items):
            if problems_of(item, self.language):
                self.list.setCurrentRow(row)
                self.item_form.focus_problem()
                return True
        return not checklist.items

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.show_checklist(self._checklist, is_own=self._is_own)
        super().changeEvent(event)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(0)
        for button, icon in (
            (self.add_button, "add"),
            (self.remove_button, "remove"),
            (self.up_button, "page-up"),
            (self.down_button, "page-down"),
        ):
            icons.set_icon(button, icon, "text_muted")
            button.setIconSize(_ICON)
            buttons.addWidget(button)
        buttons.addStretch(1)
        left = QVBoxLayout()
        left.setSpacing(SPACE.xs)
        left.addWidget(self.list, 1)
        left.addWidget(self.items_problem)
        left.addLayout(buttons)
        self.list.setFixedWidth(_LIST_WIDTH)
        middle = QHBoxLayout()
        middle.setSpacing(SPACE.l)
        middle.addLayout(left)
        middle.addWidget(self.item_form, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        for widget in (self.title_label, self.title_field, self.title_problem, self.language_note):
            column.addWidget(widget)
        column.addSpacing(SPACE.s)
        column.addLayout(middle, 1)

    def _fill_list(self, row: int) -> None:
        items = self._checklist.items if self._checklist is not None else ()
        self.list.blockSignals(True)
        self.list.clear()
        for item in items:
            self.list.addItem(self._words_of(item))
        self.list.setCurrentRow(min(row, len(items) - 1))
        self.list.blockSignals(False)
        self._on_row_changed(self.list.currentRow())

    def _words_of(self, item: ChecklistItem) -> str:
        words = text_in(item.title, self.language).strip() or self.tr("New question")
        return f"⚠ {words}" if self._is_own and problems_of(item, self.language) else words

    def _take(self, checklist: Checklist) -> None:
        self._checklist = checklist
        self._show_state()
        self.changed.emit(checklist)

    def _show_state(self) -> None:
        checklist, row = self._checklist, self.list.currentRow()
        num_items = len(checklist.items) if checklist is not None else 0
        is_untitled = checklist is not None and not is_fit(text_in(checklist.title, self.language))
        self.title_problem.setVisible(self._is_own and is_untitled)
        self.items_problem.setVisible(self._is_own and num_items == 0)
        self.add_button.setEnabled(self._is_own)
        self.remove_button.setEnabled(self._is_own and row >= 0)
        self.up_button.setEnabled(self._is_own and row > 0)
        self.down_button.setEnabled(self._is_own and 0 <= row < num_items - 1)

    def _on_row_changed(self, row: int) -> None:
        items = self._checklist.items if self._checklist is not None else ()
        item = items[row] if 0 <= row < len(items) else None
        self.item_form.show_item(item, self.language, is_own=self._is_own)
        self._show_state()

    def _on_title_edited(self, text: str) -> None:
        if self._checklist is not None:
            self._take(replace(self._checklist, title=with_text(self._checklist.title, self.language, text)))

    def _on_item_changed(self, item: ChecklistItem) -> None:
        row = self.list.currentRow()
        if self._checklist is not None and row >= 0:
            self._take(changed_item(self._checklist, row, item))
            entry = self.list.item(row)
            entry.setText(self._words_of(item))

    def _on_add_clicked(self) -> None:
        if self._checklist is None:
            return
        items, row = self._checklist.items, self.list.currentRow() + 1
        added = (*items[:row], new_item(items, self.language), *items[row:])
        self._rearrange(added, row)
        self.item_form.title_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_remove_clicked(self) -> None:
        row = self.list.currentRow()
        if self._checklist is not None and row >= 0:
            items = self._checklist.items
            self._rearrange((*items[:row], *items[row + 1 :]), row)

    def _on_up_clicked(self) -> None:
        self._move(-1)

    def _on_down_clicked(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        if self._checklist is not None and row >= 0:
            self._rearrange(moved(self._checklist.items, row, by), row + by)

    def _rearrange(self, items: tuple[ChecklistItem, ...], row: int) -> None:
        if self._checklist is not None:
            self._checklist = replace(self._checklist, items=items)
            self._fill_list(row)
            self._take(self._checklist)

    def _retranslate(self) -> None:
        self.title_label.setText(self.tr("Title of the checklist"))
        self.title_field.setAccessibleName(self.title_label.text())
        self.title_problem.setText(
            self.tr("1 to {count} characters are needed.").format(count=f"{MAX_LENGTH:,}")
        )
        self.items_problem.setText(self.tr("Add a question."))
        self.language_note.setText(
            self.tr("You write in the language of the window; texts in other languages stay as they are.")
        )
        self.list.setAccessibleName(self.tr("Questions"))
        for button, words in (
            (self.add_button, self.tr("Add a question")),
            (self.remove_button, self.tr("Remove the question")),
            (self.up_button, self.tr("Move up")),
            (self.down_button, self.tr("Move down")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)
