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
