"""Printed page numbers from a PDF's label rules."""

import pytest

from core.documents.page_labels import page_labels


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([], ["1", "2", "3"]),
        ([(0, "<</S/r>>"), (2, "<</S/D>>")], ["i", "ii", "1"]),
        ([(0, "<</S/D/St 9>>")], ["9", "10", "11"]),
        ([(1, "<</S/A/P(App-)>>")], ["1", "App-A", "App-B"]),
        ([(0, "<</P(Cover)>>"), (1, "<</S/R/St 4>>")], ["Cover", "IV", "V"]),
        ([(0, "<</P(a\\(1\\)\\057)/S/D>>")], ["a(1)/1", "a(1)/2", "a(1)/3"]),
        ([(0, "<</S/a/St 26>>")], ["z", "aa", "bb"]),
        ([(0, "<</P<FEFF9644>/S/D>>")], ["附1", "附2", "附3"]),
        ([(0, "<</P<FEFF0058>/S/D/St 3>>")], ["1", "2", "3"]),
        ([(0, "<</S/D/St -5>>")], ["1", "2", "3"]),
        ([(7, "<</S/r>>"), (-1, "<</S/r>>")], ["1", "2", "3"]),
        ([(0, "<</P(" + "x" * 99 + ")>>")], ["1", "2", "3"]),
        ([(0, "garbage")], ["1", "2", "3"]),
    ],
)
def test_labels(rules: list[tuple[int, str]], expected: list[str]) -> None:
    assert list(page_labels(rules, 3)) == expected
