"""Reports as Word documents: the few parts of Office Open XML (ECMA-376) that a table needs."""

import io
import re
import zipfile
from xml.sax.saxutils import escape

from core.review.export.report import Table

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_A4, _A3 = (16_838, 11_906), (23_811, 16_838)
_MARGIN = 720
_QUESTION_WEIGHT = 3.0
_WEIGHTS = (4.0, 4.0, 1.3, 1.1, 1.4, 1.2, 2.5)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_CORE_PROPERTIES = "application/vnd.openxmlformats-package.core-properties+xml"

_CONTENT_TYPES = f"""<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="{_WORD}.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="{_WORD}.styles+xml"/>
<Override PartName="/docProps/core.xml" ContentType="{_CORE_PROPERTIES}"/>
</Types>"""
_ROOT_RELATIONS = f"""<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/relationships/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>"""
_DOCUMENT_RELATIONS = f"""<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/relationships/styles" Target="styles.xml"/>
</Relationships>"""
_FONTS = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri" w:eastAsia="Microsoft YaHei"/>'
_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="A6A6A6"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)
_STYLES = f"""<w:styles {_W}>
<w:docDefaults>
<w:rPrDefault><w:rPr>{_FONTS}<w:sz w:val="18"/><w:szCs w:val="18"/></w:rPr></w:rPrDefault>
<w:pPrDefault><w:pPr><w:spacing w:before="40" w:after="40"/></w:pPr></w:pPrDefault>
</w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:qFormat/>
<w:pPr><w:spacing w:after="160"/></w:pPr><w:rPr><w:b/><w:sz w:val="36"/><w:szCs w:val="36"/></w:rPr></w:style>
<w:style w:type="paragraph" w:customStyle="1" w:styleId="TableHead"><w:name w:val="Table Head"/>
<w:basedOn w:val="Normal"/><w:pPr><w:keepNext/></w:pPr><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/>
<w:tblPr><w:tblInd w:w="0" w:type="dxa"/></w:tblPr></w:style>
<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/>
<w:tblPr><w:tblBorders>{_BORDERS}</w:tblBorders>
<w:tblCellMar><w:left w:w="80" w:type="dxa"/><w:right w:w="80" w:type="dxa"/></w:tblCellMar></w:tblPr>
</w:style>
</w:styles>"""


def to_docx(table: Table) -> bytes:
    """A title, the heading, and one table whose head repeats on each page; equal reports give equal bytes."""
    parts = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": _ROOT_RELATIONS,
        "word/document.xml": _document(table),
        "word/_rels/document.xml.rels": _DOCUMENT_RELATIONS,
        "word/styles.xml": _STYLES,
        "docProps/core.xml": _properties(table),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(
                zipfile.ZipInfo(name, _NO_TIME),
                (_DECLARATION + content).encode("utf-8"),
                zipfile.ZIP_DEFLATED,
            )
    return stream.getvalue()


def _properties(table: Table) -> str:
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{_text(table.heading[1][1])}</dc:title><dc:creator>Lectern</dc:creator></cp:coreProperties>"
    )


def _document(table: Table) -> str:
    width, height = _A4 if len(table.groups) == 1 else _A3
    widths = _widths(width - 2 * _MARGIN, len(table.groups))
    head = [_paragraph(table.heading[1][1], "Title")]
    head += [_paragraph(f"{label}: {value}") for label, value in table.heading]
    grid = "".join(f'<w:gridCol w:w="{column}"/>' for column in widths)
    rows = _head_rows(table, widths)
    rows += [_row(cells, widths) for cells in table.flat_rows]
    return (
        f"<w:document {_W}><w:body>{''.join(head)}"
        '<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/>'
        f'<w:tblW w:w="{sum(widths)}" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr>'
        f"<w:tblGrid>{grid}</w:tblGrid>{''.join(rows)}</w:tbl>{_paragraph('')}"
        f'<w:sectPr><w:pgSz w:w="{width}" w:h="{height}" w:orient="landscape"/>'
        f'<w:pgMar w:top="{_MARGIN}" w:right="{_MARGIN}" w:bottom="{_MARGIN}" w:left="{_MARGIN}" '
        'w:header="360" w:footer="360" w:gutter="0"/></w:sectPr></w:body></w:document>'
    )


def _widths(total: int, num_groups: int) -> list[int]:
    """Of the columns, in twentieths of a point."""
    weights = [_QUESTION_WEIGHT, *_WEIGHTS * num_groups]
    return [int(total * weight / sum(weights)) for weight in weights]


def _head_rows(table: Table, widths: list[int]) -> list[str]:
    names = (table.question_column, *table.columns * len(table.groups))
    if len(table.groups) == 1:
        return [_row(names, widths, is_head=True)]
    span = len(table.columns)
    cells = [_cell(table.question_column, widths[0], "TableHead", '<w:vMerge w:val="restart"/>')]
    for number, group in enumerate(table.groups):
        width = sum(widths[1 + number * span : 1 + (number + 1) * span])
        cells.append(_cell(group, width, "TableHead", f'<w:gridSpan w:val="{span}"/>'))
    below = [_cell("", widths[0], "TableHead", "<w:vMerge/>")]
    below += [_cell(name, width, "TableHead") for name, width in zip(names[1:], widths[1:], strict=True)]
    return [_row_of(cells, is_head=True), _row_of(below, is_head=True)]


def _row(texts: tuple[str, ...], widths: list[int], *, is_head: bool = False) -> str:
    style = "TableHead" if is_head else ""
    return _row_of(
        [_cell(text, width, style) for text, width in zip(texts, widths, strict=True)], is_head=is_head
    )


def _row_of(cells: list[str], *, is_head: bool) -> str:
    properties = "<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>" if is_head else ""
    return f"<w:tr>{properties}{''.join(cells)}</w:tr>"


def _cell(text: str, width: int, style: str = "", properties: str = "") -> str:
    size = f'<w:tcW w:w="{width}" w:type="dxa"/>'
    return f"<w:tc><w:tcPr>{size}{properties}</w:tcPr>{_paragraph(text, style)}</w:tc>"


def _paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    lines = [f'<w:t xml:space="preserve">{_text(line)}</w:t>' for line in text.splitlines()]
    return f"<w:p>{properties}<w:r>{'<w:br/>'.join(lines)}</w:r></w:p>"


def _text(text: str) -> str:
    return escape(_ILLEGAL.sub("", text))
