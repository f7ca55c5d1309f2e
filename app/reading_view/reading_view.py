"""What is read of the documents, in the window: an action, the dialog behind it, the strip and the pages."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.controller import Controller
from app.document_view.view import DocumentView
from app.reading_view.reading_dialog import ReadingDialog
from app.reading_view.reading_strip import ReadingStrip
from app.state import StateStore
from app.widgets import icons
from core.documents.reading_choice import ReadingKind
from core.errors import LecternError


class ReadingView(QObject):
    """`model_wanted`, `codec_wanted` and `own_length_wanted` are those of the dialog."""

    model_wanted = Signal()
    codec_wanted = Signal(str)
    own_length_wanted = Signal()

    def __init__(
        self, controller: Controller, store: StateStore, document_view: DocumentView, window: QWidget
    ) -> None:
        super().__init__(window)
        self._controller, self._store, self._document_view = controller, store, document_view
        self.action, self.strip = QAction(self), ReadingStrip()
        self.dialog = ReadingDialog(window)
        icons.set_icon(self.action, "reading")
        self.action.setShortcut(QKeySequence("Ctrl+Shift+R"))
        window.addAction(self.action)
        self.action.triggered.connect(self._on_triggered)
        self.strip.change_clicked.connect(self._on_triggered)
        self.dialog.reading_chosen.connect(controller.use_reading)
        self.dialog.model_wanted.connect(self.model_wanted)
        self.dialog.codec_wanted.connect(self.codec_wanted)
        self.dialog.own_length_wanted.connect(self.own_length_wanted)
        controller.choice_wanted.connect(self._on_choice_wanted)
        store.documents_changed.connect(self.dialog.reject)
        for signal in (
            *(store.documents_changed, store.reading_changed, store.sizes_changed, store.is_read_changed),
            *(store.activity_changed, store.shown_document_changed),
        ):
            signal.connect(self._on_state_changed)
        self.retranslate()
        self._on_state_changed()

    def retranslate(self) -> None:
        """The language is another one."""
        self.action.setText(self.tr("What is read"))
        self.action.setToolTip(self.tr("What is read: all pages, some, or sections (Ctrl+Shift+R)"))

    def _on_state_changed(self, _value: object = None) -> None:
        state = self._store.state
        self.action.setEnabled(bool(state.documents))
        self.strip.show_state(state)
        if self.dialog.isVisible():
            self.dialog.show_sizes(state.sizes)
        is_part = state.reading.kind is ReadingKind.PAGES and bool(state.documents)
        self._document_view.show_read_pages(state.reading.range_of(state.shown_document) if is_part else None)

    def _on_triggered(self) -> None:
        if self._store.state.documents:
            self.dialog.ask(self._store.state, self._controller.settings)

    def _on_choice_wanted(self, error: LecternError) -> None:
        self.dialog.ask(self._store.state, self._controller.settings, error)
