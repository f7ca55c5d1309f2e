"""What the window shows before a document is open: what to do, and the quickest ways to do it."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.chat_view.progress_row import ProgressRow
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import button_text, plain_label, shortened, tool_tip
from core.library.records import StoredConversation

_WIDTH = 560
_ICON_SIZE = 48
_HALF_CHARACTERS = 34
_MAX_RECENT = 5


class StartPage(QWidget):
    open_clicked = Signal()
    sample_clicked = Signal()
    stop_clicked = Signal()
    recent_clicked = Signal(str)
    conversation_clicked = Signal(int)
    setup_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start_page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.picture = QLabel()
        self.heading, self.words = plain_label("display"), plain_label("muted")
        self.words.setWordWrap(True)
        self.open_button, self.sample_button = QPushButton(), QPushButton()
        self.open_button.setProperty("kind", "primary")
        icons.set_icon(self.open_button, "open", "accent_text")
        icons.set_icon(self.sample_button, "document")
        self.progress_row = ProgressRow()
        self.stop_button = QPushButton()
        self.stop_button.hide()
        self.setup_button = QPushButton()
        self.setup_button.setProperty("kind", "link")
        self.recent_heading = plain_label("caption")
        self.recent_buttons: list[QPushButton] = []
        self.conversations_heading = plain_label("caption")
        self.conversation_buttons: list[QPushButton] = []
        self.area = QFrame()
        self.area.setObjectName("drop_area")
        self.open_button.clicked.connect(self.open_clicked)
        self.sample_button.clicked.connect(self.sample_clicked)
        self.stop_button.clicked.connect(self.stop_clicked)
        self.setup_button.clicked.connect(self.setup_clicked)
        self._lay_out()
        self._retranslate()
        self._draw_picture()

    def show_recent(self, paths: Sequence[str]) -> None:
        for button in self.recent_buttons:
            self._recent.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.recent_buttons = [self._recent_button(path) for path in paths[:_MAX_RECENT]]
        for button in self.recent_buttons:
            self._recent.addWidget(button)
        self.recent_heading.setVisible(bool(paths))

    def show_conversations(self, conversations: Sequence[StoredConversation]) -> None:
        """The newest first; as many are shown as there is room for."""
        for button in self.conversation_buttons:
            self._conversations.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.conversation_buttons = [self._conversation_button(one) for one in conversations[:_MAX_RECENT]]
        for button in self.conversation_buttons:
            self._conversations.addWidget(button)
        self.conversations_heading.setVisible(bool(conversations))

    def show_busy(self, is_busy: bool) -> None:
        self.stop_button.setVisible(is_busy)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        elif event.type() == QEvent.Type.PaletteChange:
            self._draw_picture()
        super().changeEvent(event)

    def _recent_button(self, path: str) -> QPushButton:
        button = QPushButton(button_text(shortened(Path(path).name, _HALF_CHARACTERS)))
        button.setProperty("kind", "link")
        icons.set_icon(button, "document", "text_muted")
        button.setToolTip(tool_tip(path))
        button.setAccessibleDescription(path)
        button.clicked.connect(self._on_recent_clicked)
        return button

    def _conversation_button(self, conversation: StoredConversation) -> QPushButton:
        button = QPushButton(button_text(shortened(conversation.title, _HALF_CHARACTERS)))
        button.setProperty("kind", "link")
        icons.set_icon(button, "history", "text_muted")
        button.setToolTip(tool_tip(conversation.title))
        button.setAccessibleName(conversation.title)
        button.clicked.connect(partial(self.conversation_clicked.emit, conversation.conversation_id))
        return button

    def _on_recent_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, QPushButton):
            self.recent_clicked.emit(sender.accessibleDescription())

    def _draw_picture(self) -> None:
        self.picture.setPixmap(icons.pixmap("lectern", _ICON_SIZE, "accent"))

    def _lay_out(self) -> None:
        self.open_button.setIconSize(QSize(18, 18))
        self.sample_button.setIconSize(QSize(18, 18))
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE.s)
        buttons.addWidget(self.open_button)
        buttons.addWidget(self.sample_button)
        buttons.addStretch(1)
        inside = QVBoxLayout(self.area)
        inside.setContentsMargins(2 * SPACE.xl, 2 * SPACE.xl, 2 * SPACE.xl, 2 * SPACE.xl)
        inside.setSpacing(SPACE.l)
        inside.addWidget(self.picture)
        inside.addWidget(self.heading)
        inside.addWidget(self.words)
        inside.addSpacing(SPACE.s)
        inside.addLayout(buttons)
        inside.addWidget(self.progress_row)
        inside.addWidget(self.stop_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        self._recent.addWidget(self.recent_heading)
        self._conversations = QVBoxLayout()
        self._conversations.setSpacing(0)
        self._conversations.addWidget(self.conversations_heading)
        self.conversations_heading.hide()
        lists = QHBoxLayout()
        lists.setSpacing(SPACE.l)
        for column in (self._recent, self._conversations):
            column.setAlignment(Qt.AlignmentFlag.AlignTop)
            lists.addLayout(column, 1)
        middle = QWidget()
        middle.setFixedWidth(_WIDTH)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, SPACE.xl, 0, SPACE.xl)
        column.setSpacing(SPACE.xl)
        column.addStretch(1)
        column.addWidget(self.area)
        column.addLayout(lists)
        column.addWidget(self.setup_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(2)
        row = QHBoxLayout(self)
        row.addStretch(1)
        row.addWidget(middle)
        row.addStretch(1)

    def _retranslate(self) -> None:
        self.heading.setText(self.tr("Drop a document here"))
        self.words.setText(
            self.tr(
                "A PDF of any length, or several at once. Lectern reads all of it on this computer and "
                "answers your questions with the pages that prove them. Nothing leaves this machine."
            )
        )
        self.open_button.setText(self.tr("Open a document…"))
        self.sample_button.setText(self.tr("Try the sample"))
        self.stop_button.setText(self.tr("Stop"))
        self.recent_heading.setText(self.tr("Recent documents"))
        self.conversations_heading.setText(self.tr("Recent conversations"))
        self.setup_button.setText(self.tr("Set up again…"))
        self.setup_button.setToolTip(self.tr("Choose a profile and a model step by step (Ctrl+Shift+U)"))
