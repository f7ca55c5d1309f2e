"""The last step: what was chosen, and the first document."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.setup_wizard.setup_page import SetupPage
from app.theme import SPACE
from app.widgets import icons
from app.widgets.texts import plain_label

_ICON = QSize(18, 18)


class ReadyPage(SetupPage):
    open_clicked = Signal()
    sample_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile = self._model = ""
        self.summary, self.hint = plain_label(), plain_label("muted")
        self.open_button, self.sample_button = QPushButton(), QPushButton()
        icons.set_icon(self.open_button, "open")
        icons.set_icon(self.sample_button, "document")
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE.s)
        for button in (self.open_button, self.sample_button):
            button.setAutoDefault(False)
            button.setIconSize(_ICON)
            buttons.addWidget(button)
        buttons.addStretch(1)
        for label in (self.summary, self.hint):
            label.setWordWrap(True)
        self.column.addWidget(self.summary)
        self.column.addSpacing(SPACE.s)
        self.column.addLayout(buttons)
        self.column.addWidget(self.hint)
        self.column.addStretch(1)
        self.open_button.clicked.connect(self.open_clicked)
        self.sample_button.clicked.connect(self.sample_clicked)
        self.retranslate()

    @property
    def first_control(self) -> QWidget | None:
        return self.open_button

    def show_choices(self, profile: str, model: str) -> None:
        """The words for what is chosen now."""
        self._profile, self._model = profile, model
        self.retranslate()

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Ready"))
        self.words.setText(self.tr("Open a document and ask. Answers come with the pages that prove them."))
        lines = (
            self.tr("Profile: {profile}").format(profile=self._profile),
            self.tr("Model: {model}").format(model=self._model),
        )
        self.summary.setText("\n".join(lines))
        self.hint.setText(
            self.tr("Both can be changed in the settings, and these steps can be taken again from there.")
        )
        self.open_button.setText(self.tr("Open a document…"))
        self.sample_button.setText(self.tr("Try the sample"))
