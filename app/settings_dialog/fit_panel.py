"""What the settings mean for a machine, beside their pages."""

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.fit_view.fit_planner import FitPlanner
from app.fit_view.fit_view import FitView
from app.settings_dialog.page import scrolling
from app.theme import SPACE
from app.widgets.texts import plain_label

_WIDTH = 340


class FitPanel(QFrame):
    def __init__(self, planner: FitPlanner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.setFixedWidth(_WIDTH)
        self.heading = plain_label("title")
        self.fit = FitView(planner, has_choices=False, keeps_context=True)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(SPACE.l, SPACE.l, SPACE.l, SPACE.l)
        inside.setSpacing(SPACE.m)
        inside.addWidget(self.heading)
        inside.addWidget(scrolling(self.fit), 1)
