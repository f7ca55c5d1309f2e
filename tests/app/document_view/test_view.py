"""The view with the real processes: what is on screen, where it is, and that it survives."""

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.document_service import DocumentService
from app.document_view.tiles import PixelRect
from app.document_view.view import DocumentView
from core.documents.layout import BBox, Document, DocumentWarning, WarningKind
from core.documents.page_range import parse_page_range
from core.documents.quote_index import PageRect
from core.documents.worker import DocumentWorker

TIMEOUT_MS = 15_000
LEAST_CONTRAST = 7.0
Show = Callable[[str], Document]


def _image(view: DocumentView) -> QImage:
    return view.pages.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def _pixels(image: QImage) -> np.ndarray:
    """(height, width, 3) in the order red, green, blue."""
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return rows[:, :, 2::-1].astype(int)


def _is_paper(rect: PixelRect, window: PixelRect, image: QImage) -> np.ndarray:
    """Where in the image of the window the page lies."""
    result = np.zeros((image.height(), image.width()), dtype=bool)
    x, y = rect.x - window.x, rect.y - window.y
    result[max(0, y) : y + rect.height, max(0, x) : x + rect.width] = True
    return result


def _page_image(view: DocumentView, page_index: int) -> QImage:
    """The pixels of a page as far as they are on screen; its corner must be."""
    sheet = view.pages.sheet
    rect, window = sheet.layout[page_index].rect, sheet.window
    assert rect.x >= window.x
    assert rect.y >= window.y
    height = min(rect.bottom, window.bottom) - rect.y
    return _image(view).copy(rect.x - window.x, rect.y - window.y, rect.width, height)


def _rendered(path: Path, page_index: int, scale: float) -> QImage:
    with DocumentWorker() as worker:
        page = worker.render(path, page_index, scale)
    image = QImage(page.rgb, page.width, page.height, page.stride, QImage.Format.Format_RGB888)
    return image.convertToFormat(QImage.Format.Format_RGB32)


def _settle(qtbot: QtBot, view: DocumentView) -> None:
    qtbot.waitUntil(lambda: view.is_settled, timeout=TIMEOUT_MS)


def test_a_page_on_screen_is_the_page_as_it_is_rendered(
    qtbot: QtBot, view: DocumentView, show: Show, made: Path
) -> None:
    show("plain.pdf")
    view.go_to(5)
    _settle(qtbot, view)
    shown = _page_image(view, 5)
    expected = _rendered(made / "plain.pdf", 5, view.pages.sheet.layout[5].scale)
    assert shown.width() == expected.width()
    assert shown == expected.copy(0, 0, shown.width(), shown.height())


@pytest.mark.parametrize("page_index", range(6))
def test_a_highlight_covers_the_word_on_turned_and_cropped_pages(
    qtbot: QtBot, view: DocumentView, show: Show, page_index: int
) -> None:
    document = show("turned.pdf")
    view.go_to(page_index)
    _settle(qtbot, view)
    page = document.pages[page_index]
    start = page.text.index("Needle")
    boxes = page.boxes(start, start + len("Needle"))
    before = _image(view)
    view.highlight([PageRect(page_index, box) for box in boxes])
    _settle(qtbot, view)
    after = _image(view)
    assert before.size() == after.size()

    sheet = view.pages.sheet
    rect, window, scale = sheet.layout[page_index].rect, sheet.window, sheet.layout[page_index].scale
    is_inside = np.zeros((before.height(), before.width()), dtype=bool)
    for box in boxes:
        rows = slice(rect.y - window.y + int(box.y0 * scale), rect.y - window.y + math.ceil(box.y1 * scale))
        columns = slice(
            rect.x - window.x + int(box.x0 * scale), rect.x - window.x + math.ceil(box.x1 * scale)
        )
        is_inside[rows, columns] = True
    old, new = _pixels(before), _pixels(after)
    assert (old == new)[~is_inside].all(), "nothing beside the boxes may change"
    is_dark = (old.max(axis=2) < 100) & _is_paper(rect, window, before)
    assert is_dark.sum() > 100
    assert is_inside[is_dark].all(), "every dark pixel of the word lies under the highlight"
    assert (new <= old)[is_dark].all(), "and stays as dark as it was"
    is_marked = is_inside & (old.min(axis=2) == 255)
    assert is_marked.sum() > is_dark.sum()
    assert (new[is_marked] == (255, 210, 77)).all()

    view.clear_highlight()
    assert _image(view) == before


