"""What a report of a review says, in which cells: the same for every kind of file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from core.review.finding import FindingStatus, ReviewFinding


@dataclass(frozen=True)
class Labels:
    """The words of a report. `page` has the fields `ordinal` (from 1) and `label` (as printed)."""

    question: str = "Question"
    answer: str = "Answer"
    quote: str = "Quote"
    page: str = "Page"
    verified: str = "Verified"
    confidence: str = "Confidence"
    status: str = "Status"
    comment: str = "Comment"
    document: str = "Document"
    checklist: str = "Checklist"
    date: str = "Date"
    model: str = "Model"
    mode: str = "Mode"
    yes: str = "yes"
    no: str = "no"
    page_and_label: str = "{ordinal} (printed {label})"
    statuses: Mapping[FindingStatus, str] = field(
        default_factory=lambda: {status: status.value for status in FindingStatus}
    )


@dataclass(frozen=True)
class ReviewedDocument:
    """The findings of one document, one for each question, and what made them."""

    name: str
    findings: tuple[ReviewFinding, ...]
    model: str
    mode: str


@dataclass(frozen=True)
class ReviewReport:
    """One document, or several side by side. `checklist` is its title, `made_on` the day of the review."""

    checklist: str
    made_on: date
    documents: tuple[ReviewedDocument, ...]
    language: str = "en"
    labels: Labels = field(default_factory=Labels)


@dataclass(frozen=True)
class Row:
    """A question and, for each document, the cells of `Table.columns`; all empty where it was not asked."""

    question: str
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Table:
    """`heading` are lines `(label, value)` above the table; `groups` are the names of the documents."""

    heading: tuple[tuple[str, str], ...]
    question_column: str
    columns: tuple[str, ...]
    groups: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def flat_columns(self) -> tuple[str, ...]:
        """One line of column names; they name the document where there are several."""
        if len(self.groups) == 1:
            return (self.question_column, *self.columns)
        named = (f"{column} ({group})" for group in self.groups for column in self.columns)
        return (self.question_column, *named)

    @property
    def flat_rows(self) -> tuple[tuple[str, ...], ...]:
        return tuple((row.question, *(cell for group in row.groups for cell in group)) for row in self.rows)


def table_of(report: ReviewReport) -> Table:
    """Questions in the order of the first document that has them; what only later ones have comes after."""
    labels = report.labels
    by_document = [{item.question_id: item for item in document.findings} for document in report.documents]
    firsts: dict[str, ReviewFinding] = {}
    for findings in by_document:
        for question_id, finding in findings.items():
            firsts.setdefault(question_id, finding)
    return Table(
        heading=(
            (labels.document, _joined(document.name for document in report.documents)),
            (labels.checklist, report.checklist),
            (labels.date, report.made_on.isoformat()),
            (labels.model, _joined(document.model for document in report.documents)),
            (labels.mode, _joined(document.mode for document in report.documents)),
        ),
        question_column=labels.question,
        columns=_columns(labels),
        groups=tuple(document.name for document in report.documents),
        rows=tuple(
            Row(
                _question(first),
                tuple(_cells(findings.get(question_id), labels) for findings in by_document),
            )
            for question_id, first in firsts.items()
        ),
    )


def _columns(labels: Labels) -> tuple[str, ...]:
    return (
        labels.answer,
        labels.quote,
        labels.page,
        labels.verified,
        labels.confidence,
        labels.status,
        labels.comment,
    )


def _cells(finding: ReviewFinding | None, labels: Labels) -> tuple[str, ...]:
    if finding is None:
        return ("",) * len(_columns(labels))
    return (
        finding.answer,
        finding.quote,
        _page(finding, labels),
        (labels.yes if finding.verified else labels.no) if finding.quote else "",
        "" if finding.confidence is None else f"{finding.confidence:.0%}",
        labels.statuses[finding.status],
        finding.comment,
    )


def _page(finding: ReviewFinding, labels: Labels) -> str:
    if finding.page_index is None:
        return ""
    ordinal = str(finding.page_index + 1)
    if finding.page_label in ("", ordinal):
        return ordinal
    return labels.page_and_label.format(ordinal=ordinal, label=finding.page_label)


def _question(finding: ReviewFinding) -> str:
    return "\n".join(dict.fromkeys(text for text in (finding.title, finding.question) if text))


def _joined(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(texts))
