"""Where the hidden words of a page stand, to find them among those that the library lists."""

from collections.abc import Iterable, Sequence
from itertools import product

from core.documents.ink import Glyph
from core.documents.raw_page import RawLine

_MAX_WORDS = 300


class HiddenPlaces:
    """Where hidden words stand, to find them among those that the library lists."""

    def __init__(self, hidden: Sequence[list[Glyph]], visible: Iterable[Glyph]) -> None:
        self._words = [word for word in hidden if not word[0].text.isspace()]
        self._hidden = _by_place(glyph for word in hidden for glyph in word)
        at_hidden = (glyph for glyph in visible if (round(4 * glyph.x), round(4 * glyph.y)) in self._hidden)
        self._visible = _by_place(at_hidden)
        self._given: set[tuple[tuple[int, int], str]] = set()

    def holds(self, text: str, x: float, y: float) -> bool:
        """Whether the character `text` with its origin at (x, y) is hidden.

        Of a hidden and a visible one at the same place the first asked for is taken for the visible one.
        """
        key = (round(4 * x), round(4 * y))
        if key not in self._hidden:
            return False
        if text not in self._visible.get(key, ()) or (key, text) in self._given:
            return True
        self._given.add((key, text))
        return False

    def without(self, lines: Sequence[RawLine]) -> list[RawLine] | None:
        """The lines without the hidden words; None if that cannot be told word by word."""
        if self._visible or len(self._words) > _MAX_WORDS:
            return None
        wanted: dict[str, list[Glyph]] = {}
        for word in self._words:
            wanted.setdefault("".join([glyph.text for glyph in word]), []).append(word[0])
        result: list[RawLine] = []
        num_found = 0
        for line in lines:
            kept = [i for i, text in enumerate(line.texts) if not _is_one_of(line, i, wanted.get(text, ()))]
            num_found += len(line.texts) - len(kept)
            left = line if len(kept) == len(line.texts) else line.with_pieces(kept)
            if left is not None:
                result.append(left)
        return result if num_found == len(self._words) else None


def _is_one_of(line: RawLine, i: int, starts: Sequence[Glyph]) -> bool:
    return any(
        abs(line.x0[i] - glyph.x) < 1 and line.y0[i] - 1 <= glyph.y <= line.y1[i] + 1 for glyph in starts
    )


def _by_place(glyphs: Iterable[Glyph]) -> dict[tuple[int, int], set[str]]:
    places: dict[tuple[int, int], set[str]] = {}
    for _, text, x, y, _ in glyphs:
        xs = {round(4 * x - 0.08), round(4 * x + 0.08)}
        ys = {round(4 * y - 0.08), round(4 * y + 0.08)}
        for key in product(xs, ys):
            places.setdefault(key, set()).add(text)
    return places
