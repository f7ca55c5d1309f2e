"""Samples the machine twice a second, away from the window's thread."""

import logging
import threading

from PySide6.QtCore import QObject, QThread, Signal

from core.telemetry import Sampler

INTERVAL_S = 0.5
_log = logging.getLogger(__name__)


class TelemetryThread(QThread):
    """Emits a `core.telemetry.Sample` every half second until it is stopped."""

    sampled = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_stopping = threading.Event()
        self.setObjectName("lectern-telemetry")

    def run(self) -> None:
        sampler = Sampler()
        try:
            while not self._is_stopping.is_set():
                self.sampled.emit(sampler.read())
                self._is_stopping.wait(INTERVAL_S)
        except Exception:  # noqa: BLE001 - an exception would be lost in a thread
            _log.exception("the gauges of the machine have stopped")
        finally:
            sampler.close()

    def shutdown(self, timeout_s: float = 2.0) -> bool:
        """End the thread; False if it still runs after `timeout_s` seconds."""
        self._is_stopping.set()
        return self.wait(round(timeout_s * 1000))
