"""Reports as Markdown and as CSV."""

import csv
import io
import re

from core.review.export.report import Table

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def to_markdown(table: Table) -> str:
    """A heading and one table; no character of an answer can become markup."""
    title = _markdown_cell(table.heading[1][1])
    lines = [f"# {title}", ""]
    lines += [f"- {_markdown_cell(label)}: {_markdown_cell(value)}" for label, value in table.heading]
    lines += ["", _markdown_row(table.flat_columns), "|" + " --- |" * len(table.flat_columns)]
    lines += map(_markdown_row, table.flat_rows)
    return "\n".join(lines) + "\n"


def to_csv(table: Table) -> str:
    """The heading in lines of two cells, an empty line, then the table.

    A cell that a spreadsheet might take for a formula is given a leading apostrophe. The text is to be
    written as UTF-8 with a byte order mark, by which spreadsheets know it.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    for line in (*table.heading, (), table.flat_columns, *table.flat_rows):
        writer.writerow([_csv_cell(cell) for cell in line])
    return stream.getvalue()


def _markdown_row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(map(_markdown_cell, cells)) + " |"


def _markdown_cell(text: str) -> str:
    escaped = _MARKDOWN.sub(r"\\\1", _CONTROL.sub("", text).replace("&", "&amp;"))
    return "<br>".join(line.strip() for line in escaped.splitlines())


def _csv_cell(text: str) -> str:
    text = _CONTROL.sub("", text)
    return "'" + text if _FORMULA.match(text) else text
