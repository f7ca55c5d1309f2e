"""Fetches tiles one at a time: whenever the renderer is free, those on screen are asked what they miss."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QPixmap

from app.document_service import DocumentService
from app.document_view.tile_cache import TileCache
from app.document_view.tiles import TileRequest
from core.errors import CancelledError, LecternError

MIN_CAPACITY_BYTES = 128 * 2**20
_OVERVIEWS_BYTES = 32 * 2**20
_MAX_ATTEMPTS = 2
_SLOW_S = 1.0
_WATCH_MS = 250


class TileSource(Protocol):
    """Something on screen that shows tiles."""

    def next_wanted(self) -> TileRequest | None:
        """The tile that is missed most right now, None if nothing is missing."""

    def wants(self, request: TileRequest, /) -> bool:
        """Whether the tile would still be shown."""


class TileLoader(QObject):
    """Tiles that are here, and the fetching of those that are not.

    Nothing is queued: a page that was scrolled past is never asked for. A tile that takes long and that
    nobody wants any more is given up. A page that fails twice is not asked for again.
    """

    tile_arrived = Signal(object)
    page_failed = Signal(int)

    def __init__(self, service: DocumentService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._sources: tuple[TileSource, ...] = ()
        self._tiles = TileCache(MIN_CAPACITY_BYTES)
        self._overviews = TileCache(_OVERVIEWS_BYTES)
        self._failures: dict[int, str] = {}
        self._attempts: Counter[int] = Counter()
        self._in_flight: TileRequest | None = None
        self._is_stale = False
        self._started_s = 0.0
        self._watch = QTimer(self)
        self._watch.setInterval(_WATCH_MS)
        self._watch.timeout.connect(self._on_watch_timeout)
        service.tile_rendered.connect(self._on_tile_rendered)
        service.tile_failed.connect(self._on_tile_failed)

    def set_sources(self, sources: Sequence[TileSource]) -> None:
        """Who is asked for missing tiles, the most important first."""
        self._sources = tuple(sources)

    def ensure_capacity(self, screen_bytes: int) -> None:
        """Have room for a few screens, however large they are."""
        self._tiles.capacity_bytes = max(MIN_CAPACITY_BYTES, 4 * screen_bytes)

    def reset(self) -> None:
        """Forget everything, also the tile that is on its way: another document is shown."""
        self._is_stale = self._in_flight is not None
        self._tiles.clear()
        self._overviews.clear()
        self._failures.clear()
        self._attempts.clear()

    def pixmap(self, request: TileRequest) -> QPixmap | None:
        return self._cache_of(request).get(request)

    def failure(self, page_index: int) -> str | None:
        """Why the page cannot be shown; None if it can."""
        return self._failures.get(page_index)

    def is_missing(self, request: TileRequest) -> bool:
        """Whether the tile is not here but may be had."""
        return request not in self._cache_of(request) and request.page_index not in self._failures

    def fetch_next(self) -> None:
        """Ask for the tile that is missed most, unless one is on its way: its arrival asks again."""
        if self._in_flight is not None:
            return
        for source in self._sources:
            request = source.next_wanted()
            if request is not None:
                self._in_flight = request
                self._started_s = time.monotonic()
                self._watch.start()
                self._service.request_tile(request)
                return

    def _cache_of(self, request: TileRequest) -> TileCache:
        return self._overviews if request.is_overview else self._tiles

    def _is_wanted(self, request: TileRequest) -> bool:
        return any(source.wants(request) for source in self._sources)

    @Slot(object, object)
    def _on_tile_rendered(self, request: TileRequest, image: QImage) -> None:
        if request != self._in_flight:
            return
        if not self._is_stale:
            self._cache_of(request).put(request, QPixmap.fromImage(image))
            self.tile_arrived.emit(request)
        self._end_flight()

    @Slot(object, object)
    def _on_tile_failed(self, request: TileRequest, error: LecternError) -> None:
        if request != self._in_flight:
            return
        if not (self._is_stale or isinstance(error, CancelledError)):
            is_slow = time.monotonic() - self._started_s > _SLOW_S
            self._attempts[request.page_index] += _MAX_ATTEMPTS if is_slow else 1
            if self._attempts[request.page_index] >= _MAX_ATTEMPTS:
                self._failures[request.page_index] = error.message
                self.page_failed.emit(request.page_index)
        self._end_flight()

    def _end_flight(self) -> None:
        self._in_flight = None
        self._is_stale = False
        self._watch.stop()
        self.fetch_next()

    @Slot()
    def _on_watch_timeout(self) -> None:
        request = self._in_flight
        if request is None or time.monotonic() - self._started_s < _SLOW_S or self._is_wanted(request):
            return
        self._watch.stop()
        self._service.cancel_tiles()
