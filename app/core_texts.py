"""The engine's words in the window's language: `core` speaks English, this recognises what it says.

A text that matches none of the templates is shown as it came.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

_CONTEXT = "CoreTexts"

UNEXPECTED_TITLE = "Something went wrong in Lectern"
UNEXPECTED_MESSAGE = "The step was not finished; your document is unchanged. The details are in the log file."

# The first argument is the context of the translation; lupdate needs it spelled out.
_MARKED = (
    QT_TRANSLATE_NOOP("CoreTexts", "Something went wrong in Lectern"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The step was not finished; your document is unchanged. The details are in the log file.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "Cannot be opened"),
    QT_TRANSLATE_NOOP("CoreTexts", "Cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "Damaged file"),
    QT_TRANSLATE_NOOP("CoreTexts", "Empty file"),
    QT_TRANSLATE_NOOP("CoreTexts", "File cannot be read"),
    QT_TRANSLATE_NOOP("CoreTexts", "File not found"),
    QT_TRANSLATE_NOOP("CoreTexts", "No pages"),
    QT_TRANSLATE_NOOP("CoreTexts", "No room for an answer"),
    QT_TRANSLATE_NOOP("CoreTexts", "No text to read"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a PDF"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not a file"),
    QT_TRANSLATE_NOOP("CoreTexts", "Not enough memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "Out of memory"),
    QT_TRANSLATE_NOOP("CoreTexts", "Takes too long"),
    QT_TRANSLATE_NOOP("CoreTexts", "The compute device failed"),
    QT_TRANSLATE_NOOP("CoreTexts", "The document is too long for this model"),
    QT_TRANSLATE_NOOP("CoreTexts", "The starter model cannot be downloaded"),
    QT_TRANSLATE_NOOP("CoreTexts", "The starter model cannot be stored"),
    QT_TRANSLATE_NOOP("CoreTexts", "The model cannot be loaded"),
    QT_TRANSLATE_NOOP("CoreTexts", "Unknown encryption"),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” could not be opened in time, or it breaks the reader. "
        "It is probably damaged; open it in another PDF program and save a copy.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” is damaged and could not be repaired. Get the file again from where it came from, "
        "or open it in another PDF program and save a copy.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "“{name}” is empty (0 bytes). Get the file again from where it came from."
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” does not exist. Check the name, or whether it was moved."),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "“{name}” is not a PDF file. Save or print it as PDF first, then open that."
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "“{name}” begins like a PDF file but holds none. Get the file again from where it came from.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "“{name}” is a folder. Choose a PDF file inside it."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The pages hold images only: this is a scan. It needs text recognition (OCR) before it can be asked.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Documents, conversation and question are {tokens} tokens and {model} takes {limit}. "
        "Start a new conversation or ask shorter.",
    ),
    QT_TRANSLATE_NOOP("CoreTexts", "The answer ends early: the limit of new tokens was reached."),
    QT_TRANSLATE_NOOP("CoreTexts", "The answer ends early: the model's context is full."),
    QT_TRANSLATE_NOOP(
        "CoreTexts",
        "The file is damaged and was repaired while it was opened; parts of it may be missing.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreTexts", "This page is a picture without text. It can be read with text recognition (OCR)."
    ),
)
TEMPLATES = tuple(str(text) for text in _MARKED)

_REWORDED = {
    "Its {pages} pages are {tokens} tokens; {model} reads {limit} at most, question and answer included. "
    "Nothing was cut. Choose a model with a longer context, or fewer pages "
    "(--pages 1-{fitting} would fit).": QT_TRANSLATE_NOOP(
        "CoreTexts",
        "Its {pages} pages are {tokens} tokens; {model} reads {limit} at most, question and answer included. "
        "Nothing was cut. Choose a model with a longer context in the settings; the first {fitting} pages "
        "would fit this one.",
    ),
}
"""What is said otherwise in a window, which has no options to type."""


def translated(text: str, translate: Callable[[str, str], str] = QCoreApplication.translate) -> str:
    """The words of `text` in the window's language, with its names and numbers."""
    for template, pattern in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            words = str(_REWORDED.get(template, template))
            return translate(_CONTEXT, words).format(**match.groupdict())
    return text


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((template, _pattern(template)) for template in (*TEMPLATES, *_REWORDED))


def _pattern(template: str) -> re.Pattern[str]:
    pieces = re.split(r"\{(\w+)\}", template)
    literal = [re.escape(piece) if i % 2 == 0 else f"(?P<{piece}>.+?)" for i, piece in enumerate(pieces)]
    return re.compile("".join(literal), re.DOTALL)
