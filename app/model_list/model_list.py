"""The models one below the other; downloads begin, stop and are shown here."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.downloads.downloader import Download, Downloader
from app.model_list.model_item import ModelItem, availability_of
from app.model_list.model_row import ModelRow
from app.theme import SPACE
from app.widgets.texts import plain_label
from core.paths import models_dir


class ModelList(QWidget):
    """`model_chosen` carries the name of a model that is on this computer."""

    model_chosen = Signal(str)

    def __init__(self, downloader: Downloader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model_list")
        self._downloader = downloader
        self._chosen = ""
        self.rows: list[ModelRow] = []
        self.waiting = plain_label("muted")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE.s)
        self._column.addWidget(self.waiting)
        downloader.download_changed.connect(self._on_download_changed)
        self._retranslate()

    def row(self, name: str) -> ModelRow:
        """The row of the model of this name."""
        return next(row for row in self.rows if row.item.name == name)

    def show_items(self, items: Sequence[ModelItem]) -> None:
        """Show these models, in this order."""
        self.waiting.setVisible(not items)
        if [row.item.name for row in self.rows] != [item.name for item in items]:
            self._make_rows(items)
        for row, item in zip(self.rows, items, strict=True):
            row.show_item(item)
            row.show_chosen(is_chosen=item.name == self._chosen)
            row.show_download(self._downloader.download)

    def show_chosen(self, name: str) -> None:
        """Mark the model that is used; none if it is not in the list."""
        self._chosen = name
        for row in self.rows:
            row.show_chosen(is_chosen=row.item.name == name)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.waiting.setText(self.tr("Looking at this machine…"))
        self.setAccessibleName(self.tr("Models"))

    def _make_rows(self, items: Sequence[ModelItem]) -> None:
        for row in self.rows:
            self._column.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        self.rows = [ModelRow(item) for item in items]
        for row in self.rows:
            row.download_wanted.connect(self._on_download_wanted)
            row.stop_wanted.connect(self._downloader.stop)
            row.chosen.connect(self._on_chosen)
            self._column.addWidget(row)

    def _on_download_wanted(self, item: ModelItem) -> None:
        self._downloader.start(item.entry)

    def _on_chosen(self, item: ModelItem) -> None:
        self.show_chosen(item.name)
        self.model_chosen.emit(item.name)

    def _on_download_changed(self, download: Download | None) -> None:
        for row in self.rows:
            if download is not None and not download.is_running and row.item.entry == download.entry:
                found = availability_of(download.entry, models_dir())
                row.show_item(replace(row.item, availability=found))
            row.show_download(download)
