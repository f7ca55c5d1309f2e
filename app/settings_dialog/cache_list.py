"""The documents that are kept read on the disk: what each takes, and a way to remove them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QDateTime, QEvent, QLocale, Qt
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListWidget, QPushButton, QVBoxLayout, QWidget

from app.background import Background
from app.core_texts import translated
from app.theme import SPACE
from app.widgets.texts import plain_label
from core.document_caches.shelf import CacheEntry, CacheShelf
from core.errors import LecternError
from core.units import format_size

_LIST_HEIGHT = 168


@dataclass(frozen=True)
class _Found:
    """What is on the shelf; `trouble` is what could not be removed and why, in the engine's words."""

    entries: tuple[CacheEntry, ...]
    quota_bytes: int
    trouble: str = ""


class CacheList(QWidget):
    """Looks at the disk in the background, whenever it is told to and after each removal."""

    def __init__(self, background: Background, shelf: CacheShelf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._background, self._shelf = background, shelf
        self._found: _Found | None = None
        self.list = QListWidget()
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setFixedHeight(_LIST_HEIGHT)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.remove_button = QPushButton()
        self.remove_button.setAutoDefault(False)
        self.total, self.trouble = plain_label("muted"), plain_label("caption")
        for label in (self.total, self.trouble):
            label.setWordWrap(True)
        foot = QHBoxLayout()
        foot.setSpacing(SPACE.s)
        foot.addWidget(self.total, 1)
        foot.addWidget(self.remove_button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.s)
        column.addWidget(self.list)
        column.addLayout(foot)
        column.addWidget(self.trouble)
        self.list.itemSelectionChanged.connect(self._on_selection_changed)
        self.remove_button.clicked.connect(self._on_remove_clicked)
        self._retranslate()

    def look(self) -> None:
        """Show what is there now."""
        self._background.run(partial(_look, self._shelf), self._on_found)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.list.setAccessibleName(self.tr("Documents that are kept read"))
        self.remove_button.setText(self.tr("Remove"))
        self.remove_button.setAccessibleName(self.tr("Remove the chosen documents from the disk"))
        self.remove_button.setToolTip(
            self.tr("The model has to read these documents again when you open them next.")
        )
        self._show()

    def _show(self) -> None:
        self.list.clear()
        found = self._found
        self.remove_button.setEnabled(False)
        if found is None:
            self.total.setText(self.tr("Measuring…"))
            return
        self.list.addItems([self._line(entry) for entry in found.entries])
        self.list.setVisible(bool(found.entries))
        used = format_size(sum(entry.size_bytes for entry in found.entries))
        words = self.tr("{used} of the {quota} that read documents may take. The longest unused go first.")
        self.total.setText(words.format(used=used, quota=format_size(found.quota_bytes)))
        self.trouble.setText(translated(found.trouble))
        self.trouble.setVisible(bool(found.trouble))

    def _line(self, entry: CacheEntry) -> str:
        day = QDateTime.fromSecsSinceEpoch(int(entry.last_used)).date()
        used = QLocale().toString(day, QLocale.FormatType.ShortFormat)
        other = self.tr("kept by another version of Lectern") if entry.is_other_version else ""
        name = ", ".join(entry.documents) or other or self.tr("unfinished or damaged")
        parts = [name, format_size(entry.size_bytes), self.tr("last used {day}").format(day=used)]
        if other and entry.documents:
            parts.insert(1, other)
        elif entry.documents and not entry.is_complete:
            share = entry.num_tokens / max(entry.total_tokens, 1)
            parts.insert(1, self.tr("{percent} % read").format(percent=int(100 * share)))
        return " · ".join(parts)

    def _on_found(self, found: _Found) -> None:
        self._found = found
        self._show()

    def _on_selection_changed(self) -> None:
        self.remove_button.setEnabled(bool(self.list.selectedIndexes()))

    def _on_remove_clicked(self) -> None:
        if self._found is None:
            return
        rows = sorted(index.row() for index in self.list.selectedIndexes())
        keys = [self._found.entries[row].key for row in rows]
        self.remove_button.setEnabled(False)
        self._background.run(partial(_remove, self._shelf, keys), self._on_found)


def _look(shelf: CacheShelf, trouble: str = "") -> _Found:
    return _Found(tuple(shelf.entries()), shelf.quota_bytes, trouble)


def _remove(shelf: CacheShelf, keys: Sequence[str]) -> _Found:
    trouble = ""
    for key in keys:
        try:
            shelf.remove(key)
        except LecternError as error:
            trouble = error.message
    return _look(shelf, trouble)
