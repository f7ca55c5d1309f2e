"""Brings parts of the window to the front, and the keyboard to them."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QSplitter

from app.controller import Controller
from app.document_view.view import DocumentView
from app.side_panel import SidePanel
from app.state import StateStore

CHAT_WIDTH = 480
_REVIEW_WIDTH = 880


class WindowFocus(QObject):
    def __init__(
        self,
        controller: Controller,
        store: StateStore,
        document_view: DocumentView,
        side: SidePanel,
        splitter: QSplitter,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._controller, self._store = controller, store
        self._document_view, self._side, self._splitter = document_view, side, splitter
        self._widths = [CHAT_WIDTH, _REVIEW_WIDTH]
        side.view_changed.connect(self._on_view_changed)

    def next_document(self) -> None:
        state = self._store.state
        if state.documents:
            self._controller.show_document((state.shown_document + 1) % len(state.documents))

    def question(self) -> None:
        self._side.show_conversation()
        self._side.chat.focus_question()

    def conversation(self, *_: object) -> None:
        self._side.show_conversation()

    def review(self) -> None:
        self._side.show_review()
        self._side.review.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def page_field(self) -> None:
        field = self._document_view.toolbar.page_field
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def _on_view_changed(self, view: int) -> None:
        """A table needs more room than a conversation; each keeps the width that the user gave it."""
        sizes = self._splitter.sizes()
        if not sizes[1]:
            return
        self._widths[1 - view] = sizes[1]
        width = min(self._widths[view], sum(sizes) - self._document_view.minimumWidth())
        self._splitter.setSizes([sum(sizes) - width, width])
