"""A page as the model reads it: nothing twice, and nothing that could be taken for one of our markers."""

import re

from core.documents.layout import Page

_MARKER = re.compile(r"[\[［〔【⟦](?=[\s*_#]*(?:page|document)\b)", re.IGNORECASE)
_CLOSING = "]］〕】⟧"
_REACH = 200


def model_page_text(page: Page) -> str:
    """The text of the page without running lines that an earlier page has word for word.

    Brackets that would make a marker of a text become round.
    """
    text = page.text
    for start, end in reversed(page.repeated):
        before, after = text[:start].rstrip(" "), text[end:].lstrip(" ")
        if before.endswith("\n") or not before:
            after = after.removeprefix("\n")
        elif not after.startswith("\n"):
            before += " "
        text = before + after
    return without_markers(text.strip())


def page_range(page: Page, start: int, end: int) -> tuple[int, int]:
    """Where the characters `[start, end)` of `model_page_text(page)` stand in `page.text`.

    Both texts have the same characters in the same order, but for blanks and what the model is not given
    twice.
    """
    text = model_page_text(page)
    num_before = sum(not character.isspace() for character in text[:start])
    num_inside = sum(not character.isspace() for character in text[start:end])
    places = _printed(page)
    if not places or not num_inside or num_before >= len(places):
        return 0, 0
    last = min(num_before + num_inside, len(places)) - 1
    return places[num_before], places[last] + 1


def _printed(page: Page) -> list[int]:
    """Where the characters stand that are no blanks and that the model is given."""
    places, position = [], 0
    for start, end in (*page.repeated, (len(page.text), len(page.text))):
        places += [at for at in range(position, start) if not page.text[at].isspace()]
        position = end
    return places


def without_markers(text: str) -> str:
    """`[page 3]` in a document is text: it becomes `(page 3)`. The length stays."""
    if not _MARKER.search(text):
        return text
    letters = list(text)
    for found in _MARKER.finditer(text):
        letters[found.start()] = "("
        for at in range(found.end(), min(len(text), found.end() + _REACH)):
            if text[at] in _CLOSING:
                letters[at] = ")"
                break
    return "".join(letters)
