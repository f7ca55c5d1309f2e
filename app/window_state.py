"""Shows in the parts of the window what the program's state says."""

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.chat_view.chat_view import ChatView
from app.document_view.view import DocumentView
from app.gauges.gauge_strip import GaugeStrip
from app.start_page import StartPage
from app.state import Activity, StateStore
from app.top_bar import TopBar
from core.documents.layout import Document


class WindowState(QObject):
    """`pages` shows the start page until there are documents, then `work`."""

    def __init__(
        self,
        store: StateStore,
        document_view: DocumentView,
        chat: ChatView,
        top_bar: TopBar,
        gauges: GaugeStrip,
        pages: QStackedWidget,
        start_page: StartPage,
        work: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._store, self._document_view, self._chat = store, document_view, chat
        self._top_bar, self._pages, self._start_page, self._work = top_bar, pages, start_page, work
        self._has_early_pages = False
        for signal in (store.activity_changed, store.documents_changed, store.has_conversation_changed):
            signal.connect(self.show)
        store.documents_changed.connect(self._on_documents_changed)
        store.shown_document_changed.connect(self._on_shown_document_changed)
        store.progress_changed.connect(self._on_progress_changed)
        for signal in (store.model_changed, store.mode_changed):
            signal.connect(self._on_model_changed)
        store.suggestions_changed.connect(chat.suggest)
        store.usage_changed.connect(gauges.show_usage)
        store.speed_changed.connect(gauges.show_speed)
        store.sample_changed.connect(gauges.show_sample)

    def show(self, _changed: object = None) -> None:
        state = self._store.state
        is_idle = state.activity is Activity.IDLE
        if self._has_early_pages and is_idle and not state.documents:
            self._has_early_pages = False
            self._document_view.clear()
        has_pages = bool(state.documents) or self._has_early_pages or state.has_conversation
        self._pages.setCurrentWidget(self._work if has_pages else self._start_page)
        self._start_page.show_busy(not is_idle)
        self._chat.show_state(state)
        self._on_progress_changed(state.progress)

    def show_pages_early(self, path: str, sizes: Sequence[tuple[float, float]]) -> None:
        """The pages of a file whose text is still being read."""
        self._has_early_pages = True
        self._document_view.show_pages_early(path, sizes)
        self.show()

    def show_place(self, page_index: int, rects: object) -> None:
        """A page of the document on screen, with words marked if there are any."""
        if isinstance(rects, tuple) and rects:
            self._document_view.highlight(rects)
        else:
            self._document_view.clear_highlight()
            self._document_view.go_to(page_index)

    def _on_documents_changed(self, documents: Sequence[Document]) -> None:
        self._has_early_pages = False
        self._top_bar.show_documents(documents)
        self._on_shown_document_changed(self._store.state.shown_document)
        if not documents:
            self._document_view.clear()
        self._chat.focus_question()

    def _on_shown_document_changed(self, index: int) -> None:
        documents = self._store.state.documents
        if index < len(documents):
            self._top_bar.show_current(index)
            self._document_view.show_document(documents[index])

    def _on_progress_changed(self, progress: object) -> None:
        del progress  # the state has it, with what belongs to it
        state = self._store.state
        shown = state.progress if state.activity is not Activity.IDLE else None
        self._chat.show_progress(shown)
        self._start_page.progress_row.show_progress(shown)

    def _on_model_changed(self, _value: object) -> None:
        self._chat.show_model(self._store.state.model, self._store.state.mode)
