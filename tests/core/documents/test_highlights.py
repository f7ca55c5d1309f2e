"""What is marked is what was quoted: highlights beside the ink of the rendered page, turned in every way."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from core.documents.citations import cite
from core.documents.layout import BBox, Document
from core.documents.messages import RenderedImage
from core.documents.worker import DocumentWorker
from tests.core.documents.highlight_factory import QUOTES, variants

ZOOM = 2.0
MIN_COVERED = 0.98
MAX_SIZE = 2.0


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("highlights") / "turned.pdf"
    script = Path(__file__).with_name("highlight_factory.py")
    subprocess.run([sys.executable, str(script), str(path)], check=True, capture_output=True, timeout=60)
    return path


@pytest.fixture(scope="module")
def document(worker: DocumentWorker, path: Path) -> Document:
    return worker.read(path)


def red(image: RenderedImage) -> npt.NDArray[np.bool_]:
    """Where the red sentence is printed, one value a pixel."""
    rows = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.stride)
    pixels = rows[:, : 3 * image.width].reshape(image.height, image.width, 3).astype(np.int16)
    return (pixels[..., 0] > 150) & (pixels[..., 1] < 110)


def part(ink: npt.NDArray[np.bool_], box: BBox, zoom: float) -> npt.NDArray[np.bool_]:
    x0, y0, x1, y1 = (round(zoom * value) for value in (box.x0, box.y0, box.x1, box.y1))
    return ink[max(0, y0) : y1, max(0, x0) : x1]


def bounding_area(ink: npt.NDArray[np.bool_]) -> int:
    ys, xs = np.nonzero(ink)
    return int((np.ptp(ys) + 1) * (np.ptp(xs) + 1)) if len(ys) else 0


@pytest.mark.parametrize("page_index", range(len(variants())), ids=[str(v[:4]) for v in variants()])
def test_highlights_cover_the_ink_of_the_quote_and_little_else(
    worker: DocumentWorker, path: Path, document: Document, page_index: int
) -> None:
    *_, unit, script = variants()[page_index]
    page = document.pages[page_index]
    [citation] = cite(f"“{QUOTES[script]}”", [document], {document.name: [page_index]})
    assert citation.verified, page.text
    zoom = ZOOM / unit
    ink = red(worker.render(path, page_index, zoom))
    parts = [part(ink, rect.bbox, zoom) for rect in citation.rects]
    assert sum(map(np.count_nonzero, parts)) >= MIN_COVERED * np.count_nonzero(ink) > 0
    for marked in parts:
        assert marked.size <= MAX_SIZE * bounding_area(marked)
