"""The second step: a profile, with what it means and what the recommended model does with it."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QRadioButton, QVBoxLayout, QWidget

from app.core_texts import translated
from app.engine_choices import profile_of
from app.model_list.model_item import ModelItem, recommended_item
from app.model_list.model_words import plan_words, title_words
from app.model_list.profile_words import profile_words, purpose_words
from app.setup_wizard.setup_page import SetupPage, scrolled
from app.theme import SPACE
from app.widgets.texts import button_text, plain_label
from core.planning.profiles import AUTO, profile_names


class ProfilePage(SetupPage):
    """`profile_chosen` carries the name of a profile that the user has picked."""

    profile_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QRadioButton] = {}
        self._hints: dict[str, QLabel] = {}
        self._items: Sequence[ModelItem] = ()
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._on_clicked)
        self._choices = QWidget()
        self._choices.setObjectName("setup_list")
        self._rows = QVBoxLayout(self._choices)
        self._rows.setContentsMargins(0, 0, SPACE.m, 0)
        self._rows.setSpacing(SPACE.xs)
        self._rows.addStretch(1)
        self.area, self.card = scrolled(self._choices), QFrame()
        self.card.setProperty("kind", "card")
        self.plan_heading, self.plan = plain_label("heading"), plain_label()
        inside = QVBoxLayout(self.card)
        inside.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        inside.setSpacing(SPACE.xs)
        for label in (self.plan_heading, self.plan):
            label.setWordWrap(True)
            inside.addWidget(label)
        self.column.addWidget(self.area, 1)
        self.column.addWidget(self.card)
        self.retranslate()

    @property
    def profile(self) -> str:
        chosen = self._group.checkedButton()
        return str(chosen.property("profile")) if chosen is not None else AUTO

    @property
    def first_control(self) -> QWidget | None:
        return self.buttons.get(self.profile)

    def show_profile(self, name: str) -> None:
        """Offer every profile that there is now, with this one chosen."""
        self._make_buttons()
        self.buttons.get(name, self.buttons[AUTO]).setChecked(True)
        self.retranslate()

    def show_items(self, items: Sequence[ModelItem]) -> None:
        """The models with their plans for the chosen profile; none while they are made."""
        self._items = items
        self._show_plan()

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Profile"))
        self.words.setText(
            self.tr(
                "A profile says how the memory of a computer is used. The first one fits every computer; the "
                "others are for particular ones. Everything can be changed later in the settings."
            )
        )
        self.area.setAccessibleName(self.tr("Profiles"))
        for name, button in self.buttons.items():
            profile = profile_of(name)
            title = translated(profile.title)
            words = self.tr("{profile} (recommended)").format(profile=title) if name == AUTO else title
            button.setText(button_text(words))
            self._hints[name].setText(f"{purpose_words(profile)} {profile_words(profile)}")
            button.setAccessibleDescription(self._hints[name].text())
        self._show_plan()

    def _make_buttons(self) -> None:
        for widget in (*self.buttons.values(), *self._hints.values()):
            self._rows.removeWidget(widget)
            widget.setParent(None)
            widget.deleteLater()
        self.buttons, self._hints = {}, {}
        for name in sorted(profile_names(), key=lambda name: (name != AUTO, name)):
            button, hint = QRadioButton(), plain_label("caption")
            button.setProperty("profile", name)
            hint.setWordWrap(True)
            hint.setIndent(SPACE.xl)
            self._group.addButton(button)
            self.buttons[name], self._hints[name] = button, hint
            for widget in (button, hint):
                self._rows.insertWidget(self._rows.count() - 1, widget)

    def _show_plan(self) -> None:
        if not self._items:
            self.plan_heading.setText(self.tr("Looking at this machine…"))
            self.plan.setText("")
            return
        best = recommended_item(self._items)
        self.plan_heading.setText(
            self.tr("With it, {model} on this computer").format(model=title_words(best))
        )
        self.plan.setText(plan_words(best.plan))

    def _on_clicked(self, _button: object) -> None:
        self.profile_chosen.emit(self.profile)
