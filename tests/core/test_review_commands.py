"""`lectern review` as scripts see it, with a tiny model that answers nonsense quickly."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.console import JsonConsole
from core.library.library import Library

CHECKLIST = """
title.en = "Two things"
title.zh_CN = "两件事"
[[questions]]
id = "rent"
title.en = "Rent"
title.zh_CN = "租金"
question.en = "How much is the rent?"
question.zh_CN = "租金是多少"
[[questions]]
id = "term"
title = "Term"
question = "How long is the term?"
"""

Review = Callable[..., tuple[int, list[dict[str, Any]]]]


def write_pdf(path: Path, text: str) -> Path:
    """One page with one line."""
    stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET"
    fonts = "/Font << /F1 5 0 R >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << {fonts} >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{len(body)}\n"
    end = f"xref\n0 6\n0000000000 65535 f \n{table}{trailer}"
    path.write_text(f"{body}{end}%%EOF\n", encoding="ascii")
    return path


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "lease.pdf", "The rent is 900 pounds a month.")


@pytest.fixture
def review(
    tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Review:
    """Runs the command with a data folder of its own: the exit code and what it printed."""
    for name in ("LECTERN_DATA_DIR", "LECTERN_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "data"))
    checklist = tmp_path / "two.toml"
    checklist.write_text(CHECKLIST, encoding="utf-8")

    def run(*arguments: str | Path) -> tuple[int, list[dict[str, Any]]]:
        exit_code = main(
            [
                "review",
                *map(str, arguments),
                *("--checklist", str(checklist), "--model", str(tiny_folder), "--json"),
                *("--max-new-tokens", "6"),
            ]
        )
        return exit_code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def of_kind(lines: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["event"] == name]


def test_each_finding_is_a_line_and_is_in_the_library(review: Review, lease: Path, tmp_path: Path) -> None:
    other = write_pdf(tmp_path / "other.pdf", "The barge is for sale.")
    report = tmp_path / "report.csv"
    exit_code, lines = review(lease, other, "--export", report)
    assert exit_code == 0
    found = of_kind(lines, "finding")
    assert {(line["document"], line["question_id"]) for line in found} == {
        (document, question) for document in ("lease.pdf", "other.pdf") for question in ("rent", "term")
    }
    assert found[0].keys() >= {
        *("title", "question", "answer", "quote", "page_index", "page_label", "verified", "confidence"),
        *("status", "not_found", "citations", "reason"),
    }
    finished = lines[-1]
    assert (finished["event"], finished["num_findings"], finished["num_failed"]) == ("finished", 4, 0)
    assert finished["export"] == str(report)
    head, *rows = report.read_text(encoding="utf-8-sig").splitlines()
    assert "Answer (lease.pdf)" in head + "".join(rows)
    with Library.open() as library:
        for document in library.documents.all():
            stored = library.findings.of(document.document_id, "two")
            printed = {
                line["question_id"]: line["answer"] for line in found if line["document"] == document.name
            }
            assert {one.finding.question_id: one.finding.answer for one in stored} == printed


def test_in_chinese_and_without_the_library(review: Review, lease: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    exit_code, lines = review(lease, "--language", "zh", "--no-library", "--export", report)
    assert exit_code == 0
    assert {line["title"] for line in of_kind(lines, "finding")} == {"租金", "Term"}
    text = report.read_text(encoding="utf-8")
    assert "两件事" in text
    assert "答案" in text
    assert not (tmp_path / "data" / "library.db").exists()


def test_a_stop_keeps_and_exports_what_is_done(
    review: Review, lease: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C as soon as the first file's findings are there, while a second file is still to come."""
    other, report = write_pdf(tmp_path / "other.pdf", "The barge is for sale."), tmp_path / "report.html"
    told = JsonConsole.record
    num_told = 0

    def record(self: JsonConsole, name: str, text: str, fields: dict[str, Any]) -> None:
        nonlocal num_told
        told(self, name, text, fields)
        num_told += 1
        if num_told == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(JsonConsole, "record", record)
    exit_code, lines = review(lease, other, "--export", report)
    assert exit_code == 130
    assert [line["document"] for line in of_kind(lines, "finding")] == ["lease.pdf", "lease.pdf"]
    assert lines[-1]["num_findings"] == 2
    assert "lease.pdf" in report.read_text(encoding="utf-8")
    assert "other.pdf" not in report.read_text(encoding="utf-8")


def test_a_library_that_cannot_be_opened_is_said_once(review: Review, lease: Path, tmp_path: Path) -> None:
    (tmp_path / "data" / "library.db").mkdir(parents=True)
    exit_code, lines = review(lease)
    assert exit_code == 0
    (note,) = [line["text"] for line in of_kind(lines, "note")]
    assert "not kept in the library" in note
    assert len(of_kind(lines, "finding")) == 2


def test_what_cannot_be_written_is_wrong_usage_before_any_work(
    review: Review, lease: Path, tmp_path: Path
) -> None:
    for place in (tmp_path / "report.pdf", tmp_path / "nowhere" / "report.md"):
        exit_code, lines = review(lease, "--export", place)
        assert exit_code == 2
        assert [line["event"] for line in lines] == ["finished"]


def test_questions_that_find_no_room_fail_with_their_own_exit_code(
    review: Review, lease: Path, tmp_path: Path
) -> None:
    (tmp_path / "two.toml").write_text(
        '[[questions]]\nid = "long"\nquestion = "' + "What? " * 200 + '"\n', encoding="utf-8"
    )
    exit_code, lines = review(lease, "--max-seq-len", "1000")
    (failed,) = of_kind(lines, "failed")
    assert (failed["question_id"], failed["error"]["exit_code"]) == ("long", 4)
    assert (exit_code, lines[-1]["num_failed"], lines[-1]["num_findings"]) == (4, 1, 0)
