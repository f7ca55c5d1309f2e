"""`lectern review`: the questions of a checklist about each file, a finding printed as soon as it is made."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.cancel import CancelToken
from core.catalogue.locate import locate_model
from core.console import Console
from core.documents.layout import Document, with_unique_names
from core.documents.token_map import require_text
from core.documents.worker import DocumentWorker
from core.engine_options import engine_settings
from core.errors import CancelledError, LecternError, UsageError
from core.events import (
    Finished,
    FinishReason,
    Progress,
    ReviewEvent,
    RowFailed,
    RowFinished,
    Stage,
    TierUsage,
)
from core.library.library import Library
from core.paths import models_dir
from core.planning.loading import least_tokens
from core.planning_commands import require_room
from core.review.answer_forms import is_not_found
from core.review.checklist import Checklist, text_in
from core.review.checklists import find_checklist
from core.review.confidence import finding_of
from core.review.export.labels import labels_in
from core.review.export.report import ReviewedDocument, ReviewReport
from core.review.export.writer import EXPORT_SUFFIXES, export_report
from core.review.finding import ReviewFinding
from core.review.question import questions_of

if TYPE_CHECKING:
    from core.engine import Engine

_LANGUAGES = {"zh": "zh_CN"}


def review(options: argparse.Namespace, console: Console, cancel: CancelToken) -> int:
    """Answer every question about every file and print the findings; the exit code.

    What was found until a stop or a failure is in the report and in the library all the same.
    """
    checklist = find_checklist(options.checklist)
    language = _LANGUAGES.get(options.language, options.language)
    _require_place(options.export)
    settings = engine_settings(options)
    locate_model(settings.model, models_dir(settings.cache_root))
    documents = with_unique_names([_read(path, options, console, cancel) for path in options.files])
    for document in documents:
        require_text([document])
        require_room(settings, least_tokens([document]), console, is_forced=options.force)
    from core.engine import open_model  # torch is loaded only now, when the files are known to be good

    cancel.raise_if_cancelled()
    with (
        open_model(settings, console.event, cancel) as engine,
        closing(_Shelf(console, is_used=not options.no_library)) as shelf,
    ):
        run = _Run(engine, checklist, language, console, shelf)
        is_stopped = False
        try:
            for document in documents:
                run.review(document, cancel)
        except CancelledError:
            is_stopped = True
        finally:
            run.export(options.export)
    console.finish(run.summary(is_stopped or cancel.is_cancelled, options.export), run.fields(options.export))
    if is_stopped or cancel.is_cancelled:
        return CancelledError.exit_code
    return run.exit_code


@dataclass
class _Reviewed:
    """One document and what came of its review so far."""

    document: Document
    mode: str = ""
    findings: list[ReviewFinding] = field(default_factory=list)
    errors: list[LecternError] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)


class _Run:
    """A checklist on its way through the documents."""

    def __init__(
        self, engine: "Engine", checklist: Checklist, language: str, console: Console, shelf: "_Shelf"
    ) -> None:
        self._engine, self._checklist, self._language = engine, checklist, language
        self._console, self._shelf = console, shelf
        self._model = engine.parts.loaded.name
        self._items = {item.item_id: item for item in checklist.items}
        self._reviewed: list[_Reviewed] = []

    @property
    def exit_code(self) -> int:
        """0 once there is any finding; else that of the first question's failure."""
        errors = [error for reviewed in self._reviewed for error in reviewed.errors]
        has_findings = any(reviewed.findings for reviewed in self._reviewed)
        return errors[0].exit_code if errors and not has_findings else 0

    def review(self, document: Document, cancel: CancelToken) -> None:
        """Every question about one document. Raises `CancelledError` if it is stopped before the first."""
        cancel.raise_if_cancelled()
        reviewed = _Reviewed(document)
        self._reviewed.append(reviewed)
        sampling = self._engine.parts.settings.sampling
        session = self._engine.open_document([document])
        try:
            questions = questions_of(self._checklist.items, self._language)
            self._take(reviewed, iter(self._engine.review(session, questions, sampling, cancel)))
        finally:
            session.close()

    def export(self, path: Path | None) -> None:
        """Write the report, if one is wanted and there is anything to say."""
        documents = [reviewed for reviewed in self._reviewed if reviewed.findings]
        if path is None or not documents:
            return
        report = ReviewReport(
            checklist=text_in(self._checklist.title, self._language),
            made_on=date.today(),  # noqa: DTZ011 - the day on the user's calendar
            documents=tuple(
                ReviewedDocument(one.document.name, tuple(self._in_order(one)), self._model, one.mode)
                for one in documents
            ),
            language=self._language,
            labels=labels_in(self._language),
        )
        export_report(report, path)

    def fields(self, path: Path | None) -> dict[str, Any]:
        """What the last line says to scripts."""
        num_findings = sum(len(reviewed.findings) for reviewed in self._reviewed)
        return {
            "checklist": self._checklist.name,
            "language": self._language,
            "model": self._model,
            "num_questions": len(self._items),
            "num_findings": num_findings,
            "num_failed": sum(len(reviewed.errors) for reviewed in self._reviewed),
            "documents": [
                {"name": one.document.name, "sha256": one.document.sha256, "mode": one.mode}
                for one in self._reviewed
            ],
            "warnings": list(dict.fromkeys(note for one in self._reviewed for note in one.notes)),
            "export": str(path) if path is not None and num_findings else None,
        }

    def summary(self, is_stopped: bool, path: Path | None) -> str:
        fields = self.fields(path)
        words = [f"{fields['num_findings']:,} findings."]
        if fields["num_failed"]:
            words.append(f"{fields['num_failed']:,} questions could not be answered.")
        if is_stopped:
            words.append("Stopped before the end.")
        if fields["export"] is not None:
            words.append(f"The report is in {fields['export']}.")
        notes = (f"Note: {note}" for note in fields["warnings"])
        return "\n".join([" ".join(words), *notes])

    def _take(self, reviewed: _Reviewed, events: Iterator[ReviewEvent]) -> None:
        for event in events:
            if isinstance(event, Progress | TierUsage):
                self._console.event(event)
            elif isinstance(event, RowFinished):
                self._take_answer(reviewed, event.row_id, event.finished)
            elif isinstance(event, RowFailed):
                reviewed.errors.append(event.error)
                self._tell_failure(reviewed, event)

    def _take_answer(self, reviewed: _Reviewed, item_id: str, finished: Finished) -> None:
        """An answer that was stopped in its middle is no finding."""
        reviewed.notes |= dict.fromkeys(finished.warnings)
        if finished.reason is FinishReason.CANCELLED:
            return
        item = self._items[item_id]
        finding = finding_of(self._checklist.name, item, self._language, finished.answer, finished.citations)
        reviewed.mode = finished.mode
        reviewed.findings.append(finding)
        self._shelf.keep(reviewed.document, finding, self._model, finished.mode)
        fields = asdict(finding) | {
            "document": reviewed.document.name,
            "not_found": is_not_found(finished.answer, self._language),
            "reason": finished.reason.value,
            "citations": [asdict(citation) for citation in finished.citations],
        }
        self._console.record("finding", _finding_text(reviewed.document, finding), fields)

    def _tell_failure(self, reviewed: _Reviewed, failed: RowFailed) -> None:
        title = text_in(self._items[failed.row_id].title, self._language)
        error = failed.error
        self._console.record(
            "failed",
            f"{title} ({reviewed.document.name}): not answered. {error.title}: {error.message}",
            {
                "document": reviewed.document.name,
                "question_id": failed.row_id,
                "error": {"title": error.title, "message": error.message, "exit_code": error.exit_code},
            },
        )

    def _in_order(self, reviewed: _Reviewed) -> Sequence[ReviewFinding]:
        """Findings in the order of the checklist; they come in any."""
        places = {item_id: place for place, item_id in enumerate(self._items)}
        return sorted(reviewed.findings, key=lambda finding: places[finding.question_id])


