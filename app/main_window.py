"""The window: puts the parts together and connects them. It decides nothing.

What happens is the controller's business, what is shown `WindowState`'s.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QMainWindow, QStackedWidget, QWidget

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
from app.evidence_display import EvidenceDisplay
from app.fit_view.fit_dialog import FitDialog
from app.gauges.gauge_strip import GaugeStrip
from app.history import DocumentGroup, History
from app.library_view.history_panel import HistoryPanel
from app.opener import Opener
from app.password_dialog import PasswordDialog
from app.probes import Probes
from app.reading_view.reading_view import ReadingView
from app.recent_files import RecentFiles
from app.review_controller import ReviewController
from app.review_view.review_view import ReviewView
from app.settings_dialog.settings_dialog import SettingsDialog
from app.setup_wizard.setup_wizard import SetupWizard
from app.side_panel import SidePanel
from app.start_page import StartPage
from app.state import StateStore
from app.system_check.check_dialog import CheckDialog
from app.top_bar import TopBar
from app.widgets import icons
from app.widgets.drop_overlay import DropOverlay
from app.window_actions import WindowActions, add_shortcuts
from app.window_connections import connect_conversation, connect_evidence
from app.window_focus import WindowFocus
from app.window_layout import WINDOW_SIZE, whole_window, work_area
from app.window_state import WindowState


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
        actions = WindowActions(self)
        self.open_action, self.settings_action = actions.open, actions.settings
        self.check_action, self.setup_action = actions.check, actions.setup
        self.history_action = actions.history
        self.document_view = document_view
        self.top_bar = TopBar(self.history_action, self.open_action, self.check_action, self.settings_action)
        self.history_panel = HistoryPanel(history)
        self.history_panel.hide()
        self.start_page, self.chat, self.gauges = StartPage(), ChatView(), GaugeStrip()
        self.review = ReviewView(review, controller, store)
        self.reading = ReadingView(controller, store, document_view, self)
        self.top_bar.add_action(self.reading.action)
        self.side = SidePanel(self.chat, self.review)
        self.pages, self.splitter = QStackedWidget(), work_area(document_view, self.side)
        self.pages.addWidget(self.start_page)
        self.pages.addWidget(self.splitter)
        self.download_strip = DownloadStrip(dialogs.downloader)
        self._make_dialogs(dialogs)
        above, below = (self.top_bar, self.reading.strip), (self.download_strip, self.gauges)
        self.setCentralWidget(whole_window(above, self.history_panel, self.pages, below))
        self.resize(*WINDOW_SIZE)
        self.overlay = DropOverlay(self)
        self._focus = WindowFocus(controller, store, document_view, self.side, self.splitter, self)
        self._state = WindowState(
            *(store, document_view, self.chat, self.top_bar, self.gauges),
            *(self.pages, self.start_page, self.splitter, self),
        )
        evidence = EvidenceDisplay(store, document_view, self)
        self._connect_actions()
        connect_conversation(controller, self.chat)
        self._connect_controller(router)
        self._connect_opener(opener)
        self._connect_parts()
        connect_evidence(self.chat, evidence)
        self._connect_history()
        self._take_all_drops()
        self._retranslate()
        self._state.show()
        self._on_recent_files_changed()
        self.start_page.setFocus()

    def _make_dialogs(self, dialogs: Dialogs) -> None:
        self.error_dialog, self.password_dialog = ErrorDialog(self), PasswordDialog(self)
        self.closing_dialog = ClosingDialog(self)
        background, probes = dialogs.background, dialogs.probes
        self.settings_dialog = SettingsDialog(background, probes, dialogs.downloader, self)
        self.fit_dialog = FitDialog(background, probes, self)
        self.check_dialog = CheckDialog(background, probes, self)
        self._dialogs = dialogs
        self._setup_wizard: SetupWizard | None = None

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
            self._state.show()
        super().changeEvent(event)

    def _connect_actions(self) -> None:
        self.open_action.triggered.connect(self._on_open_triggered)
        self.settings_action.triggered.connect(self.settings_wanted)
        self.check_action.triggered.connect(self.check_wanted)
        self.setup_action.triggered.connect(self.setup_wanted)
        self.settings_dialog.setup_wanted.connect(self.setup_wanted)
        self.settings_dialog.check_wanted.connect(self.check_dialog.check)
        add_shortcuts(
            self,
            (
                ("Esc", self._controller.stop),
                ("Ctrl+F", self._focus.page_field),
                ("Ctrl+L", self._focus.question),
                ("Ctrl+1", self._focus.question),
                ("Ctrl+2", self._focus.review),
                ("Ctrl+N", self._controller.start_conversation),
                ("Ctrl+R", self._controller.regenerate),
                ("Ctrl+Tab", self._focus.next_document),
            ),
        )

    def _connect_controller(self, router: ErrorRouter) -> None:
        controller = self._controller
        controller.pages_known.connect(self._state.show_pages_early)
        controller.consent_wanted.connect(self.closing_dialog.ask)
        self.closing_dialog.answered.connect(controller.give_consent)
        controller.place_chosen.connect(self._state.show_place)
        router.error_described.connect(self.error_dialog.show_error)
        self._recent.recent_files_changed.connect(self._on_recent_files_changed)
        theme.follower(theme.running_app()).palette_changed.connect(self._on_palette_changed)

    def _connect_opener(self, opener: Opener) -> None:
        opener.password_wanted.connect(self.password_dialog.ask)
        self.password_dialog.answered.connect(opener.give_password)

    def _connect_parts(self) -> None:
        controller = self._controller
        self.start_page.open_clicked.connect(self.open_action.trigger)
        self.start_page.sample_clicked.connect(controller.open_sample)
        self.start_page.stop_clicked.connect(controller.stop)
        self.start_page.setup_clicked.connect(self.setup_action.trigger)
        self.start_page.recent_clicked.connect(self._on_recent_clicked)
        self.top_bar.recent_clicked.connect(self._on_recent_clicked)
        self.top_bar.clear_recent_clicked.connect(self._recent.clear)
        self.top_bar.document_clicked.connect(controller.show_document)
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
        controller.conversation_restored.connect(self._focus.conversation)
        controller.turn_wanted.connect(self._focus.conversation)

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
        self.reading.retranslate()

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

    def _on_palette_changed(self) -> None:
        icons.refresh(self)


def local_files(data: QMimeData) -> list[str]:
    """The files of a drag; what lies elsewhere than on this machine's disks is left out."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
