"""Files that hide text, pile it up or name things wrongly, written byte by byte."""

import io
import zipfile
from pathlib import Path

from tests.core.documents.plain_pdf import stream, write_pdf

OPEN = "The tenant pays the rent on the first day of every month."
SECRET = "Zebra order praise landlord"
SEEN = "Visible words stay here now"

BAND = b"30 170 350 30 re f "
_GRADIENT = (
    b"<</ShadingType 2/ColorSpace/DeviceRGB/Coords[30 0 380 0]/Extend[true true]"
    b"/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>>>"
)
_GROUP = b"/Group<</S/Transparency/I true>>"


BROKEN_FONT = b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs 999 0 R>>"
"""Letters that a page should draw itself, whose drawings are missing."""


def written(text: str, x: float = 40, y: float = 180, size: float = 12, before: bytes = b"") -> bytes:
    """Operators that write a line."""
    return b"BT %b /F %g Tf %g %g Td (%b) Tj ET " % (before, size, x, y, text.encode())


def form(content: bytes, more: bytes = b"") -> bytes:
    """A form XObject as large as the page; it can use the page's font and whatever is object 7."""
    head = b"/Type/XObject/Subtype/Form/BBox[0 0 400 300]/Resources<</Font<</F 5 0 R>>/XObject<</X 7 0 R>>>>"
    return b"<<%b%b/Length %d>>\nstream\n%b\nendstream" % (head, more, len(content), content)


def page(
    path: Path, content: bytes, resources: bytes = b"", objects: tuple[bytes, ...] = (), catalog: bytes = b""
) -> Path:
    """One page with an open line and `content`; `objects` are numbered from 6."""
    return write_pdf(
        path,
        [
            b"<</Type/Catalog/Pages 2 0 R%b>>" % catalog,
            b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R"
            b"/Resources<</Font<</F 5 0 R/G 6 0 R>>%b>>>>" % resources,
            stream(written(OPEN, 40, 240, 11) + content),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            *objects,
        ],
    )


def _states(state: bytes) -> bytes:
    return b"/ExtGState<</S <<%b>>>>" % state


_DRAWN = b"/XObject<</X 6 0 R>>"
_LAYER = b"/OCProperties<</OCGs[6 0 R]/D<<%b>>>>"
_OF_LAYER = b"/OC /L BDC " + written(SECRET) + b"EMC "
_MASK = b"/Group<</S/Transparency/CS/DeviceGray>>"
_MASKED = b"/SMask<</S/Luminosity/G 6 0 R>>"


def _own_font(drawing: bytes) -> tuple[bytes, ...]:
    names, widths = b"/a" * 95, b" 500" * 95
    table = (
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
        b"1 beginbfrange <20> <7e> <0020> endbfrange endcmap"
    )
    return (
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 32"
        b"/LastChar 126/Widths[%b]/Encoding<</Type/Encoding/Differences[32%b]>>/CharProcs<</a 7 0 R>>"
        b"/Resources<<>>/ToUnicode 8 0 R>>" % (widths, names),
        stream(drawing),
        stream(table),
    )


HIDDEN: dict[str, tuple[bytes, bytes, tuple[bytes, ...], bytes]] = {
    "under_gradient": (
        written(SECRET) + b"q 30 170 350 30 re W n /S sh Q",
        b"/Shading<</S %b>>" % _GRADIENT,
        (),
        b"",
    ),
    "under_group": (
        written(SECRET) + b"/X Do",
        _DRAWN,
        (form(b"0.2 0.4 0.8 rg " + BAND, _GROUP),),
        b"",
    ),
    "under_thick_line": (written(SECRET) + b"0.8 G 30 w 30 184 m 380 184 l S", b"", (), b""),
    "under_one_of_many_lines": (
        written(SECRET) + 150 * b"0.5 w 30 20 m 380 20 l S " + b"0.8 G 30 w 30 184 m 380 184 l S",
        b"",
        (),
        b"",
    ),
    "under_many_veils": (written(SECRET) + b"/S gs 1 g " + 12 * BAND, _states(b"/ca .6"), (), b""),
    "in_clear_group": (b"/S gs /X Do", _DRAWN + _states(b"/ca 0.01"), (form(written(SECRET), _GROUP),), b""),
    "clear_elsewhere": (b"/S gs " + written(SECRET), _states(b"/ca 6 0 R"), (b"0",), b""),
    "masked": (b"/S gs " + written(SECRET), _states(_MASKED), (form(b"0 g 0 0 400 300 re f", _MASK),), b""),
    "in_a_mask": (
        b"/S gs 0.3 g 0 0 5 5 re f",
        _states(_MASKED),
        (form(b"1 g 0 0 400 300 re f 0 g " + written(SECRET), _MASK),),
        b"",
    ),
    "flattened": (b"q .001 0 0 1 40 180 cm " + written(SECRET, 0, 0) + b"Q", b"", (), b""),
    "empty_letters": (written(SECRET).replace(b"/F", b"/G"), b"", _own_font(b"500 0 d0"), b""),
    "layer": (_OF_LAYER, b"/Properties<</L 6 0 R>>", (b"<</Type/OCG/Name(n)>>",), _LAYER % b"/OFF[6 0 R]"),
    "layer_by_membership": (
        _OF_LAYER,
        b"/Properties<</L 7 0 R>>",
        (b"<</Type/OCG/Name(n)>>", b"<</Type/OCMD/OCGs 6 0 R>>"),
        _LAYER % b"/BaseState/OFF",
    ),
}
"""Ways to hide a text: content, resources, further objects, what the catalogue has."""

