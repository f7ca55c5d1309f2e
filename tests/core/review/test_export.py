"""Reports say the same in every kind of file, and no answer can become markup, a formula or half a file."""

import csv
import io
import re
import zipfile
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pymupdf
import pytest

from core.errors import UsageError
from core.review.export.report import Labels, ReviewedDocument, ReviewReport, table_of
from core.review.export.writer import EXPORT_SUFFIXES, ExportError, export_report, render_report
from core.review.finding import FindingStatus, ReviewFinding

TERM = ReviewFinding(
    "nda",
    "term",
    "Term",
    "How long?",
    "Five years\nfrom signing",
    "five (5) years",
    page_index=4,
    page_label="iii",
    verified=True,
    confidence=0.934,
    status=FindingStatus.ACCEPTED,
    comment="Check | twice",
)
LAW = ReviewFinding("nda", "law", "Governing law", "Which law?", "纽约州法律", "纽约", confidence=0.0)
NASTY = ReviewFinding(
    "nda",
    "nasty",
    "<b>Nasty</b> & co",
    "]]> \" ' `code` *bold* [link](http://example.com)",
    "<script>alert(1)</script>\x00\x0b\x1b]8;; \ufffe \ud800",
    '=HYPERLINK("http://example.com")',
    page_index=0,
    page_label="1",
    comment="@SUM(1)",
)
ONE = ReviewReport(
    "NDA & more",
    date(2026, 3, 1),
    (ReviewedDocument("lease <1>.pdf", (TERM, LAW, NASTY), "starter", "exact"),),
)
TWO = replace(
    ONE,
    documents=(
        ReviewedDocument("a.pdf", (LAW, TERM), "starter", "exact"),
        ReviewedDocument("b.pdf", (NASTY, replace(TERM, answer="Six years")), "starter", "sparse"),
    ),
)
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def test_the_cells_of_one_document() -> None:
    table = table_of(ONE)
    assert table.heading == (
        ("Document", "lease <1>.pdf"),
        ("Checklist", "NDA & more"),
        ("Date", "2026-03-01"),
        ("Model", "starter"),
        ("Mode", "exact"),
    )
    assert table.flat_columns == (
        *("Question", "Answer", "Quote", "Page", "Verified", "Confidence", "Status", "Comment"),
    )
    assert table.flat_rows[0] == (
        *("Term\nHow long?", "Five years\nfrom signing", "five (5) years", "5 (printed iii)"),
        *("yes", "93%", "accepted", "Check | twice"),
    )
    assert table.flat_rows[1][3:6] == ("", "no", "0%")
    assert table.flat_rows[2][3] == "1"


def test_two_documents_stand_side_by_side_by_question() -> None:
    table = table_of(TWO)
    assert [row.question.split("\n")[0] for row in table.rows] == [
        "Governing law",
        "Term",
        "<b>Nasty</b> & co",
    ]
    assert [[group[0] for group in row.groups] for row in table.rows[:2]] == [
        ["纽约州法律", ""],
        ["Five years\nfrom signing", "Six years"],
    ]
    assert table.rows[2].groups[0] == ("",) * 7
    assert table.heading[0][1] == "a.pdf; b.pdf"
    assert table.heading[3][1] == "starter"
    assert table.heading[4][1] == "exact; sparse"
    assert table.flat_columns[1] == "Answer (a.pdf)"
    assert table.flat_columns[8] == "Answer (b.pdf)"


def test_the_words_of_a_report_can_be_in_another_language() -> None:
    labels = Labels(question="问题", yes="是", page_and_label="第{ordinal}页（印刷页码{label}）")
    table = table_of(replace(ONE, labels=labels))
    assert table.question_column == "问题"
    assert table.rows[0].groups[0][2:4] == ("第5页（印刷页码iii）", "是")


@pytest.mark.parametrize("report", [ONE, TWO], ids=["one", "two"])
def test_markdown_is_one_table_without_foreign_markup(report: ReviewReport) -> None:
    text = render_report(report, ".md").decode("utf-8")
    assert text.startswith("# NDA &amp; more\n")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    num_columns = len(table_of(report).flat_columns)
    assert len(rows) == 2 + 3
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {num_columns + 1}
    assert "Check \\| twice" in text
    assert "Five years<br>from signing" in text
    assert "<script" not in text.replace("\\<", "")
    assert "[link]" not in text


@pytest.mark.parametrize("report", [ONE, TWO], ids=["one", "two"])
def test_csv_reads_back_and_holds_no_formula(report: ReviewReport) -> None:
    raw = render_report(report, ".csv")
    assert raw.startswith(b"\xef\xbb\xbf")
    lines = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    table = table_of(report)
    assert lines[1] == ["Checklist", "NDA & more"]
    assert lines[5] == []
    assert lines[6] == list(table.flat_columns)
    assert [line[0] for line in lines[7:9]] == [row[0] for row in table.flat_rows[:2]]
    assert "'@SUM(1)" in lines[9]
    assert "'" + NASTY.quote in lines[9]
    assert not [cell for line in lines for cell in line if cell.lstrip()[:1] in tuple("=+-@")]


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@a", "\t=1", " =1", "\n=1", "\r1", "＝1", "＋1", "－1", "＠a"]
)
def test_every_beginning_of_a_formula_is_made_plain(text: str) -> None:
    report = replace(ONE, documents=(replace(ONE.documents[0], findings=(replace(TERM, answer=text),)),))
    lines = list(csv.reader(io.StringIO(render_report(report, ".csv").decode("utf-8-sig"), newline="")))
    assert lines[7][1] == "'" + text


