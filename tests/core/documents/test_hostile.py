"""Files made to deceive or to break a reader: nothing hidden is read, all that is visible is, and soon."""

import os
import signal
import sys
import time
import zlib
from pathlib import Path

import pytest

from core.documents.encodings import decoded
from core.documents.layout import WarningKind
from core.documents.limits import Limits
from core.documents.memory_limit import MAX_BYTES
from core.documents.token_map import render_for_model
from core.documents.worker import DocumentWorker
from core.errors import DocumentError
from tests.core.documents.hostile_factory import (
    BROKEN_FONT,
    HIDDEN,
    OPEN,
    SECRET,
    SEEN,
    VISIBLE,
    docx,
    form,
    heap,
    page,
    paragraph,
    protected_epub,
    written,
)
from tests.core.documents.plain_pdf import page_objects, write_pdf
from tests.core.documents.test_large_files import peak_bytes

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits memory")


@pytest.mark.parametrize("how", HIDDEN)
def test_no_way_to_hide_text_brings_it_to_the_model(worker: DocumentWorker, tmp_path: Path, how: str) -> None:
    document = worker.read(page(tmp_path / "lease.pdf", *HIDDEN[how]))
    assert document.pages[0].text == OPEN
    assert SECRET not in render_for_model([document]).text
    if how != "in_a_mask":
        [warning] = document.pages[0].warnings
        assert warning.kind is WarningKind.HIDDEN_TEXT
        assert SECRET in warning.message


def test_very_much_hidden_text_is_hidden_too(worker: DocumentWorker, tmp_path: Path) -> None:
    document = worker.read(page(tmp_path / "lease.pdf", _unpainted(num_lines=300)))
    assert document.pages[0].text == OPEN


def test_more_than_can_be_looked_at_is_told(worker: DocumentWorker, tmp_path: Path) -> None:
    [only] = worker.read(page(tmp_path / "lease.pdf", _unpainted(num_lines=2_500))).pages
    assert OPEN in only.text
    assert any("could not be checked for hidden text" in warning.message for warning in only.warnings)


def _unpainted(num_lines: int) -> bytes:
    """Lines of 96 letters each that are not painted."""
    return b"".join(
        [written("Zebra " * 16, 40, 20 + 200 * n / num_lines, 3, b"3 Tr") for n in range(num_lines)]
    )


@pytest.mark.parametrize("how", VISIBLE)
def test_text_that_shows_is_read(worker: DocumentWorker, tmp_path: Path, how: str) -> None:
    [only] = worker.read(page(tmp_path / "lease.pdf", *VISIBLE[how])).pages
    assert only.text == f"{OPEN}\n{SEEN}"
    assert only.warnings == ()


@pytest.mark.parametrize("kind", ["one_place", "one_word", "all_over"])
def test_a_heap_of_text_is_read_in_time(worker: DocumentWorker, tmp_path: Path, kind: str) -> None:
    path = page(tmp_path / "heap.pdf", heap(kind, 8_000))
    started = time.perf_counter()
    [only] = worker.read(path).pages
    assert time.perf_counter() - started < 15
    assert "pays" in only.text
    if kind != "one_word":
        assert len({word for word in only.text.split() if word.startswith("word")}) > 7_500
    assert only.text.count("rent now") <= 1


@on_linux
def test_a_small_page_that_unpacks_to_gigabytes_is_given_up(tmp_path: Path) -> None:
    packed = zlib.compress(written("a" * 25_000_000), 9)
    objects = page_objects(2)
    objects[4] = b"<</Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream" % (len(packed), packed)
    path = write_pdf(tmp_path / "bomb.pdf", objects)
    with DocumentWorker(Limits(page_s=60)) as worker:
        document = worker.read(path)
        assert peak_bytes(worker.process_id) < 1.2 * MAX_BYTES
    assert "more memory" in document.pages[0].warnings[0].message
    assert "Clause 29 of page 1" in document.pages[1].text


def test_a_form_that_draws_itself_ends(worker: DocumentWorker, tmp_path: Path) -> None:
    inner = form(b"/X Do " + written(SEEN))
    path = page(tmp_path / "loop.pdf", b"/X Do", b"/XObject<</X 6 0 R>>", (inner, inner))
    assert worker.read(path).pages[0].text == f"{OPEN}\n{SEEN}"


