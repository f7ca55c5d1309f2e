"""Text recognition: which pages are recognised, what becomes of them, and what happens when it fails."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.cancel import CancelToken
from core.documents.language_data import find_language_data
from core.documents.layout import Document, Page, WarningKind
from core.documents.messages import Recognition
from core.documents.page_range import parse_page_range
from core.documents.payload import page_payload
from core.documents.raw_page import RawLine
from core.documents.recognition import upright_lines
from core.documents.worker import DocumentWorker, Limits
from core.errors import CancelledError, LecternError
from tests.core.documents.fake_recognisers import SEEN
from tests.core.documents.scan_factory import LINES

FAKES = "tests.core.documents.fake_recognisers"
LIMIT_S = 0.5
SEEN_TEXT = " ".join(SEEN)


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scans")
    script = Path(__file__).with_name("scan_factory.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture(scope="module")
def seeing() -> Iterator[DocumentWorker]:
    """A worker that sees the same words on every page."""
    with DocumentWorker(recogniser=f"{FAKES}:words") as worker:
        yield worker


@pytest.fixture
def recognition(tmp_path: Path) -> Recognition:
    folder = tmp_path / "tessdata"
    folder.mkdir()
    return Recognition(str(folder), "eng", kept_in=str(tmp_path / "kept"))


def num_calls(recognition: Recognition) -> int:
    return len(list(Path(recognition.data_folder).iterdir()))


def kinds(page: Page) -> list[WarningKind]:
    return [warning.kind for warning in page.warnings]


def recognised(document: Document) -> list[int]:
    return [page.page_index for page in document.pages if page.text.startswith(SEEN_TEXT)]


def test_pictures_are_recognised_and_say_so(
    seeing: DocumentWorker, scans: Path, recognition: Recognition
) -> None:
    told: list[tuple[int, int]] = []
    document = seeing.read(
        scans / "scans.pdf", recognition=recognition, on_progress=lambda *step: told.append(step)
    )
    assert recognised(document) == [1, 2, 3, 4]
    assert LINES[0] in document.pages[0].text
    assert [kinds(page) for page in document.pages] == [[], *[[WarningKind.OCR_LAYER]] * 4]
    assert "~" not in document.pages[1].text, "specks are no text"
    assert told == [(done, 5) for done in range(6)]


def test_recognised_words_have_boxes_on_the_page_as_displayed(
    seeing: DocumentWorker, scans: Path, recognition: Recognition
) -> None:
    page = seeing.read(scans / "scans.pdf", pages=[2], recognition=recognition).pages[0]
    place = page.text.index(SEEN[1])
    [box] = page.boxes(place, place + len(SEEN[1]))
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx((105, 0, 189, 15))
    assert page_payload(page)["blocks"][0]["lines"][0]["words"][0][0] == SEEN[0]


def test_without_recognition_a_scan_stays_a_scan(seeing: DocumentWorker, scans: Path) -> None:
    document = seeing.read(scans / "scans.pdf")
    assert [WarningKind.SCAN in kinds(page) for page in document.pages] == [False, True, True, False, True]


def test_only_the_pages_wanted_are_recognised(
    seeing: DocumentWorker, scans: Path, recognition: Recognition
) -> None:
    wanted = replace(recognition, pages=parse_page_range("1-2,5"))
    assert recognised(seeing.read(scans / "scans.pdf", recognition=wanted)) == [1, 4]


def test_a_damaged_text_is_replaced_unless_recognition_finds_much_less(
    scans: Path, recognition: Recognition
) -> None:
    for name, expected in (("words", SEEN_TEXT), ("nothing", LINES[0])):
        with DocumentWorker(extractor=f"{FAKES}:garbled", recogniser=f"{FAKES}:{name}") as worker:
            [page] = worker.read(scans / "printed.pdf", pages=[0], recognition=recognition).pages
        assert page.text.startswith(expected)
        assert kinds(page) == [WarningKind.OCR_LAYER if name == "words" else WarningKind.GARBLED_TEXT]


def test_a_picture_without_any_text_is_blank(scans: Path, recognition: Recognition) -> None:
    with DocumentWorker(recogniser=f"{FAKES}:nothing") as worker:
        document = worker.read(scans / "scans.pdf", pages=[3, 4], recognition=recognition)
    assert [kinds(page) for page in document.pages] == [[], [WarningKind.BLANK]]
    assert document.pages[0].text == "ACME 000123"


def test_a_page_is_recognised_once(seeing: DocumentWorker, scans: Path, recognition: Recognition) -> None:
    first, second = (seeing.read(scans / "scans.pdf", recognition=recognition) for _ in range(2))
    assert num_calls(recognition) == 4
    assert first.pages == second.pages
    seeing.read(scans / "scans.pdf", recognition=replace(recognition, language="deu"))
    assert num_calls(recognition) == 8, "another language is another result"


def test_kept_results_that_are_damaged_are_made_again(
    seeing: DocumentWorker, scans: Path, recognition: Recognition
) -> None:
    assert recognition.kept_in is not None
    seeing.read(scans / "scans.pdf", recognition=recognition)
    files = sorted(Path(recognition.kept_in).rglob("*.gz"))
    assert len(files) == 4
    files[0].write_bytes(b"nonsense")
    files[1].write_bytes(files[1].read_bytes()[:-20])
    document = seeing.read(scans / "scans.pdf", recognition=recognition)
    assert num_calls(recognition) == 6
    assert recognised(document) == [1, 2, 3, 4]


def test_nothing_is_kept_of_a_file_with_a_password(
    seeing: DocumentWorker, scans: Path, recognition: Recognition
) -> None:
    document = seeing.read(scans / "locked.pdf", "open", recognition=recognition)
    assert recognised(document) == [1, 2, 3, 4]
    assert recognition.kept_in is not None
    assert not Path(recognition.kept_in).exists()


@pytest.mark.parametrize("fault", ["fail_first", "crash_first", "hang_first"])
def test_a_page_that_cannot_be_recognised_does_not_cost_the_others(
    scans: Path, recognition: Recognition, fault: str
) -> None:
    limits = Limits(recognition_s=LIMIT_S, request_s=60)
    with DocumentWorker(limits, recogniser=f"{FAKES}:{fault}") as worker:
        document = worker.read(scans / "scans.pdf", recognition=recognition)
    assert recognised(document) == [2, 3, 4]
    assert kinds(document.pages[1]) == [WarningKind.UNREADABLE_PAGE]
    assert (document.pages[1].width, document.pages[1].label) == (420, "2")


def test_cancel_ends_recognition_in_the_middle_of_a_page(scans: Path, recognition: Recognition) -> None:
    cancel = CancelToken()
    with DocumentWorker(recogniser=f"{FAKES}:hang_first") as worker:
        timer = threading.Timer(1.0, cancel.cancel)
        timer.start()
        with pytest.raises(CancelledError):
            worker.read(scans / "scans.pdf", recognition=recognition, cancel=cancel)
        timer.join()
        assert worker.process_id is None


def test_a_real_scan_has_its_words_where_they_are_printed(
    scans: Path, worker: DocumentWorker, tmp_path: Path
) -> None:
    """The reference is the page that the scan was made of."""
    try:
        data = find_language_data("eng")
    except LecternError:
        pytest.skip("needs Tesseract's language data for English")
    recognition = Recognition(str(data.folder), data.name, kept_in=str(tmp_path))
    [reference] = worker.read(scans / "printed.pdf", pages=[0]).pages
    document = worker.read(scans / "scans.pdf", pages=[1, 2, 3], recognition=recognition)
    for page in document.pages:
        for word in ("lease", "seven", "quarter"):
            place, there = page.text.index(word), reference.text.index(word)
            [seen] = page.boxes(place, place + len(word))
            [printed] = reference.boxes(there, there + len(word))
            assert (seen.x0, seen.x1) == pytest.approx((printed.x0, printed.x1), abs=3)
            assert seen.y0 < (printed.y0 + printed.y1) / 2 < seen.y1
    assert "ACME" in document.pages[2].text


def line_of(text: str) -> RawLine:
    texts = tuple(text.split())
    ends = tuple(float(10 * number) for number in range(1, len(texts) + 1))
    return RawLine(0, texts, tuple(x - 9 for x in ends), (0.0,) * len(ends), ends, (9.0,) * len(ends))


@pytest.mark.parametrize(
    ("turned_by", "upright", "num_looks"),
    [
        (0, "the lease runs for seven years from March", 1),
        (90, "the lease runs for seven years from March", 5),
        (180, "THE LEASE RUNS FOR SEVEN YEARS FROM MARCH", 5),
        (0, "租 赁 期 限 为 七 年 自 三 月 一 日 起 计 算 租 金 按 季 度 支 付", 1),
        (None, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", 4),
    ],
)
def test_a_page_that_makes_no_words_is_tried_on_its_sides(
    turned_by: int | None, upright: str, num_looks: int
) -> None:
    """Read sideways, letters are anything but words; a page that makes none in any way stays as it lies."""
    looks: list[tuple[int, int]] = []

    def seen(dpi: int, turn: int) -> list[RawLine]:
        looks.append((dpi, turn))
        return [
            line_of(upright if turned_by in (turn, None) else "qwE r tY uI oP aS dF gH j kL zX cV bN m Q W")
        ]

    lines = upright_lines(seen)
    assert len(looks) == num_looks
    assert lines == [line_of(upright)]
    assert looks[-1] == ((200, turned_by) if num_looks == 5 else looks[-1])
