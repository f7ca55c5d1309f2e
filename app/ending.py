"""The end of a program in a process that goes on: for pictures and tests."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from app.startup import Program


def end(program: Program, app: QApplication) -> bool:
    """Its threads end and its window goes at once; False if something did not end in time.

    A window that stayed would be styled again with every later one, half collected or not.
    """
    program.window.close()
    has_ended = program.shutdown()
    program.window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return has_ended
