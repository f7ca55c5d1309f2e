"""The one place where errors become words: cancelled is silence, known errors speak for themselves, all
others go to the log and become one plain sentence."""

import logging
import sys
import threading
from dataclasses import dataclass
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.core_templates import UNEXPECTED_MESSAGE, UNEXPECTED_TITLE
from core.errors import CancelledError, ConversationFullError, LecternError

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ErrorText:
    """What happened, and what to do about it: in English, fit for `core_texts.translated`."""

    title: str
    message: str
    is_conversation_full: bool = False


def describe(error: BaseException) -> ErrorText | None:
    """The words for an error, None where the user wanted it so. Logs what should not have happened."""
    if isinstance(error, CancelledError):
        return None
    if isinstance(error, LecternError):
        _log.info("%s", error)
        return ErrorText(error.title, error.message, isinstance(error, ConversationFullError))
    _log.error("unexpected error", exc_info=error)
    return ErrorText(UNEXPECTED_TITLE, UNEXPECTED_MESSAGE)


class ErrorRouter(QObject):
    """Takes errors from anywhere in the window's thread and says which words to show."""

    error_described = Signal(object)
    _raised_elsewhere = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._raised_elsewhere.connect(self.route)

    def route(self, error: BaseException) -> None:
        text = describe(error)
        if text is not None:
            self.error_described.emit(text)

    def install(self) -> None:
        """Catch what nobody caught, in slots and in threads too."""
        sys.excepthook = self._on_uncaught
        threading.excepthook = self._on_uncaught_in_thread

    def uninstall(self) -> None:
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def _on_uncaught(
        self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QCoreApplication.quit()
            return
        self._raised_elsewhere.emit(error.with_traceback(traceback))

    def _on_uncaught_in_thread(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and not isinstance(arguments.exc_value, SystemExit):
            self._raised_elsewhere.emit(arguments.exc_value)
