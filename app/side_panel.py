"""The right side of the window: the conversation or the review, behind two tabs."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.chat_view.chat_view import ChatView
from app.review_view.review_view import ReviewView
from app.theme import SPACE

CONVERSATION, REVIEW = range(2)


class SidePanel(QFrame):
    """`view_changed` carries which of the two is shown now."""

    view_changed = Signal(int)

    def __init__(self, chat: ChatView, review: ReviewView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side_panel")
        self.chat, self.review = chat, review
        self.tabs, self.stack = QTabBar(), QStackedWidget()
        for view in (chat, review):
            self.tabs.addTab("")
            self.stack.addWidget(view)
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        chat.heading.hide()
        head = QFrame()
        head.setObjectName("side_tabs")
        row = QHBoxLayout(head)
        row.setContentsMargins(SPACE.s, 0, SPACE.s, 0)
        row.addWidget(self.tabs)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.stack, 1)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._retranslate()

    def show_conversation(self) -> None:
        self.tabs.setCurrentIndex(CONVERSATION)

    def show_review(self) -> None:
        self.tabs.setCurrentIndex(REVIEW)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.tabs.setAccessibleName(self.tr("Conversation or review"))
        for index, words, tip in (
            (CONVERSATION, self.tr("Conversation"), self.tr("Questions of your own (Ctrl+1)")),
            (REVIEW, self.tr("Review"), self.tr("The questions of a checklist (Ctrl+2)")),
        ):
            self.tabs.setTabText(index, words)
            self.tabs.setTabToolTip(index, tip)

    def _on_tab_changed(self, index: int) -> None:
        self.stack.setCurrentIndex(index)
        self.view_changed.emit(index)
