"""A cancel token: set from any thread, checked by the work at its safe points."""

import threading

from core.errors import CancelledError


class CancelToken:
    """Shared by the one who may stop and the one who works; setting it twice is harmless."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def raise_if_cancelled(self) -> None:
        """Raise `CancelledError` once somebody has asked to stop."""
        if self._event.is_set():
            raise CancelledError
