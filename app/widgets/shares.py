"""Shares of a model's attention in words."""

from PySide6.QtCore import QCoreApplication

_LEAST = 0.01


def percent(share: float) -> str:
    """`41%`, `< 1%`."""
    return f"{round(100 * share)}%" if share >= _LEAST else "< 1%"


def share_sentence(share: float) -> str:
    """What a share of a page says, and that it says no more."""
    words = QCoreApplication.translate(
        "Shares", "While it wrote, {share} of what the model looked at was here. That is no proof."
    )
    return words.format(share=percent(share))