@pytest.mark.skipif(os.name == "nt", reason="signals are not for Windows")
def test_a_process_ended_from_outside_costs_no_page(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "long.pdf", page_objects(60))
    with DocumentWorker() as worker:
        killed: list[int] = []

        def end_it(done: int, _: int) -> None:
            if done == 20 and not killed and worker.process_id is not None:
                killed.append(worker.process_id)
                os.kill(worker.process_id, signal.SIGKILL)

        document = worker.read(path, on_progress=end_it)
    assert killed
    assert document.all_warnings == ()
    assert all(f"Clause 29 of page {number} " in only.text for number, only in enumerate(document.pages))


RUSSIAN = "Арендатор платит за квартиру в первый день каждого месяца.\n"
JAPANESE = "賃借人は毎月末日までに賃料を支払うものとする。\n"
TRADITIONAL = "承租人應於每月第一日支付租金，本合約自簽署日起生效。\n"
ENGLISH = "The tenant pays the rent on the first day of every month.\nThe second sentence.\n"
ENCODED = [
    *[(ENGLISH, encoding) for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")],
    *[(RUSSIAN, encoding) for encoding in ("utf-16-le", "koi8-r", "cp1251", "cp866", "iso8859-5")],
    *[(JAPANESE, encoding) for encoding in ("utf-16-be", "shift-jis", "euc-jp", "iso2022-jp")],
    *[(TRADITIONAL, encoding) for encoding in ("utf-16-le", "big5")],
    ("承租人应于每月第一日支付租金，本合同自签署日起生效。\n", "gb18030"),
    ("임차인은 매월 첫째 날에 임대료를 지불해야 합니다.\n", "euc-kr"),
    ("Ο μισθωτής καταβάλλει το μίσθωμα την πρώτη ημέρα.\n", "cp1253"),
    ("השוכר ישלם את דמי השכירות ביום הראשון\n", "cp1255"),
    ("يدفع المستأجر الأجرة في أول كل شهر\n", "cp1256"),
    ("Najemca płaci czynsz. Zażółć gęślą jaźń.\n", "cp1250"),
    ("Nájemce platí první den. Příliš žluťoučký kůň.\n", "iso8859-2"),
    ("Kiracı kirayı öder. Şişli'de ığdır.\n", "cp1254"),
    ("Der Mieter zahlt für die Räume; größer, Übergabe.\n", "cp1252"),
    ("Le locataire paie à la fin de l’année, où qu’il soit: été.\n", "cp1252"),
]


@pytest.mark.parametrize(("text", "encoding"), ENCODED)
def test_text_of_any_encoding_is_read(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) == text


def test_wide_text_without_a_mark_is_read(worker: DocumentWorker, tmp_path: Path) -> None:
    path = tmp_path / "lease.txt"
    path.write_bytes(ENGLISH.encode("utf-16-le"))
    assert worker.read(path).pages[0].text.split() == ENGLISH.split()


@pytest.mark.parametrize(
    ("charset", "text"), [("windows-1251", RUSSIAN), ("Shift_JIS", JAPANESE), ("iso-8859-1", "Für Müller")]
)
def test_html_is_read_in_the_encoding_that_it_names(
    worker: DocumentWorker, tmp_path: Path, charset: str, text: str
) -> None:
    path = tmp_path / "page.html"
    head = f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}"></head>'
    path.write_bytes(f"{head}<body><p>{text}</p></body></html>".encode(charset))
    assert worker.read(path).pages[0].text == text.strip()


@pytest.mark.parametrize("charset", ["utf-16", "punycode", "no-such-name"])
def test_an_encoding_that_cannot_be_is_not_believed(
    worker: DocumentWorker, tmp_path: Path, charset: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        f'<html><head><meta charset="{charset}"></head><body><p>{OPEN}</p></body></html>', "utf-8"
    )
    assert worker.read(path).pages[0].text == OPEN


def test_one_bad_byte_spoils_one_letter() -> None:
    text = "Für die Wärme zahlt der Mieter zusätzlich. " * 4
    assert decoded(text.encode() + b"\xff") == f"{text}\ufffd"


