"""The part of a text that shows best why it was found, and where in it the words stand."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_LENGTH = 160
_LEAD = 40
_ELLIPSIS = "…"
_RUN = re.compile(r"[^\W_]+")

Span = tuple[int, int]


def snippet_of(
    texts: Sequence[str], terms: Sequence[str], length: int = _LENGTH
) -> tuple[str, tuple[Span, ...]]:
    """About `length` characters around a match, on one line, and the ranges `[start, end)` of matches in it.

    Of `texts` the one with most different terms is shown, the first among equals.
    """
    lines = [" ".join(text.split()) for text in texts]
    folded = [_folded(line) for line in lines]
    found = [[_find(term, line) for term in terms] for line in folded]
    best = max(range(len(lines)), key=lambda i: sum(map(bool, found[i])))
    spans = _merged([span for of_term in found[best] for span in of_term])
    start, end = _window(lines[best], spans, length)
    lead = _ELLIPSIS if start else ""
    tail = _ELLIPSIS if end < len(lines[best]) else ""
    shift = len(lead) - start
    inside = tuple((a + shift, min(b, end) + shift) for a, b in spans if a >= start and a < end)
    return lead + lines[best][start:end] + tail, inside


def _window(line: str, spans: Sequence[Span], length: int) -> Span:
    first = spans[0][0] if spans else 0
    start = max(0, min(first - _LEAD, len(line) - length))
    if start:
        blank = line.find(" ", start, first)
        start = blank + 1 if blank >= 0 else start
    end = min(len(line), start + length)
    if end < len(line):
        blank = line.rfind(" ", start + length // 2, end)
        end = blank if blank >= 0 else end
    return start, end


def _find(term: str, line: "_Folded") -> list[Span]:
    """Where `term` stands: case and accents aside, and with any marks between its words.

    It is looked for as the word index does it, by its runs of letters and digits, the last one as a prefix;
    if that finds nothing, anywhere.
    """
    wanted = _folded(term).text
    if not wanted:
        return []
    parts = _RUN.findall(wanted)
    pattern = r"[\W_]+".join(map(re.escape, parts)) if parts else re.escape(wanted)
    if parts and parts[0][0] < "\u0e00":
        pattern = r"(?<![^\W_])" + pattern
    return line.spans(pattern) or line.spans(re.escape(wanted))


@dataclass(frozen=True)
class _Folded:
    """A text without case and accents; for each of its characters, the index of the one it came from."""

    text: str
    origin: Sequence[int]

    def spans(self, pattern: str) -> list[Span]:
        found = re.finditer(pattern, self.text)
        return [(self.origin[m.start()], self.origin[m.end() - 1] + 1) for m in found]


def _folded(text: str) -> _Folded:
    if text.isascii():
        return _Folded(text.lower(), range(len(text)))
    characters: list[str] = []
    origin: list[int] = []
    for index, character in enumerate(text):
        for part in unicodedata.normalize("NFKD", character).casefold():
            if not unicodedata.combining(part):
                characters.append(part)
                origin.append(index)
    return _Folded("".join(characters), origin)


def _merged(spans: list[Span]) -> list[Span]:
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result
