"""What is fetched, in which order, and what becomes of tiles that fail or that nobody wants any more."""

import pytest
from PySide6.QtGui import QImage, QPixmap
from pytestqt.qtbot import QtBot

from app.document_view.tile_cache import TileCache
from app.document_view.tiles import PixelRect, TileRequest
from app.document_view.view import DocumentView
from core.errors import CancelledError, DocumentError

SIZES = [(595.0, 842.0)] * 200


def _answer(scripted, request: TileRequest) -> None:
    image = QImage(request.area.width, request.area.height, QImage.Format.Format_RGB32)
    image.fill(0xFF808080)
    scripted.tile_rendered.emit(request, image)


def _answer_all(scripted) -> list[TileRequest]:
    """Serve one request after the other until nothing is missing; returns what was asked for."""
    served = 0
    while served < len(scripted.requests):
        request = scripted.requests[served]
        served += 1
        _answer(scripted, request)
    done, scripted.requests = scripted.requests, []
    return done


@pytest.mark.usefixtures("qapp")
def test_the_least_recently_used_tile_is_dropped_and_the_bound_holds() -> None:
    cache = TileCache(capacity_bytes=4 * 10 * 10 * 3)
    requests = [TileRequest("/a.pdf", number, 1.0, PixelRect(0, 0, 10, 10)) for number in range(5)]
    for request in requests[:3]:
        cache.put(request, QPixmap(10, 10))
    assert cache.get(requests[0]) is not None
    cache.put(requests[3], QPixmap(10, 10))
    cache.put(requests[3], QPixmap(10, 10))
    cache.check_integrity()
    assert [request in cache for request in requests] == [True, False, True, True, False]
    assert cache.get(requests[1]) is None


def test_one_tile_is_in_flight_and_a_page_scrolled_past_is_never_asked_for(
    scripted, scripted_view: DocumentView
) -> None:
    scripted_view.show_pages_early("/a.pdf", SIZES)
    assert len(scripted.requests) == 1
    for page_index in range(150):
        scripted_view.go_to(page_index)
    assert len(scripted.requests) == 1, "the renderer is busy: nothing else may be asked for"

    asked = _answer_all(scripted)
    pages = {request.page_index for request in asked}
    assert pages - {0} <= {147, 148, 149, 150, 151}
    visible = [request for request in asked[1:] if request.page_index == 149]
    assert visible[0].is_overview
    assert not any(request.is_overview for request in visible[1:])
    assert asked[1].page_index == 149
    assert scripted_view.is_settled


def test_what_is_on_screen_comes_before_its_neighbourhood(scripted, scripted_view: DocumentView) -> None:
    scripted_view.show_pages_early("/a.pdf", SIZES)
    asked = [request for request in _answer_all(scripted) if not request.is_overview]
    bottom = scripted_view.pages.viewport().height()
    on_screen = [request.page_index == 0 and request.area.y < bottom for request in asked]
    assert True in on_screen
    assert False in on_screen, "the next screen is fetched ahead"
    assert on_screen == sorted(on_screen, reverse=True)


def test_nothing_is_fetched_twice(scripted, scripted_view: DocumentView) -> None:
    scripted_view.show_pages_early("/a.pdf", SIZES)
    first = _answer_all(scripted)
    assert len(set(first)) == len(first)
    scripted_view.go_to(1)
    scripted_view.go_to(0)
    assert not set(_answer_all(scripted)) & set(first)


def test_a_page_that_fails_twice_is_given_up_and_the_others_go_on(
    scripted, scripted_view: DocumentView
) -> None:
    scripted_view.show_pages_early("/a.pdf", SIZES)
    served = 0
    while served < len(scripted.requests):
        request = scripted.requests[served]
        served += 1
        if request.page_index == 0:
            scripted.tile_failed.emit(request, DocumentError("Page cannot be shown", "It is damaged."))
        else:
            _answer(scripted, request)
    asked = [request.page_index for request in scripted.requests]
    assert asked.count(0) == 2
    assert 1 in asked
    assert scripted_view.is_settled
    with_notice = scripted_view.pages.grab().toImage()
    assert _num_dark(with_notice) > 40, "the notice stands on the page"

    scripted_view.show_pages_early("/b.pdf", SIZES)
    assert scripted.requests[-1].path == "/b.pdf"
    assert scripted.requests[-1].page_index == 0


def test_a_cancelled_tile_is_no_failure(scripted, scripted_view: DocumentView) -> None:
    scripted_view.show_pages_early("/a.pdf", SIZES)
    for _ in range(5):
        scripted.tile_failed.emit(scripted.requests[-1], CancelledError())
    assert [request.page_index for request in scripted.requests] == [0] * 6
    assert not scripted_view.is_settled


def test_a_tile_of_the_document_before_is_thrown_away(scripted, scripted_view: DocumentView) -> None:
    scripted_view.show_pages_early("/a.pdf", SIZES)
    [old] = scripted.requests
    scripted_view.show_pages_early("/a.pdf", SIZES)
    assert scripted.requests == [old]
    _answer(scripted, old)
    assert scripted.requests == [old, old], "the file may have changed: it is rendered again"


@pytest.mark.parametrize("is_left", [False, True])
def test_a_slow_tile_is_given_up_only_when_nobody_wants_it(
    qtbot: QtBot, scripted, scripted_view: DocumentView, is_left: bool
) -> None:
    scripted_view.show_pages_early("/a.pdf", SIZES)
    if is_left:
        scripted_view.go_to(100)
    qtbot.wait(1_600)
    assert scripted.num_cancelled == int(is_left)


def _num_dark(image: QImage) -> int:
    return sum(
        image.pixelColor(x, y).lightness() < 150
        for y in range(0, image.height(), 2)
        for x in range(0, image.width(), 2)
    )