def test_what_refers_to_nothing_does_not_spoil_a_page(worker: DocumentWorker, tmp_path: Path) -> None:
    font = page(tmp_path / "font.pdf", b"", b"/X 99 0 R", (BROKEN_FONT,))
    layers = b"/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>"
    layer = page(tmp_path / "layer.pdf", b"", b"/X 99 0 R/Y 0 0 R", (b"<</Type/OCG/Name(n)>>",), layers)
    for path in (font, layer):
        assert worker.read(path).pages[0].text == OPEN


def test_a_word_without_end_is_read_whole(worker: DocumentWorker, tmp_path: Path) -> None:
    path = tmp_path / "key.txt"
    path.write_text(f"The key is\n{'0123456789' * 300}\nand ends here.", "utf-8")
    text = "".join("".join(only.text.split()) for only in worker.read(path).pages)
    assert "0123456789" * 300 in text


def test_what_word_does_not_show_is_listed_and_not_read(worker: DocumentWorker, tmp_path: Path) -> None:
    moved = f"<w:p><w:moveFrom>{paragraph('Gone')[16:-6]}</w:moveFrom></w:p>"
    body = (
        paragraph(OPEN)
        + paragraph("StyleSecret", of_paragraph='<w:pStyle w:val="Child"/>')
        + paragraph("A style that shows again.", of_paragraph='<w:pStyle w:val="Shown"/>')
        + paragraph("A run that shows again.", '<w:rStyle w:val="Hid"/><w:vanish w:val="0"/>')
        + paragraph("TinySecret", '<w:sz w:val="1"/>')
        + paragraph("WhiteSecret", '<w:color w:val="FFFFFF"/>')
        + paragraph("White on blue is seen.", '<w:color w:val="FFFFFF"/><w:shd w:fill="1F3864"/>')
        + moved
        + '<w:p><w:r><w:t>Noted</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    styles = (
        '<w:styles NS><w:style w:styleId="Hid"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:styleId="Child"><w:basedOn w:val="Hid"/></w:style>'
        '<w:style w:styleId="Shown"><w:basedOn w:val="Hid"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>'
        "</w:styles>"
    )
    note = paragraph("Rent means the base rent.") + paragraph("NoteSecret", "<w:vanish/>") + paragraph("Net.")
    notes = f'<w:footnotes NS><w:footnote w:id="2">{note}</w:footnote></w:footnotes>'
    path = docx(tmp_path / "lease.docx", body, {"styles.xml": styles, "footnotes.xml": notes})
    document = worker.read(path)
    text = document.pages[0].text
    assert OPEN in text
    assert "White on blue is seen." in text
    assert "A style that shows again." in text
    assert "A run that shows again." in text
    assert "(1) Rent means the base rent. Net." in text
    assert "Secret" not in text
    assert "Gone" not in text
    [warning] = document.warnings
    assert "StyleSecret … TinySecret … WhiteSecret … NoteSecret" in warning.message


def test_a_file_is_what_it_holds_not_what_it_is_called(worker: DocumentWorker, tmp_path: Path) -> None:
    assert worker.read(docx(tmp_path / "a.pdf", paragraph(OPEN))).pages[0].text == OPEN
    assert worker.read(page(tmp_path / "b.docx", b"")).pages[0].text == OPEN
    for name, content in (
        ("c.pdf", b"<html><p>no PDF</p></html>"),
        ("d.pdf", b"\x89PNG\r\n\x1a\n" + bytes(90)),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DocumentError) as caught:
            worker.read(tmp_path / name)
        assert caught.value.title == "Not a PDF"


def test_a_protected_book_is_refused_and_one_with_encrypted_fonts_read(
    worker: DocumentWorker, tmp_path: Path
) -> None:
    with pytest.raises(DocumentError) as caught:
        worker.read(protected_epub(tmp_path / "locked.epub", "c.xhtml"))
    assert caught.value.title == "Copy-protected book"
    assert worker.read(protected_epub(tmp_path / "open.epub", "fonts/Serif.otf")).pages[0].text == OPEN
