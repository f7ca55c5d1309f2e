"""A small window at the top left of the screen from which a file can be dragged: run with its path."""

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget


class Source(QWidget):
    def __init__(self, path: str) -> None:
        super().__init__(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
        self._path = path
        self.setGeometry(0, 0, 120, 120)
        self.setWindowTitle("drag source")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's own name
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(self._path)])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


app = QApplication([])
source = Source(sys.argv[1])
source.show()
print("ready", flush=True)
app.exec()
