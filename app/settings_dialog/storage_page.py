"""Where files are, how large they are, and a way there."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.background import Background
from app.preferences import Preferences
from app.settings_dialog.cache_list import CacheList
from app.settings_dialog.page import SettingsPage, form_layout
from app.theme import SPACE
from app.widgets.optional_spin_box import OptionalSpinBox
from app.widgets.texts import plain_label
from core.document_caches.shelf import CacheShelf
from core.paths import data_dir, document_caches_dir, models_dir
from core.planning.machine_probe import disk_free_bytes
from core.planning.profiles import user_profiles_dir
from core.units import format_size

_GIB = 1 << 30
_MOST_GIB = 1 << 20
_MOST_ROWS = 12
_Sizes = tuple[int | None, list[tuple[str, int]]]


class StoragePage(SettingsPage):
    def __init__(self, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._sizes: _Sizes | None = None
        self.words = plain_label("muted")
        self.words.setWordWrap(True)
        self.folders = (models_dir(), document_caches_dir(), user_profiles_dir(), data_dir())
        self.captions = [plain_label() for _ in self.folders]
        self.open_buttons = [QPushButton() for _ in self.folders]
        self.sizes, self.free = plain_label("muted"), plain_label("muted")
        form = form_layout()
        for caption, folder, button in zip(self.captions, self.folders, self.open_buttons, strict=True):
            form.addRow(caption, self._folder_row(folder, button))
        self._sizes_label = plain_label()
        form.addRow(self._sizes_label, self._size_column())
        self._caches_label = plain_label()
        self.keep_box = QCheckBox()
        self._quota_label = plain_label()
        self.quota_box = OptionalSpinBox(1, _MOST_GIB, step=10, start=20)
        self._quota_label.setBuddy(self.quota_box)
        self.caches = CacheList(background, CacheShelf(document_caches_dir()))
        self._caches_label.setBuddy(self.caches.list)
        form.addRow(plain_label(), self.keep_box)
        form.addRow(self._quota_label, self.quota_box)
        form.addRow(self._caches_label, self.caches)
        self.keep_box.toggled.connect(self.quota_box.setEnabled)
        self.keep_box.toggled.connect(self._on_changed)
        self.quota_box.valueChanged.connect(self._on_changed)
        self.column.addWidget(self.words)
        self.column.addLayout(form)
        self.column.addStretch(1)
        self.retranslate()

    def show_preferences(self, preferences: Preferences) -> None:
        quota = preferences.cache_quota_bytes
        self.keep_box.setChecked(preferences.keeps_read)
        self.quota_box.set_number(None if quota is None else max(1, round(quota / _GIB)))
        self.quota_box.setEnabled(preferences.keeps_read)
        self._background.run(partial(_measure, self.folders[0]), self._on_measured)
        self.caches.look()

    def taken(self, preferences: Preferences) -> Preferences:
        gib, before = self.quota_box.number, preferences.cache_quota_bytes
        is_same = before is not None and gib == max(1, round(before / _GIB))
        quota = before if is_same else None if gib is None else gib * _GIB
        return replace(preferences, keeps_read=self.keep_box.isChecked(), cache_quota_bytes=quota)

    def retranslate(self) -> None:
        self.heading.setText(self.tr("Storage"))
        self.words.setText(
            self.tr("Models and read documents can be moved by the environment variable LECTERN_CACHE_DIR.")
        )
        names = (
            *(self.tr("Models"), self.tr("Read documents")),
            *(self.tr("Your profiles"), self.tr("Settings and log")),
        )
        for caption, button, name in zip(self.captions, self.open_buttons, names, strict=True):
            caption.setText(name)
            button.setText(self.tr("Open folder"))
            button.setAccessibleName(self.tr("Open folder: {name}").format(name=name))
        self._sizes_label.setText(self.tr("Size of the models"))
        self._caches_label.setText(self.tr("Read documents"))
        self.keep_box.setText(
            self.tr("Keep documents read on this disk, so that they open at once next time")
        )
        self._quota_label.setText(self.tr("At most"))
        self.quota_box.setSpecialValueText(self.tr("A quarter of the free disk"))
        self.quota_box.setSuffix(self.tr(" GiB"))
        self._show_sizes()

    def _folder_row(self, folder: Path, button: QPushButton) -> QHBoxLayout:
        path = QLabel()
        path.setText(str(folder).replace("&", "&&"))
        path.setWordWrap(True)
        button.setAutoDefault(False)
        button.setProperty("folder", str(folder))
        button.clicked.connect(self._on_open_clicked)
        row = QHBoxLayout()
        row.setSpacing(SPACE.s)
        row.addWidget(path, 1)
        row.addWidget(button)
        return row

    def _size_column(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(SPACE.xs)
        column.addWidget(self.sizes)
        column.addWidget(self.free)
        return column

    def _show_sizes(self) -> None:
        if self._sizes is None:
            self.sizes.setText(self.tr("Measuring…"))
            return
        free, entries = self._sizes
        lines = [f"{name}: {format_size(size)}" for name, size in entries[:_MOST_ROWS]]
        total = self.tr("All together: {size}").format(size=format_size(sum(size for _, size in entries)))
        self.sizes.setText("\n".join([*lines, total]))
        words = self.tr("{size} are free on this disk.")
        self.free.setText("" if free is None else words.format(size=format_size(free)))

    def _on_measured(self, sizes: _Sizes) -> None:
        self._sizes = sizes
        self._show_sizes()

    def _on_changed(self, _value: object) -> None:
        self.changed.emit()

    def _on_open_clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            folder = Path(str(sender.property("folder")))
            folder.mkdir(parents=True, exist_ok=True)
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _measure(folder: Path) -> _Sizes:
    """Free bytes beside the models, and each model's size, the largest first."""
    converted = folder / "converted"
    paths = [path for place in (folder, converted) for path in _children(place) if path != converted]
    entries = [(path.name, _size(path)) for path in paths]
    return disk_free_bytes(folder), sorted(entries, key=lambda entry: entry[1], reverse=True)


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _size(path: Path) -> int:
    total = 0
    for file in [path, *path.rglob("*")] if path.is_dir() else [path]:
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:
            continue
    return total
