"""Rendered tiles, the least recently painted dropped first."""

from collections import OrderedDict

from PySide6.QtGui import QPixmap

from app.document_view.tiles import TileRequest


class TileCache:
    """Holds at most `capacity_bytes` of pixmaps; one that is larger on its own is not kept."""

    def __init__(self, capacity_bytes: int) -> None:
        self.capacity_bytes = capacity_bytes
        self.size_bytes = 0
        self._pixmaps: OrderedDict[TileRequest, QPixmap] = OrderedDict()

    def __contains__(self, request: TileRequest) -> bool:
        return request in self._pixmaps

    def __len__(self) -> int:
        return len(self._pixmaps)

    def get(self, request: TileRequest) -> QPixmap | None:
        """The pixmap, which thereby counts as just used."""
        pixmap = self._pixmaps.get(request)
        if pixmap is not None:
            self._pixmaps.move_to_end(request)
        return pixmap

    def put(self, request: TileRequest, pixmap: QPixmap) -> None:
        if request in self._pixmaps:
            del self._pixmaps[request]
            self.size_bytes -= request.size_bytes
        self._pixmaps[request] = pixmap
        self.size_bytes += request.size_bytes
        while self.size_bytes > self.capacity_bytes:
            dropped, _ = self._pixmaps.popitem(last=False)
            self.size_bytes -= dropped.size_bytes

    def clear(self) -> None:
        self._pixmaps.clear()
        self.size_bytes = 0

    def check_integrity(self) -> None:
        assert self.size_bytes == sum(request.size_bytes for request in self._pixmaps)
        assert self.size_bytes <= self.capacity_bytes