class _Cells(HTMLParser):
    """The texts of table cells, and every element and attribute there is."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.addresses += [value for name, value in attrs if name in ("href", "src")]
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


@pytest.mark.parametrize("report", [ONE, TWO], ids=["one", "two"])
def test_html_holds_every_cell_and_fetches_nothing(report: ReviewReport) -> None:
    text = render_report(report, ".html").decode("utf-8")
    parser = _Cells()
    parser.feed(text)
    assert not parser.addresses
    assert not parser.tags & {"script", "link", "img", "b", "iframe"}
    assert "prefers-color-scheme: dark" in text
    assert '<html lang="en">' in text
    cells = {cell.strip() for cell in parser.cells}
    assert {"Five years\nfrom signing", "纽约州法律", "Check | twice"} <= cells
    assert '=HYPERLINK("http://example.com")' in cells
    assert not re.search(r"[\x00\x0b\x1b]", text)


def _docx(report: ReviewReport) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(render_report(report, ".docx"))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("report", [ONE, TWO], ids=["one", "two"])
def test_the_parts_of_a_word_file_fit_together(report: ReviewReport) -> None:
    parts = _docx(report)
    trees = {name: ElementTree.fromstring(content) for name, content in parts.items()}
    types = trees["[Content_Types].xml"]
    defaults = {item.get("Extension") for item in types if item.tag.endswith("Default")}
    overrides = {(item.get("PartName") or "").lstrip("/") for item in types if item.tag.endswith("Override")}
    assert overrides <= parts.keys()
    assert all(name in overrides or name.rpartition(".")[2] in defaults for name in parts)
    for name, tree in trees.items():
        if name.endswith(".rels"):
            folder = name.split("_rels/")[0]
            assert all(folder + (item.get("Target") or "") in parts for item in tree)
            ids = [item.get("Id") for item in tree]
            assert len(set(ids)) == len(ids)
    styles = {style.get(f"{WORD}styleId") for style in trees["word/styles.xml"].iter(f"{WORD}style")}
    used = {
        item.get(f"{WORD}val")
        for tag in ("pStyle", "tblStyle")
        for item in trees["word/document.xml"].iter(f"{WORD}{tag}")
    }
    based = {item.get(f"{WORD}val") for item in trees["word/styles.xml"].iter(f"{WORD}basedOn")}
    assert used
    assert used | based <= styles


@pytest.mark.parametrize("report", [ONE, TWO], ids=["one", "two"])
def test_every_row_of_a_word_table_fills_its_grid(report: ReviewReport) -> None:
    document = ElementTree.fromstring(_docx(report)["word/document.xml"])
    (table,) = document.iter(f"{WORD}tbl")
    grid = [int(column.get(f"{WORD}w") or 0) for column in table.iter(f"{WORD}gridCol")]
    assert len(grid) == len(table_of(report).flat_columns)
    (size,) = document.iter(f"{WORD}pgSz")
    assert sum(grid) <= int(size.get(f"{WORD}w") or 0) - 1440
    rows = list(table.iter(f"{WORD}tr"))
    for row in rows:
        spans = [next(cell.iter(f"{WORD}gridSpan"), None) for cell in row.iter(f"{WORD}tc")]
        assert sum(1 if span is None else int(span.get(f"{WORD}val") or 0) for span in spans) == len(grid)
        assert all(cell[-1].tag == f"{WORD}p" for cell in row.iter(f"{WORD}tc")), (
            "Word wants a paragraph last"
        )
    body = ["".join(text.text or "" for text in row.iter(f"{WORD}t")) for row in rows]
    assert sum(1 for row in rows if row.find(f"{WORD}trPr/{WORD}tblHeader") is not None) == len(
        report.documents
    )
    assert any("Five yearsfrom signing" in line for line in body)


def test_a_word_file_can_be_read_by_another_program() -> None:
    content = render_report(ONE, ".docx")
    with pymupdf.open(stream=content, filetype="docx") as document:
        text = " ".join(" ".join(page.get_text() for page in document).split())
    for word in (
        "NDA & more",
        "2026-03-01",
        "Five years",
        "5 (printed iii)",
        "<script>alert(1)</script>",
        "93%",
    ):
        assert word in text
    assert content == render_report(ONE, ".docx"), "equal reports give equal files"


@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_a_report_is_written_whole_or_not_at_all(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"report{suffix.upper()}"
    path.write_text("older")

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("core.review.export.writer.os.fsync", fail)
        with pytest.raises(ExportError, match="No space left"):
            export_report(ONE, path)
    assert path.read_text() == "older"
    export_report(ONE, path)
    assert path.read_bytes() == render_report(ONE, suffix)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_other_endings_and_absent_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(".md, .csv, .docx or .html")):
        export_report(ONE, tmp_path / "report.pdf")
    with pytest.raises(ExportError, match="cannot be saved"):
        export_report(ONE, tmp_path / "absent" / "report.md")
    assert list(tmp_path.iterdir()) == []
