"""The list of read documents in the settings."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.background import Background
from app.chat_view.progress_row import ProgressRow
from app.settings_dialog.cache_list import CacheList
from core.document_caches.manifest import (
    FORMAT_VERSION,
    MANIFEST_NAME,
    Manifest,
    ResumePoint,
    write_manifest,
)
from core.document_caches.shelf import CacheShelf
from core.events import Progress, Stage

TIMEOUT_MS = 5000


@pytest.fixture
def background() -> Iterator[Background]:
    background = Background()
    yield background
    background.shutdown()


@pytest.fixture
def shelf(tmp_path: Path) -> CacheShelf:
    shelf = CacheShelf(tmp_path, quota_bytes=1 << 30)
    for name, num_tokens in (("lease.pdf", 100), ("offer.pdf", 50)):
        manifest = Manifest({"document": name}, "tiny", (name,), 100, 4, (), ResumePoint(num_tokens))
        shelf.folder(manifest.key).path.mkdir()
        write_manifest(shelf.folder(manifest.key).path, manifest)
        time.sleep(0.01)
    return shelf


@pytest.fixture
def caches(qtbot: QtBot, background: Background, shelf: CacheShelf) -> CacheList:
    caches = CacheList(background, shelf)
    qtbot.addWidget(caches)
    caches.show()
    caches.look()
    qtbot.waitUntil(lambda: caches.list.count() == 2, timeout=TIMEOUT_MS)
    return caches


def test_it_shows_names_sizes_and_how_far_reading_came(caches: CacheList) -> None:
    offer, lease = (caches.list.item(row).text() for row in range(2))
    assert lease.startswith("lease.pdf · ")
    assert "50 % read" in offer
    assert "read" not in lease
    assert "1.0 GiB" in caches.total.text()
    assert not caches.remove_button.isEnabled(), "nothing is chosen"


def test_what_another_version_kept_says_so(qtbot: QtBot, caches: CacheList, shelf: CacheShelf) -> None:
    for content, name in (({"documents": ["deed.pdf"]}, "named"), ({}, "nameless")):
        folder = shelf.folder(name).path
        folder.mkdir()
        text = json.dumps({"format": FORMAT_VERSION + 1, "content": content})
        (folder / MANIFEST_NAME).write_text(text, encoding="utf-8")
    caches.look()
    qtbot.waitUntil(lambda: caches.list.count() == 4, timeout=TIMEOUT_MS)
    lines = [caches.list.item(row).text() for row in range(4)]
    assert any(line.startswith("deed.pdf · kept by another version of Lectern · ") for line in lines)
    assert any(line.startswith("kept by another version of Lectern · ") for line in lines)


def test_chosen_ones_are_removed(qtbot: QtBot, caches: CacheList, shelf: CacheShelf) -> None:
    caches.list.setFocus()
    caches.list.setCurrentRow(0)
    qtbot.mouseClick(caches.remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: caches.list.count() == 1, timeout=TIMEOUT_MS)
    assert [entry.name for entry in shelf.entries()] == ["lease.pdf"]
    assert not caches.trouble.isVisible()


def test_one_in_use_stays_and_says_why(qtbot: QtBot, caches: CacheList, shelf: CacheShelf) -> None:
    lock = shelf.lock(shelf.entries()[0].key)
    assert lock.try_shared()
    caches.list.setCurrentRow(0)
    caches.remove_button.click()
    qtbot.waitUntil(caches.trouble.isVisible, timeout=TIMEOUT_MS)
    assert "reading or writing it now" in caches.trouble.text()
    assert caches.list.count() == 2
    lock.release()


@pytest.mark.parametrize(("done", "words"), [(100, "Read before, ready"), (60, "Read in part before")])
def test_a_document_that_was_read_before_says_so(qtbot: QtBot, done: int, words: str) -> None:
    row = ProgressRow()
    qtbot.addWidget(row)
    row.show_progress(Progress(Stage.READ_BEFORE, done, 100, "tokens"))
    assert row.words.text().startswith(words)
