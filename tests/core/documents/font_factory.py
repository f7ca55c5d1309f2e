"""Fonts whose maps to characters are missing, wrong or made up."""

import pymupdf

SIZE = 11


def add_stream(pdf: pymupdf.Document, content: bytes) -> str:
    """A new stream of the file, as a reference to it."""
    number = pdf.get_new_xref()
    pdf.update_object(number, "<<>>")
    pdf.update_stream(number, content)
    return f"{number} 0 R"


def with_font(font: str, content: bytes, to_unicode: bytes = b"") -> pymupdf.Document:
    """A page that draws `content` with /F of the dictionary `font`, in which {map} is `to_unicode`."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    number = pdf.get_new_xref()
    pdf.update_object(number, font.replace("{map}", add_stream(pdf, to_unicode)))
    pdf.xref_set_key(page.xref, "Contents", add_stream(pdf, content))
    pdf.xref_set_key(page.xref, "Resources", f"<</Font<</F {number} 0 R>>>>")
    return pdf


def unicode_map(targets: dict[int, str], code_bytes: int = 1) -> bytes:
    """A ToUnicode map from codes to text."""
    low, high = "00" * code_bytes, "ff" * code_bytes
    rows = "\n".join(
        f"<{code:0{2 * code_bytes}x}> <{text.encode('utf-16-be').hex()}>" for code, text in targets.items()
    )
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
        f"1 begincodespacerange <{low}> <{high}> endcodespacerange\n"
        f"{len(targets)} beginbfchar\n{rows}\nendbfchar\nendcmap end end"
    ).encode()


def mapped(lines: tuple[str, ...], targets: dict[str, str]) -> pymupdf.Document:
    """Lines in Helvetica whose map gives some letters another meaning."""
    codes = {ord(letter): letter for line in lines for letter in line}
    table = unicode_map({code: targets.get(letter, letter) for code, letter in codes.items()})
    shown = " ".join(f"({line}) Tj T*" for line in lines)
    content = f"BT /F 11 Tf 14 TL 50 760 Td {shown} ET".encode("latin-1")
    return with_font("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode {map}>>", content, table)


def embedded(text: str) -> tuple[pymupdf.Document, int]:
    """Chinese with an embedded font, and the font's object."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    writer = pymupdf.TextWriter(page.rect)
    font = pymupdf.Font("cjk")
    for number in range(12):
        writer.append((50, 80 + 16 * number), text, font=font, fontsize=SIZE)
    writer.write_text(page)
    pdf.subset_fonts()
    return pdf, page.get_fonts()[0][0]
