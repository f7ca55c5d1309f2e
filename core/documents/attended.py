"""A piece of a page that got attention, cut where sentences or words end so that a reader can follow it."""

from dataclasses import dataclass

from core.documents.layout import Page
from core.documents.quote_index import PageRect
from core.documents.sentences import sentence_spans

_MAX_CHARACTERS = 240
_MIN_OVERLAP = 1 / 3


@dataclass(frozen=True, slots=True)
class AttendedPassage:
    """The characters `[start, end)` of a page's text: as `text` on one line, and as boxes."""

    text: str
    start: int
    end: int
    rects: tuple[PageRect, ...]


def attended_passage(page: Page, start: int, end: int) -> AttendedPassage | None:
    """The sentences that hold most of the characters `[start, end)` of the page's text.

    Sentences that are too long together are cut at words around them. None without any text there.
    """
    if not page.text[start:end].strip():
        return None
    first, last = _sentences(page.text, start, end)
    if last - first > _MAX_CHARACTERS:
        first, last = _words(page.text, max(first, start), min(last, end))
    text = page.text[first:last]
    first += len(text) - len(text.lstrip())
    last -= len(text) - len(text.rstrip())
    rects = tuple(PageRect(page.page_index, box) for box in page.boxes(first, last))
    return AttendedPassage(" ".join(text.split()), first, last, rects)


def _sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """From the first to the last sentence with a good part of the range, at least the one with most of it."""
    shares = {
        span: min(end, span[1]) - max(start, span[0])
        for span in sentence_spans(text)
        if span[0] < end and span[1] > start
    }
    if not shares:
        return start, end
    wanted = min(max(shares.values()), (end - start) * _MIN_OVERLAP)
    chosen = [span for span, share in shares.items() if share >= wanted]
    return chosen[0][0], chosen[-1][1]


def _words(text: str, start: int, end: int) -> tuple[int, int]:
    """The range with the words whole that it begins and ends in; without blanks it stays."""
    while start > 0 and _is_word(text[start - 1]) and _is_word(text[start]):
        start -= 1
    while end < len(text) and _is_word(text[end - 1]) and _is_word(text[end]):
        end += 1
    return start, end


def _is_word(character: str) -> bool:
    """Letters and digits of scripts that put blanks between words."""
    return character.isalnum() and ord(character) < _FIRST_CJK


_FIRST_CJK = 0x2E80
