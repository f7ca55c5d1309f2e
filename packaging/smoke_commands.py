"""The command line of a build: every command that a frozen program could break in its own way."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import smoke_files
from environment import say
from installed import ANSWER_LIMIT_S, SHORT_LIMIT_S, CheckError, Installed

_ANSWER_TOKENS = "48"
_FINDING_TOKENS = "24"


def check_versions(installed: Installed, version: str) -> None:
    for program in ("lectern", "lectern-app"):
        started = time.monotonic()
        said = installed.run(program, "--version").split()
        is_silent = sys.platform == "win32" and program == "lectern-app"  # a window's program has no console
        if not is_silent and said[-1:] != [version]:
            raise CheckError(f"{program} --version says {said}, not {version}")
        say(f"{program} --version: {time.monotonic() - started:.2f} s")


def check_commands_without_model(installed: Installed) -> None:
    """Bundled lists and profiles are found; the system check and the planner look at this machine."""
    installed.records("check")
    checklists = _names(installed.records("checklists", "list"), "checklist")
    bundled = {path.stem for path in (installed.resources / "checklists").glob("*.toml")}
    if not bundled or checklists != bundled:
        raise CheckError(f"lectern checklists list finds {checklists}, the build has {bundled}")
    models = _names(installed.records("models", "list"), "model")
    if not models >= {path.stem for path in (installed.resources / "models").glob("*.json")}:
        raise CheckError(f"lectern models list finds {models} only")
    installed.records("plan", "--model", "starter", "--profile", "cpu")
    say(f"lectern check, plan, {len(checklists)} checklists, {len(models)} models: ok")


def check_documents(installed: Installed) -> None:
    """Every format is read in the child process."""
    for path in [installed.copy_of_sample(), *smoke_files.write_documents(installed.place)]:
        pages = [record for record in installed.records("extract", str(path)) if record["event"] == "page"]
        text = " ".join(page["text"] for page in pages)
        expected = smoke_files.SENTENCE if path.stem == "lease" else installed.sample().expected
        if expected not in " ".join(text.split()):
            raise CheckError(f"lectern extract {path.name} finds {text[:200]!r}, without {expected!r}")
    say("lectern extract of PDF, DOCX, EPUB and Markdown: ok")


def check_without_streams(installed: Installed) -> None:
    """As a desktop starts a program: with no standard streams at all."""
    if sys.platform == "win32":
        return
    command = '"$1" extract "$2" --json <&- >&- 2>&-'
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", str(installed.program("lectern")), str(installed.copy_of_sample())],
        env=installed.environment(),
        cwd=installed.place,
        timeout=SHORT_LIMIT_S,
        check=False,
    )
    if done.returncode != 0:
        raise CheckError(f"lectern without standard streams ended with {done.returncode}")
    say("lectern extract without standard streams: ok")


def check_answers(installed: Installed) -> None:
    """An answer that leads to a page, and the same once more from the document cache."""
    started = time.monotonic()
    first = _ask(installed)
    if installed.sample().expected not in first["answer"]:
        raise CheckError(f"lectern ask answers {first['answer']!r}, without {installed.sample().expected!r}")
    if not any(citation["verified"] for citation in first["citations"]) and not first["closest_passage"]:
        raise CheckError("lectern ask leads to no page")
    say(f"lectern ask: {first['answer']!r}, {time.monotonic() - started:.1f} s with the conversion")
    started = time.monotonic()
    again = _ask(installed)
    outcomes = [finished["metrics"]["cache"] for finished in (first, again)]
    if outcomes[1] != "hit" or again["answer"] != first["answer"]:
        raise CheckError(f"Asked again, the document was not taken from its cache: {outcomes}, {again}")
    say(f"lectern ask again: from the document cache, {time.monotonic() - started:.1f} s")


def check_review(installed: Installed) -> None:
    """A row for each question, a report, and the findings in a library that was made for them."""
    checklist, report = smoke_files.write_checklist(installed.place), installed.place / "review.docx"
    arguments = ["--checklist", str(checklist), "--export", str(report), "--max-new-tokens", _FINDING_TOKENS]
    started = time.monotonic()
    records = installed.records("review", str(installed.copy_of_sample()), *arguments, limit_s=ANSWER_LIMIT_S)
    rows = [record for record in records if record["event"] == "finding"]
    if len(rows) != smoke_files.NUM_QUESTIONS:
        raise CheckError(f"lectern review finds {len(rows)} rows: {records[-1]}")
    if not report.is_file():
        raise CheckError("lectern review wrote no report")
    kept = library_rows(installed.library, "findings")
    if kept != len(rows):
        raise CheckError(f"The library holds {kept} findings of {len(rows)}")
    say(f"lectern review: {len(rows)} rows, kept in the library, {time.monotonic() - started:.1f} s")


def library_rows(path: Path, table: str) -> int:
    """How many rows a table of the library has. Raises `CheckError` if there is none."""
    if not path.is_file():
        raise CheckError(f"There is no library at {path}")
    with closing(sqlite3.connect(path)) as connection:
        count: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    return count


def _ask(installed: Installed) -> dict[str, Any]:
    arguments = ["--question", installed.sample().question, "--max-new-tokens", _ANSWER_TOKENS]
    return installed.records("ask", str(installed.copy_of_sample()), *arguments, limit_s=ANSWER_LIMIT_S)[-1]


def _names(records: list[dict[str, Any]], event: str) -> set[str]:
    return {str(record["name"]) for record in records if record["event"] == event}
