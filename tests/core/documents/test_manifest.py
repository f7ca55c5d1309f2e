"""Every file of the manifest beside some checkouts behaves as its row says; long files by a few pages."""

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.documents.citations import cite
from core.documents.layout import Document, WarningKind
from core.documents.model_text import model_page_text
from core.documents.worker import DocumentWorker
from core.errors import DocumentError, PasswordRequiredError

Check = Callable[[Document], bool]


@dataclass(frozen=True)
class Row:
    """What must hold of one file; `pages` (0-based) keeps long ones short."""

    check: Check
    pages: Iterable[int] | None = None


def text(document: Document, page_index: int = 0) -> str:
    """What the model reads of a page."""
    return next(model_page_text(page) for page in document.pages if page.page_index == page_index)


def label(document: Document, page_index: int) -> str:
    return next(page.label for page in document.pages if page.page_index == page_index)


def has(document: Document, kind: WarningKind, page_index: int | None = None) -> bool:
    return any(w.kind is kind and w.page_index == page_index for w in document.all_warnings)


def is_clean(document: Document) -> bool:
    return not document.all_warnings and not any(page.hidden for page in document.pages)


def finds(document: Document, quote: str, page_index: int) -> bool:
    """Whether a quote is verified on this page and has boxes to be marked with."""
    [citation] = cite(f'It says "{quote}".', [document])
    return citation.verified and citation.page_index == page_index and bool(citation.rects)


def hidden(document: Document, page_index: int = 0) -> str:
    return " ".join(item.text for item in document.pages[page_index].hidden)


