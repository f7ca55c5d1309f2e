"""The fields of one question of a checklist, with what is wrong under each."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.review_view.checklist_draft import MAX_LENGTH, problems_of, with_text
from app.theme import SPACE
from app.widgets.texts import plain_label
from core.review.checklist import AnswerForm, ChecklistItem, text_in

_QUESTION_HEIGHT = 92


class ItemForm(QWidget):
    """`changed` comes when the user changes the item that is shown."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._item: ChecklistItem | None = None
        self._language = "en"
        self.title_label, self.question_label, self.form_label = (plain_label() for _ in range(3))
        self.title_field, self.question_field, self.form_box = QLineEdit(), QPlainTextEdit(), QComboBox()
        self.title_problem, self.question_problem = plain_label("error"), plain_label("error")
        self.title_label.setBuddy(self.title_field)
        self.question_label.setBuddy(self.question_field)
        self.form_label.setBuddy(self.form_box)
        self.question_field.setObjectName("checklist_question")
        self.question_field.setTabChangesFocus(True)
        self.question_field.setFixedHeight(_QUESTION_HEIGHT)
        for form in AnswerForm:
            self.form_box.addItem("", form)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        for label, field, problem in (
            (self.title_label, self.title_field, self.title_problem),
            (self.question_label, self.question_field, self.question_problem),
            (self.form_label, self.form_box, None),
        ):
            column.addWidget(label)
            column.addWidget(field)
            if problem is not None:
                problem.setWordWrap(True)
                column.addWidget(problem)
            column.addSpacing(SPACE.s)
        column.addStretch(1)
        self.title_field.textEdited.connect(self._on_edited)
        self.question_field.textChanged.connect(self._on_edited)
        self.form_box.activated.connect(self._on_edited)
        self._retranslate()

    def show_item(self, item: ChecklistItem | None, language: str, *, is_own: bool) -> None:
        """Fill the fields; emits nothing."""
        self._item, self._language = None, language
        self.title_field.setText(text_in(item.title, language) if item is not None else "")
        self.question_field.setPlainText(text_in(item.question, language) if item is not None else "")
        self.form_box.setCurrentIndex(self.form_box.findData(item.form if item is not None else None))
        self._item = item
        for field in (self.title_field, self.question_field):
            field.setReadOnly(not is_own)
        self.form_box.setEnabled(is_own)
        self.setEnabled(item is not None)
        self._show_problems()

    def focus_problem(self) -> None:
        """Put the cursor into the first field that cannot stay as it is."""
        if self._item is not None and not problems_of(self._item, self._language).has_bad_title:
            self.question_field.setFocus()
        else:
            self.title_field.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _on_edited(self, _value: object = None) -> None:
        if self._item is None:
            return
        item = replace(
            self._item,
            title=with_text(self._item.title, self._language, self.title_field.text()),
            question=with_text(self._item.question, self._language, self.question_field.toPlainText()),
            form=AnswerForm(self.form_box.currentData()),
        )
        if item != self._item:
            self._item = item
            self._show_problems()
            self.changed.emit(item)

    def _show_problems(self) -> None:
        problems = problems_of(self._item, self._language) if self._item is not None else None
        words = self.tr("1 to {count} characters are needed.").format(count=f"{MAX_LENGTH:,}")
        for label, is_bad in (
            (self.title_problem, problems is not None and problems.has_bad_title),
            (self.question_problem, problems is not None and problems.has_bad_question),
        ):
            label.setText(words)
            label.setVisible(is_bad)

    def _retranslate(self) -> None:
        self.title_label.setText(self.tr("Short title, for the table"))
        self.question_label.setText(self.tr("Question, as the model is asked"))
        self.form_label.setText(self.tr("Form of the answer"))
        self.title_field.setAccessibleName(self.title_label.text())
        self.question_field.setAccessibleName(self.question_label.text())
        self.form_box.setAccessibleName(self.form_label.text())
        for form, words in (
            (AnswerForm.TEXT, self.tr("One or two sentences")),
            (AnswerForm.DATE, self.tr("Date")),
            (AnswerForm.DURATION, self.tr("Length of time")),
            (AnswerForm.AMOUNT, self.tr("Amount")),
            (AnswerForm.PARTIES, self.tr("Parties")),
            (AnswerForm.LAW, self.tr("Law of a country or state")),
            (AnswerForm.YES_NO, self.tr("Yes or no")),
        ):
            self.form_box.setItemText(self.form_box.findData(form), words)
        self._show_problems()
