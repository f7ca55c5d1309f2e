"""The benchmark of reading in small; its target needs long files and a quiet machine."""

from pathlib import Path

from core.bench import reading
from core.cancel import CancelToken


def test_reading_takes_a_small_multiple_of_listing(troubles: Path, made: Path) -> None:
    paths = [troubles / "numbered.pdf", made / "two_columns.pdf"]
    result = reading.measure(paths, CancelToken(), num_pages=12)
    assert [(row["file"], row["pages"]) for row in result.rows] == [
        ("numbered.pdf", 12),
        ("two_columns.pdf", 2),
    ]
    middle, worst = result.targets
    assert 0 < middle.value <= worst.value < 15, "two pages wait longer for the process than for the reading"
    assert all(0 < row["work_ratio"] < 5 for row in result.rows)
