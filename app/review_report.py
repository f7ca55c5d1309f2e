"""A review on screen as the report that is exported."""

from datetime import date

from app.review_sheet import Place, Sheet
from core.review.checklist import text_in
from core.review.export.labels import labels_in
from core.review.export.report import ReviewedDocument, ReviewReport


def report_of(sheet: Sheet, language: str) -> ReviewReport:
    """What was found so far, document by document, with words in `language`."""
    documents = []
    for index, document in enumerate(sheet.documents):
        cells = [sheet.cell(Place(index, item.item_id)) for item in sheet.items]
        made = [(cell, cell.finding) for cell in cells if cell.finding is not None]
        if made:
            last = made[-1][0]
            findings = tuple(finding for _, finding in made)
            documents.append(ReviewedDocument(document.name, findings, last.model, last.mode))
    title = text_in(sheet.checklist.title, language) if sheet.checklist is not None else ""
    today = date.today()  # noqa: DTZ011 - the day on the user's calendar
    return ReviewReport(title, today, tuple(documents), language, labels_in(language))
