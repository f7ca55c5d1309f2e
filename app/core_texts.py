"""The engine's words in the window's language: `core` speaks English, this recognises what it says.

A text that matches none of the templates is shown as it came.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QCoreApplication

from app.core_templates import PARTS, REWORDED, TEMPLATES
from core.errors import LecternError

_CONTEXT = "CoreTexts"
_NAME = re.compile(r"\{(\w+)\}")


def translated(text: str, translate: Callable[[str, str], str] = QCoreApplication.translate) -> str:
    """The words of `text` in the window's language, with its names and numbers."""
    for template, pattern in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            values = {
                name: translated(value, translate) if name in PARTS else value
                for name, value in match.groupdict().items()
            }
            return translate(_CONTEXT, REWORDED.get(template, template)).format(**values)
    return text


def error_sentence(error: LecternError) -> str:
    """What happened and what to do, in one line of the window's language."""
    return f"{translated(error.title)}: {translated(error.message)}"


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Templates that fix most come first: what they match, a looser one may match too."""
    templates = sorted((*TEMPLATES, *REWORDED), key=lambda text: len(_NAME.sub("", text)), reverse=True)
    return tuple((template, _pattern(template)) for template in templates)


def _pattern(template: str) -> re.Pattern[str]:
    pieces = _NAME.split(template)
    literal = [re.escape(piece) if i % 2 == 0 else _group(piece) for i, piece in enumerate(pieces)]
    return re.compile("".join(literal), re.DOTALL)


def _group(name: str) -> str:
    """A part may be missing, a name or a number is not."""
    return f"(?P<{name}>.{'*' if name in PARTS else '+'}?)"
