"""The end of a program that a test has started."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from app.startup import Program


def end(program: Program, app: QApplication) -> None:
    """Every thread must end, and the window goes at once: what stays is styled again with every later one."""
    program.window.close()
    assert program.shutdown()
    program.window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
