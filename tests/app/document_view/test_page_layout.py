"""Where pages lie on the sheet, which tiles they are made of, and how page numbers read."""

import math
import time

import pytest

from app.document_view.page_layout import PageLayout, PageSize, Spacing, fitting_scale, known_sizes
from app.document_view.page_numbers import find_page, page_ranges, short_list
from app.document_view.sheet import MAX_ZOOM, Sheet
from app.document_view.tiles import TILE_SIZE, PixelRect, num_pixels, overview_of, tiles_of

SPACING = Spacing(margin=16, gap=12)
A4 = PageSize(595.0, 842.0)
POSTER = PageSize(18_000.0, 36_000.0)
THREAD = PageSize(10_001.0, 1.0)


def test_pages_lie_below_each_other_centred_and_without_overlap() -> None:
    sizes = [A4, PageSize(842.0, 595.0), THREAD, A4]
    layout = PageLayout(sizes, 1.5, 1_000, SPACING)
    bottom = 0
    for size, placement in zip(sizes, layout.placements, strict=True):
        rect = placement.rect
        assert rect.y == bottom + 12
        assert abs(rect.x + rect.width / 2 - layout.width / 2) <= 0.5
        assert (rect.width, rect.height) == (math.ceil(size.width * 1.5), math.ceil(size.height * 1.5))
        bottom = rect.bottom
    assert layout.height == bottom + 12


def test_no_page_is_wider_than_the_window_when_pages_are_fitted() -> None:
    sizes = [A4, POSTER, THREAD, A4]
    scale = fitting_scale(sizes[:1] + sizes[3:], 800)
    layout = PageLayout(sizes, scale, 832, SPACING, widest=800)
    assert [placement.rect.width for placement in layout.placements] == [800] * 4
    assert layout[2].rect.height == 1
    assert layout.width == 832


@pytest.mark.parametrize("y", [0, 15, 16, 700, 1_290, 1_300, 5_000, 9_999])
def test_page_at_and_visible_agree_with_a_search_through_all_pages(y: int) -> None:
    layout = PageLayout([A4] * 8, 1.5, 1_000, SPACING)
    tops = [placement.rect.y for placement in layout.placements]
    assert layout.page_at(y) == max([i for i, top in enumerate(tops) if top <= y], default=0)
    window = PixelRect(0, y, 1_000, 600)
    expected = [i for i, p in enumerate(layout.placements) if p.rect.y < y + 600 and p.rect.bottom > y]
    assert list(layout.visible(window)) == expected


def test_an_empty_sheet_has_no_pages() -> None:
    layout = PageLayout((), 1.0, 500, SPACING)
    assert (len(layout), layout.height, list(layout.visible(PixelRect(0, 0, 500, 500)))) == (0, 0, [])


def test_pages_without_a_size_are_given_that_of_a_typical_page() -> None:
    sizes = known_sizes([(0.0, 0.0), A4, A4, POSTER, (math.inf, 5.0)])
    assert sizes == (A4, A4, A4, POSTER, A4)
    assert known_sizes([(0.0, 0.0)]) == ((612.0, 792.0),)


def test_a_thousand_pages_are_placed_in_an_instant() -> None:
    sizes = known_sizes([A4] * 1_000)
    started = time.perf_counter()
    PageLayout(sizes, 1.5, 1_000, SPACING, widest=900)
    assert time.perf_counter() - started < 0.1


def test_a_sheet_never_outgrows_the_scroll_bar() -> None:
    sheet = Sheet()
    sheet.zoom = MAX_ZOOM
    sheet.show("/posters.pdf", [POSTER] * 3_000)
    assert 0 < sheet.layout.height < 2**31


def test_an_anchor_stays_in_its_place_whatever_the_zoom() -> None:
    sheet = Sheet()
    sheet.window = PixelRect(0, 20_000, 900, 700)
    sheet.show("/a.pdf", [A4] * 100)
    anchor = sheet.anchor_at(300, 200)
    sheet.zoom = 3.0
    sheet.lay_out()
    x, y = sheet.window_corner(anchor)
    sheet.window = PixelRect(x, y, 900, 700)
    again = sheet.anchor_at(300, 200)
    assert again.page_index == anchor.page_index
    assert again.x_share == pytest.approx(anchor.x_share, abs=0.001)
    assert again.y_share == pytest.approx(anchor.y_share, abs=0.001)


@pytest.mark.parametrize("size", [A4, POSTER, THREAD])
def test_tiles_cover_the_wanted_part_once_and_are_never_large(size: PageSize) -> None:
    scale = 2.0
    page = PixelRect(0, 0, num_pixels(size.width, scale), num_pixels(size.height, scale))
    wanted = PixelRect(500, -100, 3_000, 2_500)
    tiles = list(tiles_of("/a.pdf", 0, scale, page, wanted))
    assert len({tile.area for tile in tiles}) == len(tiles)
    assert all(tile.size_bytes <= 4 * TILE_SIZE**2 for tile in tiles)
    part = wanted.intersected(page)
    covered = [tile.area.intersected(part) for tile in tiles]
    assert sum(area.width * area.height for area in covered) == part.width * part.height
    assert not list(tiles_of("/a.pdf", 0, scale, page, PixelRect(-50, 0, 50, 50)))


@pytest.mark.parametrize("size", [A4, POSTER, THREAD, PageSize(1.0, 9_000.0)])
def test_an_overview_fits_its_box(size: PageSize) -> None:
    area = overview_of("/a.pdf", 0, *size, PixelRect(0, 0, 112, 150)).area
    assert 1 <= area.width <= 112
    assert 1 <= area.height <= 150


def test_page_numbers_read_as_people_write_them() -> None:
    assert page_ranges([1, 2, 3, 4, 33, 34, 40]) == ["2–5", "34–35", "41"]
    assert page_ranges([]) == []
    assert short_list(["1", "3"]) == "1, 3"
    assert short_list([str(number) for number in range(1, 20, 2)]) == "1, 3, 5, 7, 9, 11, …"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 0),
        (" 4 ", 3),
        ("ii", 1),
        ("II", 1),
        ("A-7", 3),
        ("0", None),
        ("5", None),
        ("", None),
        ("x", None),
    ],
)
def test_a_page_is_found_by_its_ordinal_or_its_printed_label(text: str, expected: int | None) -> None:
    assert find_page(text, ["i", "ii", "1", "A-7"]) == expected
