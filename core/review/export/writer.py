"""Reports on their way to disk: which kind of file, and never half of one."""

import os
from contextlib import suppress
from pathlib import Path

from core.errors import LecternError, UsageError
from core.review.export.html_page import to_html
from core.review.export.plain_tables import to_csv, to_markdown
from core.review.export.report import ReviewReport, table_of
from core.review.export.word import to_docx

EXPORT_SUFFIXES = (".md", ".csv", ".docx", ".html")


class ExportError(LecternError):
    """A report cannot be written; an older file of that name is as it was."""


def export_report(report: ReviewReport, path: Path) -> None:
    """Write a report in the kind that the ending of `path` says; the file is whole or as it was before.

    Raises `UsageError` for another ending and `ExportError` if the file cannot be written.
    """
    content = render_report(report, path.suffix.lower())
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise ExportError("The report cannot be saved", f"{path}: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def render_report(report: ReviewReport, suffix: str) -> bytes:
    """The bytes of a file of the kind `suffix`, one of `EXPORT_SUFFIXES`. Raises `UsageError`."""
    table = table_of(report)
    if suffix == ".md":
        return to_markdown(table).encode("utf-8", "replace")
    if suffix == ".csv":
        return to_csv(table).encode("utf-8-sig", "replace")
    if suffix == ".html":
        return to_html(table, report.language).encode("utf-8", "replace")
    if suffix == ".docx":
        return to_docx(table)
    raise UsageError(
        "Unknown kind of file",
        f"A report ends in {', '.join(EXPORT_SUFFIXES[:-1])} or {EXPORT_SUFFIXES[-1]}, not in {suffix!r}.",
    )
