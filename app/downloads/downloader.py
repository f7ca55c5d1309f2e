"""Downloads one model at a time in a thread of its own, whatever the window and the engine do meanwhile."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject, Qt, Signal

from app.error_router import ErrorText, describe
from core.cancel import CancelToken
from core.catalogue.bundled import CatalogueEntry
from core.catalogue.hub import fetch_model
from core.errors import CancelledError
from core.events import Progress
from core.paths import models_dir

Fetch: TypeAlias = Callable[[str, Path, Callable[[Progress], None], CancelToken], Path]


class DownloadStatus(StrEnum):
    """`STOPPING` lasts until the thread has ended, a fraction of a second."""

    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True)
class Download:
    """The download that runs or ran last. `error` says why it failed."""

    entry: CatalogueEntry
    status: DownloadStatus = DownloadStatus.RUNNING
    progress: Progress | None = None
    error: ErrorText | None = None

    @property
    def is_running(self) -> bool:
        return self.status in (DownloadStatus.RUNNING, DownloadStatus.STOPPING)


class Downloader(QObject):
    """Lives in the window's thread. `download_changed` carries the `Download`, None when it is forgotten.

    What has come is kept when a download stops or fails; starting it again goes on from there.
    """

    download_changed = Signal(object)
    _progressed = Signal(object)
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None, fetch: Fetch = fetch_model) -> None:
        super().__init__(parent)
        self._fetch = fetch
        self._download: Download | None = None
        self._thread: threading.Thread | None = None
        self._cancel = CancelToken()
        self._is_over = False
        self._progressed.connect(self._on_progressed, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def download(self) -> Download | None:
        return self._download

    @property
    def is_busy(self) -> bool:
        return self._download is not None and self._download.is_running

    def start(self, entry: CatalogueEntry) -> bool:
        """Download `entry`, or go on with it; False while another download runs."""
        if self.is_busy or self._is_over:
            return False
        self._cancel = CancelToken()
        self._thread = threading.Thread(
            target=self._work, args=(entry, self._cancel), name="lectern-download", daemon=True
        )
        self._change(Download(entry))
        self._thread.start()
        return True

    def stop(self) -> None:
        """End the download; what has come is kept."""
        self._cancel.cancel()
        if self._download is not None and self._download.status is DownloadStatus.RUNNING:
            self._change(replace(self._download, status=DownloadStatus.STOPPING))

    def dismiss(self) -> None:
        """Forget a download that has come to its end."""
        if self._download is not None and not self._download.is_running:
            self._change(None)

    def shutdown(self, timeout_s: float) -> bool:
        """Stop without a word; False if the thread still works after `timeout_s` seconds."""
        self._is_over = True
        self._cancel.cancel()
        if self._thread is None:
            return True
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self, entry: CatalogueEntry, cancel: CancelToken) -> None:
        try:
            self._fetch(entry.hub_id, models_dir(), self._progressed.emit, cancel)
        except Exception as error:  # noqa: BLE001 - the window's thread says what it was
            self._ended.emit(error)
        else:
            self._ended.emit(None)

    def _change(self, download: Download | None) -> None:
        self._download = download
        self.download_changed.emit(download)

    def _on_progressed(self, progress: Progress) -> None:
        if self._download is not None and not self._is_over:
            self._change(replace(self._download, progress=progress))

    def _on_ended(self, error: Exception | None) -> None:
        if self._download is None or self._is_over:
            return
        if error is None:
            self._change(replace(self._download, status=DownloadStatus.DONE))
        elif isinstance(error, CancelledError):
            self._change(replace(self._download, status=DownloadStatus.STOPPED))
        else:
            self._change(replace(self._download, status=DownloadStatus.FAILED, error=describe(error)))