_WINDOW = b"q " + written(SEEN, before=b"7 Tr")
VISIBLE: dict[str, tuple[bytes, bytes, tuple[bytes, ...], bytes]] = {
    "window_on_gradient": (_WINDOW + b"/S sh Q", b"/Shading<</S %b>>" % _GRADIENT, (), b""),
    "window_on_colour": (_WINDOW + b"1 0 0 rg 0 0 400 300 re f Q", b"", (), b""),
    "white_on_veil": (b"q /S gs 0 g " + BAND + b"Q 1 g " + written(SEEN), _states(b"/ca .8"), (), b""),
    "white_on_multiplied": (
        b"q /S gs 0.2 g " + BAND + b"Q 1 g " + written(SEEN),
        _states(b"/BM/Multiply"),
        (),
        b"",
    ),
    "white_on_thick_line": (b"0.2 G 30 w 30 184 m 380 184 l S 1 g " + written(SEEN), b"", (), b""),
    "under_highlighter": (written(SEEN) + b"/S gs 1 1 0 rg " + BAND, _states(b"/BM/Multiply"), (), b""),
    "half_clear": (b"/S gs " + written(SEEN), _states(b"/ca .4"), (), b""),
    "own_letters": (
        written(SEEN).replace(b"/F", b"/G"),
        b"",
        _own_font(b"500 0 0 0 500 700 d1 0 0 400 600 re f"),
        b"",
    ),
    "masked_with_white": (
        b"/S gs " + written(SEEN),
        _states(_MASKED),
        (form(b"1 g 0 0 400 300 re f", _MASK),),
        b"",
    ),
}
"""Text that a careless check would take for hidden."""


def heap(kind: str, count: int) -> bytes:
    """Thousands of pieces of text at one place, or all over a page."""
    if kind == "one_place":
        return b"".join(written(f"word{number} pays") for number in range(count))
    if kind == "one_word":
        return written("pays rent now") * count
    return b"".join(
        written(f"word{number} pays", 40 + number * 37 % 200, 20 + number * 53 % 210)
        for number in range(count)
    )


_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_PACKAGES = "http://schemas.openxmlformats.org/package/2006"


def docx(path: Path, body: str, parts: dict[str, str] | None = None) -> Path:
    """A document with this body; `parts` are further files in the folder `word`."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGES}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGES}/relationships"><Relationship Id="r" '
            f'Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>',
        )
        document = (
            f'<w:document {_WORD} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        )
        archive.writestr("word/document.xml", f"{document}<w:body>{body}</w:body></w:document>")
        for name, content in (parts or {}).items():
            archive.writestr(f"word/{name}", content.replace("NS", _WORD, 1))
    return path


def paragraph(text: str, properties: str = "", of_paragraph: str = "") -> str:
    run = f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"
    return f"<w:p><w:pPr>{of_paragraph}</w:pPr>{run}</w:p>"


def protected_epub(path: Path, encrypted: str) -> Path:
    """A book that says of one of its files that it is encrypted."""
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    parts = {
        "META-INF/container.xml": f'<container version="1.0" xmlns="{container}"><rootfiles><rootfile '
        'full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "META-INF/encryption.xml": f'<encryption xmlns="{container}"><EncryptedData><CipherData>'
        f'<CipherReference URI="{encrypted}"/></CipherData></EncryptedData></encryption>',
        "c.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T</dc:title></metadata><manifest>'
        '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine>'
        '<itemref idref="c"/></spine></package>',
        "c.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{OPEN}</p></body></html>',
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    path.write_bytes(buffer.getvalue())
    return path
