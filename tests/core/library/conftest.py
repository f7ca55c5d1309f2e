"""A library in a folder of its own, under a clock that moves by a second at each look."""

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.documents.citations import Citation
from core.documents.layout import BBox
from core.documents.passages import ClosestPassage
from core.documents.quote_index import PageRect
from core.events import CacheOutcome, EvidencePage, Metrics
from core.library.library import Library
from core.library.records import StoredAnswer

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Callable[[], datetime]:
    seconds = itertools.count()
    return lambda: START + timedelta(seconds=next(seconds))


@pytest.fixture
def library_file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "library.db"


@pytest.fixture
def library(library_file: Path, clock: Callable[[], datetime]) -> Iterator[Library]:
    with Library.open(library_file, clock) as opened:
        yield opened


@pytest.fixture
def answer() -> StoredAnswer:
    rects = (PageRect(3, BBox(72.0, 100.5, 300.25, 112.0)), PageRect(4, BBox(72.0, 90.0, 80.0, 99.0)))
    return StoredAnswer(
        text="The term is “five (5) years”.",
        model="starter",
        mode="exact",
        reason="stop",
        citations=(Citation("lease.pdf", 3, "iv", "five (5) years", True, 0.9375, rects, 13, 27),),
        closest_passage=ClosestPassage("lease.pdf", 4, "1", "The term starts on 1 May.", 0.5, rects[:1]),
        warnings=("Page 7 has no text.", "The answer ends early."),
        metrics=Metrics(100, 20, 80, 410.5, 1.25, None, 1, 2, 3, 4.5, 5.5, CacheOutcome.RESUMED, 0.25),
        notes=("The answer ends early.",),
        token_ids=(12, 0, 151_645),
        evidence=(
            EvidencePage("lease.pdf", 3, 0.75, "iv", "five (5) years", 13, 27, rects),
            EvidencePage("lease.pdf", 0, 0.25),
        ),
    )
