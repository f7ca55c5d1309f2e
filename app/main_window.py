"""The window: puts the parts together and connects them. What happens is the controller's business."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.background import Background
from app.chat_view.chat_view import ChatView
from app.closing_dialog import ClosingDialog
from app.controller import Controller
from app.document_view.view import DocumentView
from app.downloads.download_strip import DownloadStrip
from app.downloads.downloader import Downloader
from app.error_dialog import ErrorDialog
from app.error_router import ErrorRouter
from app.fit_view.fit_dialog import FitDialog
from app.gauges.gauge_strip import GaugeStrip
from app.history import DocumentGroup, History
from app.library_view.history_panel import HistoryPanel
from app.opener import Opener
from app.password_dialog import PasswordDialog
from app.probes import Probes
from app.recent_files import RecentFiles
from app.review_controller import ReviewController
from app.review_view.review_view import ReviewView
from app.settings_dialog.settings_dialog import SettingsDialog
from app.setup_wizard.setup_wizard import SetupWizard
from app.side_panel import SidePanel
from app.start_page import StartPage
from app.state import Activity, StateStore
from app.system_check.check_dialog import CheckDialog
from app.top_bar import TopBar
from app.widgets import icons
from app.widgets.drop_overlay import DropOverlay
from core.documents.layout import Document

_SIZE = (1440, 900)
_CHAT_WIDTH = 480
_REVIEW_WIDTH = 880


@dataclass(frozen=True)
class Dialogs:
    """What the dialogs need that look at the machine and bring models to it."""

    background: Background
    probes: Probes
    downloader: Downloader


class MainWindow(QMainWindow):
    """`settings_wanted`, `check_wanted` and `setup_wanted` ask for dialogs; `closed` comes once, when the
    window goes. `setup_finished` and `setup_skipped` are those of the setup wizard.
    """

    settings_wanted = Signal()
    check_wanted = Signal()
    setup_wanted = Signal()
    setup_finished = Signal(object)
    setup_skipped = Signal()
    closed = Signal()

    def __init__(
        self,
        controller: Controller,
        opener: Opener,
        store: StateStore,
        router: ErrorRouter,
        recent: RecentFiles,
        document_view: DocumentView,
        dialogs: Dialogs,
        history: History,
        review: ReviewController,
    ) -> None:
        super().__init__()
        self._history = history
        self._controller, self._store, self._recent = controller, store, recent
        self._has_early_pages = False
        self._widths = [_CHAT_WIDTH, _REVIEW_WIDTH]
        self.open_action, self.settings_action = QAction(self), QAction(self)
        self.check_action, self.setup_action = QAction(self), QAction(self)
        self.history_action = QAction(self)
        self.document_view = document_view
        self.top_bar = TopBar(self.history_action, self.open_action, self.check_action, self.settings_action)
        self.history_panel = HistoryPanel(history)
        self.history_panel.hide()
        self.start_page, self.chat, self.gauges = StartPage(), ChatView(), GaugeStrip()
        self.review = ReviewView(review, controller, store)
        self.side = SidePanel(self.chat, self.review)
        self.pages, self.splitter = QStackedWidget(), QSplitter(Qt.Orientation.Horizontal)
        self.error_dialog, self.password_dialog = ErrorDialog(self), PasswordDialog(self)
        self.closing_dialog = ClosingDialog(self)
        background, probes, downloader = dialogs.background, dialogs.probes, dialogs.downloader
        self.download_strip = DownloadStrip(downloader)
        self.settings_dialog = SettingsDialog(background, probes, downloader, self)
        self._dialogs = dialogs
        self._setup_wizard: SetupWizard | None = None
        self.fit_dialog = FitDialog(background, probes, self)
        self.check_dialog = CheckDialog(background, probes, self)
        self._lay_out()
        self.overlay = DropOverlay(self)
        self._add_actions()
        self._connect_state(router)
        self._connect_opener(opener)
        self._connect_actions()
        self._connect_history()
        self._take_all_drops()
        self._retranslate()
        self._show_state()
        self._on_recent_files_changed()
        self.start_page.setFocus()

    @property
    def setup_wizard(self) -> SetupWizard:
        """Made when it is first wanted: most starts go without."""
        if self._setup_wizard is None:
            dialogs = self._dialogs
            wizard = SetupWizard(dialogs.background, dialogs.probes, dialogs.downloader, self)
            wizard.finished_with.connect(self.setup_finished)
            wizard.skipped.connect(self.setup_skipped)
            wizard.open_wanted.connect(self.open_action.trigger)
            wizard.sample_wanted.connect(self._controller.open_sample)
            self._setup_wizard = wizard
        return self._setup_wizard

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()):
            event.acceptProposedAction()
            self.overlay.cover()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.overlay.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.overlay.hide()
        paths = local_files(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self._controller.open_files(paths)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.overlay.isVisible():
            self.overlay.cover()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._controller.close()
        if self._setup_wizard is not None:
            self._setup_wizard.leave()
        event.accept()
        self.closed.emit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._show_state()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        self.splitter.addWidget(self.document_view)
        self.splitter.addWidget(self.side)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes([_SIZE[0] - _CHAT_WIDTH, _CHAT_WIDTH])
        self.side.setMinimumWidth(340)
        self.document_view.setMinimumWidth(360)
        self.pages.addWidget(self.start_page)
        self.pages.addWidget(self.splitter)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top_bar)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.history_panel)
        row.addWidget(self.pages, 1)
        column.addLayout(row, 1)
        column.addWidget(self.download_strip)
        column.addWidget(self.gauges)
        self.setCentralWidget(middle)
        self.resize(*_SIZE)

    def _add_actions(self) -> None:
        icons.set_icon(self.open_action, "open")
        icons.set_icon(self.settings_action, "settings")
        icons.set_icon(self.check_action, "system-check")
        icons.set_icon(self.history_action, "history")
        self.history_action.setCheckable(True)
        self.history_action.setShortcut(QKeySequence("Ctrl+H"))
        self.open_action.setShortcut(QKeySequence.StandardKey.Open)
        self.settings_action.setShortcut(QKeySequence("Ctrl+,"))
        self.check_action.setShortcut(QKeySequence("Ctrl+Shift+K"))
        self.setup_action.setShortcut(QKeySequence("Ctrl+Shift+U"))
        self.addActions([self.history_action, self.open_action, self.check_action])
        self.addActions([self.settings_action, self.setup_action])
        self.open_action.triggered.connect(self._on_open_triggered)
        self.settings_action.triggered.connect(self.settings_wanted)
        self.check_action.triggered.connect(self.check_wanted)
        self.setup_action.triggered.connect(self.setup_wanted)
        self.settings_dialog.setup_wanted.connect(self.setup_wanted)
        self.settings_dialog.check_wanted.connect(self.check_dialog.check)
        for keys, slot in (
            ("Esc", self._controller.stop),
            ("Ctrl+F", self._on_page_field_wanted),
            ("Ctrl+L", self._on_question_wanted),
            ("Ctrl+1", self._on_question_wanted),
            ("Ctrl+2", self._on_review_wanted),
            ("Ctrl+N", self._controller.start_conversation),
            ("Ctrl+R", self._controller.regenerate),
            ("Ctrl+Tab", self._on_next_document_wanted),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(slot)

    def _connect_state(self, router: ErrorRouter) -> None:
        store, controller = self._store, self._controller
        for signal in (store.activity_changed, store.documents_changed, store.has_conversation_changed):
            signal.connect(self._show_state)
        store.documents_changed.connect(self._on_documents_changed)
        store.shown_document_changed.connect(self._on_shown_document_changed)
        store.progress_changed.connect(self._on_progress_changed)
        for signal in (store.model_changed, store.mode_changed):
            signal.connect(self._on_model_changed)
        store.suggestions_changed.connect(self.chat.suggest)
        store.usage_changed.connect(self.gauges.show_usage)
        store.speed_changed.connect(self.gauges.show_speed)
        store.sample_changed.connect(self.gauges.show_sample)
        controller.pages_known.connect(self._on_pages_known)
        controller.conversation_cleared.connect(self.chat.clear)
        controller.conversation_restarted.connect(self.chat.mark_restart)
        controller.question_asked.connect(self.chat.add_turn)
        controller.answer_restarted.connect(self.chat.restart_answer)
        controller.answer_grew.connect(self.chat.append_text)
        controller.answer_finished.connect(self.chat.finish_answer)
        controller.answer_stopped.connect(self.chat.stop_answer)
        controller.answer_failed.connect(self.chat.fail_answer)
        controller.consent_wanted.connect(self.closing_dialog.ask)
        self.closing_dialog.answered.connect(controller.give_consent)
        controller.place_chosen.connect(self._on_place_chosen)
        router.error_described.connect(self.error_dialog.show_error)
        self._recent.recent_files_changed.connect(self._on_recent_files_changed)
        theme.follower(theme.running_app()).palette_changed.connect(self._on_palette_changed)

    def _connect_opener(self, opener: Opener) -> None:
        opener.password_wanted.connect(self.password_dialog.ask)
        self.password_dialog.answered.connect(opener.give_password)

    def _connect_actions(self) -> None:
        controller = self._controller
        self.start_page.open_clicked.connect(self.open_action.trigger)
        self.start_page.sample_clicked.connect(controller.open_sample)
        self.start_page.stop_clicked.connect(controller.stop)
        self.start_page.setup_clicked.connect(self.setup_action.trigger)
        self.start_page.recent_clicked.connect(self._on_recent_clicked)
        self.top_bar.recent_clicked.connect(self._on_recent_clicked)
        self.top_bar.clear_recent_clicked.connect(self._recent.clear)
        self.top_bar.document_clicked.connect(controller.show_document)
        self.chat.question_submitted.connect(controller.ask)
        self.chat.stop_clicked.connect(controller.stop)
        self.chat.regenerate_clicked.connect(controller.regenerate)
        self.chat.new_conversation_clicked.connect(controller.start_conversation)
        self.chat.place_clicked.connect(controller.show_place)
        self.side.view_changed.connect(self._on_view_changed)
        self.document_view.recognition_wanted.connect(controller.recognise_shown)
        self.document_view.open_again_wanted.connect(self._on_open_again_wanted)

    def _connect_history(self) -> None:
        history, controller = self._history, self._controller
        self.history_action.toggled.connect(self._on_history_toggled)
        self.history_panel.close_clicked.connect(self.history_action.toggle)
        history.listed.connect(self._on_history_listed)
        history.opened.connect(controller.open_conversation)
        history.deleting.connect(controller.forget_conversation)
        self.start_page.conversation_clicked.connect(history.open)
        self.chat.question_edited.connect(controller.edit)
        controller.question_changed.connect(self.chat.change_question)
        controller.conversation_restored.connect(self.chat.show_conversation)
        controller.conversation_restored.connect(self._on_conversation_wanted)
        controller.turn_wanted.connect(self.chat.show_turn)
        controller.turn_wanted.connect(self._on_conversation_wanted)

    def _take_all_drops(self) -> None:
        """Files may be dropped anywhere, also on a text field."""
        for child in self.findChildren(QWidget):
            child.setAcceptDrops(False)
        self.setAcceptDrops(True)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Lectern"))
        self.history_action.setText(self.tr("History"))
        self.history_action.setToolTip(self.tr("History: earlier conversations (Ctrl+H)"))
        self.open_action.setText(self.tr("Open"))
        self.open_action.setToolTip(self.tr("Open documents (Ctrl+O)"))
        self.check_action.setText(self.tr("System check"))
        self.check_action.setToolTip(self.tr("System check (Ctrl+Shift+K)"))
        self.setup_action.setText(self.tr("Set up again"))
        self.settings_action.setText(self.tr("Settings"))
        self.settings_action.setToolTip(self.tr("Settings (Ctrl+,)"))

    def _show_state(self, _changed: object = None) -> None:
        state = self._store.state
        is_idle = state.activity is Activity.IDLE
        if self._has_early_pages and is_idle and not state.documents:
            self._has_early_pages = False
            self.document_view.clear()
        has_pages = bool(state.documents) or self._has_early_pages or state.has_conversation
        self.pages.setCurrentWidget(self.splitter if has_pages else self.start_page)
        self.start_page.show_busy(not is_idle)
        self.chat.show_state(state)
        self._on_progress_changed(state.progress)

    def _on_pages_known(self, path: str, sizes: Sequence[tuple[float, float]]) -> None:
        self._has_early_pages = True
        self.document_view.show_pages_early(path, sizes)
        self._show_state()

    def _on_documents_changed(self, documents: Sequence[Document]) -> None:
        self._has_early_pages = False
        self.top_bar.show_documents(documents)
        self._on_shown_document_changed(self._store.state.shown_document)
        if not documents:
            self.document_view.clear()
        self.chat.focus_question()

    def _on_shown_document_changed(self, index: int) -> None:
        documents = self._store.state.documents
        if index < len(documents):
            self.top_bar.show_current(index)
            self.document_view.show_document(documents[index])

    def _on_progress_changed(self, progress: object) -> None:
        del progress  # the state has it, with what belongs to it
        state = self._store.state
        shown = state.progress if state.activity is not Activity.IDLE else None
        self.chat.show_progress(shown)
        self.start_page.progress_row.show_progress(shown)

    def _on_model_changed(self, _value: object) -> None:
        self.chat.show_model(self._store.state.model, self._store.state.mode)

    def _on_place_chosen(self, page_index: int, rects: object) -> None:
        if isinstance(rects, tuple) and rects:
            self.document_view.highlight(rects)
        else:
            self.document_view.clear_highlight()
            self.document_view.go_to(page_index)

    def _on_open_triggered(self) -> None:
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Open documents"), "", self._file_kinds())
        self._controller.open_files(paths)

    def _file_kinds(self) -> str:
        return self.tr("Documents (*.pdf *.docx *.epub *.html *.htm *.md *.txt);;All files (*)")

    def _on_open_again_wanted(self) -> None:
        self._controller.open_again()

    def _on_recent_clicked(self, path: str) -> None:
        self._controller.open_files([path])

    def _on_recent_files_changed(self) -> None:
        self.start_page.show_recent(self._recent.paths)
        self.top_bar.show_recent(self._recent.paths)

    def _on_history_toggled(self, is_wanted: bool) -> None:
        if is_wanted:
            self.history_panel.open_up()
        else:
            self.history_panel.hide()
            if self._store.state.documents:
                self.chat.focus_question()

    def _on_history_listed(self, groups: Sequence[DocumentGroup]) -> None:
        conversations = [one for group in groups for one in group.conversations]
        conversations.sort(key=lambda one: one.updated_at, reverse=True)
        self.start_page.show_conversations(conversations)

    def _on_next_document_wanted(self) -> None:
        state = self._store.state
        if state.documents:
            self._controller.show_document((state.shown_document + 1) % len(state.documents))

    def _on_question_wanted(self) -> None:
        self.side.show_conversation()
        self.chat.focus_question()

    def _on_conversation_wanted(self, *_: object) -> None:
        self.side.show_conversation()

    def _on_review_wanted(self) -> None:
        self.side.show_review()
        self.review.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_view_changed(self, view: int) -> None:
        """A table needs more room than a conversation; each keeps the width that the user gave it."""
        sizes = self.splitter.sizes()
        if not sizes[1]:
            return
        self._widths[1 - view] = sizes[1]
        width = min(self._widths[view], sum(sizes) - self.document_view.minimumWidth())
        self.splitter.setSizes([sum(sizes) - width, width])

    def _on_page_field_wanted(self) -> None:
        field = self.document_view.toolbar.page_field
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def _on_palette_changed(self) -> None:
        icons.refresh(self)


def local_files(data: QMimeData) -> list[str]:
    """The files of a drag; what lies elsewhere than on this machine's disks is left out."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
