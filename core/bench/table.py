"""Rows of figures as lines of text."""

from collections.abc import Mapping, Sequence
from typing import Any


def table_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A header and a line for each row; figures stand right, words left."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    cells = [[_cell(row.get(column)) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[i]) for line in cells)) for i, column in enumerate(columns)]
    are_words = [any(isinstance(row.get(column), str) for row in rows) for column in columns]
    return [
        "  ".join(
            cell.ljust(width) if is_word else cell.rjust(width)
            for cell, width, is_word in zip(line, widths, are_words, strict=True)
        ).rstrip()
        for line in [columns, *cells]
    ]


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.3g}" if isinstance(value, float) and abs(value) < 1000 else _plain(value)


def _plain(value: object) -> str:
    return f"{value:,.0f}" if isinstance(value, float) else str(value)
