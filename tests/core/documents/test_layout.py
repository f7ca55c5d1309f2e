"""Documents of one session are told apart by their names."""

import pytest

from core.documents.layout import Document, with_unique_names


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["a.pdf", "b.pdf"], ["a.pdf", "b.pdf"]),
        (["a.pdf", "a.pdf", "b.pdf", "a.pdf"], ["a.pdf", "a.pdf (2)", "b.pdf", "a.pdf (3)"]),
        (["a.pdf (2)", "a.pdf", "a.pdf"], ["a.pdf (2)", "a.pdf", "a.pdf (3)"]),
        (["a.pdf", "a.pdf", "a.pdf (2)"], ["a.pdf", "a.pdf (2)", "a.pdf (2) (2)"]),
    ],
)
def test_names_become_unique_and_then_stay(names: list[str], expected: list[str]) -> None:
    named = with_unique_names([Document(f"/{i}/{name}", name, "0" * 64, ()) for i, name in enumerate(names)])
    assert [document.name for document in named] == expected
    assert all(a is b for a, b in zip(named, with_unique_names(named), strict=True))
