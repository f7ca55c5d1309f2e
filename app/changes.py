"""What it takes to go on with other settings, or with other parts of the documents."""

from PySide6.QtCore import QObject, Signal

from app.engine_desk import EngineDesk
from app.state import Activity, StateStore
from app.talk import Talk
from core.documents.reading_choice import EVERYTHING, ReadingChoice, ReadingKind
from core.settings import EngineSettings
from core.settings_change import Effect, effect_of


class Changes(QObject):
    """`made` comes when work has begun, or ended, because of a change."""

    made = Signal()

    def __init__(
        self, store: StateStore, desk: EngineDesk, talk: Talk, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store, self._desk, self._talk = store, desk, talk

    def use_settings(self, settings: EngineSettings) -> None:
        before = self._desk.settings
        effect = effect_of(before, settings)
        self._desk.settings = settings
        self._store.update(mode=settings.mode)
        if settings.model != before.model and self._desk.reading.kind is ReadingKind.STRETCHED:
            self._store.update(reading=EVERYTHING)  # another model needs another factor, or none
        if effect is Effect.AT_ONCE:
            self._apply()
        elif effect is not Effect.NOTHING:
            self._begin_anew(keeps_model=effect is Effect.READ_AGAIN)

    def use_reading(self, reading: ReadingChoice) -> None:
        before = self._desk.reading
        if reading != before:
            self._store.update(reading=reading)
            self._begin_anew(keeps_model=reading.stretch == before.stretch, is_saved_too=True)
        elif not self._store.state.is_read:
            self._prepare()

    def _apply(self) -> None:
        """An answer ends with the settings that it began with; reading goes on where it is."""
        if self._store.state.activity is Activity.PREPARING:
            self._desk.abandon()
        self._prepare()

    def _begin_anew(self, *, keeps_model: bool, is_saved_too: bool = False) -> None:
        """What was read goes with the next job, and so does the model unless it is kept."""
        if self._store.state.activity is Activity.ANSWERING:
            self._talk.stop_answer()
        self._desk.abandon()
        if not keeps_model:
            self._store.update(model=None, sizes=None)
        self._store.update(is_read=False, progress=None, usage=None)
        self._talk.restart(is_saved_too=is_saved_too)
        self._prepare()

    def _prepare(self) -> None:
        if self._desk.documents:
            self._desk.prepare()
        self.made.emit()