W = WarningKind
ROWS: dict[str, Row] = {
    "long_credit_agreement_ribbon_289p.pdf": Row(
        lambda d: (
            finds(d, "8.1 Events of Default. The occurrence of any of the following", 131)
            and all(f"PDF page {p.page_index + 1}" in p.text.replace("\n", " ") for p in d.pages)
        ),
        (10, 131, 200, 288),
    ),
    "long_mmdetection_manual_468p.pdf": Row(
        lambda d: (
            label(d, 8) == "1"
            and len(d.outline) == 398
            and "DecoupledSOLOHead" in text(d, 335)
            and "YOLACT" in text(d, 228)
        ),
        (8, 228, 335),
    ),
    "long_free_culture_352p.pdf": Row(lambda d: all(p.has_text for p in d.pages), range(60, 66)),
    "long_activision_10k_2019_198p.pdf": Row(is_clean, range(60, 66)),
    "long_adobe_10k_2015_116p.pdf": Row(
        lambda d: len(d.outline) == 76 and "...." not in text(d, 58) and "876,560" in text(d, 58), (58,)
    ),
    "long_nike_10k_2021_109p_ownerpw.pdf": Row(
        lambda d: all("Accrued liabilities" in text(d, i) and "6,063" in text(d, i) for i in (60, 71)),
        (60, 71),
    ),
    "long_prc_civil_code_zh_234p.pdf": Row(
        lambda d: "后履行一方有权拒绝其相应的履行请求。" in text(d, 100) and "第五百二十七条" in text(d, 100),
        (100,),
    ),
    "long_who_hcv_guideline_155p.pdf": Row(
        lambda d: any(label(d, i) != str(i + 1) for i in (2, 40)), (2, 40)
    ),
    "long_usaid_russia_179p.pdf": Row(
        lambda d: has(d, W.UNREADABLE_PAGE, 100) and "\xa0" not in text(d, 156) and not d.pages[1].has_text,
        (2, 100, 156),
    ),
    "damaged_portuguese_survey_113p_18_attachments.pdf": Row(
        lambda d: has(d, W.ATTACHMENTS) and "(18)" in d.warnings[0].message and has(d, W.BLANK, 1), (0, 1, 2)
    ),
    "contract_mplx_transport_26p.pdf": Row(lambda d: has(d, W.BLANK, 25) and len(d.all_warnings) == 1),
    "contract_metavante_outsourcing_47p_nbsp.pdf": Row(
        lambda d: all(has(d, W.BLANK, i) for i in (7, 12, 17)) and "\xa0" not in text(d, 0), range(18)
    ),
    "gov_rfp_traca_3p.pdf": Row(lambda d: len(d.outline) == 5 and d.has_text),
    "twocol_tracemonkey_14p.pdf": Row(
        lambda d: (
            "difficult to compile than" in text(d)
            and "trace-compilation" in text(d, 1)
            and "non-negligible" in text(d, 8)
        ),
        range(9),
    ),
    "twocol_latex_sample_3p.pdf": Row(
        lambda d: text(d).index("Nam dui ligula") < text(d).index("Quisque ullamcorper")
    ),
    "twocol_math_astro_1p.pdf": Row(
        lambda d: text(d).index("3.1.2 e-MERLIN") < text(d).index("3.3 H.E.S.S.")
    ),
    "linenumbers_scotus_transcript_1p.pdf": Row(
        lambda d: "for oral argument before the Supreme Court" in text(d) and "\n14" not in text(d)
    ),
    "header_footer_1p.pdf": Row(lambda d: text(d).startswith("I Am A Header") and "I Am A Footer" in text(d)),
    "table_nics_rotated90_1p.pdf": Row(lambda d: "Alaska 209 3,062 3,209 191 184" in text(d)),
    "table_chinese_1p.pdf": Row(lambda d: "工商银行 330,435.30 234,850.00 95,585.30" in text(d)),
    "rotated_90_1p.pdf": Row(lambda d: finds(d, "Hello", 0) or "Hello" in text(d)),
    "rotated_0_90_180_270_4p.pdf": Row(lambda d: all(finds(d, "cell[3][0] cell[3][1]", 0) for _ in d.pages)),
    "cropbox_offset_10_2p.pdf": Row(
        lambda d: all(f.bbox.x0 >= 0 and f.bbox.x1 <= p.width for p in d.pages for f in p.fragments)
    ),
    "userunit_1p.pdf": Row(lambda d: (d.pages[0].width, d.pages[0].height) == (1836, 2376)),
    "huge_page_poster_1p.pdf": Row(lambda d: has(d, W.SCAN, 0)),
    "huge_page_10001_wide_1p.pdf": Row(lambda d: has(d, W.BLANK, 0)),
    "scan_slides_44p_no_text.pdf": Row(lambda d: not d.has_text and has(d, W.SCAN, 43)),
    "scan_linn_1p_no_text.pdf": Row(lambda d: not d.has_text and has(d, W.SCAN, 0)),
    "scan_mixed_45p_9_image_pages.pdf": Row(
        lambda d: (
            [w.page_index for w in d.all_warnings if w.kind is W.SCAN] == [1, 2, 3, 4, 33, 34, 35, 40, 41]
        )
    ),
    "ocr_layer_vicksburg_6p.pdf": Row(lambda d: has(d, W.OCR_LAYER, 0) and len(text(d)) > 1000, (0, 1)),
    "ocr_layer_hidden_line_1p.pdf": Row(
        lambda d: text(d) == "Visible heading line" and hidden(d) == "Invisible OCR text layer"
    ),
    "enc_user_r6_asdfzxcv.pdf": Row(lambda d: "encryption test" in text(d).lower()),
    "enc_user_r2_rc4_40_asdfzxcv.pdf": Row(lambda d: d.has_text),
    "enc_owner_r6_only.pdf": Row(lambda d: d.has_text),
    "enc_user_nonascii_aeoa.pdf": Row(lambda d: text(d) == "Issue 6010"),
    "enc_user_password.pdf": Row(lambda d: "File with password" in text(d)),
    "enc_user_and_damaged_test.pdf": Row(lambda d: has(d, W.REPAIRED)),
    "enc_copy_not_permitted_2p.pdf": Row(lambda d: has(d, W.COPY_NOT_PERMITTED) and d.has_text),
    "bad_fffd_454_76p.pdf": Row(lambda d: has(d, W.GARBLED_TEXT, 67), (10, 67)),
    "bad_garbage_header.pdf": Row(lambda d: has(d, W.REPAIRED) and d.has_text),
    "cjk_vertical_ja.pdf": Row(lambda d: text(d).replace("\n", "") == "あいうえお日本語"),
    "cjk_noembed_eucjp.pdf": Row(lambda d: text(d) == "あいうえお"),
    "font_thuluth_no_unicode.pdf": Row(lambda d: has(d, W.GARBLED_TEXT, 0) and "\ufffd\ufffd" not in text(d)),
    "cjk_dup_overlapping_2p.pdf": Row(lambda d: "项项目目" not in text(d) and "项目描述" in text(d)),
    "fake_bold_double_strike.pdf": Row(
        lambda d: text(d).count("BOLD TEXT SAMPLE") == 1 and "\nTesting Deduplication\n" in text(d)
    ),
    "ligatures_search_1p.pdf": Row(lambda d: text(d).count("'flag'") == 2),
    "rtl_arabic_mixed_1p.pdf": Row(
        lambda d: text(d).startswith("تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R وPython")
    ),
    "rtl_arabic_garbled_1p.pdf": Row(lambda d: has(d, W.GARBLED_TEXT, 0)),
    "rtl_habibi_1p.pdf": Row(lambda d: "حَبيبي habibi" in text(d) and has(d, W.GARBLED_TEXT, 0)),
    "multilang_1p.pdf": Row(
        lambda d: all(
            words in text(d)
            for words in (
                "Hello World",
                "مرحبا بالعالم",
                "Привет, мир",
                "你好世界",
                "สวัสดีชาวโลก",
                "こんにちは世界",
            )
        )
    ),
    "form_cms1490s_filled_18p.pdf": Row(
        lambda d: "RadioButton6 = Male" in text(d) and "RadioButton7" not in text(d), (0, 1)
    ),
    "form_basic_26_fields.pdf": Row(
        lambda d: "Checkbox-DefaultValue = Yes" in text(d) and text(d).count("= RadioButton01") == 1
    ),
    "form_xfa_dynamic_1p.pdf": Row(lambda d: has(d, W.XFA_FORM, 0) and not d.has_text),
    "annots_comments_14p.pdf": Row(
        lambda d: (
            "Image with a comment" in str(d.pages[0].comments) + str(d.pages[1].comments)
            and "Image with a comment" not in text(d) + text(d, 1)
            and has(d, W.COMMENTS, 0)
        ),
        range(2),
    ),
    "attach_one_image.pdf": Row(lambda d: "image.png" in d.warnings[0].message),
    "attach_annotation.pdf": Row(lambda d: "simple.txt" in d.warnings[0].message),
    "active_launch_action.pdf": Row(lambda d: has(d, W.ACTIVE_CONTENT) and text(d) == "Hello World!"),
    "active_javascript_openaction.pdf": Row(lambda d: has(d, W.ACTIVE_CONTENT) and not d.has_text),
    "active_javascript_cc0.pdf": Row(lambda d: has(d, W.ACTIVE_CONTENT) and len(text(d)) == 18),
    "active_parser_differential_schizo.pdf": Row(lambda d: has(d, W.REPAIRED) and d.has_text),
    "hidden_invisible_mode3.pdf": Row(
        lambda d: not d.has_text and hidden(d) == "http://www.corkami.com" and has(d, W.HIDDEN_TEXT, 0)
    ),
    "hidden_mixed_mode3.pdf": Row(
        lambda d: text(d).replace(" ", "") == "corami" and "www" in hidden(d) and has(d, W.HIDDEN_TEXT, 0)
    ),
    "outline_nested_9p.pdf": Row(lambda d: len(d.outline) == 9),
    "labels_roman_11p.pdf": Row(lambda d: "".join(p.label for p in d.pages) == "iiiiiiiv123ab45"),
    "labels_bad_1p.pdf": Row(lambda d: label(d, 0) == "1"),
    "labels_german_117p.pdf": Row(lambda d: [p.label for p in d.pages] == ["iii", "1"], (2, 3)),
    "pdf20_simple.pdf": Row(lambda d: text(d) == "Hello World"),
    "tagged_2p.pdf": Row(lambda d: len(d.outline) == 2 and "Heading...1" in text(d)),
    "blank_page_between_4p.pdf": Row(
        lambda d: has(d, W.BLANK, 1) and "intentionally left blank" in text(d, 2) and d.num_pages == 4
    ),
}
REFUSED: dict[str, type[DocumentError]] = {
    "enc_unknown_password.pdf": PasswordRequiredError,
    "enc_aes256_empty_pw_fails.pdf": DocumentError,
    "bad_zero_bytes.pdf": DocumentError,
    "bad_not_a_pdf.pdf": DocumentError,
    "bad_zero_pages_redhat.pdf": DocumentError,
    "bad_zero_pages_2p8MB_meta.pdf": DocumentError,
    "bad_page_count_wrong.pdf": DocumentError,
    "bad_no_catalog.pdf": DocumentError,
}


def passwords(folder: Path) -> dict[str, str | None]:
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        return {row["file"]: row["password"] or None for row in csv.DictReader(file, delimiter="\t")}


def test_every_row_has_an_expectation(shared_cases: Path) -> None:
    assert set(passwords(shared_cases)) == set(ROWS) | set(REFUSED)


@pytest.mark.parametrize("name", ROWS)
def test_row(worker: DocumentWorker, shared_cases: Path, name: str) -> None:
    row = ROWS[name]
    document = worker.read(shared_cases / "pdf" / name, passwords(shared_cases)[name], pages=row.pages)
    assert row.check(document)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_row(worker: DocumentWorker, shared_cases: Path, name: str) -> None:
    with pytest.raises(DocumentError) as caught:
        worker.read(shared_cases / "pdf" / name)
    assert type(caught.value) is REFUSED[name]
    assert name in caught.value.message