def test_a_highlight_elsewhere_is_scrolled_to_and_overlaps_are_not_darker(
    qtbot: QtBot, view: DocumentView, show: Show
) -> None:
    show("plain.pdf")
    box, overlapping = BBox(72, 700, 300, 720), BBox(72, 700, 200, 720)
    view.highlight([PageRect(7, box), PageRect(7, overlapping), PageRect(99, box)])
    _settle(qtbot, view)
    assert view.current_page == 7
    sheet = view.pages.sheet
    rect, scale = sheet.layout[7].rect, sheet.layout[7].scale
    y = rect.y + int(710 * scale) - sheet.window.y
    assert 0 < y < sheet.window.height
    x = rect.x - sheet.window.x
    image = _image(view)
    colors = {image.pixelColor(x + int(point * scale), y).name() for point in (190, 210, 290)}
    assert len(colors) == 1
    assert colors != {"#ffffff"}


def test_going_to_a_page_tells_its_number_and_its_label(view: DocumentView, show: Show) -> None:
    show("plain.pdf")
    assert view.current_page == 0
    told: list[int] = []
    view.current_page_changed.connect(told.append)
    for page_index in (11, 4, 10, 0, 1):
        view.go_to(page_index)
        assert view.current_page == page_index
    assert told == [11, 4, 10, 0, 1]
    assert view.toolbar.page_field.text() == "2"
    assert "/ 12" in view.toolbar.count_label.text()
    assert "ii" in view.toolbar.count_label.text()
    view.go_to(12)
    view.go_to(-1)
    assert view.current_page == 1
    view.go_to(4)
    view.resize(600, 700)
    assert view.current_page == 4
    assert told[-1] == 4


def test_the_page_gone_to_stays_the_current_one_also_where_it_cannot_be_on_top(
    view: DocumentView, show: Show
) -> None:
    show("plain.pdf")
    view.pages.set_zoom(0.3)
    told: list[int] = []
    view.current_page_changed.connect(told.append)
    view.go_to(10)
    assert view.pages.verticalScrollBar().value() == view.pages.verticalScrollBar().maximum()
    view.resize(600, 760)
    view.resize(640, 820)
    assert told == [10]


