"""The profiles: built-in ones to look at and copy, the user's own to change, rename and delete."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from app.core_texts import error_sentence, translated
from app.preferences import MemoryChoices, Preferences
from app.settings_dialog.name_dialog import NameDialog
from app.settings_dialog.page import SettingsPage, add_row, choose, form_layout
from app.settings_dialog.profile_form import ProfileForm
from app.widgets.flow_layout import FlowLayout
from app.widgets.texts import plain_label
from core.errors import LecternError
from core.planning.profile_files import (
    ProfileEntry,
    delete_profile,
    find_profiles,
    free_name,
    rename_profile,
    require_valid,
    save_profile,
)
from core.planning.profiles import AUTO, Profile


class ProfilesPage(SettingsPage):
    """Drafts wait here until they are saved; `changed` comes when a draft or the profile shown changes.

    `profiles_changed` comes when files have changed, with the name before and the name after it: both None
    for a profile that is new or changed in place, the second one None if it was deleted.
    """

    profiles_changed = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words, self.status = plain_label("muted"), plain_label("caption")
        self.words.setWordWrap(True)
        self.status.setWordWrap(True)
        self.box_label, self.box = plain_label(), QComboBox()
        self.save_button, self.discard_button, self.copy_button = QPushButton(), QPushButton(), QPushButton()
        self.rename_button, self.delete_button = QPushButton(), QPushButton()
        self.restore_button = QPushButton()
        self.form = ProfileForm()
        self.name_dialog = NameDialog(self)
        self._entries: dict[str, ProfileEntry] = {}
        self._drafts: dict[str, Profile] = {}
        self._deleted: Profile | None = None
        self._take_name: Callable[[str], None] = self._copy
        self._lay_out()
        self.retranslate()
        self._connect()

    @property
    def name(self) -> str:
        """Of the profile that is shown."""
        return self.box.currentData() or AUTO

    @property
    def draft(self) -> Profile | None:
        """The profile that is shown, as it is here; None if its file is damaged."""
        return self.draft_of(self.name)

    def draft_of(self, name: str) -> Profile | None:
        entry = self._entries.get(name)
        return self._drafts.get(name, entry.profile if entry is not None else None)

    def show_preferences(self, preferences: Preferences) -> None:
        self._drafts, self._deleted = {}, None
        self.look_again(preferences.profile)

    def taken(self, preferences: Preferences) -> Preferences:
        return preferences

    def take(self, memory: MemoryChoices) -> None:
        """Write an offer of the plan into the profile that is shown, if it is the user's own."""
        profile = self.draft
        if profile is None or not self._entries[self.name].is_own:
            return
        own: dict[str, Any] = {
            "kv_hot_budget": memory.hot_budget_bytes,
            "kv_active_window": memory.active_window,
            "kv_compression": memory.codec,
        }
        engine = replace(profile.engine, **{name: value for name, value in own.items() if value is not None})
        self.form.show_profile(replace(profile, engine=engine), is_own=True)
        self._on_form_changed()

    def save_drafts(self) -> bool:
        """Write what is not saved yet; False if one profile cannot be written, which is shown then."""
        if not self._drafts:
            return True
        for name, profile in list(self._drafts.items()):
            if not self._tried(lambda profile=profile: save_profile(profile)):  # type: ignore[misc]
                choose(self.box, name)
                words = self.status.text()
                self._show_entry()
                self.status.setText(words)
                return False
            del self._drafts[name]
        self.look_again(self.name)
        self.profiles_changed.emit(None, None)
        return True

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Profiles"))
        self.words.setText(
            self.tr("A profile sets what you leave open. Built-in ones are read-only: save a copy to change.")
        )
        self.box_label.setText(self.tr("Show the profile"))
        self.box.setAccessibleName(self.tr("Show the profile"))
        self.save_button.setText(self.tr("Save"))
        self.discard_button.setText(self.tr("Discard changes"))
        self.copy_button.setText(self.tr("Save as…"))
        self.rename_button.setText(self.tr("Rename…"))
        self.delete_button.setText(self.tr("Delete"))
        self.restore_button.setText(self.tr("Undo deleting"))
        self.form.retranslate()
        for index in range(self.box.count()):
            self.box.setItemText(index, self._words_of(self._entries[self.box.itemData(index)]))
        self._show_buttons()

    def _lay_out(self) -> None:
        form = form_layout()
        add_row(form, self.box_label, self.box, [self.status])
        buttons = QWidget()
        row = FlowLayout(buttons)
        for button in self._buttons():
            button.setAutoDefault(False)
            row.addWidget(button)
        self.column.addWidget(self.words)
        self.column.addLayout(form)
        self.column.addWidget(buttons)
        self.column.addWidget(self.form)
        self.column.addStretch(1)

    def _buttons(self) -> tuple[QPushButton, ...]:
        changes = (self.save_button, self.discard_button, self.copy_button)
        return (*changes, self.rename_button, self.delete_button, self.restore_button)

    def _connect(self) -> None:
        self.box.activated.connect(self._on_box_activated)
        self.form.changed.connect(self._on_form_changed)
        self.save_button.clicked.connect(self._on_save_clicked)
        self.discard_button.clicked.connect(self._on_discard_clicked)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        self.rename_button.clicked.connect(self._on_rename_clicked)
        self.delete_button.clicked.connect(self._on_delete_clicked)
        self.restore_button.clicked.connect(self._on_restore_clicked)
        self.name_dialog.name_given.connect(self._on_name_given)

    def look_again(self, shown: str) -> None:
        """Read the files anew and show `shown`, or this machine's profile if it is gone."""
        entries = sorted(find_profiles(), key=lambda entry: (entry.name != AUTO, entry.name))
        self._entries = {entry.name: entry for entry in entries}
        self._drafts = {name: draft for name, draft in self._drafts.items() if name in self._entries}
        self.box.blockSignals(True)
        self.box.clear()
        for entry in entries:
            self.box.addItem(self._words_of(entry), entry.name)
        self.box.blockSignals(False)
        choose(self.box, shown)
        self._show_entry()

    def _words_of(self, entry: ProfileEntry) -> str:
        if entry.error is not None:
            return self.tr("{name} (damaged)").format(name=entry.name)
        if entry.is_own:
            return entry.title if entry.title == entry.name else f"{entry.title} ({entry.name})"
        return self.tr("{title} (built-in)").format(title=translated(entry.title))

    def _show_entry(self) -> None:
        entry, profile = self._entries[self.name], self.draft
        self.form.setVisible(profile is not None)
        if profile is not None:
            self.form.show_profile(profile, is_own=entry.is_own)
        self._show_buttons()

    def _show_buttons(self) -> None:
        entry = self._entries.get(self.name)
        if entry is None:
            return
        is_changed = self.name in self._drafts
        self.save_button.setEnabled(is_changed)
        self.discard_button.setEnabled(is_changed)
        self.copy_button.setEnabled(entry.profile is not None)
        self.rename_button.setEnabled(entry.is_own and entry.profile is not None and not is_changed)
        self.delete_button.setEnabled(entry.is_own)
        self.restore_button.setVisible(self._deleted is not None)
        self.status.setText(self._words_about(entry, is_changed=is_changed))

    def _words_about(self, entry: ProfileEntry, *, is_changed: bool) -> str:
        if entry.error is not None:
            return error_sentence(entry.error)
        if not entry.is_own:
            return self.tr("Built-in: its values cannot be changed here.")
        return self.tr("Not saved yet.") if is_changed else self.tr("Your own profile.")

    def _tried(self, action: Callable[[], object]) -> bool:
        """Whether it worked; if not, why is said where the user looks."""
        try:
            action()
        except LecternError as error:
            if self.name_dialog.isVisible():
                self.name_dialog.refuse(error_sentence(error))
            else:
                self.status.setText(error_sentence(error))
            return False
        return True

    def _copy(self, name: str) -> None:
        shown = self.draft
        assert shown is not None, "a damaged profile is not copied"
        title = name if shown.title in (shown.name, self._entries[self.name].title) else shown.title
        save_profile(replace(shown, name=name, title=title), is_new=True)
        self._drafts.pop(self.name, None)
        self.look_again(name)
        self.profiles_changed.emit(None, None)

    def _rename(self, name: str) -> None:
        before = self.name
        rename_profile(before, name)
        self.look_again(name)
        self.profiles_changed.emit(before, name)

    def _on_box_activated(self, _index: int) -> None:
        self._show_entry()
        self.changed.emit()

    def _on_form_changed(self) -> None:
        entry = self._entries[self.name]
        if entry.profile is None or not entry.is_own:
            return
        draft = self.form.taken(entry.profile)
        self._drafts.pop(self.name, None)
        if draft != entry.profile:
            self._drafts[self.name] = draft
        self._show_buttons()
        self._tried(lambda: require_valid(draft))
        self.changed.emit()

    def _on_save_clicked(self) -> None:
        draft = self._drafts.get(self.name)
        if draft is not None and self._tried(lambda: save_profile(draft)):
            del self._drafts[self.name]
            self.look_again(self.name)
            self.profiles_changed.emit(None, None)
            self.status.setText(self.tr("Saved."))

    def _on_discard_clicked(self) -> None:
        self._drafts.pop(self.name, None)
        self._show_entry()
        self.changed.emit()

    def _on_copy_clicked(self) -> None:
        self._take_name = self._copy
        self.name_dialog.ask(self.tr("Save a copy of the profile"), free_name(self.name))

    def _on_rename_clicked(self) -> None:
        self._take_name = self._rename
        self.name_dialog.ask(self.tr("Rename the profile"), self.name)

    def _on_name_given(self, name: str) -> None:
        if self._tried(lambda: self._take_name(name)):
            self.name_dialog.accept()

    def _on_delete_clicked(self) -> None:
        name, profile = self.name, self._entries[self.name].profile
        if self._tried(lambda: delete_profile(name)):
            self._deleted = profile
            self._drafts.pop(name, None)
            self.look_again(AUTO)
            self.profiles_changed.emit(name, None)
            self.status.setText(self.tr("The profile “{name}” was deleted.").format(name=name))

    def _on_restore_clicked(self) -> None:
        profile = self._deleted
        if profile is not None and self._tried(lambda: save_profile(profile, is_new=True)):
            self._deleted = None
            self.look_again(profile.name)
            self.profiles_changed.emit(None, None)
