"""The real files beside some checkouts: each row says what must come out of one of them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.layout import Document, WarningKind
from core.documents.worker import DocumentWorker
from core.errors import DocumentError, PasswordRequiredError, WrongPasswordError

Check = Callable[[Document], bool]


def pages_with(document: Document, kind: WarningKind) -> list[int]:
    """Ordinal numbers of the pages that carry a warning."""
    return [w.page_index + 1 for w in document.all_warnings if w.kind is kind and w.page_index is not None]


def kinds(document: Document) -> list[WarningKind]:
    return [warning.kind for warning in document.all_warnings]


def in_order(document: Document, page_index: int, *parts: str) -> bool:
    places = [document.pages[page_index].text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


OPENED: list[tuple[str, str | None, Check]] = [
    ("enc_user_r6_asdfzxcv.pdf", "asdfzxcv", lambda d: "encryption" in d.pages[0].text.lower()),
    ("enc_user_r2_rc4_40_asdfzxcv.pdf", "asdfzxcv", lambda d: d.has_text),
    ("enc_user_nonascii_aeoa.pdf", "æøå", lambda d: d.pages[0].text == "Issue 6010"),
    ("enc_user_password.pdf", "password", lambda d: "File with password" in d.pages[0].text),
    ("enc_user_and_damaged_test.pdf", "test", lambda d: WarningKind.REPAIRED in kinds(d)),
    ("enc_owner_r6_only.pdf", None, lambda d: d.has_text),
    ("enc_copy_not_permitted_2p.pdf", None, lambda d: kinds(d) == [WarningKind.COPY_NOT_PERMITTED]),
    ("bad_garbage_header.pdf", None, lambda d: kinds(d) == [WarningKind.REPAIRED] and d.has_text),
    ("font_thuluth_no_unicode.pdf", None, lambda d: kinds(d) == [WarningKind.GARBLED_TEXT]),
    ("rtl_habibi_1p.pdf", None, lambda d: "habibi" in d.pages[0].text and "حَبيبي" in d.pages[0].text),
    ("ligatures_search_1p.pdf", None, lambda d: d.pages[0].text.count("'flag'") == 2),
    ("blank_page_between_4p.pdf", None, lambda d: pages_with(d, WarningKind.BLANK) == [2]),
    ("blank_page_between_4p.pdf", None, lambda d: "intentionally left blank" in d.pages[2].text),
    ("contract_mplx_transport_26p.pdf", None, lambda d: pages_with(d, WarningKind.BLANK) == [26]),
    (
        "contract_metavante_outsourcing_47p_nbsp.pdf",
        None,
        lambda d: (
            pages_with(d, WarningKind.BLANK) == [8, 13, 18] and "\xa0" not in "".join(p.text for p in d.pages)
        ),
    ),
    ("scan_linn_1p_no_text.pdf", None, lambda d: kinds(d) == [WarningKind.SCAN] and not d.has_text),
    ("scan_slides_44p_no_text.pdf", None, lambda d: len(pages_with(d, WarningKind.SCAN)) == 44),
    (
        "scan_mixed_45p_9_image_pages.pdf",
        None,
        lambda d: pages_with(d, WarningKind.SCAN) == [2, 3, 4, 5, 34, 35, 36, 41, 42],
    ),
    ("huge_page_poster_1p.pdf", None, lambda d: kinds(d) == [WarningKind.SCAN]),
    (
        "labels_roman_11p.pdf",
        None,
        lambda d: [p.label for p in d.pages] == ["i", "ii", "iii", "iv", "1", "2", "3", "a", "b", "4", "5"],
    ),
    ("labels_bad_1p.pdf", None, lambda d: d.pages[0].label == "1"),
    ("outline_nested_9p.pdf", None, lambda d: len(d.outline) == 9),
    ("gov_rfp_traca_3p.pdf", None, lambda d: len(d.outline) == 5),
    ("tagged_2p.pdf", None, lambda d: len(d.outline) == 2),
    ("cjk_vertical_ja.pdf", None, lambda d: d.pages[0].text.replace("\n", "") == "あいうえお日本語"),
    ("cjk_noembed_eucjp.pdf", None, lambda d: d.pages[0].text == "あいうえお"),
    ("cjk_dup_overlapping_2p.pdf", None, lambda d: d.has_text),
    (
        "multilang_1p.pdf",
        None,
        lambda d: all(w in d.pages[0].text for w in ("مرحبا", "Привет, мир", "你好世界")),
    ),
    ("fake_bold_double_strike.pdf", None, lambda d: "\nBOLD TEXT SAMPLE\n" in d.pages[0].text),
    ("userunit_1p.pdf", None, lambda d: (d.pages[0].width, d.pages[0].height) == (1836, 2376)),
    ("twocol_latex_sample_3p.pdf", None, lambda d: in_order(d, 0, "Abstract", "Nam dui ligula", "Quisque")),
    (
        "twocol_math_astro_1p.pdf",
        None,
        lambda d: in_order(
            d, 0, "MeerKAT, e-MERLIN", "3.1.2 e-MERLIN", "3.1.3 MeerKAT", "3.2 Swift", "3.3 H.E.S.S."
        ),
    ),
    ("twocol_tracemonkey_14p.pdf", None, lambda d: "difficult to compile than" in d.pages[0].text),
    ("twocol_tracemonkey_14p.pdf", None, lambda d: "trace-compilation" in d.pages[1].text),
    ("twocol_tracemonkey_14p.pdf", None, lambda d: "non-negligible" in d.pages[8].text),
    (
        "twocol_tracemonkey_14p.pdf",
        None,
        lambda d: in_order(
            d, 0, "Abstract", "1. Introduction", "and is used for the", "Compilers for statically"
        ),
    ),
    (
        "linenumbers_scotus_transcript_1p.pdf",
        None,
        lambda d: "for oral argument before the Supreme Court" in d.pages[0].text,
    ),
    ("table_nics_rotated90_1p.pdf", None, lambda d: "Alaska 209 3,062 3,209 191 184" in d.pages[0].text),
    (
        "rotated_0_90_180_270_4p.pdf",
        None,
        lambda d: all(
            p.text.split("\n")[3] == "cell[3][0] cell[3][1] cell[3][2] cell[3][3] cell[3][4]"
            for p in d.pages[:3]
        ),
    ),
    ("active_launch_action.pdf", None, lambda d: "Hello World" in d.pages[0].text),
    ("active_javascript_openaction.pdf", None, lambda d: not d.has_text),
    ("header_footer_1p.pdf", None, lambda d: in_order(d, 0, "I Am A Header", "I Am A Footer")),
    ("cropbox_offset_10_2p.pdf", None, lambda d: d.has_text),
]

REFUSED: list[tuple[str, str | None, type[DocumentError]]] = [
    ("bad_zero_bytes.pdf", None, DocumentError),
    ("bad_not_a_pdf.pdf", None, DocumentError),
    ("bad_zero_pages_redhat.pdf", None, DocumentError),
    ("bad_zero_pages_2p8MB_meta.pdf", None, DocumentError),
    ("bad_page_count_wrong.pdf", None, DocumentError),
    ("bad_no_catalog.pdf", None, DocumentError),
    ("enc_aes256_empty_pw_fails.pdf", None, DocumentError),
    ("enc_unknown_password.pdf", None, PasswordRequiredError),
    ("enc_unknown_password.pdf", "guess", WrongPasswordError),
    ("enc_user_password.pdf", "wrong", WrongPasswordError),
]

ON_THE_INK = [
    ("rotated_90_1p.pdf", 0),
    ("rotated_0_90_180_270_4p.pdf", 1),
    ("rotated_0_90_180_270_4p.pdf", 3),
    ("cropbox_offset_10_2p.pdf", 0),
    ("userunit_1p.pdf", 0),
    ("table_nics_rotated90_1p.pdf", 0),
    ("cjk_vertical_ja.pdf", 0),
]


@pytest.mark.parametrize(("name", "password", "check"), OPENED, ids=[row[0] for row in OPENED])
def test_opened(
    worker: DocumentWorker, shared_cases: Path, name: str, password: str | None, check: Check
) -> None:
    assert check(worker.read(shared_cases / "pdf" / name, password))


@pytest.mark.parametrize(("name", "password", "error"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refused(
    worker: DocumentWorker, shared_cases: Path, name: str, password: str | None, error: type[DocumentError]
) -> None:
    with pytest.raises(DocumentError) as caught:
        worker.read(shared_cases / "pdf" / name, password)
    assert type(caught.value) is error
    assert caught.value.title
    assert name in caught.value.message


@pytest.mark.parametrize(("name", "page_index"), ON_THE_INK)
def test_boxes_lie_on_the_ink(worker: DocumentWorker, shared_cases: Path, name: str, page_index: int) -> None:
    path = shared_cases / "pdf" / name
    page = worker.read(path, pages=[page_index]).pages[0]
    longest = sorted(page.fragments, key=lambda fragment: fragment.start - fragment.end)[:5]
    for fragment in longest:
        box = fragment.bbox
        image = worker.render(path, page_index, 3.0, (box.x0, box.y0, box.x1, box.y1))
        assert min(image.rgb) < 128, page.text[fragment.start : fragment.end]


def test_a_long_law_is_joined_without_blanks(worker: DocumentWorker, shared_cases: Path) -> None:
    document = worker.read(shared_cases / "pdf" / "long_prc_civil_code_zh_234p.pdf", pages=range(98, 103))
    text = document.pages[2].text
    assert "第五百二十七条" in text
    assert "后履行一方有权拒绝其相应的履行请求。" in text


def test_an_absurdly_large_page_is_rendered_small(worker: DocumentWorker, shared_cases: Path) -> None:
    image = worker.render(shared_cases / "pdf" / "huge_page_poster_1p.pdf", 0, 1.0)
    assert image.width * image.height <= 33_000_000
    wide = worker.render(shared_cases / "pdf" / "huge_page_10001_wide_1p.pdf", 0, 1.0)
    assert wide.width >= 10_000
    assert wide.height >= 1
