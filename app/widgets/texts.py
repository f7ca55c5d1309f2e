"""Foreign text in places where Qt would read it as markup."""

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


def plain_label(kind: str = "", text: str = "", parent: QWidget | None = None) -> QLabel:
    """A label that shows its text as it is; `kind` names its look in the style sheet."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if kind:
        label.setProperty("kind", kind)
    return label


def tool_tip(text: str) -> str:
    """A tool tip that wraps and shows the text as it is."""
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>"


def button_text(text: str) -> str:
    """Text for buttons, tabs and menus, in which `&` is no mnemonic."""
    return text.replace("&", "&&")


def shortened(text: str, max_characters: int) -> str:
    """The text on one line, with an ellipsis where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= max_characters else line[: max_characters - 1].rstrip() + "…"