def test_the_keyboard_scrolls_and_the_current_page_follows(view: DocumentView, show: Show) -> None:
    show("plain.pdf")
    bar = view.pages.verticalScrollBar()
    keys = Qt.Key
    for key, expected in (
        (keys.Key_Down, range(1, 100)),
        (keys.Key_Up, range(1)),
        (keys.Key_PageDown, range(300, 800)),
        (keys.Key_PageUp, range(1)),
        (keys.Key_Space, range(300, 800)),
        (keys.Key_End, range(bar.maximum(), bar.maximum() + 1)),
    ):
        QTest.keyClick(view.pages, key)
        assert bar.value() in expected, key
    assert view.current_page == 11
    QTest.keyClick(view.pages, keys.Key_Home)
    assert (bar.value(), view.current_page) == (0, 0)
    QTest.keyClick(view.pages, keys.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    assert bar.value() == 0
    bar.setValue(view.pages.sheet.layout[3].rect.y + 5)
    assert view.current_page == 3


def test_zooming_by_wheel_keeps_the_point_under_the_mouse(view: DocumentView, show: Show) -> None:
    show("plain.pdf")
    view.go_to(6)
    sheet = view.pages.sheet
    at = QPointF(300, 400)
    before, zoom = sheet.anchor_at(300, 400), sheet.zoom_of(6)
    for angle in (120, 120, 120, -120):
        event = QWheelEvent(
            at,
            view.pages.viewport().mapToGlobal(at),
            QPoint(),
            QPoint(0, angle),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.ControlModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(view.pages.viewport(), event)
    after = sheet.anchor_at(300, 400)
    assert sheet.zoom_of(6) == pytest.approx(zoom * 1.0015**240, rel=0.01)
    assert after.page_index == before.page_index
    assert after.x_share == pytest.approx(before.x_share, abs=0.01)
    assert after.y_share == pytest.approx(before.y_share, abs=0.01)
    assert not view.toolbar.fit_width_button.isChecked()


def test_fit_width_follows_the_window_and_zoom_keys_leave_and_restore_it(
    qtbot: QtBot, view: DocumentView, show: Show
) -> None:
    show("plain.pdf")
    sheet = view.pages.sheet
    assert sheet.layout.width == sheet.window.width
    view.resize(500, 800)
    assert sheet.layout.width == sheet.window.width
    assert view.pages.horizontalScrollBar().maximum() == 0
    view.activateWindow()
    view.pages.setFocus()
    qtbot.waitUntil(view.pages.hasFocus)
    fitting = sheet.zoom_of(0)
    QTest.keyClick(view.pages, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert sheet.zoom_of(0) > fitting
    assert view.toolbar.zoom_button.text() == f"{round(100 * sheet.zoom_of(0))}%"
    for _ in range(20):
        QTest.keyClick(view.pages, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert sheet.zoom_of(0) == pytest.approx(0.1)
    QTest.keyClick(view.pages, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert sheet.zoom_of(0) == pytest.approx(fitting)
    assert view.toolbar.fit_width_button.isChecked()


def test_the_toolbar_turns_pages_and_takes_numbers_and_labels(view: DocumentView, show: Show) -> None:
    show("plain.pdf")
    bar = view.toolbar
    assert not bar.previous_button.isEnabled()
    bar.next_button.click()
    assert view.current_page == 1
    bar.previous_button.click()
    assert view.current_page == 0
    for text, expected in (("12", 11), ("iii", 2), ("nonsense", 2)):
        bar.page_field.clear()
        QTest.keyClicks(bar.page_field, text)
        QTest.keyClick(bar.page_field, Qt.Key.Key_Return)
        assert view.current_page == expected
        assert bar.page_field.text() == str(expected + 1)
    zoom = view.pages.sheet.zoom_of(2)
    bar.zoom_in_button.click()
    assert view.pages.sheet.zoom_of(2) > zoom


def test_thumbnails_are_drawn_when_seen_mark_the_page_and_lead_to_it(
    qtbot: QtBot, view: DocumentView, service: DocumentService, show: Show
) -> None:
    rendered: list[int] = []
    show("long.pdf")
    service.tile_rendered.connect(lambda request, _image: rendered.append(request.page_index))
    view.toolbar.thumbnails_button.click()
    assert view.thumbnails.isVisible()
    _settle(qtbot, view)
    assert max(rendered) < 10
    view.go_to(500)
    _settle(qtbot, view)
    assert view.thumbnails.currentIndex().row() == 500
    assert not {page for page in rendered if 20 < page < 480}

    QTest.keyClick(view.thumbnails, Qt.Key.Key_Down)
    assert view.current_page == 501
    QTest.keyClick(view.thumbnails, Qt.Key.Key_Home)
    assert view.current_page == 0
    view.go_to(300)
    below = view.thumbnails.visualRect(view.thumbnails.model().index(301, 0))
    view.thumbnails.scrollTo(view.thumbnails.model().index(301, 0))
    below = view.thumbnails.visualRect(view.thumbnails.model().index(301, 0))
    QTest.mouseClick(view.thumbnails.viewport(), Qt.MouseButton.LeftButton, pos=below.center())
    assert view.current_page == 301
    _settle(qtbot, view)
    cell = view.thumbnails.viewport().grab(below).toImage()
    assert len({cell.pixel(x, y) for x in range(cell.width()) for y in range(cell.height())}) > 5


def test_pages_are_on_screen_before_the_text_is_read_and_stay_where_they_are(
    qtbot: QtBot, view: DocumentView, service: DocumentService, made: Path
) -> None:
    path = str(made / "long.pdf")
    documents: list[Document] = []
    service.document_opened.connect(documents.append)
    service.pages_known.connect(view.show_pages_early)
    service.open(path)
    qtbot.waitUntil(lambda: view.current_page == 0 and view.is_settled, timeout=TIMEOUT_MS)
    assert not documents
    view.go_to(700)
    qtbot.waitUntil(lambda: bool(documents), timeout=TIMEOUT_MS)
    view.show_document(documents[0])
    assert view.current_page == 700
    assert view.toolbar.page_field.text() == "701"


def test_notices_tell_of_scans_and_blank_pages_and_can_be_dismissed(view: DocumentView, show: Show) -> None:
    show("mixed.pdf")
    bar = view.notice_bar
    assert bar.isVisible()
    assert [notice.kind for notice in bar.notices] == [WarningKind.SCAN, WarningKind.BLANK]
    assert "Page 3" in bar.text_label.text()
    bar.show_button.click()
    assert view.current_page == 2
    bar.dismiss_button.click()
    assert "Page 4" in bar.text_label.text()
    bar.dismiss_button.click()
    assert not bar.isVisible()
    repaired = DocumentWarning(WarningKind.REPAIRED, "repaired")
    scans = [DocumentWarning(WarningKind.SCAN, "scan", index) for index in (1, 2, 3, 8)]
    bar.show_warnings([*scans, repaired], 20)
    assert [notice.kind for notice in bar.notices] == [WarningKind.REPAIRED, WarningKind.SCAN]
    bar.dismiss_button.click()
    assert "2–4, 9" in bar.text_label.text()
    show("plain.pdf")
    assert not bar.isVisible()


def test_pages_of_extreme_sizes_are_shown_in_small_tiles(
    qtbot: QtBot, view: DocumentView, service: DocumentService, show: Show
) -> None:
    largest: list[int] = []
    service.tile_rendered.connect(lambda request, _image: largest.append(request.size_bytes))
    show("extreme.pdf")
    for zoom in (None, 0.1, 8.0):
        view.pages.set_zoom(zoom)
        for page_index in range(3):
            view.go_to(page_index)
            _settle(qtbot, view)
            view.grab()
            assert view.pages.loader.failure(page_index) is None
    assert max(largest) <= 4 * 768 * 768
    view.pages.set_zoom(0.1)
    view.highlight([PageRect(1, BBox(3_000, 3_000, 3_100, 3_100))])
    _settle(qtbot, view)
    sheet = view.pages.sheet
    rect, scale = sheet.layout[1].rect, sheet.layout[1].scale
    x, y = rect.x + int(4_000 * scale) - sheet.window.x, rect.y + int(4_000 * scale) - sheet.window.y
    assert _image(view).pixelColor(x, y).name() == "#336699"


def test_the_view_survives_the_death_of_its_processes(
    qtbot: QtBot, view: DocumentView, show: Show, made: Path, children: Callable[[], list[psutil.Process]]
) -> None:
    show("plain.pdf")
    assert children()
    for process in children():
        process.kill()
    view.go_to(9)
    _settle(qtbot, view)
    assert view.pages.loader.failure(9) is None
    expected = _rendered(made / "plain.pdf", 9, view.pages.sheet.layout[9].scale)
    shown = _page_image(view, 9)
    assert shown == expected.copy(0, 0, shown.width(), shown.height())


def test_a_renderer_that_hangs_on_one_page_does_not_hold_up_the_others(
    qtbot: QtBot, view: DocumentView, show: Show, children: Callable[[], list[psutil.Process]]
) -> None:
    show("plain.pdf")
    qtbot.wait(1000)  # what is rendered ahead of need is done
    hanging = children()
    for process in hanging:
        process.suspend()
    try:
        view.go_to(6)
        qtbot.wait(1000)  # until it is being rendered, also on a busy machine
        view.go_to(10)
        started = time.monotonic()
        _settle(qtbot, view)
        assert time.monotonic() - started < 8
        assert view.pages.loader.failure(10) is None
    finally:
        for process in hanging:
            if process.is_running():
                process.resume()


def test_a_fast_journey_through_a_long_document_renders_few_of_its_pages(
    qtbot: QtBot, view: DocumentView, service: DocumentService, show: Show
) -> None:
    show("long.pdf")
    rendered: list[int] = []
    service.tile_rendered.connect(lambda request, _image: rendered.append(request.page_index))
    bar = view.pages.verticalScrollBar()
    for step in range(1, 401):
        bar.setValue(bar.maximum() * step // 400)
        if step % 20 == 0:
            qtbot.wait(2)
    _settle(qtbot, view)
    assert view.current_page == 999
    assert 999 in rendered
    assert len(set(rendered)) < 60


def test_clearing_shows_nothing_and_asks_for_nothing(view: DocumentView, show: Show) -> None:
    show("plain.pdf")
    view.clear()
    assert (view.current_page, view.is_settled) == (-1, True)
    assert not view.toolbar.isEnabled()
    view.highlight([PageRect(0, BBox(0, 0, 10, 10))])
    view.go_to(0)
    view.pages.set_zoom(2.0)
    QTest.keyClick(view.pages, Qt.Key.Key_PageDown)
    image = _image(view)
    assert (
        len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}) == 1
    )
    show("turned.pdf")
    assert view.current_page == 0


def test_every_control_has_a_name_for_screen_readers(view: DocumentView) -> None:
    controls: list[QWidget] = [*view.toolbar.findChildren(QToolButton), view.notice_bar.dismiss_button]
    controls += [view.toolbar.page_field, view.pages, view.thumbnails]
    assert len(controls) > 9
    assert all(control.accessibleName() for control in controls)


SHARP = """
import sys
sys.path[:0] = [sys.argv[2]]
from PySide6.QtCore import QEventLoop
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from app import theme
from app.document_service import DocumentService
from app.document_view.tiles import PixelRect
from app.document_view.view import DocumentView
from core.documents.worker import DocumentWorker

application = QApplication([])
service = DocumentService()
view = DocumentView(service)
view.resize(500, 400)
view.show()
path = sys.argv[1]
view.show_pages_early(path, [(595, 842)] * 12)
view.go_to(3)
while not view.is_settled:
    application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
shown = view.pages.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
sheet = view.pages.sheet
rect, window = sheet.layout[3].rect, sheet.window
service.shutdown()
with DocumentWorker() as worker:
    page = worker.render(path, 3, sheet.layout[3].scale)
image = QImage(page.rgb, page.width, page.height, page.stride, QImage.Format.Format_RGB888)
height = window.bottom - rect.y
part = shown.copy(rect.x - window.x, rect.y - window.y, rect.width, height)
same = part == image.convertToFormat(QImage.Format.Format_RGB32).copy(0, 0, rect.width, height)
print(sheet.device_pixel_ratio, rect.width > 800 * sheet.device_pixel_ratio / 2, same)
"""


@pytest.mark.parametrize("ratio", ["2", "1.5"])
def test_pages_are_sharp_on_screens_with_small_pixels(made: Path, repository: Path, ratio: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHARP, str(made / "plain.pdf"), str(repository)],
        env={**os.environ, "QT_SCALE_FACTOR": ratio},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.stdout.split() == [str(float(ratio)), "True", "True"], done.stderr


def _luminance(color: np.ndarray) -> float:
    """WCAG 2: relative luminance of an sRGB colour of 0 to 255."""
    share = color / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


@pytest.mark.parametrize("scheme", [theme.Scheme.LIGHT, theme.Scheme.DARK])
def test_a_page_that_is_not_read_is_greyed_and_stays_legible(
    qtbot: QtBot, qapp: QApplication, view: DocumentView, show: Show, scheme: theme.Scheme
) -> None:
    theme.apply(qapp, scheme)
    show("plain.pdf")
    view.go_to(1)
    qtbot.waitUntil(lambda: view.is_settled, timeout=TIMEOUT_MS)
    read = _pixels(_page_image(view, 1)).reshape(-1, 3)
    view.show_read_pages(parse_page_range("1"))
    unread = _pixels(_page_image(view, 1)).reshape(-1, 3)
    theme.apply(qapp, theme.Scheme.LIGHT)
    paper, ink = unread.max(axis=0), unread[unread.sum(axis=1).argmin()]
    assert (read.max(axis=0) == 255).all()
    assert (paper < 240).all(), "it can be told from a page that is read"
    contrast = (_luminance(paper) + 0.05) / (_luminance(ink) + 0.05)
    assert contrast >= LEAST_CONTRAST
    assert view.toolbar.unread_badge.isVisible()
    view.go_to(0)
    assert not view.toolbar.unread_badge.isVisible()
    view.show_read_pages(None)
    view.go_to(1)
    qtbot.waitUntil(lambda: view.is_settled, timeout=TIMEOUT_MS)
    assert (_pixels(_page_image(view, 1)).reshape(-1, 3) == read).all()