class _Shelf:
    """The library, as far as it can be used: trouble with it is told once, and the review goes on."""

    def __init__(self, console: Console, *, is_used: bool) -> None:
        self._console = console
        self._library: Library | None = None
        if is_used:
            try:
                self._library = Library.open()
            except LecternError as error:
                self._give_up(error)
            for note in self._library.notes if self._library is not None else ():
                console.note(note)

    def keep(self, document: Document, finding: ReviewFinding, model: str, mode: str) -> None:
        if self._library is None:
            return
        try:
            stored = self._library.documents.find(document.sha256) or self._library.documents.add(
                document.sha256, document.path, document.name, document.num_pages
            )
            self._library.findings.save(stored.document_id, finding, model, mode)
        except LecternError as error:
            self._give_up(error)

    def close(self) -> None:
        if self._library is not None:
            self._library.close()

    def _give_up(self, error: LecternError) -> None:
        self.close()
        self._library = None
        self._console.note(f"{error.title}: {error.message} The findings are not kept in the library.")


def _finding_text(document: Document, finding: ReviewFinding) -> str:
    lines = [f"{finding.title} ({document.name})", f"  {finding.answer}"]
    if finding.quote and finding.page_index is not None:
        ordinal = str(finding.page_index + 1)
        printed = "" if finding.page_label in ("", ordinal) else f" (printed {finding.page_label})"
        lines.append(f"  Verified quote, page {ordinal}{printed}: “{finding.quote}”")
    elif finding.quote:
        lines.append(f"  Unverified quote (not found in the document): “{finding.quote}”")
    return "\n".join(lines)


def _require_place(path: Path | None) -> None:
    """Raise `UsageError` for a report that could not be written, before hours of work."""
    if path is None:
        return
    if path.suffix.lower() not in EXPORT_SUFFIXES:
        raise UsageError(
            "Unknown kind of file", f"A report ends in {', '.join(EXPORT_SUFFIXES)}, not in {path.suffix!r}."
        )
    if not path.absolute().parent.is_dir():
        raise UsageError("No such folder", f"There is no folder {path.absolute().parent} for the report.")


def _read(path: Path, options: argparse.Namespace, console: Console, cancel: CancelToken) -> Document:
    def on_progress(done: int, total: int) -> None:
        console.event(Progress(Stage.READING_PAGES, done, total, "pages"))

    with DocumentWorker() as worker:
        return worker.read(path, options.password, on_progress=on_progress, cancel=cancel)
