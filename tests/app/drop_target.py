"""The window with a scripted engine, on a real display: says what was opened, then ends."""

import sys

from PySide6.QtCore import QObject, QTimer, Slot

from app import i18n, theme
from app.preferences import Preferences
from app.scripted_backend import ScriptedBackend
from app.startup import Program, make_application


class Reporter(QObject):
    """Prints news for the test, a line each."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program
        program.store.is_read_changed.connect(self._on_read)
        QTimer.singleShot(500, self._on_shown)

    @Slot()
    def _on_shown(self) -> None:
        frame = self._program.window.geometry()
        print("ready", frame.center().x(), frame.center().y(), flush=True)

    @Slot(bool)
    def _on_read(self, is_read: bool) -> None:
        if is_read:
            print("opened", self._program.store.state.documents[0].name, flush=True)
            self._program.window.close()


app = make_application()
theme.apply(app, theme.Scheme.LIGHT)
i18n.install(app, "en")
program = Program(Preferences(), ScriptedBackend)
reporter = Reporter(program)
program.window.resize(1000, 700)
program.window.move(300, 150)
program.start([])
app.exec()
sys.exit(0 if program.shutdown() else 1)
