"""Findings between the review on screen and the library."""

from dataclasses import replace

from app.review_sheet import Cell, CellState, Place, Sheet
from core.documents.citations import Citation, find_citations
from core.documents.layout import Document
from core.documents.quote_index import QuoteIndex
from core.events import Finished
from core.library.library import Library
from core.library.records import StoredFinding
from core.review.confidence import finding_of


def answered_cell(sheet: Sheet, place: Place, finished: Finished, model: str) -> Cell:
    """The cell of a question that has been answered; a comment of before stays."""
    assert sheet.checklist is not None, "questions come from a checklist"
    before = sheet.cell(place).finding
    finding = finding_of(
        sheet.checklist.name,
        sheet.item(place.item_id),
        sheet.language,
        finished.answer,
        finished.citations,
    )
    finding = replace(finding, comment=before.comment if before is not None else "")
    return Cell(
        CellState.DONE,
        finished.answer,
        finding,
        finished.citations,
        model=model,
        mode=finished.mode,
        notes=finished.notes,
    )


def find_findings(sha256: str, checklist: str, library: Library) -> tuple[StoredFinding, ...]:
    document = library.documents.find(sha256)
    return library.findings.of(document.document_id, checklist) if document is not None else ()


def save_finding(document: Document, cell: Cell, library: Library) -> StoredFinding:
    assert cell.finding is not None, "what is saved was found"
    stored = library.documents.find(document.sha256) or library.documents.add(
        document.sha256, document.path, document.name, document.num_pages
    )
    return library.findings.save(stored.document_id, cell.finding, cell.model, cell.mode)


def restored_cell(stored: StoredFinding) -> Cell:
    return Cell(
        CellState.DONE,
        stored.finding.answer,
        stored.finding,
        finding_id=stored.finding_id,
        model=stored.model,
        mode=stored.mode,
    )


def find_quotes(document: Document, answers: list[str]) -> list[tuple[Citation, ...]]:
    index = QuoteIndex([document])
    return [find_citations(answer, index) for answer in answers]
